/* command_pages.h — a page for each command, made of the tables that the help is made of. */
#pragma once

#include "base/strbuf.h"
#include "cli/cli.h"

/* How pages are written and named. */
struct page_format {
    char separator;     /* between the words of a name: culumi_stack_rename */
    const char *suffix; /* ".md" */
    /* NULL: the page of the program. */
    void (*add_page)(struct strbuf *out, struct arena *arena, const struct command *command);
};

/* Writes the pages of the program and of every command that is not hidden into the folder, which
 * must be there. */
fallible command_pages_write(struct cli *cli, str folder, const struct page_format *format);
/* The words "culumi stack rename", joined by the separator. NULL: the program. */
str command_page_name(struct arena *arena, const struct command *command, char separator);
/* The command that it is below; NULL: it is directly below the program. */
const struct command *command_parent(const struct command *command);
