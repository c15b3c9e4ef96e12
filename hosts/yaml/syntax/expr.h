/* expr.h — the expressions of a YAML program. */
#pragma once

#include "model/value.h"
#include "yaml/syntax/diag.h"

struct yaml_node;

enum access_kind { ACCESS_NAME, ACCESS_KEY, ACCESS_INDEX }; /* .name, ["name"], [0] */

struct access_step {
    enum access_kind kind;
    str name;
    long index;
};

/* What is between ${ and }; the first step is a name or a key. */
struct access {
    const struct access_step *steps;
    size_t len;
};

struct text_part {
    str text;
    const struct access *access; /* follows the text; NULL at the end */
};

enum expr_kind {
    EXPR_LITERAL, /* null, bool, number, string */
    EXPR_TEXT,    /* a string with something in it */
    EXPR_SYMBOL,  /* a string that is exactly one ${…}: keeps its type */
    EXPR_LIST,
    EXPR_OBJECT,
    EXPR_CALL,   /* of a built-in function; its arguments are items */
    EXPR_INVOKE, /* of a provider's function */
};

enum builtin {
    BUILTIN_JOIN,
    BUILTIN_SPLIT,
    BUILTIN_SELECT,
    BUILTIN_TO_JSON,
    BUILTIN_TO_BASE64,
    BUILTIN_FROM_BASE64,
    BUILTIN_SECRET,
    BUILTIN_UNSECRET,
    BUILTIN_READ_FILE,
    BUILTIN_FILE_BASE64,
    BUILTIN_FILE_BASE64_SHA256,
    BUILTIN_SHA1,
    BUILTIN_LENGTH,
    BUILTIN_SINGLE_OR_NONE,
    BUILTIN_RESOURCE_NAME,
    BUILTIN_RESOURCE_TYPE,
    BUILTIN_STACK_REFERENCE,
    BUILTIN_ASSET_ARCHIVE,
    BUILTIN_STRING_ASSET,
    BUILTIN_FILE_ASSET,
    BUILTIN_REMOTE_ASSET,
    BUILTIN_FILE_ARCHIVE,
    BUILTIN_REMOTE_ARCHIVE,
};

struct expr;

struct expr_pair {
    struct expr *key;
    struct expr *value;
};

struct invoke {
    struct expr *token;     /* a string */
    struct expr *arguments; /* an object, or NULL */
    struct expr *result;    /* `return`: a string, or NULL */
    struct expr *parent;    /* options; each may be NULL */
    struct expr *provider;
    struct expr *depends_on;
    struct expr *version;
    struct expr *plugin_download_url;
};

struct expr {
    enum expr_kind kind;
    enum builtin builtin; /* EXPR_CALL */
    struct range range;
    const struct yaml_node *node; /* NULL: made here */
    size_t len;                   /* of parts, items, pairs */
    union {
        struct value literal;
        const struct text_part *parts;
        const struct access *access;
        struct expr **items;
        struct expr_pair *pairs;
        struct invoke *invoke;
    };
};

bool expr_is_string(const struct expr *expr);
/* Of a literal string; empty for NULL. */
str expr_string(const struct expr *expr);

/* The name that the access begins with. */
str access_root(const struct access *access);
str access_format(struct arena *arena, const struct access *access);
