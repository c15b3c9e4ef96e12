/* provider.c — serves the scripted provider; the calls that are not about one resource. */
#include "support/provider.h"

#include "base/settings.h"
#include "fiber/fiber.h"
#include "proto/message.h"
#include "support/collect.h"
#include "support/json_value.h"
#include "support/message_json.h"
#include "support/script.h"
#include "support/serve.h"

#include "pb/plugin.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/status.pb-c.h"

/* --- the trace --- */

/* Addresses, tokens and random numbers of one run: the trace says only that they are there. */
static const char *const volatile_fields[] = {
    "resource_status_address", "resource_status_token", "monitorEndpoint", "engine_address",
    "root_directory",          "program_directory",     "mapper_target",   "loader_target",
    "resolver_target",         "stack_trace_handle",    "randomSeed",
};

/* Calls that make sense only once the provider is configured. */
static const char *const resource_calls[] = {
    "Check", "Diff", "Create", "Read", "List", "Update", "Delete", "Construct", "Call", "Invoke",
};

static struct value masked(struct arena *arena, struct value request)
{
    for (size_t i = 0; i < sizeof(volatile_fields) / sizeof(*volatile_fields); i++) {
        str field = str_from(volatile_fields[i]);
        if (value_has(request, field))
            request = value_with(arena, request, field, value_string(STR("<set>")));
    }
    if (value_has(request, STR("resources"))) /* of a stack; these, and the keys, are sets: the
                                                 order says nothing */
        request = value_with(arena, request, STR("resources"),
                             collect_sorted(arena, object_get(request, STR("resources"))));
    str keys = STR("configSecretKeys");
    if (!value_has(request, keys))
        return request;
    struct strs sorted = strs_sorted(arena, object_strs(arena, request, keys));
    return value_with(arena, request, keys, value_from_strs(arena, sorted));
}

static fallible trace(const struct provider_call *call, struct value request)
{
    struct scripted_provider *provider = call->provider;
    struct value record = script_record(call->arena, "rpc", value_string(str_from(call->rpc)),
                                        "pkg", value_string(provider->package), "request",
                                        masked(call->arena, request), NULL);

    if (strcmp(call->rpc, "Configure") == 0)
        provider->is_configured = true;
    for (size_t i = 0;
         !provider->is_configured && i < sizeof(resource_calls) / sizeof(*resource_calls); i++)
        if (strcmp(call->rpc, resource_calls[i]) == 0)
            record = value_with(call->arena, record, STR("unconfigured"), value_bool(true));
    return script_trace(TRACE_PROVIDER, record);
}

/* --- the frame of every call --- */

/* A pause that only seed and count decide. */
static fallible provider_delay(struct scripted_provider *provider)
{
    str seed_text, limit_text;
    uint64_t seed, limit;

    if (!str_cut(provider->delays, STR(":"), &seed_text, &limit_text)
        || !str_to_u64(seed_text, &seed) || !str_to_u64(limit_text, &limit) || limit == 0)
        return NULL;
    uint64_t mixed = (seed + ++provider->delayed) * 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9U;
    return fiber_sleep_ms((mixed >> 32) % limit);
}

static fallible begin(struct provider_call *call, const str *name, str bytes,
                      const ProtobufCMessageDescriptor *type, void **request)
{
    struct value json;

    TRY(message_unpack(call->arena, type, bytes, request));
    TRY(message_to_json(call->arena, *request, &json));
    TRY(trace(call, json));
    call->rule =
        rules_find(&call->provider->rules, call->rpc, name ? *name : object_text(json, STR("name")),
                   name ? STR("") : object_text(json, STR("type")));
    TRY(provider_delay(call->provider));
    TRY(rule_tell(call->rule, call->arena, call->provider->engine));
    return rule_begin(call->rule);
}

fallible provider_begin(struct provider_call *call, str bytes,
                        const ProtobufCMessageDescriptor *type, void **request)
{
    return begin(call, NULL, bytes, type, request);
}

fallible provider_begin_named(struct provider_call *call, str name, str bytes,
                              const ProtobufCMessageDescriptor *type, void **request)
{
    return begin(call, &name, bytes, type, request);
}

