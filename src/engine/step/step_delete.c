/* step_delete.c — takes a resource away: through its provider, or only from the state where the
 * world is not to be touched. */
#include "engine/step/step.h"

#include "base/program.h"
#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/report/report.h"
#include "engine/step/step_call.h"
#include "engine/step/views.h"

static fallible send_delete_request(struct provider *provider, const void *request,
                                    struct arena *arena, struct provider_state *out)
{
    return provider->ops->delete (provider, request, arena, out);
}

static fallible step_delete_resource(const struct step_tools *tools, struct step *step)
{
    struct resource *old = step->old;
    struct provider_state left;
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(tools->views, step);
    const struct delete_request request = {
        .urn = old->urn,
        .id = old->id,
        .old_inputs = old->inputs,
        .old_outputs = old->outputs,
        .timeout = old->options.custom_timeouts.delete,
        .old_views = estate_views(tools->estate, old),
        .status_address = token.address,
        .status_token = token.text,
    };
    const struct step_call call = { send_delete_request, &request, { .old = old }, "delete" };

    return step_call_provider(tools, step, &call, &left);
}

/* Deleted in the world by the delete of the resource it names in deletedWith, if this run deletes
 * that: scenario option/deleted-with. */
static bool goes_with_another(const struct step_tools *tools, const struct resource *old)
{
    return old->options.deleted_with.len
           && fates_have(&tools->estate->fates, old->options.deleted_with, FATE_DELETED);
}

/* Is there something to delete but an entry of the state? retainOnDelete is that of the state, as
 * protect is: scenario option/retain-on-delete. What another resource has taken over stays:
 * test_plan_import.c: what_is_imported_under_another_name_is_not_deleted,
 * what_is_to_be_deleted_and_is_imported_is_not_deleted. */
static bool is_in_world(const struct step_tools *tools, const struct resource *old)
{
    return old->is_custom && !old->is_external && !old->options.retain_on_delete
           && !goes_with_another(tools, old) && !estate_is_taken_over(tools->estate, old);
}

/* An earlier run has replaced it. */
static bool has_successor(const struct step_tools *tools, const struct resource *old)
{
    return old->is_delete && estate_old(tools->estate, old->urn);
}

/* A state has no view without its owner: scenario view/owner-leaves-without-a-call. What is
 * deleted after its replacement may have passed its views on; those that were replaced with it go
 * with it: test_exec_hooks.c: a_replacement_takes_over_the_names_of_views; test_plan_replace.c:
 * what_is_left_of_an_earlier_replacement_goes_without_its_successor. */
static bool loses_views(const struct step_tools *tools, const struct step *step)
{
    return step->marks_pending || !(step->is_replacing || has_successor(tools, step->old));
}

static fallible step_delete_apply(const struct step_tools *tools, struct step *step)
{
    struct resource *old = step->old;
    const struct hook_states states = { .old = old };
    bool is_with_views = loses_views(tools, step);

    /* A mark of an earlier run is not taken back with this step: test_exec_order.c:
     * after_a_second_interrupt_a_pending_replacement_is_as_it_was. */
    step->marks_pending = step->marks_pending && !old->is_pending_replacement;
    TRY(hooks_run(tools->hooks, HOOK_BEFORE_DELETE, &states));
    /* The protection of the state decides, also for what the program no longer registers; a
     * replacement was checked when it was planned. Scenario protect/protect-delete. */
    if (!step->is_replacing && old->options.protect && !tools->options->plan.ignore_protect) {
        step->is_protected = true;
        return error_new(ERROR_OTHER,
                         "resource \"" STR_FMT "\" cannot be deleted\nbecause it is protected. To "
                         "unprotect the resource, either remove the "
                         "`protect` flag from the resource in your Pulumi program and run `%s "
                         "up`, or use the "
                         "command:\n`%s state "
                         "unprotect '" STR_FMT "'`",
                         STR_ARG(old->urn), program_name(), program_name(), STR_ARG(old->urn));
    }
    if (!report_is_preview(tools->report) && is_in_world(tools, old))
        TRY(step_delete_resource(tools, step));
    views_report_deletes(tools, step, !report_is_preview(tools->report) && !is_with_views);
    if (step->marks_pending)
        old->is_pending_replacement = true;
    hooks_run_after(tools->hooks, HOOK_AFTER_DELETE, &states);
    return NULL;
}

const struct step_kind step_delete = {
    .traits = STEP_PENDS | STEP_DELETES,
    .pending = PENDING_DELETING,
    .apply = step_delete_apply,
};
