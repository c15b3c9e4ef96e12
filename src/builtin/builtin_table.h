/* builtin_table.h — built-in packages as tables: from one list of properties come checks,
 * differences and the schema. */
#pragma once

#include "builtin/builtin.h"

enum builtin_type {
    BUILTIN_STRING,
    BUILTIN_INTEGER,
    BUILTIN_BOOL,
    BUILTIN_STRINGS, /* list of strings */
    BUILTIN_TEXTS,   /* map of strings */
    BUILTIN_ANYS,    /* list of anything */
    BUILTIN_ANYMAP,  /* map of anything */
    BUILTIN_ANY,
    BUILTIN_ASSET,
    BUILTIN_ASSETS, /* map of assets */
    BUILTIN_ARCHIVE,
    BUILTIN_NAMED, /* a type of the package: `type_name` */
};

enum {
    PROPERTY_IN = 1,       /* may be given */
    PROPERTY_REQUIRED = 2, /* has to be given */
    PROPERTY_OUT = 4,      /* is there afterwards, maybe */
    PROPERTY_ALWAYS = 8,   /* … for certain */
    PROPERTY_SECRET = 16,
    PROPERTY_REPLACES = 32,   /* a change makes a new resource */
    PROPERTY_TOLD = 64,       /* … and the schema says so */
    PROPERTY_SECRET_IN = 128, /* as an input, too */
};

struct builtin_property {
    const char *name;
    enum builtin_type type;
    unsigned flags;
    const char *type_name; /* BUILTIN_NAMED */
    const char *description;
};

/* A resource or a function. Properties end with a NULL name. */
struct builtin_token {
    const char *token;
    bool is_function;
    const struct builtin_property *properties;
    const char *description;
};

struct builtin_package {
    const char *name;
    const char *version; /* of the published package that it replaces */
    const char *description;
    const char *module_format;          /* NULL: plain */
    const char *types;                  /* JSON of the package's own types; NULL: none */
    bool has_state_inputs;              /* the schema says what a resource can be looked up by */
    const struct builtin_token *tokens; /* end with a NULL token */
};

/* What every built-in provider begins with: its operations get this. */
struct builtin_provider {
    struct provider provider;
    const struct builtin_package *package;
    const struct builtin_world *world;
};
void builtin_provider_init(struct builtin_provider *provider, const struct provider_ops *ops,
                           const struct builtin_package *package,
                           const struct builtin_world *world);
const struct builtin_world *builtin_world_of(const struct provider *self);

/* Fails with "unrecognized resource type". */
fallible builtin_find_token(const struct builtin_package *package, str token,
                            const struct builtin_token **out);

/* Names that are unknown, inputs that are missing, values of the wrong type. Unknown values fit
 * everywhere. */
void builtin_check(struct arena *arena, const struct builtin_token *token, struct value inputs,
                   struct check_failures *out);
void builtin_add_failure(struct arena *arena, struct check_failures *failures, str property,
                         str reason);

/* Update or replace, for one changed input. An absent input is null; a top-level secret is
 * unwrapped. */
enum builtin_change { BUILTIN_SAME, BUILTIN_CHANGES, BUILTIN_REPLACES };
typedef enum builtin_change builtin_compare(struct arena *arena,
                                            const struct builtin_property *property,
                                            struct value was, struct value is);
/* Compares input by input. */
void builtin_diff_by(struct arena *arena, const struct builtin_token *token, struct value before,
                     struct value after, builtin_compare *compare, struct diff_answer *out);
/* Every input that differs, and which of them replace. */
void builtin_diff(struct arena *arena, const struct builtin_token *token,
                  const struct diff_request *request, struct diff_answer *out);

/* Operations that all packages share. Secrets and resources are understood, previews answered. */
fallible builtin_traits(struct provider *self, struct provider_traits *out);
fallible builtin_get_schema(struct provider *self, struct arena *arena, str *out);

/* What no built-in package has is refused, not absent: programs may ask any provider for it. */
fallible builtin_parameterize(struct provider *self, str name, str version, str value,
                              struct arena *arena);
fallible builtin_invoke(struct provider *self, const struct invoke_request *request,
                        struct arena *arena, struct invoke_answer *out);
fallible builtin_call(struct provider *self, const struct call_request *request,
                      struct arena *arena, struct call_answer *out);
fallible builtin_construct(struct provider *self, const struct construct_request *request,
                           struct arena *arena, struct construct_answer *out);

/* Inputs without their secrets; what is absent or unknown is the default. */
str builtin_text(struct value inputs, const char *name, str otherwise);
double builtin_number(struct value inputs, const char *name, double otherwise);
bool builtin_bool(struct value inputs, const char *name, bool otherwise);
/* Through a secret. */
struct value builtin_open(struct value value);
bool builtin_is_unknown(struct value inputs, const char *name);
