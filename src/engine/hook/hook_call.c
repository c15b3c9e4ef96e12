/* hook_call.c — one call of a hook: the states and options of its resource as a message. */
#include "engine/hook/hooks.h"

#include "model/urn.h"
#include "proto/marshal.h"
#include "proto/message.h"

#include "pb/callback.pb-c.h"
#include "pb/resource.pb-c.h"

/* As Go prints a duration: 1h30m0s, 1m30s, 2.5s. */
static char *format_seconds(struct arena *arena, double seconds)
{
    if (seconds == 0)
        return message_cstr(arena, STR(""));
    int64_t whole = (int64_t)seconds;
    int64_t hours = whole / 3600, minutes = whole / 60 % 60;
    double rest = seconds - (double)(hours * 3600 + minutes * 60);
    str text;
    if (seconds < 1)
        text = arena_printf(arena, "%gms", seconds * 1000);
    else if (hours)
        text = arena_printf(arena, "%ldh%ldm%gs", (long)hours, (long)minutes, rest);
    else if (minutes)
        text = arena_printf(arena, "%ldm%gs", (long)minutes, rest);
    else
        text = arena_printf(arena, "%gs", rest);
    return message_cstr(arena, text);
}

static Pb__CustomTimeouts *describe_timeouts(struct arena *arena, const struct timeouts *timeouts)
{
    if (timeouts->create == 0 && timeouts->update == 0 && timeouts->delete == 0
        && timeouts->read == 0)
        return NULL;
    Pb__CustomTimeouts *message = ARENA_NEW(arena, Pb__CustomTimeouts);
    pb__custom_timeouts__init(message);
    message->create = format_seconds(arena, timeouts->create);
    message->update = format_seconds(arena, timeouts->update);
    message->delete_ = format_seconds(arena, timeouts->delete);
    message->read = format_seconds(arena, timeouts->read);
    return message;
}

static Pb__ResourceHooksBinding *describe_hooks(struct arena *arena, const struct strs *hooks)
{
    Pb__ResourceHooksBinding *message = ARENA_NEW(arena, Pb__ResourceHooksBinding);
    size_t total = 0;

    for (int kind = 0; kind < HOOK_KINDS; kind++)
        total += hooks[kind].len;
    if (total == 0)
        return NULL;
    pb__resource_hooks_binding__init(message);
    message_put_strs(arena, message, before_create, hooks[HOOK_BEFORE_CREATE]);
    message_put_strs(arena, message, after_create, hooks[HOOK_AFTER_CREATE]);
    message_put_strs(arena, message, before_update, hooks[HOOK_BEFORE_UPDATE]);
    message_put_strs(arena, message, after_update, hooks[HOOK_AFTER_UPDATE]);
    message_put_strs(arena, message, before_delete, hooks[HOOK_BEFORE_DELETE]);
    message_put_strs(arena, message, after_delete, hooks[HOOK_AFTER_DELETE]);
    message_put_strs(arena, message, on_error, hooks[HOOK_ON_ERROR]);
    return message;
}

