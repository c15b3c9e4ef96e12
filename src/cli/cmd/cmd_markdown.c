/* cmd_markdown.c — the hidden `gen-markdown`: a page for each command. */
#include "cli/help.h"

#include "base/fs.h"
#include "base/program.h"

/* "pulumi_stack_rename" for a path, "pulumi" for none. */
static str markdown_name(struct arena *arena, const struct command *command)
{
    char *name = arena_cstr(arena, arena_concat(arena, str_from(program_name()),
                                                command ? STR("_") : STR(""),
                                                str_from(command ? command->path : "")));

    for (char *c = name; *c; c++)
        *c = *c == ' ' ? '_' : *c;
    return str_from(name);
}

static void markdown_add_link(struct strbuf *out, struct arena *arena,
                              const struct command *command)
{
    str name = markdown_name(arena, command);

    strbuf_printf(out, "* [%s%s%s](" STR_FMT ".md)\t - %s\n", program_name(), command ? " " : "",
                  command ? command->path : "", STR_ARG(name),
                  command ? command->summary : "The command line");
}

static const struct command *markdown_parent(const struct command *command)
{
    for (size_t i = 0; i < command_count; i++)
        if (command_is_child(command, commands[i]))
            return commands[i];
    return NULL;
}

static void markdown_add_links(struct strbuf *out, struct arena *arena,
                               const struct command *command)
{
    strbuf_add(out, STR("\n## SEE ALSO\n\n"));
    if (command)
        markdown_add_link(out, arena, markdown_parent(command));
    for (size_t i = 0; i < command_count; i++)
        if (!commands[i]->is_hidden && command_is_child(commands[i], command))
            markdown_add_link(out, arena, commands[i]);
}

static void markdown_add_page(struct strbuf *out, struct arena *arena,
                              const struct command *command)
{
    const char *summary = command ? command->summary : "Infrastructure as code";
    const struct option *const *table = command ? command->options : NULL;

    strbuf_printf(out, "---\ntitle: \"%s%s%s\"\n---\n\n%s\n\n## Synopsis\n\n", program_name(),
                  command ? " " : "", command ? command->path : "", summary);
    if (command && command->details)
        strbuf_printf(out, "%s\n\n", command->details);
    strbuf_add(out, STR("```\n"));
    help_add_usage(out, command);
    strbuf_add(out, STR("```\n"));
    if (command && command->example) {
        strbuf_add(out, STR("\n## Examples\n\n```\n"));
        help_add_example(out, command->example);
        strbuf_add(out, STR("```\n"));
    }
    if (table) {
        strbuf_add(out, STR("\n## Options\n\n```\n"));
        for (; *table; table++)
            help_add_options(out, *table);
        strbuf_add(out, STR("```\n"));
    }
    strbuf_printf(out, "\n## Options%s\n\n```\n", command ? " inherited from parent commands" : "");
    help_add_options(out, global_options);
    strbuf_add(out, STR("```\n"));
    markdown_add_links(out, arena, command);
}

static fallible markdown_write(struct cli *cli, str folder, const struct command *command)
{
    CLEANUP(strbuf_release) struct strbuf page = { 0 };
    str name = arena_concat(cli->arena, markdown_name(cli->arena, command), STR(".md"));

    markdown_add_page(&page, cli->arena, command);
    return fs_replace_quick(fs_path_join(cli->arena, folder, name), strbuf_str(&page), 0644);
}

static struct error *cmd_markdown_run(struct cli *cli, const void *args)
{
    str folder = cli_operand(cli, 0);

    (void)args;
    if (!fs_is_directory(folder))
        return error_new(ERROR_NOT_FOUND, "'" STR_FMT "' is no folder: make it first",
                         STR_ARG(folder));
    TRY(markdown_write(cli, folder, NULL));
    for (size_t i = 0; i < command_count; i++)
        if (!commands[i]->is_hidden)
            TRY(markdown_write(cli, folder, commands[i]));
    return NULL;
}

const struct command cmd_markdown = {
    .path = "gen-markdown",
    .operands = "FOLDER",
    .summary = "Write a page of Markdown for each command",
    .example = "gen-markdown docs/commands",
    .is_hidden = true,
    .run = cmd_markdown_run,
};
