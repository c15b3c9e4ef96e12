/* schema_type.h — types and properties of schemas; the first half of schema.h.
 *
 * One type serves both places: as a result it is what it is, as an argument everything may also be
 * a promise of it, but for what is plain. An object is asked for its properties as they are used.
 */
#pragma once

#include "base/map.h"
#include "base/pairs.h"
#include "model/resource.h"

enum type_kind {
    TYPE_ANY,
    TYPE_BOOL,
    TYPE_INTEGER,
    TYPE_NUMBER,
    TYPE_STRING,
    TYPE_ASSET,
    TYPE_ARCHIVE,
    TYPE_ARRAY,
    TYPE_MAP,
    TYPE_UNION,
    TYPE_OBJECT, /* properties are read when asked for */
    TYPE_ENUM,
    TYPE_RESOURCE,
};

struct schema;
struct schema_properties;

struct schema_type {
    enum type_kind kind;
    bool is_plain; /* "plain": as an argument it is never a promise; an object's own properties may
                      be */
    struct schema_type *element;        /* of an array or a map */
    struct schema_type *const *members; /* of a union */
    size_t len;                         /* of members, of values */
    const struct value *values;         /* of an enum */
    const str *names;                   /* of an enum's values; empty where it has none */
    const str *value_descriptions;      /* of an enum's values */
    const str *value_deprecations;
    bool is_json;                     /* of TYPE_ANY: travels as JSON text */
    enum type_kind base;              /* of an enum: what its values are */
    const struct schema_type *preset; /* of a union: the type that is named beside it */
    str discriminator;                /* of a union: the property that says which member it is */
    struct pairs mapping;             /* its value → token */
    str token; /* of an object, enum, resource; of TYPE_ANY: what the package has no definition of
                */
    str description;               /* of an object or enum of the package */
    str languages;                 /* JSON: what its definition says to each language */
    bool is_overlay;               /* written by hand: SDKs have it from elsewhere */
    struct strs overlay_languages; /* which of them; empty: all */
    str raw;                       /* private: text of an object that is not read yet */
    const struct schema_properties *properties; /* of an object; see schema_type_properties */
    struct schema_type *definition; /* of a plain use of a named type: the type; else NULL */
    const struct schema *schema;    /* of the package that has it, which may be another one */
};

struct schema_property {
    str name;
    str description;
    str deprecation; /* why it should not be used any more; empty: it may be */
    struct schema_type *type;
    bool is_required;
    bool is_secret;
    bool replaces;     /* replaceOnChanges */
    bool will_replace; /* willReplaceOnChanges */
    bool has_constant;
    bool has_default; /* `preset` is what it is if nobody sets it */
    struct value constant;
    struct value preset;
    struct strs environment; /* variables that are asked before `preset` */
    str preset_languages;    /* JSON: what `defaultInfo` says to each language */
    str languages;           /* JSON: what it says to each language */
};

struct schema_properties {
    const struct schema_property *items; /* sorted by name */
    size_t len;
};

/* NULL if there is none. */
const struct schema_property *schema_property(struct schema_properties properties, str name);
/* NULL of what is no object. */
const struct schema_properties *schema_type_properties(struct schema_type *type);
/* As messages call it: string, List<string>, Map<number>, {a: string}, pkg:index:Type. */
str schema_type_text(struct arena *arena, const struct schema_type *type);