static Pb__ResourceOptions *hook_describe_options(struct arena *arena, const struct resource *state)
{
    if (!state)
        return NULL;
    const struct resource_options *options = &state->options;
    Pb__ResourceOptions *message = ARENA_NEW(arena, Pb__ResourceOptions);

    pb__resource_options__init(message);
    message_put_strs(arena, message, depends_on, state->dependencies);
    message_put_strs(arena, message, ignore_changes, options->ignore_changes);
    message_put_strs(arena, message, replace_on_changes, options->replace_on_changes);
    message_put_strs(arena, message, hide_diff, options->hide_diff);
    message_put_strs(arena, message, replace_with, options->replace_with);
    message_put_strs(arena, message, additional_secret_outputs, options->additional_secret_outputs);
    message->provider = message_cstr(arena, state->provider);
    message->deleted_with = message_cstr(arena, options->deleted_with);
    message->import = message_cstr(arena, options->import_id);
    message->parent = message_cstr(arena, state->parent);
    message->custom_timeouts = describe_timeouts(arena, &options->custom_timeouts);
    message->hooks = describe_hooks(arena, options->hooks);
    message_put(message, protect, options->protect);
    message_put(message, retain_on_delete, options->retain_on_delete);
    if (state->aliases.len) {
        message->aliases = ARENA_ARRAY(arena, Pb__Alias *, state->aliases.len);
        for (size_t i = 0; i < state->aliases.len; i++) {
            Pb__Alias *alias = ARENA_NEW(arena, Pb__Alias);
            pb__alias__init(alias);
            alias->alias_case = PB__ALIAS__ALIAS_URN;
            alias->urn = message_cstr(arena, state->aliases.items[i]);
            message->aliases[message->n_aliases++] = alias;
        }
    }
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

struct error *hook_call_step(struct hooks *hooks, const struct hook *hook,
                             const struct hook_states *states)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct resource *resource = states->new ? states->new : states->old;
    Pb__ResourceHookRequest request = PB__RESOURCE_HOOK_REQUEST__INIT;
    Pb__ResourceHookResponse *answer = NULL;
    struct encoded_states encoded;
    str bytes;

    TRY(encode_states(&scratch, hook, states, &encoded));
    request.urn = message_cstr(&scratch, resource->urn);
    request.id = message_cstr(&scratch, resource->id);
    request.name = message_cstr(&scratch, urn_name_of(resource->urn));
    request.type = message_cstr(&scratch, resource->type);
    request.old_options = hook_describe_options(&scratch, states->old);
    request.new_options = hook_describe_options(&scratch, states->new);
    message_put_bytes(&request, new_inputs, encoded.new_inputs);
    message_put_bytes(&request, new_outputs, encoded.new_outputs);
    message_put_bytes(&request, old_inputs, encoded.old_inputs);
    message_put_bytes(&request, old_outputs, encoded.old_outputs);
    TRY(hooks->call(hooks->call_context, hook->target, hook->token,
                    MESSAGE_PACK(&scratch, &request), &scratch, &bytes));
    TRY(message_unpack(&scratch, &pb__resource_hook_response__descriptor, bytes, (void **)&answer));
    return answer->error[0] ? error_new(ERROR_OTHER, "%s", answer->error) : NULL;
}

struct error *hook_call_error(struct hooks *hooks, const struct hook *hook,
                              const struct hook_states *states, const char *operation,
                              struct strs failures, bool *retries)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct resource *resource = states->new ? states->new : states->old;
    Pb__ErrorHookRequest request = PB__ERROR_HOOK_REQUEST__INIT;
    Pb__ErrorHookResponse *answer = NULL;
    struct encoded_states encoded;
    str bytes;

    TRY(encode_states(&scratch, hook, states, &encoded));
    request.urn = message_cstr(&scratch, resource->urn);
    request.id = message_cstr(&scratch, resource->id);
    request.name = message_cstr(&scratch, urn_name_of(resource->urn));
    request.type = message_cstr(&scratch, resource->type);
    request.failed_operation = message_cstr(&scratch, str_from(operation));
    message_put_strs(&scratch, &request, errors, failures);
    request.old_options = hook_describe_options(&scratch, states->old);
    request.new_options = hook_describe_options(&scratch, states->new);
    message_put_bytes(&request, new_inputs, encoded.new_inputs);
    message_put_bytes(&request, old_inputs, encoded.old_inputs);
    message_put_bytes(&request, old_outputs, encoded.old_outputs);
    TRY(hooks->call(hooks->call_context, hook->target, hook->token,
                    MESSAGE_PACK(&scratch, &request), &scratch, &bytes));
    TRY(message_unpack(&scratch, &pb__error_hook_response__descriptor, bytes, (void **)&answer));
    *retries = *retries || answer->retry;
    return answer->error[0] ? error_new(ERROR_OTHER, "%s", answer->error) : NULL;
}
