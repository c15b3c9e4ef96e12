/* go_sdk.h — what is in the SDK of a package: Go packages and the names in them.
 *
 * The plan decides once what exists and what it is called; everything else prints from it. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "go/sdk/go_names.h"
#include "schema/schema_package.h"

/* The forms of a type that programs need. A form for inputs needs that for outputs too. */
enum go_use {
    GO_INPUT = 1,
    GO_INPUT_PTR = 2,
    GO_INPUT_ARRAY = 4,
    GO_INPUT_MAP = 8,
    GO_OUTPUT = 16,
    GO_OUTPUT_PTR = 32,
    GO_OUTPUT_ARRAY = 64,
    GO_OUTPUT_MAP = 128,
};
enum { GO_INPUTS = 15, GO_OUTPUT_SHIFT = 4 };

/* Types of Go have two forms: the usual one has a name for each input and output, the generic one
 * has pulumix.Input[T] and pulumix.Output[T]. */
enum go_generics {
    GO_GENERICS_NONE,
    GO_GENERICS_BESIDE, /* a second set of packages, in the folder x */
    GO_GENERICS_ONLY,
};

struct go_module;

/* An object or an enum. */
struct go_named {
    struct schema_type *type;
    str name;
    struct go_module *module;
    unsigned uses;
    str *constants;    /* of an enum, one for each value */
    str *doubled;      /* more names of them in generic forms; empty: it has no other */
    unsigned seen;     /* private to the plan */
    bool has_defaults; /* some property of it, or of an object in it, has one */
};

struct go_resource {
    const struct schema_resource *resource;
    str raw_name; /* before it made way for another */
    str name;
    struct go_module *module;
    unsigned uses; /* arrays and maps of it */
};

struct go_function {
    const struct schema_function *function;
    str raw_name;
    str name;
    struct go_module *module;
};

/* A list or map that is itself in lists or maps: FooArray of FooArrayArray. */
struct go_nested {
    str base;    /* FooArray */
    str element; /* []Foo */
    unsigned uses;
};

struct go_module {
    str path;           /* below the root of the SDK; empty: the root itself */
    str package;        /* its name */
    str import;         /* its path for imports */
    str generic_import; /* that of its generic form; empty: it has none */
    struct map names;
    struct {
        VEC(struct go_named *);
    } objects, enums;
    struct {
        VEC(struct go_resource *);
    } resources;
    struct {
        VEC(struct go_function *);
    } functions;
    struct {
        VEC(struct go_nested *);
    } nested;
};

/* What a schema says to Go about the whole package. */
struct go_settings {
    str import_base;
    str module_path;
    str root_package;
    str internal; /* the name of the package for what the others share */
    struct value module_names;
    struct value aliases; /* path for imports → name */
    bool has_containers;  /* arrays and maps of every resource */
    bool lifts_results;   /* a method whose result has one property gives that */
    bool has_extra_inputs;
    bool keeps_version; /* of the schema */
    bool no_registrations, no_object_defaults;
    bool is_silent; /* it says nothing at all */
    enum go_generics generics;
    struct strs dependencies;
};

struct go_sdk {
    struct arena *arena;
    struct schema *schema;
    struct go_settings settings;
    str root;             /* folder of the root package; empty: the folder of the SDK itself */
    str module_path;      /* for go.mod */
    struct map modules;   /* path → struct go_module * */
    struct map named;     /* token → struct go_named * */
    struct map resources; /* token → struct go_resource * */
    struct map others;    /* name@version → struct go_sdk * of another package */
    bool is_parameterized;
};
void go_sdk_release(struct go_sdk *sdk);

/* Plans the SDK; fails where two things cannot have different names. */
fallible go_sdk_plan(struct arena *arena, struct schema *schema, struct go_sdk *out);

/* Names the constants of all enums, after everything else has its name. */
fallible go_plan_constants(struct go_sdk *sdk);

/* The object, enum or resource that a type names, of another package too; NULL if there is none. */
const struct go_named *go_find_named(const struct go_sdk *sdk, const struct schema_type *type);
const struct go_resource *go_find_resource(const struct go_sdk *sdk,
                                           const struct schema_type *type);
struct go_module **go_sorted_modules(const struct go_sdk *sdk); /* by path */

/* --- paths --- */

fallible go_read_settings(struct arena *arena, struct schema *schema, struct go_settings *out);
/* It is a module of its own; SDKs of plugins with parameters always are. */
bool go_is_module(const struct schema *schema);
/* What imports of the SDK begin with. */
str go_import_base(struct arena *arena, const struct schema *schema,
                   const struct go_settings *settings);
/* What go.mod calls the SDK. */
str go_module_path(struct arena *arena, const struct schema *schema,
                   const struct go_settings *settings);
/* The folder of its root package. */
str go_root_folder(struct arena *arena, const struct schema *schema,
                   const struct go_settings *settings);
