/* views.c — providers describe views: resources inside a resource that they work on
 * (ResourceStatus). */
#include "engine/monitor/services.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/step/step.h"
#include "engine/step/views.h"
#include "model/urn.h"
#include "proto/marshal.h"
#include "proto/message.h"

#include "pb/resource_status.pb-c.h"

static const enum step_op view_ops[] = {
    OP_SAME,
    OP_SAME,
    OP_CREATE,
    OP_UPDATE,
    OP_DELETE,
    OP_REPLACE,
    OP_CREATE_REPLACEMENT,
    OP_DELETE_REPLACED,
    OP_READ,
    OP_READ_REPLACEMENT,
    OP_REFRESH,
    OP_DISCARD,
    OP_DISCARD_REPLACED,
    OP_REMOVE_PENDING_REPLACE,
    OP_IMPORT,
    OP_IMPORT_REPLACEMENT,
};

static fallible decode_state(const struct step_tools *tools, const struct step *owner,
                             const Pb__ViewStepState *message, struct resource **out)
{
    const struct unmarshal_options options = { .keep_unknowns = true,
                                               .keep_secrets = true,
                                               .keep_resources = true,
                                               .copy_text = true,
                                               .label = "View" };
    struct arena *arena = tools->arena;
    struct resource *state = ARENA_NEW(arena, struct resource);
    str parent = step_urn(owner);

    *out = NULL;
    if (!message)
        return NULL;
    if (!message->type[0])
        return error_new(ERROR_INVALID, "a view needs a type");
    state->type = arena_copy(arena, message_str(message->type));
    state->urn = urn_make(arena, tools->options->project->stack, tools->options->project->name,
                          parent, state->type, message_str(message->name));
    state->parent = parent;
    state->view_of = parent;
    TRY(properties_unmarshal(arena, message_get_bytes(message, inputs), &options, &state->inputs));
    TRY(properties_unmarshal(arena, message_get_bytes(message, outputs), &options,
                             &state->outputs));
    *out = state;
    return NULL;
}

/* Old states of views must be those of the state; their properties are what the provider says. */
static fallible find_old(const struct step_tools *tools, const struct step *owner,
                         const Pb__ViewStepState *message, struct resource **out)
{
    struct resource *described = NULL;

    *out = NULL;
    TRY(decode_state(tools, owner, message, &described));
    if (!described)
        return NULL;
    *out = view_known(tools, owner, described->urn);
    if (!*out)
        return error_new(ERROR_OTHER, "old state for view " STR_FMT " not found",
                         STR_ARG(described->urn));
    (*out)->inputs = described->inputs;
    (*out)->outputs = described->outputs;
    return NULL;
}

static void decode_reasons(struct arena *arena, const Pb__ViewStep *message, struct step *step)
{
    struct property_diff *details =
        ARENA_ARRAY(arena, struct property_diff, message->n_detailed_diff + 1);

    step->keys = strs_copy(arena, message_strs(arena, message->keys, message->n_keys));
    step->diffs = strs_copy(arena, message_strs(arena, message->diffs, message->n_diffs));
    step->has_detailed_diff = message->has_detailed_diff;
    for (size_t i = 0; i < message->n_detailed_diff; i++) {
        const Pb__PropertyDiffEntry *entry = message->detailed_diff[i];
        details[i] = (struct property_diff){
            .path = arena_copy(arena, message_str(entry->key)),
            .kind = entry->value ? (enum diff_kind)entry->value->kind : DIFF_UPDATE,
            .is_input = entry->value && entry->value->input_diff,
        };
    }
    step->detailed_diff = (struct property_diffs){ details, message->n_detailed_diff };
}

static bool is_recorded(const struct step *step)
{
    return step->new && !step_op_has(step->op, TRAIT_NOT_RECORDED);
}

/* A resource of the state that the program may still register, or that has to be deleted. */
static bool is_name_of_resource(const struct estate *estate, str urn)
{
    const struct resource *old = estate_old(estate, urn);

    return old && old->view_of.len == 0;
}

/* Two states of one URN, or a resource and a view, would make a state that cannot be used again.
 * Scenarios view/owner-fails, view/name-of-a-resource. */
static fallible check_new(const struct step_tools *tools, const struct view_report *report,
                          const struct step *step)
{
    const struct step *owner = report->owner;
    bool is_owner_there = owner->old && !owner->is_replacing;

    if (!is_recorded(step))
        return NULL;
    str urn = step->new->urn;
    bool is_taken = fates_have(&tools->estate->fates, urn, FATE_NAMED)
                    || is_name_of_resource(tools->estate, urn)
                    || (is_owner_there && !step->old && view_known(tools, owner, urn));
    for (size_t i = 0; i < report->steps.len; i++)
        is_taken = is_taken
                   || (is_recorded(report->steps.items[i])
                       && str_equal(report->steps.items[i]->new->urn, urn));
    if (is_taken && is_name_of_resource(tools->estate, urn))
        return error_new(ERROR_INVALID,
                         "view " STR_FMT " has the name of a resource of the stack; delete or "
                         "rename that first",
                         STR_ARG(urn));
    return is_taken ? error_new(ERROR_INVALID, "view " STR_FMT " exists already", STR_ARG(urn))
                    : NULL;
}

static fallible decode_step(const struct step_tools *tools, struct view_report *report,
                            const Pb__ViewStep *message)
{
    struct step *step = step_new(tools->arena, &step_view, OP_SAME, NULL, NULL, NULL);
    unsigned op = (unsigned)message->op;

    if (op == 0 || op >= sizeof(view_ops) / sizeof(view_ops[0]))
        return error_new(ERROR_INVALID, "unknown view step operation %u", op);
    step->op = view_ops[op];
    TRY(find_old(tools, report->owner, message->old, &step->old));
    TRY(decode_state(tools, report->owner, message->new_, &step->new));
    if (!step->old && !step->new)
        return error_new(ERROR_INVALID, "a view step needs an old or a new state");
    TRY(check_new(tools, report, step));
    if (step->new)
        fates_add(&tools->estate->fates, step->new->urn, FATE_VIEW);
    step->view_error = arena_copy(tools->arena, message_str(message->error));
    step->status = message->status == PB__VIEW_STEP__STATUS__PARTIAL_FAILURE ? RESOURCE_PARTIAL
                   : message->status == PB__VIEW_STEP__STATUS__UNKNOWN       ? RESOURCE_UNKNOWN
                                                                             : RESOURCE_OK;
    decode_reasons(tools->arena, message, step);
    step_view_belongs(step, report->owner);
    step->is_replacing = step_op_has(step->op, TRAIT_PART);
    view_report_add(tools, report, step);
    return NULL;
}

fallible services_publish_views(void *shared, struct rpc_call *call, str bytes, str *response)
{
    const struct step_tools *tools = services_tools(shared);
    Pb__PublishViewStepsRequest *message = NULL;

    if (!tools)
        return services_refuse();
    TRY(message_request(rpc_call_arena(call), &pb__publish_view_steps_request__descriptor, bytes,
                        (void **)&message));
    struct view_report *report = views_find(tools->views, message_str(message->token));
    if (!report)
        return error_new(ERROR_OTHER, "token %s not found", message->token);
    for (size_t i = 0; i < message->n_steps; i++)
        TRY(decode_step(tools, report, message->steps[i]));
    *response = STR("");
    return NULL;
}
