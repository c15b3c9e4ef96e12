/* ts_sdk.h — an SDK in TypeScript made from the schema of a package.
 *
 * First everything is put in its place (ts_plan.c), then one file after the other is printed and
 * handed over. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "common/sdk.h"

/* Writes the whole SDK. Blocks where types of other packages have to be looked up. */
fallible ts_sdk_generate(const struct sdk_request *request, struct sdk_files *files);

/* --- the plan --- */

/* A folder with an index.ts. */
struct ts_module {
    str path;   /* as the schema has it, "store/v1"; empty: the root */
    str folder; /* the same in lower case */
    struct {
        VEC(struct ts_module *);
    } children;
    struct {
        VEC(const struct schema_resource *);
    } resources;
    struct {
        VEC(const struct schema_function *);
    } functions;
    struct {
        VEC(struct schema_type *);
    } enums;
    struct {
        VEC(str);
    } extra_files; /* paths of TypeScript that was given */
};

/* In which forms an object is needed. */
enum ts_use {
    TS_USE_ARGS = 1,  /* as an argument whose parts may be promised */
    TS_USE_PLAIN = 2, /* as an argument that is there */
    TS_USE_RESULT = 4,
    TS_USE_OUTPUT_ARGS = 8, /* as an argument of a function that gives a promise */
};

struct ts_sdk {
    struct arena arena; /* of the plan */
    struct schema *schema;
    struct value hints; /* what the schema says to Node.js */
    const struct sdk_request *request;
    struct sdk_files *files;
    struct map modules; /* path → struct ts_module * */
    struct map places;  /* token → str *: the path of its module */
    struct map uses;    /* token of an object → unsigned *, of enum ts_use */
    struct map presets; /* tokens of objects with defaults */
    struct {
        VEC(struct schema_type *);
    } objects;      /* those that are not written by hand; sorted by token */
    bool has_types; /* there is a folder `types` */
    bool has_enums;
    bool has_package;        /* calls say which package they mean: its plugin is parameterized */
    bool keeps_old_names;    /* arguments are called as results are: of packages that began so */
    bool is_kubernetes;      /* outputs are always there, arguments can be left out */
    bool lifts_single;       /* methods with one result give it bare */
    bool hides_alternatives; /* results that have several types are anything */
};

fallible ts_plan(struct ts_sdk *sdk);
void ts_plan_release(struct ts_sdk *sdk);
/* NULL if there is none. */
struct ts_module *ts_module_find(const struct ts_sdk *sdk, str path);
/* The path of the module of a token, as the package calls it in this language. */
str ts_module_path(struct ts_sdk *sdk, const struct schema *schema, str token);
/* It or a module below it has enums. */
bool ts_module_has_enums(const struct ts_module *module);
unsigned ts_uses(const struct ts_sdk *sdk, str token);

/* --- files --- */

fallible ts_write_resource(struct ts_sdk *sdk, const struct ts_module *module,
                           const struct schema_resource *resource);
fallible ts_write_function(struct ts_sdk *sdk, const struct ts_module *module,
                           const struct schema_function *function);
fallible ts_write_index(struct ts_sdk *sdk, const struct ts_module *module);
fallible ts_write_enums(struct ts_sdk *sdk, const struct ts_module *module);
/* types/input.ts and types/output.ts. */
fallible ts_write_types(struct ts_sdk *sdk);
fallible ts_write_config(struct ts_sdk *sdk, const struct ts_module *module);
fallible ts_write_utilities(struct ts_sdk *sdk);
/* What is no TypeScript; after all of it. */
fallible ts_write_metadata(struct ts_sdk *sdk);
