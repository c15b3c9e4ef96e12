/* provider_config.c — the calls that concern a provider itself: its parameters, its schema, its
 * configuration. */
#include "plugin/provider/provider_errors.h"
#include "plugin/provider/provider_values.h"

#include "base/json.h"
#include "base/semver.h"
#include "model/urn.h"
#include "model/value_json.h"
#include "rpc/rpc.h"

#include <stdlib.h>

static fallible provider_config_parameterize(struct provider_grpc *self,
                                             const Pb__ParameterizeRequest *message,
                                             struct arena *arena, str *name, str *version)
{
    struct semver parsed;
    void *answer;

    TRY(provider_raw_error(provider_call(self, PROVIDER_METHOD("Parameterize"), &message->base,
                                         &pb__parameterize_response__descriptor, arena, &answer)));
    const Pb__ParameterizeResponse *response = answer;
    *name = message_str(response->name);
    *version = message_str(response->version);
    if (!semver_parse(*version, &parsed))
        return error_new(ERROR_INVALID,
                         "provider '" STR_FMT
                         "' answered Parameterize with version '%s', which is none",
                         STR_ARG(self->base.package), response->version);
    return NULL;
}

static void become(struct provider_grpc *self, str name, str version)
{
    self->subpackage_name = arena_copy(&self->arena, name);
    self->subpackage_version = arena_copy(&self->arena, version);
}

fallible provider_op_parameterize(struct provider *provider, str name, str version, str value,
                                  struct arena *arena)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__ParameterizeRequest message;
    pb__parameterize_request__init(&message);
    str answered, answered_version;

    message.parameters_case = PB__PARAMETERIZE_REQUEST__PARAMETERS_VALUE;
    message.value = message_parameter(&scratch, name, version, value);
    TRY(provider_config_parameterize(self, &message, arena, &answered, &answered_version));
    if (!str_equal(answered, name))
        return error_new(ERROR_INVALID,
                         "parameterization of provider '" STR_FMT "' gave package '" STR_FMT
                         "', not '" STR_FMT "'",
                         STR_ARG(self->base.package), STR_ARG(answered), STR_ARG(name));
    become(self, name, version);
    return NULL;
}

fallible provider_op_parameterize_by_words(struct provider *provider, struct strs words,
                                           struct arena *arena, str *name, str *version)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__ParameterizeRequest message;
    pb__parameterize_request__init(&message);
    Pb__ParameterizeRequest__ParametersArgs args = PB__PARAMETERIZE_REQUEST__PARAMETERS_ARGS__INIT;

    message_put_strs(&scratch, &args, args, words);
    message.parameters_case = PB__PARAMETERIZE_REQUEST__PARAMETERS_ARGS;
    message.args = &args;
    TRY(provider_config_parameterize(self, &message, arena, name, version));
    become(self, *name, *version);
    return NULL;
}

fallible provider_op_get_schema(struct provider *provider, struct arena *arena, str *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__GetSchemaRequest message = PB__GET_SCHEMA_REQUEST__INIT;
    void *answer;

    message.subpackage_name = message_cstr(&scratch, self->subpackage_name);
    message.subpackage_version = message_cstr(&scratch, self->subpackage_version);
    TRY(provider_raw_error(provider_call(self, PROVIDER_METHOD("GetSchema"), &message.base,
                                         &pb__get_schema_response__descriptor, arena, &answer)));
    *out = message_str(((const Pb__GetSchemaResponse *)answer)->schema);
    return NULL;
}

fallible provider_op_get_mapping(struct provider *provider, str ecosystem, str *name,
                                 struct arena *arena, str *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__GetMappingRequest message = PB__GET_MAPPING_REQUEST__INIT;
    void *answer;

    *out = STR("");
    message.key = message_cstr(&scratch, ecosystem);
    message.provider = message_cstr(&scratch, *name);
    struct error *failure = provider_call(self, PROVIDER_METHOD("GetMapping"), &message.base,
                                          &pb__get_mapping_response__descriptor, arena, &answer);
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "it has none");
        return NULL;
    }
    TRY(provider_raw_error(failure));
    const Pb__GetMappingResponse *response = answer;
    if (!name->len || str_equal(message_str(response->provider), *name))
        *out = message_bytes(response->data);
    if (!name->len)
        *name = message_str(response->provider);
    return NULL;
}

/* --- CheckConfig and DiffConfig --- */

/* Two providers used to say "unimplemented" in ways of their own. */
static bool is_unimplemented(const struct error *error, str urn)
{
    str package = type_provider_package(urn_type_of(urn));

    if (provider_is_unimplemented(error))
        return true;
    if (error_kind(error) != ERROR_STATUS)
        return false;
    if (str_equal(package, STR("pulumi-nodejs")))
        return error_status(error) == RPC_INTERNAL;
    return str_equal(package, STR("kubernetes")) && error_status(error) == RPC_UNKNOWN
           && str_find(error_message(error), STR("Unimplemented")) != SIZE_MAX;
}

