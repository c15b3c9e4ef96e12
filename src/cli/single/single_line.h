/* single_line.h — what a line of `do` says: a function or a resource by its token, what to do with
 * it, and its properties as options. */
#pragma once

#include "cli/cli.h"

#include "schema/schema.h"

enum single_verb {
    SINGLE_SHOW, /* what there is to be had */
    SINGLE_CALL, /* a function */
    SINGLE_READ,
    SINGLE_LIST,
    SINGLE_CREATE,
    SINGLE_PATCH,
    SINGLE_UPSERT,
    SINGLE_DELETE,
};

struct single_line {
    enum single_verb verb;
    str token;                              /* in full */
    const struct schema_resource *resource; /* NULL: a function, or the whole package */
    const struct schema_function *function;
    str subject;             /* the name of a resource; of one to be read its id */
    struct value properties; /* VALUE_OBJECT: expressions of a YAML program */
    bool lists_all;          /* not only the first page */
    uint64_t list_count;     /* at most so many; 0: no matter how many */
};

/* `words` are those that are no options of ours: TOKEN [VERB [NAME]] and --PROPERTY VALUE, or
 * --PROPERTY+ EXPRESSION; behind `list` also --all and --count N. `file` has more properties in
 * YAML; empty: none. */
fallible single_line_parse(struct cli *cli, struct schema *schema, struct strs words, str file,
                           struct single_line *out);

/* As a program writes what is meant literally. Assets and references cannot be written. */
fallible single_literal(struct arena *arena, struct value value, struct value *out);
