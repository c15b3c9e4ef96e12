/* stepgen_provider.c — which provider answers for a resource while it is planned. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "engine/step/resource_diff.h"
#include "model/resource_links.h"
#include "model/urn.h"
#include "model/value_describe.h"

fallible stepgen_load_provider(struct stepgen *gen, str urn, bool is_custom, str reference,
                               str type, struct provider **out, bool *is_unregistered)
{
    str provider_urn, id;

    *out = NULL;
    if (is_unregistered)
        *is_unregistered = false;
    if (!is_custom)
        return NULL;
    if (type_is_provider(type)) {
        *out = &gen->registry->provider;
        return NULL;
    }
    struct error *bad = provider_ref_parse(reference, &provider_urn, &id);
    if (bad) {
        report_diagnose(gen->report, SEVERITY_ERROR, urn,
                        "bad provider reference '" STR_FMT "' for resource '" STR_FMT "': " STR_FMT,
                        STR_ARG(reference), STR_ARG(urn), STR_ARG(error_message(bad)));
        return error_mark_reported(bad);
    }
    if (str_equal(id, DENIED_PROVIDER_ID)) {
        report_diagnose(gen->report, SEVERITY_ERROR, urn,
                        "Default provider for '" STR_FMT "' disabled. '" STR_FMT
                        "' must use an explicit provider.",
                        STR_ARG(type_provider_package(urn_type_of(provider_urn))), STR_ARG(urn));
        return error_reported("default provider is disabled");
    }
    *out = registry_find(gen->registry, reference);
    if (*out)
        return NULL;

    struct resource *old = estate_old(gen->estate, provider_urn);
    if (!old || !str_equal(old->id, id)) {
        report_diagnose(gen->report, SEVERITY_ERROR, urn,
                        "unknown provider '" STR_FMT "' for resource '" STR_FMT "'",
                        STR_ARG(reference), STR_ARG(urn));
        return error_reported("unknown provider");
    }
    TRY(error_wrap(registry_ensure(gen->registry, reference),
                   "load provider " STR_FMT " for resource " STR_FMT, STR_ARG(reference),
                   STR_ARG(urn)));
    if (is_unregistered)
        *is_unregistered = true;
    *out = registry_find(gen->registry, reference);
    BUG_IF(!*out);
    return NULL;
}

bool stepgen_waits_for_extension(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    struct latch *extended;

    if (!reg->extension)
        return false;
    extended = registry_extension(gen->registry, reg->goal.provider, reg->extension->ref);
    if (extended) {
        reg->awaited = extended->is_open ? NULL : extended;
        return !extended->is_open;
    }
    struct step *step =
        step_new(gen->arena, &step_extend, OP_EXTEND_PARAMETERIZE, NULL, NULL, NULL);
    step->extension = reg->extension;
    step->provider = registry_find(gen->registry, reg->goal.provider);
    BUG_IF(!step->provider);
    registry_note_extension(gen->registry, reg->goal.provider, reg->extension->ref,
                            &chain->finished);
    vec_add(chain, step);
    return true;
}
