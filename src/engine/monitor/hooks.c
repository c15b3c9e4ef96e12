/* hooks.c — functions of the program that run before and after steps, or when one has failed. */
#include "engine/monitor/monitor.h"

#include "engine/deployment.h"
#include "proto/marshal.h"
#include "proto/message.h"

struct hook {
    str name;
    Pb__Callback *callback;
    bool is_error_hook;
    bool runs_in_preview;
    bool ignores_errors;
};

/* --- registering --- */

static fallible add_hook(struct monitor *monitor, str name, Pb__Callback *callback,
                         struct hook wanted)
{
    struct arena *arena = monitor->deployment->arena;
    struct hook *hook = arena_copy_bytes(arena, &wanted, sizeof(wanted));

    if (name.len == 0)
        return error_new(ERROR_OTHER, "resource hook name cannot be empty");
    if (map_has(&monitor->hooks, name))
        return error_new(ERROR_OTHER, "resource hook already registered for name \"" STR_FMT "\"",
                         STR_ARG(name));
    if (!callback)
        return error_new(ERROR_OTHER, "resource hook \"" STR_FMT "\" has no callback",
                         STR_ARG(name));
    hook->name = arena_copy(arena, name);
    hook->callback = transforms_own(arena, &callback, 1)[0];
    map_put(&monitor->hooks, hook->name, hook);
    return NULL;
}

struct error *monitor_register_hook(void *monitor_, struct rpc_call *call, str bytes, str *response)
{
    Pb__RegisterResourceHookRequest *message = NULL;

    TRY(message_request(rpc_call_arena(call), &pb__register_resource_hook_request__descriptor,
                        bytes, (void **)&message));
    *response = STR("");
    return add_hook(monitor_, message_str(message->name), message->callback,
                    (struct hook){ .runs_in_preview = message->on_dry_run,
                                   .ignores_errors = message->ignore_errors });
}

struct error *monitor_register_error_hook(void *monitor_, struct rpc_call *call, str bytes,
                                          str *response)
{
    Pb__RegisterErrorHookRequest *message = NULL;

    TRY(message_request(rpc_call_arena(call), &pb__register_error_hook_request__descriptor, bytes,
                        (void **)&message));
    *response = STR("");
    return add_hook(monitor_, message_str(message->name), message->callback,
                    (struct hook){ .is_error_hook = true });
}

/* --- what they are told --- */

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

static Pb__ResourceOptions *describe_options(struct arena *arena, const struct resource *state)
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

static fallible encode(struct arena *arena, const struct hook *hook, struct value value, str *out)
{
    const struct marshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .keep_resources = true,
        .keep_output_values = true,
        .accepts_byte_strings = hook->callback->accepts_byte_string,
        .label = "ResourceHook",
    };
    return properties_marshal(arena, value, &options, out);
}

/* --- running --- */

static fallible call_hook(struct monitor *monitor, const struct hook *hook,
                          const struct hook_states *states)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct resource *resource = states->new ? states->new : states->old;
    Pb__ResourceHookRequest request = PB__RESOURCE_HOOK_REQUEST__INIT;
    Pb__ResourceHookResponse *answer = NULL;
    str bytes;

    request.urn = message_cstr(&scratch, resource->urn);
    request.id = message_cstr(&scratch, resource->id);
    request.name = message_cstr(&scratch, urn_name_of(resource->urn));
    request.type = message_cstr(&scratch, resource->type);
    request.old_options = describe_options(&scratch, states->old);
    request.new_options = describe_options(&scratch, states->new);
    if (states->new) {
        TRY(encode(&scratch, hook, states->new->inputs, &bytes));
        message_put_bytes(&request, new_inputs, bytes);
    }
    if (states->new && states->has_new_outputs) {
        TRY(encode(&scratch, hook, states->new->outputs, &bytes));
        message_put_bytes(&request, new_outputs, bytes);
    }
    if (states->old) {
        TRY(encode(&scratch, hook, states->old->inputs, &bytes));
        message_put_bytes(&request, old_inputs, bytes);
        TRY(encode(&scratch, hook, states->old->outputs, &bytes));
        message_put_bytes(&request, old_outputs, bytes);
    }
    TRY(monitor_callback(monitor, hook->callback->target, hook->callback->token,
                         MESSAGE_PACK(&scratch, &request), &scratch, &bytes));
    TRY(message_unpack(&scratch, &pb__resource_hook_response__descriptor, bytes, (void **)&answer));
    return answer->error[0] ? error_new(ERROR_OTHER, "%s", answer->error) : NULL;
}

