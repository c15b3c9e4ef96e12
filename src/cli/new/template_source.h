/* template_source.h — where templates come from: a folder, a zip file, a repository, the cache of
 * the user, the program itself. */
#pragma once

#include "cli/cli.h"
#include "template/template.h"

struct template_wish {
    enum template_kind kind;
    str operand; /* empty: all there are */
    bool is_offline;
};

/* What was found. The zero value is nothing. */
struct template_finding {
    struct templates list; /* inspected */
    bool is_collection;    /* one of them has to be chosen */
    str shown;             /* what to remember of where it is from; empty: the name */
    str temporary;         /* a folder that goes with the finding; empty: none */
};

/* An operand that names nothing is ERROR_NOT_FOUND, with names that are like it. Blocks. */
fallible template_source_find(struct cli *cli, const struct template_wish *wish,
                              struct template_finding *out);
/* Everything that has a name: the cache, and what is built in. Blocks. */
fallible template_source_all(struct cli *cli, const struct template_wish *wish,
                             struct template_finding *out);
void template_finding_release(struct template_finding *finding);

/* "Available Templates:" and a line for each; those that are broken come last. */
void template_source_print(struct cli *cli, const struct templates *list);
/* The same lines for a menu; ends with NULL. Sorts the list like them. */
const char **template_source_lines(struct cli *cli, struct templates *list);

/* Refuses a template that is broken. */
fallible template_source_check(const struct template *template);