fallible provider_op_check_config(struct provider *provider, const struct check_request *request,
                                  struct arena *arena, struct check_answer *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__CheckRequest message;
    pb__check_request__init(&message);
    unsigned unknowns = request->allows_unknowns ? KEEP_UNKNOWNS : 0u;
    str olds, news;
    void *answer;

    TRY(provider_marshal(&scratch, request->olds, unknowns, &olds));
    TRY(provider_marshal(&scratch, request->news, unknowns, &news));
    message_put_bytes(&message, olds, olds);
    message_put_bytes(&message, news, news);
    message.urn = message_cstr(&scratch, request->urn);
    message.name = message_cstr(&scratch, urn_name_of(request->urn));
    message.type = message_cstr(&scratch, urn_type_of(request->urn));
    struct error *failure = provider_call(self, PROVIDER_METHOD("CheckConfig"), &message.base,
                                          &pb__check_response__descriptor, arena, &answer);
    if (failure && is_unimplemented(failure, request->urn)) {
        error_ignore(failure, "it takes everything");
        *out = (struct check_answer){ .inputs = request->news };
        return NULL;
    }
    TRY(provider_raw_error(failure));

    const Pb__CheckResponse *response = answer;
    TRY(provider_unmarshal(arena, message_get_bytes(response, inputs),
                           KEEP_RICH | provider_answer_unknowns(request->allows_unknowns),
                           &out->inputs));
    out->inputs = value_annotate_secrets(arena, request->news, out->inputs);
    out->failures = provider_failures(arena, response->failures, response->n_failures);
    return NULL;
}

/* Old versions of one provider refuse a configuration here that they accept later. */
static bool is_excused(const struct error *error, str urn)
{
    return error_kind(error) == ERROR_STATUS
           && str_equal(type_provider_package(urn_type_of(urn)), STR("kubernetes"))
           && str_find(error_message(error),
                       STR("cannot unmarshal string into Go value of type struct"))
                  != SIZE_MAX;
}

fallible provider_op_diff_config(struct provider *provider, const struct diff_request *request,
                                 struct arena *arena, struct diff_answer *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__DiffRequest message;
    pb__diff_request__init(&message);
    str old_inputs, olds, news;
    void *answer;

    TRY(provider_marshal(&scratch, request->old_inputs, KEEP_UNKNOWNS, &old_inputs));
    TRY(provider_marshal(&scratch, request->old_outputs, KEEP_UNKNOWNS, &olds));
    TRY(provider_marshal(&scratch, request->news, KEEP_UNKNOWNS, &news));
    message_put_bytes(&message, old_inputs, old_inputs);
    message_put_bytes(&message, olds, olds);
    message_put_bytes(&message, news, news);
    message.urn = message_cstr(&scratch, request->urn);
    message.name = message_cstr(&scratch, urn_name_of(request->urn));
    message.type = message_cstr(&scratch, urn_type_of(request->urn));
    message_put_strs(&scratch, &message, ignore_changes, request->ignore_changes);
    struct error *failure = provider_call(self, PROVIDER_METHOD("DiffConfig"), &message.base,
                                          &pb__diff_response__descriptor, arena, &answer);
    if (failure && (is_unimplemented(failure, request->urn) || is_excused(failure, request->urn))) {
        error_ignore(failure, "it cannot tell");
        *out = (struct diff_answer){ .changes = CHANGES_UNKNOWN };
        return NULL;
    }
    TRY(provider_raw_error(failure));
    provider_read_diff(arena, answer, out);
    return NULL;
}

/* --- Configure --- */

/* The call goes on after the operation has returned, so it owns its request. */
struct configuring {
    struct provider_grpc *provider;
    struct arena arena;
    Pb__ConfigureRequest message;
    str bytes; /* of the message */
};

static void provider_config_settle(struct provider_grpc *self, enum config_state state)
{
    self->config = state;
    latch_open(&self->configured);
}

/* Every call that needs the provider will say it. */
static void settle_failed(struct provider_grpc *self, const struct error *error)
{
    self->failure_kind = error_kind(error);
    self->failure_code = error_status(error);
    self->failure_message = arena_copy(&self->arena, error_message(error));
    provider_config_settle(self, CONFIG_FAILED);
}

static void configuring_free(struct configuring *owned)
{
    arena_release(&owned->arena);
    free(owned);
}

