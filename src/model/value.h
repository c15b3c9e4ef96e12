/* value.h — property values: one immutable tree for everything that programs, providers and the
 * state exchange. */
#pragma once

#include "base/error.h"

enum value_kind {
    VALUE_NULL,
    VALUE_BOOL,
    VALUE_NUMBER,
    VALUE_STRING, /* any bytes; a byte string on the wire and in the state if not UTF-8 */
    VALUE_ARRAY,
    VALUE_OBJECT,
    VALUE_ASSET,
    VALUE_ARCHIVE,
    VALUE_SECRET,
    VALUE_COMPUTED,  /* unknown until the update; `unknown` says of which type */
    VALUE_OUTPUT,    /* a value with its dependencies, known or not, secret or not */
    VALUE_REFERENCE, /* to a resource */
};

/* Which sentinel an unknown came with; it goes out with the same. */
enum unknown_type {
    UNKNOWN_STRING,
    UNKNOWN_BOOL,
    UNKNOWN_NUMBER,
    UNKNOWN_ARRAY,
    UNKNOWN_ASSET,
    UNKNOWN_ARCHIVE,
    UNKNOWN_OBJECT
};

/* Readers refuse deeper nesting, so the functions here may recurse: the greediest needs 110 KB of a
 * stack for it. */
enum { VALUE_MAX_DEPTH = 500 };

struct member;
struct secret_value;
struct output;
struct asset;
struct reference;

/* 16 bytes, passed by value. What it points to lives in an arena and never changes (but see struct
 * secret). */
struct value {
    uint8_t kind;    /* enum value_kind */
    uint8_t unknown; /* enum unknown_type of a VALUE_COMPUTED */
    bool is_utf8;    /* of a string: known to be valid; else it has to be checked */
    uint32_t len;    /* bytes of a string, items, members; of a number: see value_integer */
    union {
        bool boolean;
        double number;
        const char *text;
        const struct value *items;
        const struct member *members; /* sorted by key, keys unique */
        struct secret_value *secret;
        const struct output *output;
        const struct asset *asset; /* assets and archives */
        const struct reference *reference;
    };
};

struct member {
    str key;
    struct value value;
};

/* Filled in where the crypter is at hand: a secret from a checkpoint has only a ciphertext until it
 * is unsealed, one from a program only a plaintext until it is sealed. Either is computed at most
 * once, so an unchanged secret keeps its ciphertext. */
struct secret_value {
    struct value element;
    str ciphertext; /* empty: not sealed yet */
    bool is_opaque; /* element is not there yet */
};

struct output {
    struct value element; /* if known */
    bool is_known;
    bool is_secret;
    const str *dependencies; /* URNs */
    size_t dependency_count;
};

/* An asset (text, path or uri) or an archive (members, path or uri). */
struct asset {
    str hash; /* lower-case hex SHA-256; empty if not computed */
    str text;
    str path;
    str uri;
    bool has_text;        /* an asset with contents given as text, maybe empty */
    bool has_members;     /* an archive given as members, maybe none */
    struct value members; /* VALUE_OBJECT of assets and archives */
};

struct reference {
    str urn;
    bool has_id;     /* components have none */
    struct value id; /* VALUE_STRING or VALUE_COMPUTED */
    str name;        /* as on the wire; the state keeps neither name nor type */
    str type;
    str package_version;
};

/* --- making --- */

#define VALUE_EMPTY_OBJECT ((struct value){ .kind = VALUE_OBJECT })

static inline struct value value_null(void)
{
    return (struct value){ .kind = VALUE_NULL };
}
static inline struct value value_bool(bool boolean)
{
    return (struct value){ .kind = VALUE_BOOL, .boolean = boolean };
}
static inline struct value value_number(double number)
{
    return (struct value){ .kind = VALUE_NUMBER, .number = number };
}
static inline struct value value_string(str text)
{
    return (struct value){ .kind = VALUE_STRING, .len = (uint32_t)text.len, .text = text.ptr };
}
static inline struct value value_computed(enum unknown_type type)
{
    return (struct value){ .kind = VALUE_COMPUTED, .unknown = (uint8_t)type };
}
/* From a reader that has checked it. */
static inline struct value value_utf8(str text)
{
    return (struct value){
        .kind = VALUE_STRING, .is_utf8 = true, .len = (uint32_t)text.len, .text = text.ptr
    };
}
static inline bool value_is_byte_string(struct value value)
{
    return value.kind == VALUE_STRING && !value.is_utf8
           && !str_is_utf8((str){ value.text, value.len });
}
static inline str value_text(struct value value)
{
    return (str){ value.text, value.len };
}
struct value value_secret(struct arena *arena, struct value element);
struct value value_array(struct arena *arena, const struct value *items, size_t len);
/* Sorts; the last of equal keys wins. The members are copied, keys and values are borrowed. */
struct value value_object(struct arena *arena, const struct member *members, size_t len);

#include "model/value_ops.h"
