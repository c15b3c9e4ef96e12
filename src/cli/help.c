/* help.c — the help text of a command, generated from its struct. */
#include "cli/help.h"

#include "base/program.h"
#include "base/strbuf.h"

#include <stdio.h>

const char *help_value_word(const struct option *option)
{
    switch (option->type) {
    case OPTION_FLAG: return "";
    case OPTION_TEXT: return option->bare ? "[=text]" : " text";
    case OPTION_INTEGER: return " number";
    case OPTION_LIST: return option->bare ? "[=text]" : " text";
    case OPTION_CSV: return " list";
    }
    return "";
}

void help_add_options(struct strbuf *out, const struct option *option)
{
    enum { HELP_COLUMN = 44 };

    for (; option->name; option++) {
        size_t start = out->len;
        if (!option->help)
            continue;
        if (option->letter)
            strbuf_printf(out, "  -%c, ", option->letter);
        else
            strbuf_add(out, STR("      "));
        strbuf_printf(out, "--%s%s", option->name, help_value_word(option));
        size_t width = out->len - start;
        strbuf_add_repeated(out, ' ', width < HELP_COLUMN ? HELP_COLUMN - width : 2);
        strbuf_printf(out, "%s", option->help);
        if (option->preset)
            strbuf_printf(out, " (default %s)", option->preset);
        strbuf_add_char(out, '\n');
    }
}

static void add_children(struct strbuf *out, const struct command *parent)
{
    enum { SUMMARY_COLUMN = 28 };
    bool has_head = false;

    for (size_t i = 0; i < command_count; i++) {
        bool is_hidden = commands[i]->is_hidden && !(parent && parent->is_hidden);
        if (is_hidden || !command_is_child(commands[i], parent))
            continue;
        if (!has_head)
            strbuf_add(out, STR("\nCommands:\n"));
        has_head = true;
        str name = command_name(commands[i]);
        strbuf_printf(out, "  " STR_FMT, STR_ARG(name));
        strbuf_add_repeated(out, ' ', name.len < SUMMARY_COLUMN ? SUMMARY_COLUMN - name.len : 1);
        strbuf_printf(out, "%s\n", commands[i]->summary);
    }
}

void help_add_usage(struct strbuf *out, const struct command *command)
{
    if (!command || command_has_children(command))
        strbuf_printf(out, "  %s%s%s <command> [options]\n", program_name(), command ? " " : "",
                      command ? command->path : "");
    if (command && command->run)
        strbuf_printf(out, "  %s %s%s%s [options]\n", program_name(), command->path,
                      command->operands ? " " : "", command->operands ? command->operands : "");
    if (command && command->aliases)
        strbuf_printf(out, "\nAliases: " STR_FMT " %s\n", STR_ARG(command_name(command)),
                      command->aliases);
}

/* An example is written without the name of the program, a line each. */
void help_add_example(struct strbuf *out, const char *example)
{
    str rest = str_from(example), line;

    while (str_next(&rest, STR("\n"), &line)) {
        strbuf_printf(out, "  %s " STR_FMT "\n", program_name(), STR_ARG(line));
    }
}

void help_print(const struct command *command)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    strbuf_printf(&out, "%s\n",
                  command ? command->summary
                          : "Infrastructure as code: programs in, resources out");
    if (command && command->details)
        strbuf_printf(&out, "\n%s\n", command->details);
    strbuf_add(&out, STR("\nUsage:\n"));
    help_add_usage(&out, command);
    if (!command || command->example) {
        strbuf_add(&out, STR("\nExamples:\n"));
        help_add_example(&out, command ? command->example : "new\nup\nhelp up\nhelp backends");
    }
    if (!command || command_has_children(command))
        add_children(&out, command);
    if (command && command->options) {
        strbuf_add(&out, STR("\nOptions:\n"));
        for (const struct option *const *table = command->options; *table; table++)
            help_add_options(&out, *table);
    }
    strbuf_add(&out, STR("\nGlobal options:\n"));
    help_add_options(&out, global_options);
    if (!command)
        help_add_options(&out, root_options);
    fwrite(out.ptr, 1, out.len, stdout);
}
