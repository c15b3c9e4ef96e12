/* syntax.h — from the text of a program to its tree. */
#pragma once

#include "base/yaml.h"
#include "yaml/syntax/program.h"

struct syntax {
    struct arena *arena;
    const struct source *source;
    struct diags *diags;
};

/* The whole text. What is wrong is in the diagnostics; the tree is complete as far as there are no
 * errors. */
struct program *program_read(struct arena *arena, const struct source *source, struct diags *diags);

/* NULL, with a diagnostic, if it is not an expression. */
struct expr *expr_read(struct syntax *syntax, const struct yaml_node *node);
struct expr *expr_read_function(struct syntax *syntax, const struct yaml_node *node,
                                bool *is_function);

/* A string with ${…} in it, or without. */
struct expr *expr_read_text(struct syntax *syntax, const struct yaml_node *node, str text);
struct expr *expr_new(struct syntax *syntax, enum expr_kind kind, const struct yaml_node *node);

/* The field of a record that a key means: its place in the NULL-terminated list of names, or -1.
 * Warns about wrong case, and about fields that are not there if the record has a label. */
int syntax_field(struct syntax *syntax, const struct yaml_node *key, const char *const *names,
                 const char *label);
/* Warns if the key is written in another case. */
void syntax_check_case(struct syntax *syntax, const struct yaml_node *key, str wanted);
/* An expression that has to be a literal string or boolean: `what` must be … */
struct expr *syntax_string(struct syntax *syntax, const struct yaml_node *node, const char *what);
struct expr *syntax_bool(struct syntax *syntax, const struct yaml_node *node, const char *what);
/* The version of a plugin, as the engine takes it: "v1.2" is 1.2.0. What is no version is told
 * where it is used. */
struct expr *syntax_version(struct syntax *syntax, const struct yaml_node *node);

/* The keys of resource options; a NULL ends the names. */
struct option_keys {
    const char *names[OPTION_COUNT + 2];
    size_t rows[OPTION_COUNT + 1]; /* in option_rows; SIZE_MAX: the parent, which is no option */
    size_t len;
};
void syntax_option_keys(struct option_keys *out);

/* Names by how near they are to a word, then by bytes: for suggestions. */
void sort_by_distance(str *names, size_t len, str word);
/* "a, b, c and 2 others"; `most` 0: all of them. */
str suggestion_list(struct arena *arena, const str *names, size_t len, str word, size_t most);
