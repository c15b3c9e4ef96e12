/* callbacks.c — serves hooks and transforms of a scripted program. */
#include "support/callbacks.h"

#include "base/map.h"
#include "proto/message.h"
#include "proto/struct_codec.h"
#include "rpc/rpc.h"
#include "support/json_value.h"
#include "support/message_json.h"
#include "support/program_request.h"
#include "support/script.h"

#include "pb/callback.pb-c.h"
#include "pb/resource.pb-c.h"

struct callbacks {
    struct arena *arena;
    struct rpc_server *server; /* NULL until there is something to serve */
    struct map functions;      /* token to struct function */
};

struct function;

/* Fills the answer to a request that was understood. */
typedef struct error *function_run(struct function *function, struct arena *arena,
                                   const void *request, void *response);

struct function_kind {
    const char *name;
    const ProtobufCMessageDescriptor *request;
    const ProtobufCMessageDescriptor *response;
    function_run *run;
};

struct function {
    const struct function_kind *kind;
    struct value script;
    double retries; /* what is left of them */
};

/* --- what the functions do --- */

static fallible run_hook(struct function *function, struct arena *arena, const void *request,
                         void *response_)
{
    Pb__ResourceHookResponse *response = response_;

    (void)request;
    response->error = message_cstr(arena, object_text(function->script, STR("error")));
    return NULL;
}

static fallible run_error_hook(struct function *function, struct arena *arena, const void *request,
                               void *response_)
{
    Pb__ErrorHookResponse *response = response_;

    (void)request;
    response->error = message_cstr(arena, object_text(function->script, STR("error")));
    response->retry = function->retries > 0;
    function->retries--;
    return NULL;
}

/* The bytes of a Struct with the members that the script sets. */
static fallible set_members(struct function *function, struct arena *arena, str bytes,
                            ProtobufCBinaryData *out)
{
    struct value members = object_get(function->script, STR("set")), object;
    str encoded;

    TRY(message_struct(arena, bytes, &object));
    if (members.kind == VALUE_OBJECT)
        object = value_merge(arena, object, members);
    TRY(struct_encode(arena, object, &encoded));
    *out = message_binary(encoded);
    return NULL;
}

static fallible lay_options(struct function *function, struct arena *arena,
                            Pb__TransformResponse *response)
{
    struct value options = object_get(function->script, STR("opts"));
    void *over;

    if (options.kind != VALUE_OBJECT)
        return NULL;
    TRY(message_from_json(arena, options, &pb__transform_resource_options__descriptor, &over));
    if (!response->options) {
        response->options = over;
        return NULL;
    }
    return message_merge(arena, &response->options->base, over);
}

static fallible run_transform(struct function *function, struct arena *arena, const void *request_,
                              void *response_)
{
    const Pb__TransformRequest *request = request_;
    Pb__TransformResponse *response = response_;
    str only = object_text(function->script, STR("ifType"));
    str bytes = message_get_bytes(request, properties);

    response->options = request->options;
    message_put_bytes(response, properties, bytes);
    if (only.len && !str_equal(only, message_str(request->type)))
        return NULL;
    if (object_get(function->script, STR("set")).kind != VALUE_NULL) {
        response->_properties_case = PB__TRANSFORM_RESPONSE___PROPERTIES_PROPERTIES;
        TRY(set_members(function, arena, bytes, &response->properties));
    }
    return lay_options(function, arena, response);
}

static fallible run_invoke_transform(struct function *function, struct arena *arena,
                                     const void *request_, void *response_)
{
    const Pb__TransformInvokeRequest *request = request_;
    Pb__TransformInvokeResponse *response = response_;

    response->options = request->options;
    response->_args_case = PB__TRANSFORM_INVOKE_RESPONSE___ARGS_ARGS;
    return set_members(function, arena, message_get_bytes(request, args), &response->args);
}

static const struct function_kind kinds[] = {
    { "hook", &pb__resource_hook_request__descriptor, &pb__resource_hook_response__descriptor,
      run_hook },
    { "errorHook", &pb__error_hook_request__descriptor, &pb__error_hook_response__descriptor,
      run_error_hook },
    { "transform", &pb__transform_request__descriptor, &pb__transform_response__descriptor,
      run_transform },
    { "invokeTransform", &pb__transform_invoke_request__descriptor,
      &pb__transform_invoke_response__descriptor, run_invoke_transform },
};

/* --- the service --- */

static fallible call_function(struct function *function, struct arena *arena, str bytes, str *out)
{
    const struct function_kind *kind = function->kind;
    str failure = object_text(function->script, STR("rpcError"));
    struct value shown;
    void *request, *response;

    TRY(message_unpack(arena, kind->request, bytes, &request));
    TRY(message_to_json(arena, request, &shown));
    TRY(script_trace(TRACE_CALLBACK,
                     script_record(arena, "rpc", value_string(str_from(kind->name)), "label",
                                   value_string(object_text(function->script, STR("name"))),
                                   "request", shown, NULL)));
    if (failure.len)
        return error_from_status(RPC_UNKNOWN, failure, STR(""));
    TRY(message_from_json(arena, VALUE_EMPTY_OBJECT, kind->response, &response));
    TRY(kind->run(function, arena, request, response));
    *out = message_pack(arena, response);
    return NULL;
}

