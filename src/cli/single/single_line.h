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
    bool has_provider;       /* the line says how the provider is configured: so */
    struct value provider;   /* VALUE_OBJECT, likewise */
    bool lists_all;          /* not only the first page */
    uint64_t list_count;     /* at most so many; 0: no matter how many */
};

/* In YAML; empty: none. */
struct single_files {
    str properties;
    str provider;
};

/* `words` are those that are no options of ours: TOKEN [VERB [NAME]] and --PROPERTY VALUE, or
 * --PROPERTY+ EXPRESSION, --PACKAGE:PROPERTY for one of the provider; behind `list` also --all and
 * --count N. What the line says comes before what the files say. */
fallible single_line_parse(struct cli *cli, struct schema *schema, struct strs words,
                           struct single_files files, struct single_line *out);

/* The first of these words that is neither an option nor behind one; empty: there is none. Before
 * the package is known an option that is not ours takes the next word. */
str single_line_token(struct strs words);

/* As a program writes what is meant literally. Assets and references cannot be written. */
fallible single_literal(struct arena *arena, struct value value, struct value *out);