fallible provider_finish(const struct provider_call *call, ProtobufCMessage *answer, str *response)
{
    TRY(provider_delay(call->provider));
    TRY(rule_finish(call->rule, call->arena, answer));
    *response = message_pack(call->arena, answer);
    return NULL;
}

fallible provider_finish_whole(const struct provider_call *call, ProtobufCMessage *answer,
                               str *response)
{
    if (rule_has(call->rule, STR("respond")))
        protobuf_c_message_init(answer->descriptor, answer);
    return provider_finish(call, answer, response);
}

/* --- setting it up --- */

static struct error *handshake(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Handshake");
    Pb__ProviderHandshakeResponse answer = PB__PROVIDER_HANDSHAKE_RESPONSE__INIT;
    void *message;

    TRY(provider_begin_named(&call, call.provider->package, bytes,
                             &pb__provider_handshake_request__descriptor, &message));
    const Pb__ProviderHandshakeRequest *request = message;
    call.provider->engine = arena_copy(&call.provider->arena, message_str(request->engine_address));
    answer.accept_secrets = answer.accept_resources = answer.accept_outputs = true;
    return provider_finish_whole(&call, &answer.base, response);
}

static struct error *parameterize(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Parameterize");
    Pb__ParameterizeResponse answer = PB__PARAMETERIZE_RESPONSE__INIT;
    void *message;

    TRY(provider_begin_named(&call, call.provider->package, bytes,
                             &pb__parameterize_request__descriptor, &message));
    const Pb__ParameterizeRequest *request = message;
    if (request->parameters_case == PB__PARAMETERIZE_REQUEST__PARAMETERS_VALUE) {
        answer.name = request->value->name;
        answer.version = request->value->version;
    } else if (request->parameters_case == PB__PARAMETERIZE_REQUEST__PARAMETERS_ARGS
               && request->args->n_args) {
        answer.name = request->args->args[0];
        answer.version = message_cstr(call.arena, STR("1.0.0"));
    }
    call.provider->parameter = arena_copy(&call.provider->arena, message_str(answer.name));
    return provider_finish(&call, &answer.base, response);
}

/* What schemas.json has for the package, also for one that a parameter made of it, or one without
 * any types. */
static struct error *get_schema(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("GetSchema");
    Pb__GetSchemaResponse answer = PB__GET_SCHEMA_RESPONSE__INIT;
    struct value schemas;
    void *request;

    TRY(provider_begin_named(&call, STR(""), bytes, &pb__get_schema_request__descriptor, &request));
    TRY(script_load(call.arena, STR("schemas.json"), &schemas));
    struct value schema = object_get(schemas, call.provider->parameter);
    if (schema.kind == VALUE_NULL)
        schema = object_get(schemas, call.provider->package);
    if (schema.kind == VALUE_NULL)
        schema = script_record(call.arena, "name", value_string(call.provider->package), "version",
                               value_string(STR("1.0.0")), NULL);
    answer.schema = message_cstr(call.arena, json_value_text(call.arena, schema, 0));
    *response = MESSAGE_PACK(call.arena, &answer);
    return NULL;
}

/* Only what the rules say. */
static struct error *get_mapping(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("GetMapping");
    Pb__GetMappingResponse answer = PB__GET_MAPPING_RESPONSE__INIT;
    void *request;

    TRY(provider_begin_named(&call, call.provider->package, bytes,
                             &pb__get_mapping_request__descriptor, &request));
    return provider_finish(&call, &answer.base, response);
}

static struct error *configure(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Configure");
    Pb__ConfigureResponse answer = PB__CONFIGURE_RESPONSE__INIT;
    void *request;

    TRY(provider_begin(&call, bytes, &pb__configure_request__descriptor, &request));
    answer.accept_secrets = answer.accept_resources = answer.accept_outputs =
        answer.supports_preview = true;
    return provider_finish_whole(&call, &answer.base, response);
}

struct error *provider_cancel(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Cancel");
    Pb__Empty answer = PB__EMPTY__INIT;
    void *request;

    TRY(provider_begin_named(&call, STR(""), bytes, &pb__empty__descriptor, &request));
    *response = MESSAGE_PACK(call.arena, &answer);
    return NULL;
}

