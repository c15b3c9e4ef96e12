/* command_pages.c — a page for each command: which there are, and what their files are called. */
#include "cli/command_pages.h"

#include "base/fs.h"
#include "base/program.h"

str command_page_name(struct arena *arena, const struct command *command, char separator)
{
    char *name = arena_cstr(arena, arena_concat(arena, str_from(program_name()),
                                                command ? STR(" ") : STR(""),
                                                str_from(command ? command->path : "")));

    for (char *c = name; *c; c++)
        *c = *c == ' ' ? separator : *c;
    return str_from(name);
}

const struct command *command_parent(const struct command *command)
{
    for (size_t i = 0; i < command_count; i++)
        if (command_is_child(command, commands[i]))
            return commands[i];
    return NULL;
}

static fallible command_page_write(struct cli *cli, str folder, const struct page_format *format,
                                   const struct command *command)
{
    CLEANUP(strbuf_release) struct strbuf page = { 0 };
    str name = command_page_name(cli->arena, command, format->separator);
    str file = arena_concat(cli->arena, name, str_from(format->suffix));

    format->add_page(&page, cli->arena, command);
    return fs_replace_quick(fs_path_join(cli->arena, folder, file), strbuf_str(&page), 0644);
}

fallible command_pages_write(struct cli *cli, str folder, const struct page_format *format)
{
    if (!fs_is_directory(folder))
        return error_new(ERROR_NOT_FOUND, "'" STR_FMT "' is no folder: make it first",
                         STR_ARG(folder));
    TRY(command_page_write(cli, folder, format, NULL));
    for (size_t i = 0; i < command_count; i++)
        if (!commands[i]->is_hidden)
            TRY(command_page_write(cli, folder, format, commands[i]));
    return NULL;
}
