/* transforms.c — functions of the program that may change a registration or an invoke before the
 * engine plans it. */
#include "engine/monitor/monitor.h"

#include "proto/marshal.h"
#include "proto/message.h"
#include "proto/options_codec.h"

static const struct marshal_options wire_out = {
    .keep_unknowns = true,
    .keep_secrets = true,
    .keep_resources = true,
    .keep_output_values = true,
};
static const struct unmarshal_options wire_in = {
    .keep_unknowns = true,
    .keep_secrets = true,
    .keep_resources = true,
    .keep_output_values = true,
};

Pb__Callback **transforms_own(struct arena *arena, Pb__Callback **items, size_t count)
{
    Pb__Callback **owned = ARENA_ARRAY(arena, Pb__Callback *, count + 1);

    for (size_t i = 0; i < count; i++) {
        owned[i] = ARENA_NEW(arena, Pb__Callback);
        pb__callback__init(owned[i]);
        owned[i]->target = message_cstr(arena, message_str(items[i]->target));
        owned[i]->token = message_cstr(arena, message_str(items[i]->token));
        owned[i]->accepts_byte_string = items[i]->accepts_byte_string;
    }
    return owned;
}

/* Unknowns and secrets are outputs already. */
static struct value as_output(struct arena *arena, struct value value, struct strs dependencies)
{
    const struct output plain = { .element = value, .is_known = true };
    struct output *output = ARENA_NEW(arena, struct output);

    *output = value.kind == VALUE_OUTPUT ? *value.output : plain;
    struct strs all = strs_union(
        arena, (struct strs){ output->dependencies, output->dependency_count }, dependencies);
    output->dependencies = all.items;
    output->dependency_count = all.len;
    return (struct value){ .kind = VALUE_OUTPUT, .output = output };
}

static bool brings_all(struct arena *arena, struct value value, struct strs dependencies)
{
    struct strs brought = { 0 };

    add_output_dependencies(arena, &brought, value);
    return strs_union(arena, brought, dependencies).len == brought.len;
}

struct value transforms_upgrade(struct arena *arena, struct value inputs,
                                struct property_dependencies dependencies)
{
    struct member *members = ARENA_ARRAY(arena, struct member, inputs.len + 1);

    for (uint32_t i = 0; i < inputs.len; i++) {
        const struct strs *urns = property_dependencies_find(dependencies, inputs.members[i].key);
        members[i] = inputs.members[i];
        if (urns && !brings_all(arena, members[i].value, *urns))
            members[i].value = as_output(arena, members[i].value, *urns);
    }
    return value_object(arena, members, inputs.len);
}

struct pending {
    Pb__Callback **items;
    size_t count;
};

fallible transforms_take_pending(struct monitor *monitor, struct arena *arena,
                                 const struct transformed *form, bool is_remote,
                                 Pb__Callback ***items, size_t *count)
{
    struct arena *lasting = monitor->arena;
    str key = arena_concat(arena, form->parent, STR("::"), form->type, STR("::"), form->name);
    struct pending *pending = map_remove(&monitor->pending_transforms, key);

    if (pending) {
        *items = pending->items;
        *count = pending->count;
    } else if (is_remote && *count) {
        pending = ARENA_NEW(lasting, struct pending);
        *pending = (struct pending){ transforms_own(lasting, *items, *count), *count };
        map_put(&monitor->pending_transforms, arena_copy(lasting, key), pending);
    }
    return NULL;
}

static fallible transforms_apply(struct monitor *monitor, const Pb__Callback *callback,
                                 struct arena *arena, struct transformed *form)
{
    Pb__TransformRequest request = PB__TRANSFORM_REQUEST__INIT;
    Pb__TransformResourceOptions options = PB__TRANSFORM_RESOURCE_OPTIONS__INIT;
    Pb__TransformResponse *answer = NULL;
    struct marshal_options out = wire_out;
    str inputs, bytes;

    out.accepts_byte_strings = callback->accepts_byte_string;
    TRY(error_wrap(error_as(properties_marshal(arena, form->inputs, &out, &inputs), ERROR_OTHER),
                   "marshaling transform properties"));
    request.type = message_cstr(arena, form->type);
    request.name = message_cstr(arena, form->name);
    request.parent = message_cstr(arena, form->parent);
    request.custom = form->is_custom;
    options_put(arena, WIRE_TRANSFORM, &form->options, &options.base);
    request.options = &options;
    message_put_bytes(&request, properties, inputs);
    TRY(monitor_callback(monitor, callback->target, callback->token, MESSAGE_PACK(arena, &request),
                         arena, &bytes));
    TRY(message_unpack(arena, &pb__transform_response__descriptor, bytes, (void **)&answer));
    if (answer->options)
        options_get(arena, WIRE_TRANSFORM, &answer->options->base, &form->options);
    str changed = message_get_bytes(answer, properties);
    if (!changed.ptr)
        return NULL;
    TRY(error_wrap(decode_properties(arena, changed, &wire_in, &form->inputs),
                   "unmarshalling transform properties"));
    return decode_assets(monitor, arena, &form->inputs); /* the SDK sends assets without */
}