struct error *provider_plugin_info(void *provider, struct rpc_call *rpc, str bytes, str *response)
{
    Pb__PluginInfo answer = PB__PLUGIN_INFO__INIT;

    (void)provider, (void)bytes;
    answer.version = message_cstr(rpc_call_arena(rpc), STR("1.0.0"));
    *response = MESSAGE_PACK(rpc_call_arena(rpc), &answer);
    return NULL;
}

/* --- functions and methods: an echo --- */

/* The rule of a function is found by its token, which both requests have in their first field. */
static fallible begin_function(struct provider_call *call, str bytes,
                               const ProtobufCMessageDescriptor *type, void **request)
{
    void *early;

    TRY(message_unpack(call->arena, type, bytes, &early));
    const char *token = *(char **)(void *)((char *)early + type->fields[0].offset);
    return provider_begin_named(call, message_str(token), bytes, type, request);
}

static struct error *invoke(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Invoke");
    Pb__InvokeResponse answer = PB__INVOKE_RESPONSE__INIT;
    void *message;

    TRY(begin_function(&call, bytes, &pb__invoke_request__descriptor, &message));
    const Pb__InvokeRequest *request = message;
    message_put_bytes(&answer, return_value, message_get_bytes(request, args));
    return provider_finish_whole(&call, &answer.base, response);
}

static struct error *call_method(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Call");
    Pb__CallResponse answer = PB__CALL_RESPONSE__INIT;
    void *message;

    TRY(begin_function(&call, bytes, &pb__call_request__descriptor, &message));
    const Pb__CallRequest *request = message;
    message_put_bytes(&answer, return_value, message_get_bytes(request, args));
    return provider_finish_whole(&call, &answer.base, response);
}

static const struct rpc_method methods[] = {
    { .path = PROVIDER("Handshake"), .unary = handshake },
    { .path = PROVIDER("Parameterize"), .unary = parameterize },
    { .path = PROVIDER("GetSchema"), .unary = get_schema },
    { .path = PROVIDER("GetMapping"), .unary = get_mapping },
    { .path = PROVIDER("CheckConfig"), .unary = provider_check_config },
    { .path = PROVIDER("DiffConfig"), .unary = provider_diff_config },
    { .path = PROVIDER("Configure"), .unary = configure },
    { .path = PROVIDER("Check"), .unary = provider_check },
    { .path = PROVIDER("Diff"), .unary = provider_diff },
    { .path = PROVIDER("Create"), .unary = provider_create },
    { .path = PROVIDER("Read"), .unary = provider_read },
    { .path = PROVIDER("List"), .stream = provider_list },
    { .path = PROVIDER("Update"), .unary = provider_update },
    { .path = PROVIDER("Delete"), .unary = provider_delete },
    { .path = PROVIDER("Invoke"), .unary = invoke },
    { .path = PROVIDER("Call"), .unary = call_method },
    { .path = PROVIDER("Construct"), .unary = provider_construct },
    { .path = PROVIDER("Cancel"), .unary = provider_cancel },
    { .path = PROVIDER("GetPluginInfo"), .unary = provider_plugin_info },
    { 0 },
};

static fallible load(struct scripted_provider *provider)
{
    struct value rules;

    TRY(script_load(&provider->arena, STR("rules.json"), &rules));
    provider->rules = rules_new(&provider->arena, rules);
    return script_load(&provider->arena, STR("components.json"), &provider->components);
}

int provider_serve(str package, const struct rpc_method *served)
{
    struct scripted_provider provider = {
        .package = package,
        .directory = settings_text("SCENARIO_DIR"),
        .keeps_cloud = settings_text("SCENARIO_NOCLOUD").len == 0,
        .delays = settings_text("SCENARIO_DELAYS"),
    };
    struct error *failure = load(&provider);
    int code = failure ? 1 : serve(served, &provider);

    error_ignore(failure, "the exit code says it");
    arena_release(&provider.arena);
    return code;
}

int provider_main(str package)
{
    return provider_serve(package, methods);
}