struct error *deployment_run_hooks(struct deployment *deployment, enum hook_kind kind,
                                   const struct hook_states *states)
{
    const struct resource *resource = states->new ? states->new : states->old;
    struct strs names = resource->options.hooks[kind];
    bool is_before =
        kind == HOOK_BEFORE_CREATE || kind == HOOK_BEFORE_UPDATE || kind == HOOK_BEFORE_DELETE;

    for (size_t i = 0; i < names.len; i++) {
        const struct hook *hook =
            deployment->monitor ? map_find(&deployment->monitor->hooks, names.items[i]) : NULL;
        if (!hook || hook->is_error_hook)
            return error_new(ERROR_OTHER, "hook \"" STR_FMT "\" was not registered",
                             STR_ARG(names.items[i]));
        if (deployment_is_preview(deployment) && !hook->runs_in_preview)
            continue;
        struct error *failure = call_hook(deployment->monitor, hook, states);
        if (!failure)
            continue;
        if (!hook->ignores_errors)
            return error_wrap(error_as(failure, ERROR_OTHER), "%s hook \"" STR_FMT "\" failed",
                              is_before ? "before" : "after", STR_ARG(hook->name));
        deployment_diagnose(deployment, SEVERITY_WARNING, resource->urn,
                            "%s hook \"" STR_FMT "\" failed: " STR_FMT, hook_names[kind],
                            STR_ARG(hook->name), STR_ARG(error_message(failure)));
        error_ignore(failure, "the hook says that its errors do not matter");
    }
    return NULL;
}

void deployment_after_hooks(struct deployment *deployment, enum hook_kind kind,
                            const struct hook_states *states)
{
    const struct resource *resource = states->new ? states->new : states->old;
    struct error *failure = deployment_run_hooks(deployment, kind, states);

    if (!failure)
        return;
    deployment_diagnose(deployment, SEVERITY_ERROR, resource->urn, STR_FMT,
                        STR_ARG(error_message(failure)));
    error_ignore(failure, "reported; what was done stands");
    deployment->has_hook_failure = true;
}

static fallible call_error_hook(struct monitor *monitor, const struct hook *hook,
                                const struct hook_states *states, const char *operation,
                                struct strs failures, bool *retries)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct resource *resource = states->new ? states->new : states->old;
    Pb__ErrorHookRequest request = PB__ERROR_HOOK_REQUEST__INIT;
    Pb__ErrorHookResponse *answer = NULL;
    str bytes;

    request.urn = message_cstr(&scratch, resource->urn);
    request.id = message_cstr(&scratch, resource->id);
    request.name = message_cstr(&scratch, urn_name_of(resource->urn));
    request.type = message_cstr(&scratch, resource->type);
    request.failed_operation = message_cstr(&scratch, str_from(operation));
    message_put_strs(&scratch, &request, errors, failures);
    request.old_options = describe_options(&scratch, states->old);
    request.new_options = describe_options(&scratch, states->new);
    if (states->new) {
        TRY(encode(&scratch, hook, states->new->inputs, &bytes));
        message_put_bytes(&request, new_inputs, bytes);
    }
    if (states->old) {
        TRY(encode(&scratch, hook, states->old->inputs, &bytes));
        message_put_bytes(&request, old_inputs, bytes);
        TRY(encode(&scratch, hook, states->old->outputs, &bytes));
        message_put_bytes(&request, old_outputs, bytes);
    }
    TRY(monitor_callback(monitor, hook->callback->target, hook->callback->token,
                         MESSAGE_PACK(&scratch, &request), &scratch, &bytes));
    TRY(message_unpack(&scratch, &pb__error_hook_response__descriptor, bytes, (void **)&answer));
    *retries = *retries || answer->retry;
    return answer->error[0] ? error_new(ERROR_OTHER, "%s", answer->error) : NULL;
}

struct error *deployment_run_error_hooks(struct deployment *deployment,
                                         const struct hook_states *states, const char *operation,
                                         struct strs failures, bool *retries)
{
    const struct resource *resource = states->new ? states->new : states->old;
    struct strs names = resource->options.hooks[HOOK_ON_ERROR];

    *retries = false;
    for (size_t i = 0; i < names.len; i++) {
        const struct hook *hook =
            deployment->monitor ? map_find(&deployment->monitor->hooks, names.items[i]) : NULL;
        if (!hook || !hook->is_error_hook)
            return error_new(ERROR_OTHER, "error hook \"" STR_FMT "\" was not registered",
                             STR_ARG(names.items[i]));
        TRY(error_wrap(error_as(call_error_hook(deployment->monitor, hook, states, operation,
                                                failures, retries),
                                ERROR_OTHER),
                       "error hook \"" STR_FMT "\" failed", STR_ARG(hook->name)));
    }
    return NULL;
}
