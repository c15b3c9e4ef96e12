/* option.h — what a command line may contain: tables of options and the parser that fills structs
 * from them. */
#pragma once

#include "base/error.h"
#include "base/strs.h"

enum option_type {
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* str */
    OPTION_INTEGER, /* int64_t */
    OPTION_LIST,    /* struct strs; one value each time */
    OPTION_CSV,     /* struct strs; each value is a list separated by commas */
};

/* One row of a table that ends with an empty row. */
struct option {
    const char *name; /* long, without dashes */
    char letter;      /* 0: none */
    enum option_type type;
    size_t offset;      /* of the member that takes the value */
    const char *help;   /* NULL: hidden */
    const char *bare;   /* its value when given without one; NULL: a value is required */
    const char *preset; /* its value when absent; NULL: the zero value */
};

/* The offset of a member, refused by the compiler if the member has another type than the option
 * fills. */
#define OPTION_MEMBER(args, member, wanted)                                                   \
    (offsetof(args, member)                                                                   \
     + 0                                                                                      \
           * sizeof(                                                                          \
               char[__builtin_types_compatible_p(__typeof__(((args *)0)->member), wanted) ? 1 \
                                                                                          : -1]))

#define FLAG(args, member, letter, name, help)                                           \
    {                                                                                    \
        name, letter, OPTION_FLAG, OPTION_MEMBER(args, member, bool), help, "true", NULL \
    }
#define FLAG_ON(args, member, letter, name, help)                                          \
    {                                                                                      \
        name, letter, OPTION_FLAG, OPTION_MEMBER(args, member, bool), help, "true", "true" \
    }
#define TEXT(args, member, letter, name, help)                                        \
    {                                                                                 \
        name, letter, OPTION_TEXT, OPTION_MEMBER(args, member, str), help, NULL, NULL \
    }
#define TEXT_PRESET(args, member, letter, name, preset, help)                           \
    {                                                                                   \
        name, letter, OPTION_TEXT, OPTION_MEMBER(args, member, str), help, NULL, preset \
    }
#define TEXT_OR(args, member, letter, name, bare, help)                               \
    {                                                                                 \
        name, letter, OPTION_TEXT, OPTION_MEMBER(args, member, str), help, bare, NULL \
    }
#define INTEGER(args, member, letter, name, help)                                            \
    {                                                                                        \
        name, letter, OPTION_INTEGER, OPTION_MEMBER(args, member, int64_t), help, NULL, NULL \
    }
#define INTEGER_PRESET(args, member, letter, name, preset, help)                               \
    {                                                                                          \
        name, letter, OPTION_INTEGER, OPTION_MEMBER(args, member, int64_t), help, NULL, preset \
    }
#define LIST(args, member, letter, name, help)                                                \
    {                                                                                         \
        name, letter, OPTION_LIST, OPTION_MEMBER(args, member, struct strs), help, NULL, NULL \
    }
#define LIST_OR(args, member, letter, name, bare, help)                                       \
    {                                                                                         \
        name, letter, OPTION_LIST, OPTION_MEMBER(args, member, struct strs), help, bare, NULL \
    }
#define CSV(args, member, letter, name, help)                                                \
    {                                                                                        \
        name, letter, OPTION_CSV, OPTION_MEMBER(args, member, struct strs), help, NULL, NULL \
    }

/* Tables and the struct they fill. */
struct option_group {
    const struct option *const *tables; /* ends with NULL */
    void *into;
};

const struct option *option_find(const struct option *const *tables, str name);
const struct option *option_find_letter(const struct option *const *tables, char letter);

/* The value of an environment variable, or NULL. */
typedef const char *environment_lookup(const char *name);

struct parsed_line {
    struct strs operands;
    struct strs given; /* names of the options that were set, by the line or by the environment */
};

/* Reads words without the command's own. Every option can also be set by PULUMI_OPTION_NAME; the
 * line wins. */
fallible options_parse(struct arena *arena, const struct option_group *groups, size_t group_count,
                       struct strs words, environment_lookup *environment, struct parsed_line *out);

/* "[a b]" style: fails if more than one option of a space-separated set was given. */
fallible options_check_exclusive(const char *set, struct strs given);

/* How many of the following words `word` takes with it, if the option it names is in one of the
 * tables. */
size_t option_words_taken(const struct option *const *tables, str word, bool *is_known);
