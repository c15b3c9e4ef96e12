/* host.c — serves LanguageRuntime for programs in YAML. */
#include "yaml/serve/host.h"

#include "base/version.h"
#include "common/code.h"
#include "fiber/fiber.h"
#include "proto/message.h"
#include "rpc/rpc.h"
#include "yaml/serve/host_internal.h"
#include "yaml/serve/load.h"
#include "yaml/serve/run.h"
#include "yaml/serve/yaml_program.h"

#include "pb/codegen.pb-c.h"
#include "pb/language.pb-c.h"

#include <stdlib.h>
#include <unistd.h>

/* --- the engine --- */

fallible link_call(void *link_, const char *path, const ProtobufCMessage *request,
                   const ProtobufCMessageDescriptor *answer_type, struct arena *arena,
                   void **answer)
{
    struct link *link = link_;
    bool is_monitor = strncmp(path, MONITOR_METHOD(""), strlen(MONITOR_METHOD(""))) == 0;
    str bytes;

    TRY(rpc_call_unary(is_monitor ? link->monitor : link->engine, path,
                       message_pack(arena, request), NULL, arena, &bytes));
    return message_unpack(arena, answer_type, bytes, answer);
}

fallible link_schema(void *link_, const struct package_decl *package, struct arena *arena,
                     str *json)
{
    struct link *link = link_;
    Pb__LoaderGetSchemaRequest request = PB__LOADER_GET_SCHEMA_REQUEST__INIT;
    const struct parameter *parameter =
        package->extension.is_given ? &package->extension : &package->parameterization;
    Pb__LoaderGetSchemaResponse *answer = NULL;
    str bytes;

    if (!link->loader)
        return error_new(ERROR_NOT_FOUND, "no schemas are served");
    request.package = message_cstr(arena, package->name);
    request.version = message_cstr(arena, package->version);
    request.download_url = message_cstr(arena, package->download_url);
    request.parameterization = parameter_message(arena, parameter);
    TRY(rpc_call_unary(link->loader, "/codegen.Loader/GetSchema", MESSAGE_PACK(arena, &request),
                       NULL, arena, &bytes));
    TRY(message_unpack(arena, &pb__loader_get_schema_response__descriptor, bytes,
                       (void **)&answer));
    *json = message_bytes(answer->schema);
    return NULL;
}

fallible link_open(struct link *link, str monitor, str engine, str loader)
{
    TRY(rpc_client_open(monitor, &link->monitor));
    TRY(rpc_client_open(engine, &link->engine));
    return loader.len ? rpc_client_open(loader, &link->loader) : NULL;
}

void link_close(struct link *link)
{
    if (link->monitor)
        rpc_client_close(link->monitor);
    if (link->engine)
        rpc_client_close(link->engine);
    if (link->loader)
        rpc_client_close(link->loader);
    *link = (struct link){ 0 };
}

/* --- asking --- */

