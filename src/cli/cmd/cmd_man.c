/* cmd_man.c — the hidden `gen-man`: a manual page for each command and for each topic of `help`. */
#include "cli/command_pages.h"
#include "cli/help.h"
#include "cli/help_topics.h"

#include "base/fs.h"
#include "base/program.h"
#include "base/version.h"

/* --- text in the language of manual pages --- */

/* A line that begins with a dot or a quote would be a request. */
static void man_add_text(struct strbuf *out, str text)
{
    bool is_line_start = true;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (is_line_start && (c == '.' || c == '\''))
            strbuf_add(out, STR("\\&"));
        if (c == '\\')
            strbuf_add(out, STR("\\e"));
        else if (c == '-')
            strbuf_add(out, STR("\\-"));
        else
            strbuf_add_char(out, c);
        is_line_start = c == '\n';
    }
}

static void man_add_words(struct strbuf *out, const char *font, str text)
{
    strbuf_printf(out, "\\f%s", font);
    man_add_text(out, text);
    strbuf_add(out, STR("\\fR"));
}

static void man_add_verbatim(struct strbuf *out, str text)
{
    strbuf_add(out, STR(".nf\n"));
    man_add_text(out, text);
    strbuf_add(out, STR(".fi\n"));
}

/* "culumi\-stack" in bold, with the number of its section. */
static void man_add_reference(struct strbuf *out, str name, int section)
{
    man_add_words(out, "B", name);
    strbuf_printf(out, "(%d)", section);
}

