/* stepgen_provider.c — which provider answers for a resource while it is planned. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "model/urn.h"
#include "model/value_describe.h"

bool stepgen_has_replaced_provider(const struct stepgen *gen, const struct resource *resource)
{
    const struct resources *base = &gen->estate->base;
    str urn, id;

    if (!str_cut_last(resource->provider, STR("::"), &urn, &id))
        return false;
    for (size_t i = 0; i < base->len; i++) {
        /* test_plan_target.c:
         * what_is_kept_and_has_a_provider_that_was_read_and_replaced_is_refused. */
        const struct resource *state = estate_refreshed(base->items[i]);
        if (state->is_delete && str_equal(state->urn, urn) && str_equal(state->id, id))
            return stepgen_is_operated_on(gen, urn);
    }
    return false;
}

bool stepgen_needs_no_provider(const struct stepgen *gen, const struct resource *resource)
{
    const struct resources *base = &gen->estate->base;
    str urn, id;

    if (!resource->is_pending_replacement
        || !str_cut_last(resource->provider, STR("::"), &urn, &id))
        return false;
    for (size_t i = 0; i < base->len; i++)
        if (str_equal(base->items[i]->urn, urn) && str_equal(base->items[i]->id, id))
            return false;
    return true;
}

fallible stepgen_check_provider(const struct stepgen *gen, str urn, str reference)
{
    str provider_urn, id;
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
    const struct resource *old = estate_old(gen->estate, provider_urn);
    if (!registry_find(gen->registry, reference) && (!old || !str_equal(old->id, id))) {
        report_diagnose(gen->report, SEVERITY_ERROR, urn,
                        "unknown provider '" STR_FMT "' for resource '" STR_FMT "'",
                        STR_ARG(reference), STR_ARG(urn));
        return error_reported("unknown provider");
    }
    return NULL;
}

fallible stepgen_load_provider(struct stepgen *gen, str urn, bool is_custom, str reference,
                               str type, struct provider **out, bool *is_unregistered)
{
    *out = NULL;
    if (is_unregistered)
        *is_unregistered = false;
    if (!is_custom)
        return NULL;
    if (type_is_provider(type)) {
        *out = &gen->registry->provider;
        return NULL;
    }
    TRY(stepgen_check_provider(gen, urn, reference));
    *out = registry_find(gen->registry, reference);
    if (*out)
        return NULL;
    TRY(error_wrap(registry_ensure(gen->registry, reference),
                   "load provider " STR_FMT " for resource " STR_FMT, STR_ARG(reference),
                   STR_ARG(urn)));
    if (is_unregistered)
        *is_unregistered = true;
    *out = registry_find(gen->registry, reference);
    BUG_IF(!*out);
    return NULL;
}

fallible stepgen_wait_for_extension(struct stepgen *gen, struct registration *reg,
                                    struct chain *chain, bool *waits)
{
    struct extended *extended;
    str reference = reg->goal.provider;
    str provider_urn, id;

    *waits = false;
    if (!reg->extension)
        return NULL;
    /* What has no provider, as a component or a provider itself, cannot belong to an extension. */
    TRY(error_wrap(provider_ref_parse(reference, &provider_urn, &id),
                   "could not parse provider reference " STR_FMT " for extension",
                   STR_ARG(reference)));
    extended = registry_extension(gen->registry, reference, reg->extension->ref);
    if (extended) {
        reg->awaited = extended->done->is_open ? NULL : extended->done;
        *waits = reg->awaited;
        return extended->done->is_open && extended->is_refused
                   ? error_reported("the provider has refused the extension")
                   : NULL;
    }
    struct provider *provider = registry_find(gen->registry, reference);
    if (!provider)
        return error_new(ERROR_NOT_FOUND, "provider " STR_FMT " not registered",
                         STR_ARG(reference));
    struct step *step =
        step_new(gen->arena, &step_extend, OP_EXTEND_PARAMETERIZE, NULL, NULL, NULL);
    step->extension = reg->extension;
    step->provider = provider;
    step->extended =
        registry_note_extension(gen->registry, reference, reg->extension->ref, &chain->finished);
    vec_add(chain, step);
    *waits = true;
    return NULL;
}
