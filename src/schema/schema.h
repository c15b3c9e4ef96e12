/* schema.h — what packages say about their resources and functions. Only what is asked for is read.
 *
 * A package without a schema is not an error here: everything about it is then as the program
 * writes it. */
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

struct schema_type {
    enum type_kind kind;
    struct schema_type *element;        /* of an array or a map */
    struct schema_type *const *members; /* of a union */
    size_t len;                         /* of members, of values */
    const struct value *values;         /* of an enum */
    const str *names;                   /* of an enum's values; empty where it has none */
    bool is_json;                       /* of TYPE_ANY: travels as JSON text */
    enum type_kind base;                /* of an enum: what its values are */
    const struct schema_type *preset;   /* of a union: the type that is named beside it */
    str discriminator;                  /* of a union: the property that says which member it is */
    struct pairs mapping;               /* its value → token */
    str token;                          /* of an object, enum, resource */
    str raw;                            /* private: text of an object that is not read yet */
    const struct schema_properties *properties; /* of an object; see schema_type_properties */
    const struct schema *schema;
};

struct schema_property {
    str name;
    str description;
    struct schema_type *type;
    bool is_required;
    bool is_secret;
    bool replaces; /* replaceOnChanges */
    bool has_constant;
    struct value constant;
};

struct schema_properties {
    const struct schema_property *items; /* sorted by name */
    size_t len;
};

struct schema_resource {
    str token;
    str description;
    bool is_component;
    struct schema_properties inputs;
    struct schema_properties outputs; /* those that are required are always there */
    const str *alias_types;
    size_t alias_count;
};

struct schema_function {
    str token;
    str description;
    struct schema_properties inputs;
    struct schema_properties outputs; /* of an object */
    struct schema_type *result;       /* of a function that gives something else; NULL: an object */
};

/* The plugin that is parameterized to be the package, and how. */
struct schema_base {
    bool is_given;
    str name;
    str version;
    str value; /* base64 */
};

/* Where the text of each resource, function and type is. */
struct schema {
    struct arena *arena;
    str name;
    str version;
    str namespace;
    str description;
    str repository;
    str download_url;
    struct schema_base parameterization;
    struct schema_base extension;
    str module_format; /* a regular expression; empty: the module is as the token has it */
    bool supports_pack;
    str language;         /* JSON: what each language needs to know */
    struct map resources; /* token → str * of JSON */
    struct map functions;
    struct map types;
    str provider;              /* JSON of the provider itself */
    struct map read_resources; /* token → struct schema_resource * */
    struct map read_functions;
    struct map read_types;
};

/* The text must live as long as the schema. */
fallible schema_read(struct arena *arena, str json, struct schema **out);
void schema_release(struct schema *schema);

/* The full token of what the program writes: as it is, with the module `index`, or with the type
 * repeated in the module; NULL pointer: none. Case does not matter. */
str schema_resolve_resource(struct schema *schema, str token);
str schema_resolve_function(struct schema *schema, str token);

/* By full token; "pulumi:providers:NAME" is the provider. NULL if there is none or it cannot be
 * understood. */
const struct schema_resource *schema_resource(struct schema *schema, str token);
const struct schema_function *schema_function(struct schema *schema, str token);
const struct schema_property *schema_property(struct schema_properties properties, str name);
const struct schema_properties *schema_type_properties(struct schema_type *type);

/* The module of a token as programs see it; empty for what is at the root of the package. */
str schema_module(const struct schema *schema, str token);
/* The last part of a token. */
str schema_member(str token);
/* What the schema says to one language under a key: a text, or the text at `inner` of a map; empty
 * if it says nothing. */
str schema_language_text(const struct schema *schema, str language, str key);
str schema_language_entry(const struct schema *schema, str language, str key, str inner);

/* What replaces the resource when it changes, as paths. */
struct strs schema_replace_paths(struct arena *arena, const struct schema_resource *resource);

/* As messages call it: string, List<string>, Map<number>, {a: string}, pkg:index:Type. */
str schema_type_text(struct arena *arena, const struct schema_type *type);