static void run_configure(void *configuring_)
{
    struct configuring *configuring = configuring_;
    CLEANUP(provider_leave) struct provider_grpc *self = configuring->provider;
    void *answer;

    struct error *failure =
        provider_call(self, PROVIDER_METHOD("Configure"), &configuring->message.base,
                      &pb__configure_response__descriptor, &configuring->arena, &answer);
    if (failure) {
        failure = provider_configure_error(failure);
        settle_failed(self, failure);
        error_free(failure);
    } else {
        const Pb__ConfigureResponse *response = answer;
        if (!self->has_traits)
            self->traits = (struct provider_traits){
                .accepts_secrets = response->accept_secrets,
                .accepts_resources = response->accept_resources,
                .accepts_outputs = response->accept_outputs,
                .supports_preview = response->supports_preview,
                .supports_autonaming = response->supports_autonaming_configuration,
            };
        self->known_config = arena_copy(&self->arena, configuring->bytes);
        provider_config_settle(self, CONFIG_KNOWN);
    }
    configuring_free(configuring);
}

static bool is_variable(const struct member *member)
{
    return !str_equal(member->key, STR("version"));
}

static bool has_unknown_variable(struct value inputs)
{
    for (size_t i = 0; i < inputs.len; i++)
        if (is_variable(&inputs.members[i]) && value_contains_unknown(inputs.members[i].value))
            return true;
    return false;
}

static str variable_text(struct arena *arena, struct value value)
{
    struct value plain = value_without_secrets(arena, value);
    if (plain.kind == VALUE_STRING)
        return value_text(plain);
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .escapes_html = true };
    value_write(&writer, plain, SECRET_BARE);
    error_ignore(json_writer_finish(&writer), "there is no file behind it");
    return arena_copy(arena, strbuf_str(&text));
}

/* PKG:config:KEY, for providers that know no better. */
static void put_variables(struct arena *arena, str package, struct value inputs,
                          Pb__ConfigureRequest *message)
{
    struct pair *variables = ARENA_ARRAY(arena, struct pair, inputs.len);
    size_t len = 0;

    for (size_t i = 0; i < inputs.len; i++) {
        const struct member *member = &inputs.members[i];
        if (is_variable(member))
            variables[len++] =
                (struct pair){ arena_concat(arena, package, STR(":config:"), member->key),
                               variable_text(arena, member->value) };
    }
    message_put_pairs(arena, message, variables, ((struct pairs){ variables, len }));
}

static fallible fill_configure(struct configuring *configuring,
                               const struct configure_request *request)
{
    struct arena *arena = &configuring->arena;
    Pb__ConfigureRequest *message = &configuring->message;
    str args;

    TRY(error_wrap(provider_marshal(arena, request->inputs, KEEP_UNKNOWNS | KEEP_RICH, &args),
                   "marshaling provider inputs"));
    pb__configure_request__init(message);
    put_variables(arena, type_provider_package(request->type), request->inputs, message);
    message_put_bytes(message, args, args);
    message->accept_secrets = true;
    message->accept_resources = true;
    message->sends_old_inputs = true;
    message->sends_old_inputs_to_delete = true;
    message_put(message, id, message_cstr(arena, request->id));
    message_put(message, urn, message_cstr(arena, request->urn));
    message_put(message, name, message_cstr(arena, request->name));
    message_put(message, type, message_cstr(arena, request->type));
    configuring->bytes = message_pack(arena, &message->base);
    return NULL;
}

/* A process that served before is used if it was configured alike; it is never configured twice. */
static fallible prepare(struct provider_grpc *self, struct configuring *configuring,
                        const struct configure_request *request, bool *is_known)
{
    *is_known = false;
    TRY(fill_configure(configuring, request));
    if (self->known_config.len == 0)
        return NULL;
    *is_known = str_equal(self->known_config, configuring->bytes);
    return *is_known ? NULL : provider_grpc_renew(self);
}

fallible provider_op_configure(struct provider *provider, const struct configure_request *request)
{
    struct provider_grpc *self = (struct provider_grpc *)provider;

    if (self->config != CONFIG_NONE)
        return error_new(ERROR_OTHER, "provider '" STR_FMT "' is configured twice",
                         STR_ARG(self->base.package));
    if (has_unknown_variable(request->inputs)) {
        provider_config_settle(self, CONFIG_UNKNOWN);
        return NULL;
    }
    struct configuring *configuring = memory_zalloc(sizeof(*configuring));
    bool is_known;
    struct error *failure = prepare(self, configuring, request, &is_known);
    if (failure || is_known) {
        configuring_free(configuring);
        if (failure)
            settle_failed(self, failure);
        else
            provider_config_settle(self, CONFIG_KNOWN);
        return failure;
    }
    configuring->provider = provider_enter(provider);
    self->config = CONFIG_SENT;
    fiber_spawn_in(self->plugin->host->scope, run_configure, configuring);
    return NULL;
}
