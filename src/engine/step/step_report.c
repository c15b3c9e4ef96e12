/* step_report.c — events about steps, and the counts of the summary. */
#include "engine/step/step_report.h"

#include "engine/engine.h"
#include "engine/report/operation.h"

static struct event_step describe_step(const struct step *step, enum step_op op)
{
    return (struct event_step){
        .op = op,
        .urn = step_urn(step),
        .type = step_type(step),
        .old = step->is_skipped_create && !step->old ? step->new
                                                     : step->old, /* as if it had been there */
        .new = step->new,
        .keys = step->keys,
        .diffs = step->diffs,
        .has_detailed_diff = step->has_detailed_diff,
        .detailed_diff = step->detailed_diff,
        .is_logical = step_is_logical(step),
        .provider = step_provider_ref(step),
    };
}

static void emit_step(const struct report *report, enum event_kind kind, const struct step *step,
                      enum step_op op)
{
    const struct event event = {
        .kind = kind,
        .is_internal = step_is_hidden(step),
        .resource = {
            .step = describe_step(step, op),
            .is_planning = report_is_preview(report),
            .status = (int)step->status,
            .steps = report->step_count,
        },
    };
    report_emit(report, &event);
}

void step_report_before(const struct report *report, const struct step *step)
{
    struct step shown = *step;

    /* The step itself sets the ID: before it there is none to show. */
    if (step->op == OP_SAME && step->new && step->new->id.len) {
        shown.new = resource_clone_shallow(report->arena, step->new);
        shown.new->id = STR("");
    }
    emit_step(report, EVENT_RESOURCE_PRE, &shown, step->op);
}

static void report_failure(struct report *report, const struct step *step,
                           const struct error *failure)
{
    str urn = step_is_hidden(step) ? STR("") : step_urn(step);

    if (report_is_preview(report)) {
        report_diagnose(report, SEVERITY_ERROR, urn, "Preview failed: " STR_FMT,
                        STR_ARG(error_message(failure)));
        return;
    }
    if (step->status == RESOURCE_UNKNOWN)
        report->is_corrupt = true;
    report_diagnose(report, SEVERITY_ERROR, urn, STR_FMT, STR_ARG(error_message(failure)));
    emit_step(report, EVENT_RESOURCE_FAILED, step, step->op);
}

/* A read is counted in the summary only if it changed outputs that were known: test_plan_import.c:
 * a_read_counts_only_if_it_changed_what_was_known. */
static bool counts_as_read(const struct step *step)
{
    return step->old && step->new && !value_equal(step->old->outputs, step->new->outputs);
}

static void report_count(struct report *report, const struct step *step, enum step_op op,
                         bool is_refresh_result)
{
    /* A refresh is not a logical step, so an update with --refresh does not count it; the operation
     * refresh counts what it found. Scenarios refresh/refresh-drift, view/view-refresh. */
    bool is_counted = step_is_logical(step) || is_refresh_result;

    if (step->op == OP_READ)
        is_counted = counts_as_read(step);
    if (!is_counted || step_is_hidden(step))
        return;
    report->step_count++;
    report->changes[op]++;
}

/* A resource that stays has one set of outputs: an output that the program has now marked secret is
 * shown as secret on the old side too. */
static struct step with_one_set_of_outputs(const struct report *report, const struct step *step)
{
    struct step shown = *step;
    bool stays = step->op == OP_SAME && step->old && step->new && step->new->is_custom;

    if (stays && !step->is_skipped_create
        && step->old->outputs.members != step->new->outputs.members) {
        shown.old = resource_clone_shallow(report->arena, step->old);
        shown.old->outputs = step->new->outputs;
    }
    return shown;
}

void step_report_after(struct report *report, const struct step *step, const struct error *failure)
{
    enum step_op op = step->op;
    bool is_refresh_result = operation_has(report->options, RULE_REFRESHES) && op == OP_REFRESH;

    if (failure) {
        report_failure(report, step, failure);
        return;
    }
    if (is_refresh_result)
        op = step_refresh_result(report->options, step);
    report_count(report, step, op, is_refresh_result);

    /* A component's outputs are reported when it registers them; a preview reports at once what it
     * has: test_exec_preview.c:
     * a_component_is_shown_at_once_in_a_preview_and_at_its_outputs_in_an_update. */
    const struct resource *resource = step_resource(step);
    bool is_reported =
        resource
        && (resource->is_custom || (operation_refreshes(report->options) && step->op == OP_REFRESH)
            || step->op == OP_DELETE || resource->view_of.len);
    if (report_is_preview(report) || is_reported) {
        const struct step shown = with_one_set_of_outputs(report, step);
        emit_step(report, EVENT_RESOURCE_OUTPUTS, &shown, op);
    }
}

void step_report_outputs(const struct report *report, const struct step *step)
{
    emit_step(report, EVENT_RESOURCE_OUTPUTS, step, step->op);
}
