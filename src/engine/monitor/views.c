/* views.c — views: resources inside a resource, told by its provider while it works on it
 * (ResourceStatus). */
#include "engine/deployment.h"
#include "engine/monitor/monitor.h"
#include "engine/monitor/services.h"

#include "base/uuid.h"
#include "proto/marshal.h"
#include "proto/message.h"

#include "pb/resource_status.pb-c.h"

/* A step under way that its provider may tell of. */
struct told {
    struct step *owner;
    struct {
        VEC(struct step *);
    } steps;
};

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

struct status_token status_token_reserve(struct deployment *deployment, struct step *step)
{
    struct told *told = ARENA_NEW(deployment->arena, struct told);
    str token = uuid_new(deployment->arena);

    if (deployment->options->kind == OPERATION_IMPORT)
        return (struct status_token){ .deployment =
                                          deployment }; /* nothing that is imported has views yet */
    told->owner = step;
    step->views = told;
    map_put(&deployment->view_tokens, token, told);
    return (struct status_token){ deployment, services_address(deployment->shared), token };
}

void status_token_release(struct status_token *token)
{
    map_remove(&token->deployment->view_tokens, token->text);
}

static fallible decode_state(struct deployment *deployment, const struct step *owner,
                             const Pb__ViewStepState *message, struct resource **out)
{
    const struct unmarshal_options options = { .keep_unknowns = true,
                                               .keep_secrets = true,
                                               .keep_resources = true,
                                               .copy_text = true,
                                               .label = "View" };
    struct arena *arena = deployment->arena;
    struct resource *state = ARENA_NEW(arena, struct resource);
    str parent = step_urn(owner);

    *out = NULL;
    if (!message)
        return NULL;
    state->type = arena_copy(arena, message_str(message->type));
    state->urn = urn_make(arena, deployment->options->stack.name, deployment->options->project,
                          parent, state->type, message_str(message->name));
    state->parent = parent;
    state->view_of = parent;
    TRY(properties_unmarshal(arena, message_get_bytes(message, inputs), &options, &state->inputs));
    TRY(properties_unmarshal(arena, message_get_bytes(message, outputs), &options,
                             &state->outputs));
    *out = state;
    return NULL;
}

/* Old states of views must be those of the state. */
static fallible find_old(struct deployment *deployment, const struct step *owner,
                         const Pb__ViewStepState *message, struct resource **out)
{
    struct resource *told = NULL;
    struct provider_views known =
        deployment_views(deployment, owner->old ? owner->old->urn : step_urn(owner));

    *out = NULL;
    TRY(decode_state(deployment, owner, message, &told));
    if (!told)
        return NULL;
    for (size_t i = 0; i < known.len; i++)
        if (str_equal(known.items[i]->urn, told->urn))
            *out = known.items[i];
    return *out ? NULL
                : error_new(ERROR_OTHER, "old state for view " STR_FMT " not found",
                            STR_ARG(told->urn));
}

static void decode_reasons(struct arena *arena, const Pb__ViewStep *message, struct step *step)
{
    struct property_diff *details =
        ARENA_ARRAY(arena, struct property_diff, message->n_detailed_diff + 1);

    step->keys = strs_own(arena, message_strs(arena, message->keys, message->n_keys));
    step->diffs = strs_own(arena, message_strs(arena, message->diffs, message->n_diffs));
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

static fallible decode_step(struct deployment *deployment, struct told *told,
                            const Pb__ViewStep *message)
{
    struct step *step = step_new(&deployment->gen, &step_view, OP_SAME, NULL, NULL, NULL);
    unsigned op = (unsigned)message->op;

    if (op == 0 || op >= sizeof(view_ops) / sizeof(view_ops[0]))
        return error_new(ERROR_INVALID, "unknown view step operation %u", op);
    step->op = view_ops[op];
    TRY(find_old(deployment, told->owner, message->old, &step->old));
    TRY(decode_state(deployment, told->owner, message->new_, &step->new));
    if (!step->old && !step->new)
        return error_new(ERROR_INVALID, "a view step needs an old or a new state");
    step->view_error = arena_copy(deployment->arena, message_str(message->error));
    step->status = message->status == PB__VIEW_STEP__STATUS__PARTIAL_FAILURE ? RESOURCE_PARTIAL
                   : message->status == PB__VIEW_STEP__STATUS__UNKNOWN       ? RESOURCE_UNKNOWN
                                                                             : RESOURCE_OK;
    decode_reasons(deployment->arena, message, step);
    if (told->owner->kind == &step_refresh) {
        step->view_result = step->op;
        step->op = OP_REFRESH;
        step->is_persisted = told->owner->is_persisted;
    }
    step->is_replacing = step->op == OP_CREATE_REPLACEMENT || step->op == OP_DELETE_REPLACED
                         || step->op == OP_DISCARD_REPLACED || step->op == OP_READ_REPLACEMENT
                         || step->op == OP_IMPORT_REPLACEMENT;
    vec_add(&told->steps, step);
    deployment_before_step(deployment, step);
    return NULL;
}

struct error *views_publish(void *shared, struct rpc_call *call, str bytes, str *response)
{
    struct deployment *deployment = services_deployment(shared);
    Pb__PublishViewStepsRequest *message = NULL;

    if (!deployment)
        return services_at_rest();
    TRY(message_request(rpc_call_arena(call), &pb__publish_view_steps_request__descriptor, bytes,
                        (void **)&message));
    struct told *told = map_find(&deployment->view_tokens, message_str(message->token));
    if (!told)
        return error_new(ERROR_OTHER, "token %s not found", message->token);
    for (size_t i = 0; i < message->n_steps; i++)
        TRY(decode_step(deployment, told, message->steps[i]));
    *response = STR("");
    return NULL;
}

struct error *views_execute(struct deployment *deployment, struct step *owner)
{
    struct told *told = owner->views;
    struct error *failure = NULL;

    if (!told)
        return NULL;
    owner->views = NULL;
    for (size_t i = 0; i < told->steps.len; i++)
        failure =
            error_join(failure, executor_finish_view(&deployment->executor, told->steps.items[i]));
    vec_release(&told->steps);
    return failure;
}

void views_publish_deletes(struct deployment *deployment, struct step *owner)
{
    struct provider_views known = deployment_views(deployment, owner->old->urn);
    struct told *told = ARENA_NEW(deployment->arena, struct told);

    if (known.len == 0)
        return;
    told->owner = owner;
    owner->views = told;
    for (size_t i = 0; i < known.len; i++) {
        struct step *step =
            step_new(&deployment->gen, &step_view, OP_DELETE, known.items[i], NULL, NULL);
        vec_add(&told->steps, step);
        deployment_before_step(deployment, step);
    }
}