static void man_add_head(struct strbuf *out, struct arena *arena, str name, int section,
                         const char *summary)
{
    char *title = arena_cstr(arena, name);

    for (char *c = title; *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    strbuf_add(out, STR(".TH \""));
    man_add_text(out, str_from(title));
    strbuf_printf(out, "\" %d \"\" \"culumi " CULUMI_VERSION "\" \"%s\"\n.SH NAME\n", section,
                  section == 1 ? "User Commands" : "Miscellaneous");
    man_add_text(out, name);
    strbuf_add(out, STR(" \\- "));
    man_add_text(out, str_from(summary));
    strbuf_add_char(out, '\n');
}

/* --- the parts of a page --- */

static void man_add_synopsis(struct strbuf *out, const struct command *command)
{
    CLEANUP(strbuf_release) struct strbuf usage = { 0 };

    strbuf_add(out, STR(".SH SYNOPSIS\n"));
    help_add_usage(&usage, command);
    man_add_verbatim(out, strbuf_str(&usage));
}

static void man_add_example(struct strbuf *out, const char *example)
{
    CLEANUP(strbuf_release) struct strbuf lines = { 0 };

    strbuf_add(out, STR(".SH EXAMPLES\n"));
    help_add_example(&lines, example);
    man_add_verbatim(out, strbuf_str(&lines));
}

static void man_add_option(struct strbuf *out, const struct option *option)
{
    const char *value = help_value_word(option);

    strbuf_add(out, STR(".TP\n"));
    if (option->letter) {
        strbuf_printf(out, "\\fB\\-%c\\fR, ", option->letter);
    }
    strbuf_add(out, STR("\\fB\\-\\-"));
    man_add_text(out, str_from(option->name));
    strbuf_add(out, STR("\\fR"));
    if (*value)
        man_add_words(out, "I", str_from(value));
    strbuf_add_char(out, '\n');
    man_add_text(out, str_from(option->help));
    if (option->preset) {
        strbuf_add(out, STR(" (default "));
        man_add_text(out, str_from(option->preset));
        strbuf_add_char(out, ')');
    }
    strbuf_add_char(out, '\n');
}

static void man_add_options(struct strbuf *out, const struct option *table)
{
    for (; table->name; table++)
        if (table->help)
            man_add_option(out, table);
}

static void man_add_children(struct strbuf *out, struct arena *arena, const struct command *parent)
{
    bool has_head = false;

    for (size_t i = 0; i < command_count; i++) {
        if (commands[i]->is_hidden || !command_is_child(commands[i], parent))
            continue;
        if (!has_head)
            strbuf_add(out, STR(".SH COMMANDS\n"));
        has_head = true;
        strbuf_add(out, STR(".TP\n"));
        man_add_reference(out, command_page_name(arena, commands[i], '-'), 1);
        strbuf_add_char(out, '\n');
        man_add_text(out, str_from(commands[i]->summary));
        strbuf_add(out, STR(".\n"));
    }
}

static str man_topic_name(struct arena *arena, const struct help_topic *topic)
{
    return arena_concat(arena, str_from(program_name()), STR("-"), str_from(topic->name));
}

static void man_add_topics(struct strbuf *out, struct arena *arena)
{
    strbuf_add(out, STR(".SH TOPICS\n"));
    for (size_t i = 0; i < help_topic_count; i++) {
        strbuf_add(out, STR(".TP\n"));
        man_add_reference(out, man_topic_name(arena, &help_topics[i]), 7);
        strbuf_add_char(out, '\n');
        man_add_text(out, str_from(help_topics[i].summary));
        strbuf_add(out, STR(".\n"));
    }
}

/* --- pages --- */

static void man_add_program(struct strbuf *out, struct arena *arena)
{
    man_add_head(out, arena, str_from(program_name()), 1,
                 "infrastructure as code: programs in, resources out");
    man_add_synopsis(out, NULL);
    strbuf_printf(out,
                  ".SH DESCRIPTION\n"
                  "\\fB%s\\fR makes clouds and other services have the resources that a program "
                  "describes.\n"
                  "It behaves as the \\fBpulumi\\fR command line of the version that "
                  "\\fB%s version\\fR prints: its SDKs, provider plugins, projects, stacks and\n"
                  "states work as they are.\n"
                  "Installed as \\fBpulumi\\fR, it is found by SDKs and by the Automation API.\n"
                  ".PP\n"
                  "Every option \\fB\\-\\-\\fR\\fIsome\\-name\\fR can also be set by the variable "
                  "\\fBPULUMI_OPTION_\\fR\\fISOME_NAME\\fR.\n",
                  program_name(), program_name());
    man_add_example(out, "login file://~\nnew random-yaml --dir pet\n-C pet up");
    man_add_children(out, arena, NULL);
    man_add_topics(out, arena);
    strbuf_add(out, STR(".SH OPTIONS\nThese are options of every command.\n"));
    man_add_options(out, global_options);
    man_add_options(out, root_options);
    strbuf_add(out, STR(".SH FILES\n.TP\n\\fIPulumi.yaml\\fR\nThe project: its name, and the "
                        "language of its program.\n"
                        ".TP\n\\fIPulumi.STACK.yaml\\fR\nThe configuration of a stack.\n"
                        ".TP\n\\fI~/.pulumi\\fR\nPlugins, credentials and settings.\n"));
}

static void man_add_command(struct strbuf *out, struct arena *arena, const struct command *command)
{
    const struct command *parent = command_parent(command);

    man_add_head(out, arena, command_page_name(arena, command, '-'), 1, command->summary);
    man_add_synopsis(out, command);
    if (command->details) {
        strbuf_add(out, STR(".SH DESCRIPTION\n"));
        man_add_text(out, str_from(command->details));
        strbuf_add_char(out, '\n');
    }
    if (command->example)
        man_add_example(out, command->example);
    man_add_children(out, arena, command);
    if (command->options) {
        strbuf_add(out, STR(".SH OPTIONS\n"));
        for (const struct option *const *table = command->options; *table; table++)
            man_add_options(out, *table);
    }
    strbuf_add(out, STR(".SH SEE ALSO\n"));
    if (parent) {
        man_add_reference(out, command_page_name(arena, parent, '-'), 1);
        strbuf_add(out, STR(",\n"));
    }
    man_add_reference(out, str_from(program_name()), 1);
    strbuf_add(out, STR(" for the options of every command\n"));
}

static void man_add_page(struct strbuf *out, struct arena *arena, const struct command *command)
{
    if (command)
        man_add_command(out, arena, command);
    else
        man_add_program(out, arena);
}

static fallible man_write_topic(struct cli *cli, str folder, const struct help_topic *topic)
{
    CLEANUP(strbuf_release) struct strbuf page = { 0 };
    str name = man_topic_name(cli->arena, topic);
    str file = arena_concat(cli->arena, name, STR(".7"));

    man_add_head(&page, cli->arena, name, 7, topic->summary);
    strbuf_add(&page, STR(".SH DESCRIPTION\n"));
    man_add_verbatim(&page, str_from(topic->text));
    strbuf_add(&page, STR(".SH SEE ALSO\n"));
    man_add_reference(&page, str_from(program_name()), 1);
    strbuf_add_char(&page, '\n');
    return fs_replace_quick(fs_path_join(cli->arena, folder, file), strbuf_str(&page), 0644);
}

static struct error *cmd_man_run(struct cli *cli, const void *args)
{
    const struct page_format format = { '-', ".1", man_add_page };
    str folder = cli_operand(cli, 0);

    (void)args;
    TRY(command_pages_write(cli, folder, &format));
    for (size_t i = 0; i < help_topic_count; i++)
        TRY(man_write_topic(cli, folder, &help_topics[i]));
    return NULL;
}

const struct command cmd_man = {
    .path = "gen-man",
    .operands = "FOLDER",
    .summary = "Write a manual page for each command and each topic",
    .example = "gen-man /usr/local/share/man",
    .is_hidden = true,
    .run = cmd_man_run,
};
