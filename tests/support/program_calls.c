/* program_calls.c — the entries of a script that are calls to the monitor or the engine. */
#include "support/program_request.h"

#include "fiber/fiber.h"
#include "proto/message.h"
#include "support/json_value.h"
#include "support/message_json.h"
#include "support/script.h"

#include "pb/codegen.pb-c.h"
#include "pb/engine.pb-c.h"
#include "pb/resource.pb-c.h"

#include <stdio.h>
#include <sys/ioctl.h>

/* --- reading and calling --- */

fallible program_read(struct program *program, struct value entry)
{
    CLEANUP(urns_release) struct urns dependencies = { 0 };
    str label = object_text(entry, STR("read")), parent = object_text(entry, STR("parent"));
    struct value id, properties, outputs;
    void *message, *answer;

    TRY(request_from_options(program, entry, &pb__read_resource_request__descriptor, &message));
    Pb__ReadResourceRequest *request = message;
    TRY(program_resolve(program, object_get(entry, STR("id")), &dependencies, &id));
    TRY(program_resolve_object(program, object_get(entry, STR("props")), &dependencies,
                               &properties));
    request->type = request_text(program, object_text(entry, STR("type")));
    request->name = request_text(program, request_name(entry, label));
    request->parent =
        request_text(program, parent.len ? program_urn(program, parent) : program->root);
    request->id = request_text(program, id.kind == VALUE_STRING ? value_text(id) : STR(""));
    request->_properties_case = PB__READ_RESOURCE_REQUEST___PROPERTIES_PROPERTIES;
    TRY(request_put_struct(program, properties, &request->properties));
    message_put_strs(program->arena, request, dependencies,
                     urns_sorted(program->arena, &dependencies));
    request->accept_secrets = request->accept_resources = true;
    request_put_provider(program, entry, &request->provider);
    TRY(request_put_package(program, entry, &request->package_ref));
    TRY(request_send(program, MONITOR("ReadResource"), label, &request->base,
                     &pb__read_resource_response__descriptor, &answer));
    const Pb__ReadResourceResponse *response = answer;
    TRY(message_struct(program->arena, message_get_bytes(response, properties), &outputs));
    program_bind(program, label,
                 (struct binding){ .urn = message_str(response->urn),
                                   .id = message_str(request->id),
                                   .outputs = outputs,
                                   .is_known = true });
    return NULL;
}

/* What a function returned depends on what its arguments depend on. */
static fallible bind_result(struct program *program, str label, str bytes,
                            const struct urns *dependencies)
{
    struct value outputs;

    TRY(message_struct(program->arena, bytes, &outputs));
    program_bind(program, label,
                 (struct binding){ .outputs = outputs,
                                   .is_known = true,
                                   .dependencies = urns_sorted(program->arena, dependencies) });
    return NULL;
}

fallible program_invoke(struct program *program, struct value entry)
{
    CLEANUP(urns_release) struct urns dependencies = { 0 };
    str label = object_text(entry, STR("invoke")), parent = object_text(entry, STR("parent"));
    struct strs after = object_strs(program->arena, entry, STR("dependsOn"));
    struct value arguments;
    void *message, *answer;

    TRY(request_from_options(program, entry, &pb__resource_invoke_request__descriptor, &message));
    Pb__ResourceInvokeRequest *request = message;
    if (object_get(entry, STR("opts")).kind == VALUE_NULL)
        request->accept_resources = true;
    request->tok = request_text(program, object_text(entry, STR("tok")));
    TRY(program_resolve_object(program, object_get(entry, STR("args")), &dependencies, &arguments));
    request->_args_case = PB__RESOURCE_INVOKE_REQUEST___ARGS_ARGS;
    TRY(request_put_struct(program, arguments, &request->args));
    char **list = ARENA_ARRAY(program->arena, char *, request->n_depends_on + after.len + 1);
    if (request->n_depends_on)
        memcpy(list, request->depends_on, request->n_depends_on * sizeof(*list));
    for (size_t i = 0; i < after.len; i++)
        list[request->n_depends_on++] = request_text(program, program_urn(program, after.items[i]));
    request->depends_on = list;
    request_put_provider(program, entry, &request->provider);
    if (parent.len)
        request->parent = request_text(program, program_urn(program, parent));
    TRY(request_put_package(program, entry, &request->package_ref));
    TRY(request_send(program, MONITOR("Invoke"), label, &request->base,
                     &pb__resource_invoke_response__descriptor, &answer));
    const Pb__ResourceInvokeResponse *response = answer;
    return bind_result(program, label, message_get_bytes(response, return_value), &dependencies);
}

