/* cmd_markdown.c — the hidden `gen-markdown`: a page for each command. */
#include "cli/command_pages.h"
#include "cli/help.h"

#include "base/program.h"

static void markdown_add_link(struct strbuf *out, struct arena *arena,
                              const struct command *command)
{
    str name = command_page_name(arena, command, '_');

    strbuf_printf(out, "* [%s%s%s](" STR_FMT ".md)\t - %s\n", program_name(), command ? " " : "",
                  command ? command->path : "", STR_ARG(name),
                  command ? command->summary : "The command line");
}

static void markdown_add_links(struct strbuf *out, struct arena *arena,
                               const struct command *command)
{
    strbuf_add(out, STR("\n## SEE ALSO\n\n"));
    if (command)
        markdown_add_link(out, arena, command_parent(command));
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

static struct error *cmd_markdown_run(struct cli *cli, const void *args)
{
    const struct page_format format = { '_', ".md", markdown_add_page };

    (void)args;
    return command_pages_write(cli, cli_operand(cli, 0), &format);
}

const struct command cmd_markdown = {
    .path = "gen-markdown",
    .operands = "FOLDER",
    .summary = "Write a page of Markdown for each command",
    .example = "gen-markdown docs/commands",
    .is_hidden = true,
    .run = cmd_markdown_run,
};
