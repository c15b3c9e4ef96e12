/* component_server.c — RunPlugin: a provider whose components are written in YAML. */
#include "yaml/serve/component.h"

#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "proto/message.h"
#include "rpc/rpc.h"
#include "yaml/serve/host_internal.h"

#include "pb/language.pb-c.h"
#include "pb/provider.pb-c.h"

struct component_server {
    struct arena arena;
    struct loaded loaded;
    str directory;
    str schema;
    str engine_address;
    str loader_address;
    struct rpc_server *server;
};

/* --- the provider --- */

static fallible component_handle_handshake(void *server, struct rpc_call *call, str request,
                                           str *response)
{
    Pb__ProviderHandshakeResponse answer = PB__PROVIDER_HANDSHAKE_RESPONSE__INIT;

    (void)server, (void)request;
    answer.accept_secrets = true;
    answer.accept_resources = true;
    answer.accept_outputs = true;
    answer.accepts_byte_string = true;
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static fallible handle_info(void *server_, struct rpc_call *call, str request, str *response)
{
    struct component_server *server = server_;
    Pb__PluginInfo answer = PB__PLUGIN_INFO__INIT;
    str version = expr_string(server->loaded.program->version);

    (void)request;
    answer.version = message_cstr(rpc_call_arena(call), version.len ? version : STR("0.0.0"));
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static fallible handle_schema(void *server_, struct rpc_call *call, str request, str *response)
{
    struct component_server *server = server_;
    Pb__GetSchemaResponse answer = PB__GET_SCHEMA_RESPONSE__INIT;

    (void)request;
    answer.schema = message_cstr(rpc_call_arena(call), server->schema);
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

/* There is nothing to configure: what is given is right. */
static fallible handle_check_config(void *server, struct rpc_call *call, str bytes, str *response)
{
    struct arena *arena = rpc_call_arena(call);
    Pb__CheckResponse answer = PB__CHECK_RESPONSE__INIT;
    Pb__CheckRequest *request = NULL;

    (void)server;
    TRY(message_request(arena, &pb__check_request__descriptor, bytes, (void **)&request));
    message_put_bytes(&answer, inputs, message_get_bytes(request, news));
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static fallible handle_diff_config(void *server, struct rpc_call *call, str request, str *response)
{
    Pb__DiffResponse answer = PB__DIFF_RESPONSE__INIT;

    (void)server, (void)request;
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static fallible handle_configure(void *server, struct rpc_call *call, str request, str *response)
{
    Pb__ConfigureResponse answer = PB__CONFIGURE_RESPONSE__INIT;

    (void)server, (void)request;
    answer.accept_secrets = true;
    answer.accept_resources = true;
    answer.accept_outputs = true;
    answer.supports_preview = true;
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static fallible handle_construct(void *server_, struct rpc_call *call, str bytes, str *response)
{
    struct component_server *server = server_;
    struct arena *arena = rpc_call_arena(call);
    Pb__ConstructRequest *request = NULL;
    struct link link = { 0 };
    struct component_run run = {
        .arena = arena,
        .loaded = &server->loaded,
        .directory = server->directory,
        .engine = { .context = &link, .call = link_call },
        .loader = { &link, link_schema },
    };

    TRY(message_request(arena, &pb__construct_request__descriptor, bytes, (void **)&request));
    struct error *failure = link_open(&link, message_str(request->monitor_endpoint),
                                      server->engine_address, server->loader_address);
    if (!failure)
        failure = component_construct(&run, request, response);
    link_close(&link);
    return failure;
}

static fallible handle_nothing(void *server, struct rpc_call *call, str request, str *response)
{
    (void)server, (void)call, (void)request;
    *response = STR("");
    return NULL;
}

#define PROVIDER(name) "/pulumirpc.ResourceProvider/" name
static const struct rpc_method methods[] = {
    { .path = PROVIDER("Handshake"), .unary = component_handle_handshake },
    { .path = PROVIDER("GetPluginInfo"), .unary = handle_info },
    { .path = PROVIDER("GetSchema"), .unary = handle_schema },
    { .path = PROVIDER("CheckConfig"), .unary = handle_check_config },
    { .path = PROVIDER("DiffConfig"), .unary = handle_diff_config },
    { .path = PROVIDER("Configure"), .unary = handle_configure },
    { .path = PROVIDER("Construct"), .unary = handle_construct },
    { .path = PROVIDER("Attach"), .unary = handle_nothing },
    { .path = PROVIDER("Cancel"), .unary = handle_nothing },
    { .path = NULL },
};

/* --- serving it --- */

static fallible send(struct rpc_call *call, bool is_error, str text)
{
    Pb__RunPluginResponse message = PB__RUN_PLUGIN_RESPONSE__INIT;

    message.output_case =
        is_error ? PB__RUN_PLUGIN_RESPONSE__OUTPUT_STDERR : PB__RUN_PLUGIN_RESPONSE__OUTPUT_STDOUT;
    if (is_error)
        message.stderr = message_binary(text);
    else
        message.stdout = message_binary(text);
    return rpc_call_send(call, MESSAGE_PACK(rpc_call_arena(call), &message));
}

static fallible send_complaints(struct rpc_call *call, const struct diags *diags)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < diags->len; i++)
        diag_write(&text, &diags->items[i], true);
    return text.len ? send(call, true, arena_copy(rpc_call_arena(call), strbuf_str(&text))) : NULL;
}

static fallible component_serve(struct component_server *server, struct rpc_call *call)
{
    struct latch never = { 0 };

    TRY(load_plugin(&server->loaded, server->directory));
    TRY(send_complaints(call, &server->loaded.diags));
    if (server->loaded.diags.errors)
        return error_new(ERROR_INVALID, "failed to load template");
    TRY(component_schema(&server->arena, server->loaded.program, &server->schema));
    TRY(rpc_server_open(methods, server, &server->server));
    struct error *failure =
        send(call, false,
             arena_printf(rpc_call_arena(call), "%u\n", (unsigned)rpc_server_port(server->server)));
    if (!failure)
        failure = latch_wait(&never); /* until the engine has enough of it */
    rpc_server_close(server->server, 100);
    return failure;
}

fallible handle_run_plugin(void *host_, struct rpc_call *call)
{
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    struct component_server server = { .engine_address = host->engine_address };
    Pb__RunPluginRequest *request = NULL;
    bool has_message;
    str bytes;

    TRY(rpc_call_receive(call, &has_message, &bytes));
    TRY(message_request(arena, &pb__run_plugin_request__descriptor, bytes, (void **)&request));
    server.directory = message_str(request->info ? request->info->program_directory : request->pwd);
    server.loader_address = message_str(request->loader_target).len
                                ? message_str(request->loader_target)
                                : host->engine_address;
    loaded_init(&server.loaded, &server.arena);
    struct error *failure =
        component_serve(&server, call); /* Cancel is for programs; a plugin ends with its call */
    loaded_release(&server.loaded);
    arena_release(&server.arena);
    return failure;
}
