/* step_refresh.c — reads what a resource is now and compares it with what the program wanted. */
#include "engine/step/step.h"

#include "base/clock.h"
#include "base/strbuf.h"
#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/report/report.h"
#include "engine/step/registration.h"
#include "engine/step/resource_diff.h"
#include "engine/step/step_call.h"
#include "engine/step/views.h"
#include "model/urn.h"

static struct diff_kind_pair {
    enum diff_kind kind;
    enum diff_kind inverse;
} const inverses[] = {
    { DIFF_ADD, DIFF_DELETE },
    { DIFF_ADD_REPLACE, DIFF_DELETE_REPLACE },
    { DIFF_DELETE, DIFF_ADD },
    { DIFF_DELETE_REPLACE, DIFF_ADD_REPLACE },
};

/* The provider compares what was read (old) with the inputs of the state (new); a refresh shows the
 * opposite direction, so what it calls added was removed. Scenario refresh/refresh-drift. */
static void invert(struct arena *arena, struct diff_answer *diff)
{
    struct property_diff *items = arena_copy_bytes(arena, diff->detailed_diff.items,
                                                   diff->detailed_diff.len * sizeof(*items));

    for (size_t i = 0; i < diff->detailed_diff.len; i++)
        for (size_t j = 0; j < sizeof(inverses) / sizeof(inverses[0]); j++)
            if (diff->detailed_diff.items[i].kind == inverses[j].kind)
                items[i].kind = inverses[j].inverse;
    diff->detailed_diff.items = items;
}

static void warn_unhealthy(const struct step_tools *tools, const struct step *step,
                           struct strs reasons)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < reasons.len; i++) {
        strbuf_add(&text, STR("\n* "));
        strbuf_add(&text, reasons.items[i]);
    }
    report_diagnose(tools->report, SEVERITY_WARNING, step_urn(step),
                    "Refreshed resource is in an unhealthy state:" STR_FMT,
                    STR_ARG(strbuf_str(&text)));
}

/* The new state: what was read, on top of everything else that is known. */
static void take_found(const struct step_tools *tools, struct step *step,
                       const struct provider_state *found)
{
    struct resource *old = step->old;
    struct resource *new = resource_clone_shallow(tools->arena, step->new);

    new->id = found->id;
    new->init_errors = found->init_errors;
    new->refreshes_before_update = found->refreshes_before_update;
    new->inputs = found->has_inputs ? found->inputs : old->inputs;
    new->outputs = found->outputs;
    new->created = old->created;
    new->modified = old->modified;
    if (!value_equal(new->inputs, old->inputs) || !value_equal(new->outputs, old->outputs))
        new->modified = clock_format(tools->arena, clock_now());
    step->new = new;
}

static fallible compare_found(const struct step_tools *tools, struct step *step,
                              struct provider *provider)
{
    const struct resource *old = step->old, *new = step->new;

    /* External resources have no inputs of the program to compare with; their outputs are compared
     * when they are reported. Scenarios refresh/refresh-component-external,
     * refresh/refresh-legacy-diff. */
    if (old->is_external || tools->options->plan.legacy_refresh_diff)
        return NULL;
    const struct diff_request request = {
        .urn = new->urn,
        .id = new->id,
        .old_inputs = new->inputs,
        .old_outputs = new->outputs,
        .news = old->inputs,
        .allows_unknowns = report_is_preview(tools->report),
        .ignore_changes = old->options.ignore_changes,
    };
    CLEANUP(arena_release) struct arena answer = { 0 };
    TRY(diff_resource(tools->report, provider, &request, &answer, &step->diff));
    diff_own(tools->arena, &step->diff);
    invert(tools->arena, &step->diff);
    step->diffs = step->diff.changed_keys;
    step->has_detailed_diff = step->diff.has_detailed_diff;
    step->detailed_diff = step->diff.detailed_diff;
    return NULL;
}

static fallible step_refresh_read(const struct step_tools *tools, struct step *step)
{
    struct resource *old = step->old;
    struct provider *provider = NULL;
    struct provider_state found = { 0 };
    CLEANUP(arena_release) struct arena answer = { 0 };
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(tools->views, step);
    const struct read_request request = {
        .urn = step->new->urn,
        .id = old->id,
        .inputs = old->inputs,
        .state = old->outputs,
        .timeout = old->options.custom_timeouts.read,
        .old_views = estate_views(tools->estate, old),
        .status_address = token.address,
        .status_token = token.text,
    };

    TRY(step_provider(tools, step, &provider));
    struct error *failure = provider->ops->read(provider, &request, &answer, &found);
    provider_state_own(tools->arena, &found, old->inputs, old->outputs);
    if (failure && found.status != RESOURCE_PARTIAL) {
        step->status = found.status;
        return failure;
    }
    if (failure)
        warn_unhealthy(tools, step, found.init_errors);
    error_ignore(failure, "it exists: reported as a warning, saved as init errors");
    /* Gone: it leaves the state together with its views and the references to it. Scenarios
     * refresh/refresh-deleted, view/owner-leaves-without-a-call. */
    if (found.id.len == 0 || !found.exists) {
        views_report_deletes(tools, step, false);
        step->is_deleted = true;
        step->new = NULL;
        return NULL;
    }
    take_found(tools, step, &found);
    return compare_found(tools, step, provider);
}

static fallible step_refresh_apply(const struct step_tools *tools, struct step *step)
{
    struct resource *old = step->old;

    /* test_plan_refresh.c: components_providers_and_pending_replacements_are_not_read. */
    if (old->is_custom && !type_is_provider(old->type) && !old->is_pending_replacement)
        TRY(step_refresh_read(tools, step));
    else if (step->is_during_program)
        step->new = resource_clone_shallow(tools->arena, old);
    if (step->is_during_program && step->reg) {
        step->reg->old = step->new;
        old->refreshed = step->new;
    }
    return NULL;
}

const struct step_kind step_refresh = {
    .traits = STEP_REFRESHES | STEP_ANSWERS_LATER | STEP_NEVER_LOGICAL,
    .apply = step_refresh_apply,
};
