/* extension.c — extensions of packages: their provider is parameterized once more before the first
 * resource that needs it. */
#include "engine/deployment.h"

static str extension_key(struct arena *arena, str provider, str ref)
{
    return arena_concat(arena, provider, STR("|"), ref);
}

bool registry_needs_extension(struct deployment *deployment, const struct registration *reg)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    return !map_has(&deployment->registry.extended,
                    extension_key(&scratch, reg->goal.provider, reg->extension->ref));
}

struct step *registry_extension_step(struct stepgen *gen, struct registration *reg)
{
    struct deployment *deployment = gen->deployment;
    struct step *step = step_new(gen, &step_extend, OP_EXTEND_PARAMETERIZE, NULL, NULL, NULL);

    step->extension = reg->extension;
    step->provider = registry_find(&deployment->registry, reg->goal.provider);
    BUG_IF(!step->provider);
    map_put(&deployment->registry.extended,
            extension_key(deployment->arena, reg->goal.provider, reg->extension->ref), step);
    return step;
}

struct error *registry_ensure_extension(struct deployment *deployment,
                                        const struct resource *resource)
{
    const struct snapshot *snapshot = deployment->options->snapshot;
    str ref = resource->options.extension_ref;
    str key = ref.len ? extension_key(deployment->arena, resource->provider, ref) : STR("");

    if (ref.len == 0 || map_has(&deployment->registry.extended, key))
        return NULL;
    for (size_t i = 0; i < snapshot->extension_count; i++) {
        const struct extension *extension = &snapshot->extensions[i];
        struct provider *provider = registry_find(&deployment->registry, resource->provider);
        str value;
        if (!str_equal(extension->ref, ref) || !provider)
            continue;
        map_put(&deployment->registry.extended, key, provider);
        if (!provider_decode(deployment->arena, extension->value, &value))
            return error_new(ERROR_INVALID, "could not decode the value of extension '" STR_FMT "'",
                             STR_ARG(extension->name));
        return provider->ops->parameterize(provider, extension->name, extension->version, value,
                                           deployment->arena);
    }
    return error_new(ERROR_INVALID,
                     "resource " STR_FMT " refers to unknown extension '" STR_FMT "'",
                     STR_ARG(resource->urn), STR_ARG(ref));
}
