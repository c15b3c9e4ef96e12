/* host.c — the language host "script". */
#include "support/host.h"

#include "base/settings.h"
#include "proto/message.h"
#include "rpc/rpc.h"
#include "support/callbacks.h"
#include "support/json_value.h"
#include "support/message_json.h"
#include "support/program_request.h"
#include "support/script.h"
#include "support/serve.h"

#include "pb/engine.pb-c.h"
#include "pb/language.pb-c.h"
#include "pb/resource.pb-c.h"

#include <stdlib.h>

struct host {
    struct arena arena;
    str engine_address;
};

#define LANGUAGE(method) "/pulumirpc.LanguageRuntime/" method

/* --- what is asked about a program --- */

static struct error *handshake(void *host_, struct rpc_call *call, str bytes, str *response)
{
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    Pb__LanguageHandshakeResponse answer = PB__LANGUAGE_HANDSHAKE_RESPONSE__INIT;
    void *message;

    TRY(message_unpack(arena, &pb__language_handshake_request__descriptor, bytes, &message));
    const Pb__LanguageHandshakeRequest *request = message;
    if (message_str(request->engine_address).len)
        host->engine_address = arena_copy(&host->arena, message_str(request->engine_address));
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static struct error *plugin_info(void *host, struct rpc_call *call, str bytes, str *response)
{
    Pb__PluginInfo answer = PB__PLUGIN_INFO__INIT;

    (void)host, (void)bytes;
    answer.version = message_cstr(rpc_call_arena(call), STR("1.0.0"));
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static struct error *required_plugins(void *host, struct rpc_call *call, str bytes, str *response)
{
    Pb__GetRequiredPluginsResponse answer = PB__GET_REQUIRED_PLUGINS_RESPONSE__INIT;

    (void)host, (void)bytes;
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static struct error *required_packages(void *host, struct rpc_call *call, str bytes, str *response)
{
    struct arena *arena = rpc_call_arena(call);
    Pb__GetRequiredPackagesResponse answer = PB__GET_REQUIRED_PACKAGES_RESPONSE__INIT;
    struct value entries;
    void *message;

    (void)host, (void)bytes;
    TRY(script_load(arena, STR("program.json"), &entries));
    answer.packages = ARENA_ARRAY(arena, Pb__PackageDependency *, entries.len + 1);
    for (size_t i = 0; entries.kind == VALUE_ARRAY && i < entries.len; i++) {
        struct value wanted = object_get(entries.items[i], STR("requires"));
        if (wanted.kind != VALUE_OBJECT)
            continue;
        TRY(message_from_json(arena, wanted, &pb__package_dependency__descriptor, &message));
        Pb__PackageDependency *package = message;
        package->kind = message_cstr(arena, STR("resource"));
        answer.packages[answer.n_packages++] = package;
    }
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

/* --- running one --- */

/* An empty list or map is null, as the trace has always shown it. */
static struct value null_if_empty(struct value value)
{
    return value.len ? value : value_null();
}

static fallible trace_run(struct arena *arena, const Pb__RunRequest *request)
{
    struct strs keys = strs_sorted(arena, message_get_strs(arena, request, config_secret_keys));
    struct strs args = message_get_strs(arena, request, args);
    struct value config = VALUE_EMPTY_OBJECT;

    for (size_t i = 0; i < request->n_config; i++)
        config = value_with(arena, config, message_str(request->config[i]->key),
                            value_string(message_str(request->config[i]->value)));
    return script_trace(TRACE_PROGRAM,
                        script_record(arena, "rpc", value_string(STR("Run")), "config",
                                      null_if_empty(config), "configSecretKeys",
                                      null_if_empty(value_from_strs(arena, keys)), "dryRun",
                                      value_bool(request->dry_run), "project",
                                      value_string(message_str(request->project)), "stack",
                                      value_string(message_str(request->stack)), "organization",
                                      value_string(message_str(request->organization)), "args",
                                      null_if_empty(value_from_strs(arena, args)), NULL));
}

/* Registers the stack, as every program does first. */
static fallible register_root(struct program *program, const Pb__RunRequest *run)
{
    Pb__RegisterResourceRequest request = PB__REGISTER_RESOURCE_REQUEST__INIT;
    Pb__SetRootResourceRequest root = PB__SET_ROOT_RESOURCE_REQUEST__INIT;
    void *answer;

    request.type = request_text(program, STR("pulumi:pulumi:Stack"));
    request.name = request_text(program, arena_concat(program->arena, message_str(run->project),
                                                      STR("-"), message_str(run->stack)));
    request.accept_secrets = request.accept_resources = request.supports_result_reporting = true;
    struct error *failure =
        script_call(program->monitor, MONITOR("RegisterResource"), &request.base,
                    &pb__register_resource_response__descriptor, program->arena, &answer);
    if (failure)
        return program_note(program->arena, "RegisterResource", STR("stack"), NULL, failure);
    const Pb__RegisterResourceResponse *response = answer;
    program->root = message_str(response->urn);
    program_bind(
        program, STR("stack"),
        (struct binding){ .urn = program->root, .outputs = VALUE_EMPTY_OBJECT, .is_known = true });
    root.urn = response->urn;
    return script_call(program->engine, "/pulumirpc.Engine/SetRootResource", &root.base,
                       &pb__set_root_resource_response__descriptor, program->arena, &answer);
}

static fallible wait_for_shutdown(struct program *program)
{
    Pb__Empty request = PB__EMPTY__INIT;
    void *answer;
    struct error *failure =
        script_call(program->monitor, MONITOR("SignalAndWaitForShutdown"), &request.base,
                    &pb__empty__descriptor, program->arena, &answer);

    if (failure && error_status(failure) != RPC_UNIMPLEMENTED)
        failure = program_note(program->arena, "SignalAndWaitForShutdown", STR(""), NULL, failure);
    error_ignore(failure, "the program is over");
    program->is_late = true;
    return NULL;
}

static fallible run_program(struct program *program, const Pb__RunRequest *request)
{
    struct value entries;
    bool has_export = false;

    TRY(script_load(program->arena, STR("program.json"), &entries));
    TRY(register_root(program, request));
    TRY(program_run(program, entries));
    for (size_t i = 0; entries.kind == VALUE_ARRAY && i < entries.len; i++)
        has_export = has_export || object_get(entries.items[i], STR("export")).kind != VALUE_NULL;
    if (!has_export)
        TRY(program_outputs(program, program->root, value_null()));
    TRY(wait_for_shutdown(program));
    return program_run(program, entries);
}

/* As an SDK would print it. */
static str failure_text(struct arena *arena, const struct error *failure)
{
    if (error_kind(failure) != ERROR_STATUS)
        return error_message(failure);
    return arena_concat(arena, STR("rpc error: code = "),
                        str_from(rpc_status_name(error_status(failure))), STR(" desc = "),
                        error_message(failure));
}

static fallible run_connected(struct host *host, struct arena *arena, const Pb__RunRequest *request,
                              Pb__RunResponse *answer)
{
    CLEANUP(program_release)
    struct program program = { .arena = arena, .is_preview = request->dry_run };

    TRY(rpc_client_open(message_str(request->monitor_address), &program.monitor));
    struct error *failure = rpc_client_open(host->engine_address, &program.engine);
    if (!failure) {
        program.callbacks = callbacks_new(arena);
        failure = trace_run(arena, request);
        failure = error_join(failure, run_program(&program, request));
        callbacks_close(program.callbacks);
        rpc_client_close(program.engine);
    }
    rpc_client_close(program.monitor);
    if (program.has_bailed)
        answer->bail = true;
    else if (failure)
        answer->error = message_cstr(arena, failure_text(arena, failure));
    error_ignore(failure, "it is the program's, and was answered");
    return NULL;
}

static struct error *run(void *host, struct rpc_call *call, str bytes, str *response)
{
    struct arena *arena = rpc_call_arena(call);
    Pb__RunResponse answer = PB__RUN_RESPONSE__INIT;
    void *request;

    TRY(message_unpack(arena, &pb__run_request__descriptor, bytes, &request));
    TRY(run_connected(host, arena, request, &answer));
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

/* What a command of the shell says, which may do what others do meanwhile. */
static struct error *template(void *host, struct rpc_call *call, str bytes, str *response)
{
    struct arena *arena = rpc_call_arena(call);
    Pb__TemplateResponse answer = PB__TEMPLATE_RESPONSE__INIT;
    str command = settings_text("SCRIPTED_TEMPLATE");

    (void)host, (void)bytes;
    if (command.len && system(arena_cstr(arena, command)) != 0)
        return error_new(ERROR_OTHER, "the template cannot be finished");
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static const struct rpc_method methods[] = {
    { .path = LANGUAGE("Handshake"), .unary = handshake },
    { .path = LANGUAGE("GetPluginInfo"), .unary = plugin_info },
    { .path = LANGUAGE("GetRequiredPlugins"), .unary = required_plugins },
    { .path = LANGUAGE("GetRequiredPackages"), .unary = required_packages },
    { .path = LANGUAGE("Run"), .unary = run },
    { .path = LANGUAGE("Template"), .unary = template },
    { 0 },
};

int host_main(struct strs arguments)
{
    struct host host = { 0 };

    for (size_t i = 0; i < arguments.len; i++)
        if (arguments.items[i].len && arguments.items[i].ptr[0] != '-')
            host.engine_address = arguments.items[i];
    int code = serve(methods, &host);
    arena_release(&host.arena);
    return code;
}