/* The resource whose method it is goes along as an argument. */
static fallible put_self(struct program *program, str label, struct value *arguments,
                         Pb__ResourceCallRequest *request)
{
    struct value self, reference;
    const struct binding *binding = program_find(program, label);

    if (!binding)
        return error_new(ERROR_INVALID, "unknown label \"" STR_FMT "\"", STR_ARG(label));
    self = script_record(program->arena, "$ref", value_string(label), NULL);
    TRY(program_resolve(program, self, NULL, &reference));
    *arguments = value_with(program->arena, *arguments, STR("__self__"), reference);
    struct property_dependency dependency = { STR("__self__"), { &binding->urn, 1 } };
    request->arg_dependencies =
        message_urns_entries(program->arena, (struct property_dependencies){ &dependency, 1 });
    request->n_arg_dependencies = 1;
    return NULL;
}

fallible program_call(struct program *program, struct value entry)
{
    CLEANUP(urns_release) struct urns dependencies = { 0 };
    str label = object_text(entry, STR("call")), self = object_text(entry, STR("self"));
    Pb__ResourceCallRequest request = PB__RESOURCE_CALL_REQUEST__INIT;
    struct value arguments;
    void *answer;

    TRY(program_resolve_object(program, object_get(entry, STR("args")), &dependencies, &arguments));
    request.tok = request_text(program, object_text(entry, STR("tok")));
    if (self.len)
        TRY(put_self(program, self, &arguments, &request));
    request._args_case = PB__RESOURCE_CALL_REQUEST___ARGS_ARGS;
    TRY(request_put_struct(program, arguments, &request.args));
    request_put_provider(program, entry, &request.provider);
    TRY(request_put_package(program, entry, &request.package_ref));
    TRY(request_send(program, MONITOR("Call"), label, &request.base, &pb__call_response__descriptor,
                     &answer));
    const Pb__CallResponse *response = answer;
    return bind_result(program, label, message_get_bytes(response, return_value), &dependencies);
}

/* --- the rest --- */

fallible program_outputs(struct program *program, str urn, struct value values)
{
    Pb__RegisterResourceOutputsRequest request = PB__REGISTER_RESOURCE_OUTPUTS_REQUEST__INIT;
    struct value outputs;
    void *answer;

    TRY(program_resolve_object(program, values, NULL, &outputs));
    request.urn = request_text(program, urn);
    request._outputs_case = PB__REGISTER_RESOURCE_OUTPUTS_REQUEST___OUTPUTS_OUTPUTS;
    TRY(request_put_struct(program, outputs, &request.outputs));
    return request_send(program, MONITOR("RegisterResourceOutputs"), urn, &request.base,
                        &pb__empty__descriptor, &answer);
}

fallible program_log(struct program *program, struct value entry)
{
    struct value given = object_get(entry, STR("log"));
    str resource = object_text(given, STR("resource")),
        message = object_text(given, STR("message"));
    Pb__LogRequest request = PB__LOG_REQUEST__INIT;
    int severity = 0;
    void *answer = NULL;

    if (!program->engine)
        return error_new(ERROR_INVALID, "a component has no engine to log to");
    if (message_enum_value(&pb__log_severity__descriptor, object_text(given, STR("severity")),
                           &severity))
        request.severity = (Pb__LogSeverity)severity;
    request.message = request_text(program, message);
    request.stream_id = (int32_t)object_number(given, STR("stream"), 0);
    request.ephemeral = object_flag(given, STR("ephemeral"));
    if (resource.len)
        request.urn = request_text(program, program_urn(program, resource));
    struct error *failure = script_call(program->engine, "/pulumirpc.Engine/Log", &request.base,
                                        &pb__empty__descriptor, program->arena, &answer);
    return program_note(program->arena, "Log", message, answer, failure);
}

