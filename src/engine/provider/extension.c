/* extension.c — extensions of packages: their provider is parameterized once more before the first
 * resource that needs it. */
#include "engine/provider/registry.h"

#include "engine/engine.h"

static str extension_key(struct arena *arena, str reference, str extension)
{
    return arena_concat(arena, reference, STR("|"), extension);
}

bool registry_has_extension(const struct registry *registry, str reference, str extension)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    return map_has(&registry->extended, extension_key(&scratch, reference, extension));
}

void registry_note_extension(struct registry *registry, str reference, str extension)
{
    map_put(&registry->extended, extension_key(registry->arena, reference, extension), registry);
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

fallible registry_ensure_extension(struct registry *registry, const struct resource *resource)
{
    const struct snapshot *snapshot = registry->options->state.snapshot;
    str ref = resource->options.extension_ref;

    if (ref.len == 0 || registry_has_extension(registry, resource->provider, ref))
        return NULL;
    for (size_t i = 0; i < snapshot->extension_count; i++) {
        struct provider *provider = registry_find(registry, resource->provider);
        if (!str_equal(snapshot->extensions[i].ref, ref) || !provider)
            continue;
        registry_note_extension(registry, resource->provider, ref);
        return provider_extend(provider, &snapshot->extensions[i]);
    }
    return error_new(ERROR_INVALID,
                     "resource " STR_FMT " refers to unknown extension '" STR_FMT "'",
                     STR_ARG(resource->urn), STR_ARG(ref));
}
