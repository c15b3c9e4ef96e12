/* yaml.h — YAML documents as trees: read with their places in the text, written, and written back
 * into the text they came from. */
#pragma once

#include "base/error.h"

enum { YAML_MAX_DEPTH = 200, YAML_MAX_SIZE = 32 << 20, YAML_MAX_NODES = 1000000 };

enum yaml_kind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING };

/* How it is written. For nodes that were made here PLAIN and BLOCK leave the choice to the
 * writer. */
enum yaml_style {
    YAML_PLAIN,
    YAML_QUOTED_SINGLE,
    YAML_QUOTED_DOUBLE,
    YAML_LITERAL,
    YAML_FOLDED,
    YAML_BLOCK,
    YAML_FLOW
};

struct yaml_node;

struct yaml_pair {
    struct yaml_node *key;
    struct yaml_node *value;
    bool is_merged; /* came in with a merge key (<<) */
};

struct yaml_node {
    enum yaml_kind kind;
    enum yaml_style style;
    str tag;  /* explicit, e.g. "tag:yaml.org,2002:str" or "!Sub"; empty if none */
    str text; /* of a scalar */
    union {
        struct yaml_node **items; /* of a sequence */
        struct yaml_pair *pairs;  /* of a mapping, in order, keys unique */
    };
    size_t len;
    size_t capacity; /* private */
    size_t weight;   /* private: nodes below, aliases counted in full */
    size_t line;     /* from 1; 0 for a node that was made here */
    size_t column;
    size_t start; /* bytes of the text */
    size_t end;
    bool is_open;  /* private: not complete yet */
    bool is_alias; /* of a node with an anchor; its position is the alias */
};

/* The first document; an empty one is a null. Aliases and merge keys are resolved. Errors are
 * ERROR_INVALID and name line and column. Slices of the text are not kept. */
fallible yaml_read(struct arena *arena, str text, struct yaml_node **out);

/* --- asking --- */

enum yaml_type { YAML_NULL, YAML_BOOL, YAML_INT, YAML_FLOAT, YAML_STRING, YAML_TIMESTAMP };

/* What a scalar means by the core rules: only true and false are booleans; yes, no, on and off are
 * strings. */
struct yaml_scalar {
    enum yaml_type type;
    bool boolean;
    bool is_unsigned; /* an integer above INT64_MAX */
    int64_t integer;
    double number; /* of an integer too */
    str text;      /* YAML_STRING */
};
struct yaml_scalar yaml_resolve(const struct yaml_node *node);
/* A timestamp as the reference prints it: 2020-01-02 00:00:00 +0000 UTC. */
str yaml_timestamp_text(struct arena *arena, const struct yaml_node *node);

bool yaml_is_null(const struct yaml_node *node);
bool yaml_is_string(const struct yaml_node *node);
/* NULL if there is no such key or it is no mapping. */
struct yaml_node *yaml_find(const struct yaml_node *mapping, str key);
/* Same meaning: types and values, mappings in any order. */
bool yaml_equal(const struct yaml_node *a, const struct yaml_node *b);

/* --- making --- */

struct yaml_node *yaml_new_string(struct arena *arena, str text);
/* Written without quotes: a number, true, null. */
struct yaml_node *yaml_new_plain(struct arena *arena, str text);
struct yaml_node *yaml_new_mapping(struct arena *arena);
struct yaml_node *yaml_new_sequence(struct arena *arena);
/* Adds at the end or replaces in place. */
void yaml_put(struct arena *arena, struct yaml_node *mapping, str key, struct yaml_node *value);
/* The same without looking for the key. */
void yaml_append_pair(struct arena *arena, struct yaml_node *mapping, struct yaml_node *key,
                      struct yaml_node *value);
void yaml_drop(struct yaml_node *mapping, str key);
void yaml_add(struct arena *arena, struct yaml_node *sequence, struct yaml_node *item);
/* A node whose pairs or items can be changed without changing the original; what is below is
 * shared. */
struct yaml_node *yaml_copy_shallow(struct arena *arena, const struct yaml_node *node);

/* The order of keys in maps that are written for the first time: by bytes, but numbers by value and
 * letters behind what is neither letter nor digit. */
int yaml_compare_keys(str a, str b);

/* --- writing --- */

/* A whole document: indented by two, sequences indented under their key, quotes only where needed,
 * a newline at the end. */
str yaml_write(struct arena *arena, const struct yaml_node *root);

/* A text that reads as `wanted`, made from `text`, which read as `old`: comments, order, style and
 * quotes of what has not changed stay, and so do ends of lines. */
str yaml_update(struct arena *arena, str text, const struct yaml_node *old,
                const struct yaml_node *wanted);