static fallible handle_plugin_info(void *host, struct rpc_call *call, str request, str *response)
{
    Pb__PluginInfo answer = PB__PLUGIN_INFO__INIT;

    (void)host, (void)request;
    answer.version = message_cstr(rpc_call_arena(call), STR(CULUMI_VERSION));
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static fallible handle_about(void *host, struct rpc_call *call, str request, str *response)
{
    struct arena *arena = rpc_call_arena(call);
    Pb__AboutResponse answer = PB__ABOUT_RESPONSE__INIT;
    char path[4096];

    (void)host, (void)request;
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
    answer.executable =
        message_cstr(arena, len > 0 ? (str){ path, (size_t)len } : STR("pulumi-language-yaml"));
    answer.version = message_cstr(arena, STR(CULUMI_VERSION));
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static fallible host_handle_handshake(void *host_, struct rpc_call *call, str request,
                                      str *response)
{
    struct host *host = host_;
    Pb__LanguageHandshakeRequest *message = NULL;

    TRY(message_request(rpc_call_arena(call), &pb__language_handshake_request__descriptor, request,
                        (void **)&message));
    host->engine_address = arena_copy(&host->arena, message_str(message->engine_address));
    *response = STR("");
    return NULL;
}

static fallible handle_install(void *host, struct rpc_call *call)
{
    bool has_message;
    str message;

    (void)host;
    return rpc_call_receive(call, &has_message, &message);
}

/* --- running --- */

static void read_config(struct arena *arena, const Pb__RunRequest *request, struct run *run)
{
    struct config_value *config = ARENA_ARRAY(arena, struct config_value, request->n_config + 1);

    for (size_t i = 0; i < request->n_config; i++) {
        str key = message_str(request->config[i]->key);
        struct value value = config_retype(arena, message_str(request->config[i]->value));
        for (size_t k = 0; k < request->n_config_secret_keys; k++) {
            struct taint secret = { .is_output = true, .is_secret = true };
            if (str_equal(message_str(request->config_secret_keys[k]), key)
                && value.kind != VALUE_OUTPUT)
                value = output_wrap(arena, value, &secret);
        }
        config[i] = (struct config_value){ key, value };
    }
    run->config = config;
    run->config_len = request->n_config;
}

static void read_settings(const Pb__RunRequest *request, struct run_settings *out)
{
    *out = (struct run_settings){
        .project = message_str(request->project),
        .stack = message_str(request->stack),
        .organization = message_str(request->organization),
        .is_preview = request->dry_run,
        .program_directory =
            message_str(request->info ? request->info->program_directory : request->pwd),
        .root_directory = message_str(request->info ? request->info->root_directory : request->pwd),
    };
}

void write_complaints(str text)
{
    while (text.len) {
        ssize_t written = write(STDERR_FILENO, text.ptr, text.len);
        if (written <= 0)
            return;
        text = str_slice(text, (size_t)written, text.len);
    }
}

static fallible load_for_run(struct loaded *loaded, const Pb__RunRequest *request,
                             const struct run_settings *settings)
{
    str compiler;

    TRY(compiler_of(loaded->arena, request->info, &compiler));
    if (compiler.len == 0)
        return load_program(loaded, settings->program_directory);
    return load_compiled(loaded, settings->program_directory, compiler,
                         compiler_variables(loaded->arena, request));
}

static fallible run_loaded(struct host *host, const Pb__RunRequest *request, struct run *run,
                           struct run_result *result)
{
    struct link link = { 0 };

    struct error *failure = link_open(&link, message_str(request->monitor_address),
                                      host->engine_address, message_str(request->loader_target));
    run->engine = (struct engine_link){ .context = &link, .call = link_call };
    run->loader = (struct schema_loader){ &link, link_schema };
    if (!failure)
        failure = run_program(run, result);
    link_close(&link);
    return failure;
}

static fallible handle_run(void *host_, struct rpc_call *call, str bytes, str *response)
{
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    Pb__RunRequest *request = NULL;
    Pb__RunResponse answer = PB__RUN_RESPONSE__INIT;
    struct run_result result = { 0 };
    struct loaded loaded;

    TRY(message_request(arena, &pb__run_request__descriptor, bytes, (void **)&request));
    if (request->attach_debugger)
        return error_new(ERROR_INVALID, "YAML programs cannot be debugged: leave out "
                                        "--attach-debugger, or name plugins only");
    loaded_init(&loaded, arena);
    struct run run = { .arena = arena, .loaded = &loaded };
    read_settings(request, &run.settings);
    read_config(arena, request, &run);
    struct cancel *scope = host_enter(host);
    struct error *failure = load_for_run(&loaded, request, &run.settings);
    if (!failure)
        failure = run_loaded(host, request, &run, &result);
    host_leave(host, scope);
    write_complaints(result.complaints);
    loaded_release(&loaded);
    TRY(failure);
    answer.error = message_cstr(arena, result.error);
    answer.bail = result.has_failed && result.error.len == 0;
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static fallible handle_cancel(void *host_, struct rpc_call *call, str request, str *response)
{
    struct host *host = host_;

    (void)call, (void)request;
    for (size_t i = 0; i < host->running.len; i++)
        cancel_fire(host->running.items[i]);
    *response = STR("");
    return NULL;
}

/* --- writing programs and packages --- */

static fallible handle_generate_program(void *host, struct rpc_call *call, str request,
                                        str *response)
{
    (void)host;
    return code_generate_program(rpc_call_arena(call), "Main.yaml", yaml_print_program, request,
                                 response);
}

static fallible refuse_generation(void *host, struct rpc_call *call, str request, str *response)
{
    (void)host, (void)call, (void)request, (void)response;
    return error_from_status(RPC_UNIMPLEMENTED,
                             STR("this YAML host runs programs; it does not generate code"),
                             (str){ 0 });
}

#define METHOD(name) "/pulumirpc.LanguageRuntime/" name
static const struct rpc_method methods[] = {
    { .path = METHOD("GetPluginInfo"), .unary = handle_plugin_info },
    { .path = METHOD("About"), .unary = handle_about },
    { .path = METHOD("Handshake"), .unary = host_handle_handshake },
    { .path = METHOD("GetRequiredPackages"), .unary = handle_packages },
    { .path = METHOD("GetProgramDependencies"), .unary = handle_dependencies },
    { .path = METHOD("InstallDependencies"), .stream = handle_install },
    { .path = METHOD("Run"), .unary = handle_run },
    { .path = METHOD("RunPlugin"), .stream = handle_run_plugin },
    { .path = METHOD("Cancel"), .unary = handle_cancel },
    { .path = METHOD("GenerateProgram"), .unary = handle_generate_program },
    { .path = METHOD("GenerateProject"), .unary = refuse_generation },
    { .path = METHOD("GeneratePackage"), .unary = handle_generate_package },
    { .path = METHOD("Pack"), .unary = handle_pack },
    { .path = METHOD("Link"), .unary = handle_link },
    { .path = NULL },
};

/* --- life --- */

struct cancel *host_enter(struct host *host)
{
    struct cancel *scope = cancel_open(cancel_current());

    vec_add(&host->running, scope);
    return cancel_enter(scope);
}

void host_leave(struct host *host, struct cancel *former)
{
    struct cancel *scope = cancel_enter(former);

    for (size_t i = 0; i < host->running.len; i++) {
        if (host->running.items[i] == scope) {
            vec_remove(&host->running, i);
            break;
        }
    }
    cancel_close(scope);
}

fallible host_open(str engine_address, struct host **out)
{
    struct host *host = memory_zalloc(sizeof(*host));

    host->engine_address = arena_copy(&host->arena, engine_address);
    struct error *failure = rpc_server_open(methods, host, &host->server);
    if (failure) {
        arena_release(&host->arena);
        free(host);
        return failure;
    }
    *out = host;
    return NULL;
}

uint16_t host_port(const struct host *host)
{
    return rpc_server_port(host->server);
}

void host_close(struct host *host)
{
    for (size_t i = 0; i < host->running.len; i++)
        cancel_fire(host->running.items[i]);
    rpc_server_close(host->server, 100);
    vec_release(&host->running);
    arena_release(&host->arena);
    free(host);
}