/* The program gets an RPC error as grpc-go prints it, with its code. */
static fallible transforms_explain(struct error *owned)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!owned || error_kind(owned) != ERROR_STATUS)
        return error_wrap(owned, "invoke transform");
    int code = error_status(owned);
    str text = arena_printf(&scratch, "invoke transform: rpc error: code = %s desc = " STR_FMT,
                            rpc_status_name(code), STR_ARG(error_message(owned)));
    error_free(owned);
    return error_from_status(code, text, STR(""));
}

fallible monitor_transform(struct monitor *monitor, Pb__Callback **own, size_t own_count,
                           struct arena *arena, struct transformed *form)
{
    for (size_t i = 0; i < own_count; i++)
        TRY(transforms_explain(transforms_apply(monitor, own[i], arena, form)));
    for (const struct remembered *at = monitor_recall(monitor, form->parent); at;
         at = monitor_recall(monitor, at->parent))
        for (size_t i = 0; i < at->transform_count; i++)
            TRY(transforms_explain(transforms_apply(monitor, at->transforms[i], arena, form)));
    for (size_t i = 0; i < monitor->stack_transforms.len; i++)
        TRY(transforms_explain(
            transforms_apply(monitor, monitor->stack_transforms.items[i], arena, form)));
    return NULL;
}

static fallible apply_invoke(struct monitor *monitor, const Pb__Callback *callback,
                             struct arena *arena, str token, struct value *args,
                             Pb__TransformInvokeOptions **options)
{
    const struct marshal_options out = { .keep_unknowns = true,
                                         .keep_secrets = true,
                                         .keep_resources = true,
                                         .accepts_byte_strings = callback->accepts_byte_string };
    const struct unmarshal_options in = { .keep_unknowns = true,
                                          .keep_secrets = true,
                                          .keep_resources = true };
    Pb__TransformInvokeRequest request = PB__TRANSFORM_INVOKE_REQUEST__INIT;
    Pb__TransformInvokeResponse *answer = NULL;
    str encoded, bytes;

    TRY(error_as(properties_marshal(arena, *args, &out, &encoded), ERROR_OTHER));
    request.token = message_cstr(arena, token);
    request.options = *options;
    message_put_bytes(&request, args, encoded);
    TRY(monitor_callback(monitor, callback->target, callback->token, MESSAGE_PACK(arena, &request),
                         arena, &bytes));
    TRY(message_unpack(arena, &pb__transform_invoke_response__descriptor, bytes, (void **)&answer));
    if (answer->options)
        *options = answer->options;
    str changed = message_get_bytes(answer, args);
    return changed.ptr ? decode_properties(arena, changed, &in, args) : NULL;
}

fallible monitor_transform_invoke(struct monitor *monitor, struct arena *arena, str token,
                                  struct value *args, Pb__TransformInvokeOptions **options)
{
    for (size_t i = 0; i < monitor->invoke_transforms.len; i++)
        TRY(apply_invoke(monitor, monitor->invoke_transforms.items[i], arena, token, args,
                         options));
    return NULL;
}

static fallible decode_callback(struct monitor *monitor, struct rpc_call *call, str bytes,
                                Pb__Callback **out)
{
    Pb__Callback *message = NULL;

    TRY(message_request(rpc_call_arena(call), &pb__callback__descriptor, bytes, (void **)&message));
    if (message->target[0] == '\0')
        return error_new(ERROR_OTHER, "target must be specified");
    *out = transforms_own(monitor->arena, &message, 1)[0];
    return NULL;
}

fallible monitor_stack_transform(void *monitor_, struct rpc_call *call, str bytes, str *response)
{
    struct monitor *monitor = monitor_;
    Pb__Callback *callback = NULL;

    TRY(decode_callback(monitor, call, bytes, &callback));
    vec_add(&monitor->stack_transforms, callback);
    *response = STR("");
    return NULL;
}

fallible monitor_stack_invoke_transform(void *monitor_, struct rpc_call *call, str bytes,
                                        str *response)
{
    struct monitor *monitor = monitor_;
    Pb__Callback *callback = NULL;

    TRY(decode_callback(monitor, call, bytes, &callback));
    vec_add(&monitor->invoke_transforms, callback);
    *response = STR("");
    return NULL;
}
