/* extension.c — extensions of packages: their provider is parameterized once more before the first
 * resource that needs it. */
#include "engine/provider/registry.h"

#include "engine/engine.h"
#include "fiber/sync.h"

/* Who parameterizes: what components did says nothing to the steps of resources. */
#define BY_STEPS STR("")
#define BY_COMPONENTS STR("component|")

static str extension_key(struct arena *arena, str user, str reference, str extension)
{
    return arena_concat(arena, user, reference, STR("|"), extension);
}

/* What the process of before was told the one of a changed provider does not know: scenario
 * package/package-extension-provider-changed. */
static struct extended *extension_find(struct registry *registry, str user, str reference,
                                       str extension)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct extended *extended =
        map_find(&registry->extended, extension_key(&scratch, user, reference, extension));

    return extended && extended->provider == registry_find(registry, reference) ? extended : NULL;
}

static struct extended *extension_note(struct registry *registry, str user, str reference,
                                       str extension, struct latch *done)
{
    struct extended *extended = ARENA_NEW(registry->arena, struct extended);

    extended->provider = registry_find(registry, reference);
    extended->done = done;
    map_put(&registry->extended, extension_key(registry->arena, user, reference, extension),
            extended);
    return extended;
}

struct extended *registry_extension(struct registry *registry, str reference, str extension)
{
    return extension_find(registry, BY_STEPS, reference, extension);
}

struct extended *registry_note_extension(struct registry *registry, str reference, str extension,
                                         struct latch *done)
{
    return extension_note(registry, BY_STEPS, reference, extension, done);
}

fallible provider_extend(struct provider *provider, const struct extension *extension)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str value;

    if (!provider_decode(&scratch, extension->value, &value))
        return error_new(ERROR_INVALID, "could not decode the value of extension '" STR_FMT "'",
                         STR_ARG(extension->name));
    return provider->ops->parameterize(provider, extension->name, extension->version, value,
                                       &scratch);
}

static fallible extension_await(const struct extended *extended, str name)
{
    latch_wait_uncancelable(extended->done);
    return extended->is_refused ? error_new(
               ERROR_OTHER, "the provider has refused extension '" STR_FMT "'", STR_ARG(name))
                                : NULL;
}

static fallible extension_use(struct registry *registry, str user, str reference,
                              const struct extension *extension)
{
    struct provider *provider = registry_find(registry, reference);
    struct extended *extended = extension_find(registry, user, reference, extension->ref);

    BUG_IF(!provider);
    if (extended)
        return extension_await(extended, extension->name);
    extended = extension_note(registry, user, reference, extension->ref,
                              ARENA_NEW(registry->arena, struct latch));
    struct error *failure = provider_extend(provider, extension);
    extended->is_refused = failure != NULL;
    latch_open(extended->done);
    return failure;
}

fallible registry_extend_for_component(struct registry *registry, str reference,
                                       const struct extension *extension)
{
    return extension_use(registry, BY_COMPONENTS, reference, extension);
}

fallible registry_ensure_extension(struct registry *registry, const struct resource *resource)
{
    const struct snapshot *snapshot = registry->options->state.snapshot;
    str ref = resource->options.extension_ref;

    if (ref.len == 0)
        return NULL;
    const struct extended *extended = registry_extension(registry, resource->provider, ref);
    if (extended)
        return extension_await(extended, ref);
    for (size_t i = 0; i < snapshot->extension_count; i++)
        if (str_equal(snapshot->extensions[i].ref, ref)
            && registry_find(registry, resource->provider))
            return extension_use(registry, BY_STEPS, resource->provider, &snapshot->extensions[i]);
    return error_new(ERROR_INVALID,
                     "resource " STR_FMT " refers to unknown extension '" STR_FMT "'",
                     STR_ARG(resource->urn), STR_ARG(ref));
}

fallible registry_ensure_for(struct registry *registry, const struct resource *resource)
{
    TRY(registry_ensure(registry, resource->provider));
    return registry_ensure_extension(registry, resource);
}
