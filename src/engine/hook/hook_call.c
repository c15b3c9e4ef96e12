/* hook_call.c — one call of a hook: the states and options of its resource as a message. */
#include "engine/hook/hooks.h"

#include "model/urn.h"
#include "proto/marshal.h"
#include "proto/message.h"
#include "proto/options_codec.h"
#include "rpc/rpc.h"

#include "pb/callback.pb-c.h"
#include "pb/resource.pb-c.h"

static Pb__ResourceOptions *hook_describe_options(struct arena *arena, const struct resource *state)
{
    if (!state)
        return NULL;
    struct requested_options options;
    Pb__ResourceOptions *message = ARENA_NEW(arena, Pb__ResourceOptions);

    pb__resource_options__init(message);
    options_of_state(arena, state, &options);
    options_put(arena, WIRE_HOOK, &options, &message->base);
    message->parent = message_cstr(arena, state->parent);
    return message;
}

static fallible hook_encode(struct arena *arena, const struct hook *hook, struct value value,
                            str *out)
{
    const struct marshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .keep_resources = true,
        .keep_output_values = true,
        .accepts_byte_strings = hook->accepts_byte_strings,
        .label = "ResourceHook",
    };
    return properties_marshal(arena, value, &options, out);
}

/* The states, encoded; a text without pointer is left out of the message. */
struct encoded_states {
    str new_inputs;
    str new_outputs;
    str old_inputs;
    str old_outputs;
};

static fallible encode_states(struct arena *arena, const struct hook *hook,
                              const struct hook_states *states, struct encoded_states *out)
{
    *out = (struct encoded_states){ 0 };
    if (states->new)
        TRY(hook_encode(arena, hook, states->new->inputs, &out->new_inputs));
    if (states->new && states->has_new_outputs)
        TRY(hook_encode(arena, hook, states->new->outputs, &out->new_outputs));
    if (states->old) {
        TRY(hook_encode(arena, hook, states->old->inputs, &out->old_inputs));
        TRY(hook_encode(arena, hook, states->old->outputs, &out->old_outputs));
    }
    return NULL;
}

/* What both requests say about the resource. */
#define PUT_STATES(request, arena, states, encoded)                                       \
    do {                                                                                  \
        const struct resource *resource_ = (states)->new ? (states)->new : (states)->old; \
        (request)->urn = message_cstr(arena, resource_->urn);                             \
        (request)->id = message_cstr(arena, resource_->id);                               \
        (request)->name = message_cstr(arena, urn_name_of(resource_->urn));               \
        (request)->type = message_cstr(arena, resource_->type);                           \
        (request)->old_options = hook_describe_options(arena, (states)->old);             \
        (request)->new_options = hook_describe_options(arena, (states)->new);             \
        message_put_bytes(request, new_inputs, (encoded).new_inputs);                     \
        message_put_bytes(request, old_inputs, (encoded).old_inputs);                     \
        message_put_bytes(request, old_outputs, (encoded).old_outputs);                   \
    } while (0)

/* A call that failed, other than by what the hook answers, is told with its code. Scenario
 * hook/hook-rpc-error. */
static fallible hook_call_failed(struct error *owned)
{
    if (!owned || error_kind(owned) != ERROR_STATUS)
        return owned;
    struct error *told =
        error_new(ERROR_OTHER, "rpc error: code = %s desc = " STR_FMT,
                  rpc_status_name(error_status(owned)), STR_ARG(error_message(owned)));
    error_free(owned);
    return told;
}

fallible hook_call_step(struct hooks *hooks, const struct hook *hook,
                        const struct hook_states *states)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__ResourceHookRequest request = PB__RESOURCE_HOOK_REQUEST__INIT;
    Pb__ResourceHookResponse *answer = NULL;
    struct encoded_states encoded;
    str bytes;

    TRY(encode_states(&scratch, hook, states, &encoded));
    PUT_STATES(&request, &scratch, states, encoded);
    message_put_bytes(&request, new_outputs, encoded.new_outputs);
    TRY(hook_call_failed(hooks->call(hooks->call_context, hook->target, hook->token,
                                     MESSAGE_PACK(&scratch, &request), &scratch, &bytes)));
    TRY(message_unpack(&scratch, &pb__resource_hook_response__descriptor, bytes, (void **)&answer));
    return answer->error[0] ? error_new(ERROR_OTHER, "%s", answer->error) : NULL;
}

fallible hook_call_error(struct hooks *hooks, const struct hook *hook,
                         const struct hook_states *states, const char *operation,
                         struct strs failures, bool *retries)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__ErrorHookRequest request = PB__ERROR_HOOK_REQUEST__INIT;
    Pb__ErrorHookResponse *answer = NULL;
    struct encoded_states encoded;
    str bytes;

    TRY(encode_states(&scratch, hook, states, &encoded));
    PUT_STATES(&request, &scratch, states, encoded);
    request.failed_operation = message_cstr(&scratch, str_from(operation));
    message_put_strs(&scratch, &request, errors, failures);
    TRY(hook_call_failed(hooks->call(hooks->call_context, hook->target, hook->token,
                                     MESSAGE_PACK(&scratch, &request), &scratch, &bytes)));
    TRY(message_unpack(&scratch, &pb__error_hook_response__descriptor, bytes, (void **)&answer));
    *retries = *retries || answer->retry;
    return answer->error[0] ? error_new(ERROR_OTHER, "%s", answer->error) : NULL;
}
