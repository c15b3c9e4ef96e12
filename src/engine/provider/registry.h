/* registry.h — the providers of one operation, by reference. It is the provider of provider
 * resources. */
#pragma once

#include "base/map.h"
#include "builtin/builtin.h"
#include "model/snapshot.h"
#include "plugin/plugin.h"

struct engine_options;
struct estate;
struct latch;
struct report;

struct registry {
    struct provider provider; /* ops: check, diff, create, update, delete of provider resources */
    const struct engine_options *options;
    struct arena *arena; /* of the operation */
    struct report *report;
    const struct estate *estate;
    struct plugin_host *host;   /* NULL: plugins are not available yet, or no longer */
    struct map configured;      /* reference → struct provider * */
    struct map loading;         /* reference → struct latch *: being configured; opens then */
    struct map checked;         /* URN → struct provider *: checked, not yet configured */
    struct map aliases;         /* new URN → old URN, as text */
    struct map extended;        /* user, reference and extension → struct extended * */
    struct provider *builtin;   /* of package "pulumi" */
    struct builtin_world world; /* for other packages that need no plugin */
};

/* The rooms that it is given last as long as it does. */
void registry_init(struct registry *registry, const struct engine_options *options,
                   struct report *report, const struct estate *estate);
void registry_release(struct registry *registry);

/* NULL if it is not there (yet). */
struct provider *registry_find(struct registry *registry, str reference);
/* Loads and configures the provider of the state if it is not there. Blocks. */
fallible registry_ensure(struct registry *registry, str reference);
/* A provider resource that did not change: its process, from the check or a new one, is configured.
 * Blocks. */
fallible registry_same(struct registry *registry, const struct resource *resource, bool from_check);
void registry_add_alias(struct registry *registry, str urn, str alias);

/* The processes of the providers in the state start while the program does. Returns at once. */
void registry_start_early(struct registry *registry);

/* The plugin that serves a provider resource with these inputs. */
fallible registry_plugin_of(struct arena *arena, str type, struct value inputs,
                            struct provider_spec *out);
/* A provider that is in no state yet: built in or a new process. Blocks. */
fallible registry_load_package(struct registry *registry, const struct provider_spec *spec,
                               struct provider **out);

/* Extensions: a provider is parameterized once more before the first resource that needs it. */
struct extended {
    const struct provider *provider; /* that was told */
    struct latch *done;              /* opens when it has answered */
    bool is_refused;                 /* known once `done` is open */
};
/* NULL: no step of a resource has asked for it yet. */
struct extended *registry_extension(struct registry *registry, str reference, str extension);
/* A step will parameterize `reference`, and open `done`, which lasts as long as the registry. */
struct extended *registry_note_extension(struct registry *registry, str reference, str extension,
                                         struct latch *done);
/* For a remote component: parameterizes it if no component has, or waits for the one that does.
 * Steps of resources do so again: only what they do is recorded in the state. Blocks. */
fallible registry_extend_for_component(struct registry *registry, str reference,
                                       const struct extension *extension);
/* For a resource of the state (refresh, deletes). Blocks. */
fallible registry_ensure_extension(struct registry *registry, const struct resource *resource);
/* Both its provider and its extension, if it belongs to one. Blocks. */
fallible registry_ensure_for(struct registry *registry, const struct resource *resource);
/* Parameterizes the provider with the extension's name, version and value. Blocks. */
fallible provider_extend(struct provider *provider, const struct extension *extension);

/* Inputs of a provider as its plugin sees them: without __internal. */
struct value provider_config(struct arena *arena, struct value inputs);
/* Base64 to bytes; false if it is none. */
bool provider_decode(struct arena *arena, str text, str *out);
#define PROVIDER_INTERNAL STR("__internal")
#define DENIED_PROVIDER_ID STR("denydefaultprovider")
