/* builtin.h — providers that live inside the engine. */
#pragma once

#include "backend/backend.h"
#include "model/crypter.h"
#include "plugin/provider.h"

/* What packages are doing on this machine; the zero value: nothing. */
struct builtin_runs {
    struct builtin_run *first;
    bool is_canceled; /* what begins from now on ends at once */
};

/* What built-in packages need of the engine. */
struct builtin_world {
    struct backend *backend; /* NULL: stack references are refused */
    str project;             /* for short stack names */
    void *context;
    /* A resource registered or read in this run, or NULL. */
    const struct resource *(*find_resource)(void *context, str urn);
    /* Opens the secrets of another stack's state; lives as long as the operation. */
    fallible (*open_crypter)(void *context, str secrets_type, str secrets_state,
                             struct crypter **out);
    void (*warn)(void *context, str urn, const char *text);
    void (*show_status)(void *context, str urn, const char *text);
    str directory;                  /* where programs and their commands run */
    const char *const *environment; /* of commands; NULL-terminated */
    struct builtin_runs *runs;      /* commands under way are here; NULL: they cannot be canceled */
};

/* Package "pulumi": StackReference, Stash, getResource, readStackOutputs,
 * readStackResourceOutputs. */
struct provider *builtin_pulumi_new(struct arena *arena, const struct builtin_world *world);

/* builtin_random_new and its sisters. */
#define BUILTIN(name) \
    struct provider *builtin_##name##_new(struct arena *arena, const struct builtin_world *world);
#include "builtin/builtins.def"
#undef BUILTIN

/* Ends the commands that are under way: those calls fail. Returns at once. */
void builtin_cancel(const struct builtin_world *world);

/* Packages that need no plugin; NULL if there is none of that name. */
struct provider *builtin_find(struct arena *arena, const struct builtin_world *world, str package);
bool builtin_has(str package);