static struct error *invoke(void *callbacks_, struct rpc_call *call, str bytes, str *response)
{
    struct callbacks *callbacks = callbacks_;
    struct arena *arena = rpc_call_arena(call);
    Pb__CallbackInvokeResponse answer = PB__CALLBACK_INVOKE_RESPONSE__INIT;
    void *message;
    str inner;

    TRY(message_unpack(arena, &pb__callback_invoke_request__descriptor, bytes, &message));
    const Pb__CallbackInvokeRequest *request = message;
    struct function *function = map_find(&callbacks->functions, message_str(request->token));
    if (!function)
        return error_from_status(RPC_NOT_FOUND, STR("no such callback"), STR(""));
    TRY(call_function(function, arena, message_bytes(request->request), &inner));
    answer.response = message_binary(inner);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static const struct rpc_method methods[] = {
    { .path = "/pulumirpc.Callbacks/Invoke", .unary = invoke },
    { 0 },
};

struct callbacks *callbacks_new(struct arena *arena)
{
    struct callbacks *callbacks = ARENA_NEW(arena, struct callbacks);

    callbacks->arena = arena;
    return callbacks;
}

void callbacks_close(struct callbacks *callbacks)
{
    if (callbacks->server)
        rpc_server_close(callbacks->server, 0);
    callbacks->server = NULL;
    map_release(&callbacks->functions);
}

static const struct function_kind *find_kind(str name)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (str_equal(str_from(kinds[i].name), name))
            return &kinds[i];
    return NULL;
}

fallible callbacks_add(struct callbacks *callbacks, str kind, struct value script,
                       struct arena *arena, Pb__Callback **out)
{
    struct function *function = ARENA_NEW(callbacks->arena, struct function);
    Pb__Callback *callback = ARENA_NEW(arena, Pb__Callback);

    if (!callbacks->server)
        TRY(rpc_server_open(methods, callbacks, &callbacks->server));
    *function =
        (struct function){ find_kind(kind), script, object_number(script, STR("retries"), 0) };
    BUG_IF(!function->kind);
    str token = arena_printf(callbacks->arena, "cb-%zu", callbacks->functions.len + 1);
    map_put(&callbacks->functions, token, function);
    *callback = (Pb__Callback)PB__CALLBACK__INIT;
    callback->target = message_cstr(arena, rpc_server_address(callbacks->server));
    callback->token = message_cstr(arena, token);
    callback->accepts_byte_string = object_flag(script, STR("acceptsByteStrings"));
    *out = callback;
    return NULL;
}

/* --- the entries that register one --- */

static fallible register_hook(struct program *program, struct value script, void *callback,
                              const char **method, ProtobufCMessage **request)
{
    Pb__RegisterResourceHookRequest *hook =
        ARENA_NEW(program->arena, Pb__RegisterResourceHookRequest);

    *hook = (Pb__RegisterResourceHookRequest)PB__REGISTER_RESOURCE_HOOK_REQUEST__INIT;
    hook->name = request_text(program, object_text(script, STR("name")));
    hook->callback = callback;
    hook->on_dry_run = object_flag(script, STR("onDryRun"));
    hook->ignore_errors = object_flag(script, STR("ignoreErrors"));
    *method = MONITOR("RegisterResourceHook");
    *request = &hook->base;
    return NULL;
}

static fallible register_error_hook(struct program *program, struct value script, void *callback,
                                    const char **method, ProtobufCMessage **request)
{
    Pb__RegisterErrorHookRequest *hook = ARENA_NEW(program->arena, Pb__RegisterErrorHookRequest);

    *hook = (Pb__RegisterErrorHookRequest)PB__REGISTER_ERROR_HOOK_REQUEST__INIT;
    hook->name = request_text(program, object_text(script, STR("name")));
    hook->callback = callback;
    *method = MONITOR("RegisterErrorHook");
    *request = &hook->base;
    return NULL;
}

fallible program_callback(struct program *program, struct value entry)
{
    const struct function_kind *kind = NULL;
    const char *method;
    ProtobufCMessage *request;
    Pb__Callback *callback;
    void *answer;

    for (size_t i = 0; !kind; i++)
        if (value_has(entry, str_from(kinds[i].name)))
            kind = &kinds[i];
    struct value script = object_get(entry, str_from(kind->name));
    TRY(callbacks_add(program->callbacks, str_from(kind->name), script, program->arena, &callback));
    if (kind->run == run_hook)
        TRY(register_hook(program, script, callback, &method, &request));
    else if (kind->run == run_error_hook)
        TRY(register_error_hook(program, script, callback, &method, &request));
    else {
        request = &callback->base;
        method = kind->run == run_transform ? MONITOR("RegisterStackTransform")
                                            : MONITOR("RegisterStackInvokeTransform");
    }
    struct error *failure = script_call(program->monitor, method, request, &pb__empty__descriptor,
                                        program->arena, &answer);
    return failure ? program_note(program->arena, "callback", STR(""), NULL, failure) : NULL;
}
