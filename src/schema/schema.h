/* schema.h — what packages say about their resources and functions. Only what is asked for is read.
 *
 * A package without a schema is not an error here: everything about it is then as the program
 * writes it. Who makes an SDK from it asks schema_package.h for all that it has. */
#pragma once

#include "schema/schema_type.h"

struct schema_resource {
    str token;
    str description;
    str deprecation;
    bool is_component;
    bool is_provider;
    bool is_overlay; /* written by hand: SDKs have it from elsewhere */
    struct strs overlay_languages;
    bool has_state; /* `state` is given: what its getter takes */
    struct schema_properties inputs;
    struct schema_properties outputs; /* those that are required are always there */
    struct schema_properties state;
    bool is_listed; /* its provider can say what there is; `list` is what it is asked by */
    struct schema_properties list;
    struct pairs methods; /* name → token of the function; sorted by name */
    str languages;        /* JSON */
    const str *alias_types;
    size_t alias_count;
};

struct schema_function {
    str token;
    str description;
    str deprecation;
    bool is_overlay;
    struct strs overlay_languages;
    bool has_inputs;  /* even if none of them is named */
    bool has_outputs; /* false: it gives nothing */
    bool has_plain;   /* there is a form that waits; only "plain": false says there is not */
    bool gives_plain; /* of a method: its result is no promise */
    struct schema_properties inputs;
    struct strs arguments; /* these inputs, in this order, are arguments of their own; or none */
    struct schema_properties outputs; /* of an object */
    struct schema_type *result;       /* of a function that gives something else; NULL: an object */
    struct schema_type *object;       /* of one whose object is a type of a package; else NULL */
    str languages;                    /* JSON */
};

/* The plugin that is parameterized to be the package, and how. */
struct schema_base {
    bool is_given;
    str name;
    str version;
    str value; /* base64 */
    /* Of the extension of a package that is parameterized itself: its plugin; else empty. */
    str plugin_name;
    str plugin_version;
    str plugin_value; /* base64 */
};

/* A package that the types of another come from. */
struct schema_dependency {
    str name;
    str version;
    str download_url;
    str parameter_name; /* empty: a package that is not parameterized */
    str parameter_version;
    str parameter_value; /* base64 */
};

/* Gets the text of the schema of another package, which lives in the arena. Blocks. */
struct schema_others {
    void *context;
    fallible (*load)(void *context, const struct schema_dependency *wanted, struct arena *arena,
                     str *json);
};

/* Where the text of each resource, function and type is. */
struct schema {
    struct arena *arena;
    str name;
    str display_name;
    str version;
    str namespace;
    str description;
    str repository;
    str homepage;
    str license;
    str attribution;
    str publisher;
    str logo_url;
    str download_url;
    struct strs keywords;
    struct schema_base parameterization;
    struct schema_base extension;
    str module_format; /* a regular expression; empty: the module is as the token has it */
    bool supports_pack;
    str language;         /* JSON: what each language needs to know */
    str config;           /* JSON: see schema_config */
    str dependencies;     /* JSON: see schema_dependencies */
    struct map resources; /* token → str * of JSON */
    struct map functions;
    struct map types;
    str provider;              /* JSON of the provider itself */
    struct map read_resources; /* token → struct schema_resource * */
    struct map read_functions;
    struct map read_types;
    const struct schema_others *others; /* NULL: what is in other packages may be anything */
    struct map read_others;             /* name@version → struct schema * */
    struct map methods;                 /* tokens of functions; see schema_function_is_method */
    bool has_methods;                   /* they are known */
    str trouble; /* the first thing that was not understood and is treated as if it were not there
                  */
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

/* The module of a token as programs see it; empty for what is at the root of the package. */
str schema_module(const struct schema *schema, str token);
/* The last part of a token. */
str schema_member(str token);
/* What the schema says to one language under a key: a text, or the text at `inner` of a map; empty
 * if it says nothing. */
str schema_language_text(const struct schema *schema, str language, str key);
str schema_language_entry(const struct schema *schema, str language, str key, str inner);
/* Where the schema renames a module for one language, *name becomes that; an empty one is the root.
 * False: it does not. */
bool schema_language_rename(const struct schema *schema, str language, str key, str module,
                            str *name);

/* What replaces the resource when it changes, as paths. */
struct strs schema_replace_paths(struct arena *arena, const struct schema_resource *resource);
