/* events.c — tells what happens to each step, and counts it. */
#include "engine/deployment.h"

#include <stdarg.h>
#include <stdio.h>

void deployment_emit(struct deployment *deployment, const struct event *event)
{
    if (deployment->options->sink)
        deployment->options->sink(deployment->options->sink_context, event);
}

void deployment_diagnose(struct deployment *deployment, enum severity severity, str urn,
                         const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    int len = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (len < 0)
        memory_exhausted(0);
    CLEANUP(strbuf_release) struct strbuf message = { 0 };
    strbuf_add(&message, (str){ text, (size_t)len });
    strbuf_add_char(&message, '\n');
    free(text);
    const struct event event = {
        .kind = EVENT_DIAGNOSTIC,
        .diagnostic = { .urn = urn, .severity = severity, .message = strbuf_str(&message) },
    };
    deployment_emit(deployment, &event);
}

static struct event_step describe(const struct step *step, enum step_op op)
{
    const struct resource *resource = step->new ? step->new : step->old;

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
        .provider = resource ? resource->provider : STR(""),
    };
}

static void emit_step(struct deployment *deployment, enum event_kind kind, const struct step *step,
                      enum step_op op)
{
    const struct event event = {
        .kind = kind,
        .is_internal = step_is_hidden(step),
        .resource = {
            .step = describe(step, op),
            .is_planning = deployment_is_preview(deployment),
            .status = (int)step->status,
            .steps = deployment->step_count,
        },
    };
    deployment_emit(deployment, &event);
}

void deployment_before_step(struct deployment *deployment, const struct step *step)
{
    struct step shown = *step;

    if (step->op == OP_SAME && step->new
        && step->new->id.len) { /* a state has its ID from the step */
        shown.new = resource_copy(deployment->arena, step->new);
        shown.new->id = STR("");
    }
    emit_step(deployment, EVENT_RESOURCE_PRE, &shown, step->op);
}

static void report_failure(struct deployment *deployment, const struct step *step,
                           const struct error *failure)
{
    str urn = step_is_hidden(step) ? STR("") : step_urn(step);

    if (deployment_is_preview(deployment)) {
        deployment_diagnose(deployment, SEVERITY_ERROR, urn, "Preview failed: " STR_FMT,
                            STR_ARG(error_message(failure)));
        return;
    }
    if (step->status == RESOURCE_UNKNOWN)
        deployment->is_corrupt = true;
    deployment_diagnose(deployment, SEVERITY_ERROR, urn, STR_FMT, STR_ARG(error_message(failure)));
    emit_step(deployment, EVENT_RESOURCE_FAILED, step, step->op);
}

/* A read is worth counting if it changed what was known. */
static bool counts_as_read(const struct step *step)
{
    return step->old && step->new && !value_equal(step->old->outputs, step->new->outputs);
}

static void count(struct deployment *deployment, const struct step *step, enum step_op op,
                  bool is_refresh_result)
{
    bool is_counted = step_is_logical(step) || is_refresh_result;

    if (step->op == OP_READ)
        is_counted = counts_as_read(step);
    if (!is_counted || step_is_hidden(step))
        return;
    deployment->step_count++;
    deployment->changes[op]++;
}

/* A resource that stays has one set of outputs: what is secret now is secret on both sides. */
static struct step with_one_set_of_outputs(struct deployment *deployment, const struct step *step)
{
    struct step shown = *step;
    bool stays = step->op == OP_SAME && step->old && step->new && step->new->is_custom;

    if (stays && !step->is_skipped_create
        && step->old->outputs.members != step->new->outputs.members) {
        shown.old = resource_copy(deployment->arena, step->old);
        shown.old->outputs = step->new->outputs;
    }
    return shown;
}

void deployment_after_step(struct deployment *deployment, const struct step *step,
                           const struct error *failure)
{
    enum step_op op = step->op;
    bool is_refresh_result = deployment->is_refresh_command && op == OP_REFRESH;

    if (failure) {
        report_failure(deployment, step, failure);
        return;
    }
    if (is_refresh_result)
        op = step_refresh_result(deployment, step);
    count(deployment, step, op, is_refresh_result);

    /* A component's outputs are told when they are registered; a preview shows at once what it
     * has. */
    const struct resource *resource = step_resource(step);
    bool is_told =
        resource
        && (resource->is_custom || (deployment->options->refresh && step->op == OP_REFRESH)
            || step->op == OP_DELETE || resource->view_of.len);
    if (deployment_is_preview(deployment) || is_told) {
        const struct step shown = with_one_set_of_outputs(deployment, step);
        emit_step(deployment, EVENT_RESOURCE_OUTPUTS, &shown, op);
    }
}

void deployment_after_outputs(struct deployment *deployment, const struct step *step)
{
    emit_step(deployment, EVENT_RESOURCE_OUTPUTS, step, step->op);
}
