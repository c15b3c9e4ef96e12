/* stepgen_provider.c — which provider answers for a resource while it is planned. */
#include "engine/deployment.h"

struct error *stepgen_load_provider(struct stepgen *gen, str urn, bool is_custom, str reference,
                                    str type, struct provider **out)
{
    struct deployment *deployment = gen->deployment;
    str provider_urn, id;

    *out = NULL;
    if (!is_custom)
        return NULL;
    if (type_is_provider(type)) {
        *out = &deployment->registry.provider;
        return NULL;
    }
    struct error *bad = provider_ref_parse(reference, &provider_urn, &id);
    if (bad) {
        deployment_diagnose(deployment, SEVERITY_ERROR, urn,
                            "bad provider reference '" STR_FMT "' for resource '" STR_FMT
                            "': " STR_FMT,
                            STR_ARG(reference), STR_ARG(urn), STR_ARG(error_message(bad)));
        return error_mark_reported(bad);
    }
    if (str_equal(id, DENIED_PROVIDER_ID)) {
        deployment_diagnose(deployment, SEVERITY_ERROR, urn,
                            "Default provider for '" STR_FMT "' disabled. '" STR_FMT
                            "' must use an explicit provider.",
                            STR_ARG(type_provider_package(urn_type_of(provider_urn))),
                            STR_ARG(urn));
        return error_reported("default provider is disabled");
    }
    *out = registry_find(&deployment->registry, reference);
    if (*out)
        return NULL;

    struct resource *old = map_find(&deployment->olds, provider_urn);
    if (!old || !str_equal(old->id, id)) {
        deployment_diagnose(deployment, SEVERITY_ERROR, urn,
                            "unknown provider '" STR_FMT "' for resource '" STR_FMT "'",
                            STR_ARG(reference), STR_ARG(urn));
        return error_reported("unknown provider");
    }
    TRY(error_wrap(registry_ensure(&deployment->registry, reference),
                   "load provider " STR_FMT " for resource " STR_FMT, STR_ARG(reference),
                   STR_ARG(urn)));
    stepgen_queue_same(gen, old->urn);
    *out = registry_find(&deployment->registry, reference);
    BUG_IF(!*out);
    return NULL;
}