/* The engine reads what a program prints apart from what it asks: waiting until it has taken the
 * text, and a moment more, puts them in order. */
fallible program_print(struct program *program, struct value entry)
{
    enum { PAUSE_MS = 50 };
    int unread = 1;
    str text = object_text(entry, STR("print"));
    FILE *stream = object_flag(entry, STR("error")) ? stderr : stdout;

    (void)program;
    fwrite(text.ptr, 1, text.len, stream);
    fflush(stream);
    while (ioctl(fileno(stream), FIONREAD, &unread) == 0 && unread > 0)
        TRY(fiber_sleep_ms(1));
    return fiber_sleep_ms(PAUSE_MS);
}

/* The reference is an accident of the run, so the trace does not show it. */
fallible program_package(struct program *program, struct value entry)
{
    str label = object_text(entry, STR("package"));
    void *message, *answer;

    TRY(message_from_json(program->arena, object_get(entry, STR("request")),
                          &pb__register_package_request__descriptor, &message));
    struct error *failure =
        script_call(program->monitor, MONITOR("RegisterPackage"), message,
                    &pb__register_package_response__descriptor, program->arena, &answer);
    Pb__RegisterPackageResponse shown = PB__REGISTER_PACKAGE_RESPONSE__INIT;
    shown.ref = request_text(program, STR("<ref>"));
    TRY(program_note(program->arena, "RegisterPackage", label, &shown.base, failure));
    const Pb__RegisterPackageResponse *response = answer;
    program_bind(program, label, (struct binding){ .id = message_str(response->ref) });
    return NULL;
}

fallible program_feature(struct program *program, struct value entry)
{
    Pb__SupportsFeatureRequest request = PB__SUPPORTS_FEATURE_REQUEST__INIT;
    str id = object_text(entry, STR("feature"));
    void *answer;

    request.id = request_text(program, id);
    error_ignore(request_send(program, MONITOR("SupportsFeature"), id, &request.base,
                              &pb__supports_feature_response__descriptor, &answer),
                 "the trace has it");
    return NULL;
}

fallible program_deployment_info(struct program *program)
{
    Pb__Empty request = PB__EMPTY__INIT;
    void *answer = NULL;

    struct error *failure =
        script_call(program->monitor, MONITOR("GetDeploymentInfo"), &request.base,
                    &pb__deployment_info__descriptor, program->arena, &answer);
    if (!failure) {
        Pb__DeploymentInfo *info = answer;
        struct strs keys = message_get_strs(program->arena, info, config_secret_keys);
        message_put_strs(program->arena, info, config_secret_keys,
                         strs_sorted(program->arena, keys));
    }
    error_ignore(program_note(program->arena, "GetDeploymentInfo", STR(""), answer, failure),
                 "the trace has it");
    return NULL;
}

/* --- what the engine serves beside the monitor --- */

static fallible ask_engine(struct program *program, const char *method, struct value request,
                           const ProtobufCMessageDescriptor *type,
                           const ProtobufCMessageDescriptor *answer_type)
{
    str label = str_from(strrchr(method, '/') + 1);
    void *message, *answer = NULL;

    TRY(message_from_json(program->arena, request, type, &message));
    struct error *failure =
        script_call(program->engine, method, message, answer_type, program->arena, &answer);
    error_ignore(program_note(program->arena, label.ptr, label, answer, failure),
                 "the trace has it");
    return NULL;
}

fallible program_schema(struct program *program, struct value entry)
{
    return ask_engine(program, "/codegen.Loader/GetSchema", object_get(entry, STR("schema")),
                      &pb__loader_get_schema_request__descriptor,
                      &pb__loader_get_schema_response__descriptor);
}

fallible program_mapping(struct program *program, struct value entry)
{
    return ask_engine(program, "/codegen.Mapper/GetMapping", object_get(entry, STR("mapping")),
                      &pb__mapper_get_mapping_request__descriptor,
                      &pb__mapper_get_mapping_response__descriptor);
}
