/* extension.c — extensions of packages: their provider is parameterized once more before the first
 * resource that needs it. */
#include "engine/provider/registry.h"

#include "engine/engine.h"
#include "fiber/sync.h"

static str extension_key(struct arena *arena, str reference, str extension)
{
    return arena_concat(arena, reference, STR("|"), extension);
}

struct latch *registry_extension(const struct registry *registry, str reference, str extension)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    return map_find(&registry->extended, extension_key(&scratch, reference, extension));
}

void registry_note_extension(struct registry *registry, str reference, str extension,
                             struct latch *done)
{
    map_put(&registry->extended, extension_key(registry->arena, reference, extension), done);
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

fallible registry_extend(struct registry *registry, str reference,
                         const struct extension *extension)
{
    struct provider *provider = registry_find(registry, reference);
    struct latch *done = registry_extension(registry, reference, extension->ref);

    BUG_IF(!provider);
    if (done) {
        latch_wait_uncancelable(done);
        return NULL;
    }
    done = ARENA_NEW(registry->arena, struct latch);
    registry_note_extension(registry, reference, extension->ref, done);
    struct error *failure = provider_extend(provider, extension);
    latch_open(done);
    return failure;
}

fallible registry_ensure_extension(struct registry *registry, const struct resource *resource)
{
    const struct snapshot *snapshot = registry->options->state.snapshot;
    str ref = resource->options.extension_ref;

    if (ref.len == 0 || registry_extension(registry, resource->provider, ref))
        return NULL;
    for (size_t i = 0; i < snapshot->extension_count; i++)
        if (str_equal(snapshot->extensions[i].ref, ref)
            && registry_find(registry, resource->provider))
            return registry_extend(registry, resource->provider, &snapshot->extensions[i]);
    return error_new(ERROR_INVALID,
                     "resource " STR_FMT " refers to unknown extension '" STR_FMT "'",
                     STR_ARG(resource->urn), STR_ARG(ref));
}
