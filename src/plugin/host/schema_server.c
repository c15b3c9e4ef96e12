/* schema_server.c — the Loader and Mapper services: schemas are asked for once and kept. */
#include "plugin/schema_server.h"

#include "base/map.h"
#include "base/memory.h"
#include "plugin/plugin.h"
#include "proto/message.h"
#include "rpc/rpc.h"

#include "pb/codegen.pb-c.h"

#include <stdlib.h>

struct schema_server {
    struct arena arena;
    const struct schema_source *source;
    struct plugin_host *host;
    struct rpc_server *server;
    struct map known; /* package, version and parameter → str * */
};

static struct package_ref wanted_package(const Pb__LoaderGetSchemaRequest *message)
{
    const Pb__Parameterization *parameter = message->parameterization;
    struct package_ref package = {
        .name = message_str(message->package),
        .version = message_str(message->version),
        .download_url = message_str(message->download_url),
    };

    if (parameter) {
        package.is_parameterized = true;
        package.parameter_name = message_str(parameter->name);
        package.parameter_version = message_str(parameter->version);
        package.parameter_value = message_bytes(parameter->value);
    }
    return package;
}

static fallible serve_schema(void *server_, struct rpc_call *call, str bytes, str *response)
{
    Pb__LoaderGetSchemaResponse answer = PB__LOADER_GET_SCHEMA_RESPONSE__INIT;
    struct schema_server *server = server_;
    struct arena *arena = rpc_call_arena(call);
    void *message;

    TRY(message_request(arena, &pb__loader_get_schema_request__descriptor, bytes, &message));
    struct package_ref package = wanted_package(message);
    str key = arena_concat(arena, package.name, STR("\n"), package.version, STR("\n"),
                           package.parameter_name, STR("\n"), package.parameter_value);
    const str *known = map_find(&server->known, key);
    if (!known) {
        str json;
        TRY(server->source->load(server->source->context, &package, &server->arena, &json));
        known = arena_copy_bytes(&server->arena, &json, sizeof(json));
        map_put(&server->known, arena_copy(&server->arena, key), (void *)(uintptr_t)known);
    }
    answer.schema = message_binary(*known);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static fallible mapping_parameterize(struct provider *provider, const Pb__Parameterization *hint,
                                     struct arena *arena)
{
    if (!hint || !message_str(hint->name).len || !provider->ops->parameterize)
        return NULL;
    return provider->ops->parameterize(provider, message_str(hint->name),
                                       message_str(hint->version), message_bytes(hint->value),
                                       arena);
}

fallible mapping_ask(struct plugin_host *host, const Pb__MapperGetMappingRequest *message,
                     struct arena *arena, str *out)
{
    str name = message_str(message->provider), plugin = message_str(message->pulumi_provider);
    str ecosystem = message_str(message->ecosystem);
    const struct provider_spec spec = { .package.name = plugin.len ? plugin : name,
                                        .never_installs = true };
    struct provider *provider = NULL;

    struct error *failure = plugin_load_provider(host, &spec, &provider);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "there is none that knows");
        return NULL;
    }
    TRY(failure);
    failure = mapping_parameterize(provider, message->parameterization_hint, arena);
    if (!failure && name.len)
        failure = provider->ops->get_mapping(provider, ecosystem.len ? ecosystem : STR("terraform"),
                                             &name, arena, out);
    plugin_give_back(provider);
    return failure;
}

static fallible serve_mapping(void *server_, struct rpc_call *call, str bytes, str *response)
{
    Pb__MapperGetMappingResponse answer = PB__MAPPER_GET_MAPPING_RESPONSE__INIT;
    struct schema_server *server = server_;
    struct arena *arena = rpc_call_arena(call);
    str data = STR("");
    void *message;

    TRY(message_request(arena, &pb__mapper_get_mapping_request__descriptor, bytes, &message));
    TRY(mapping_ask(server->host, message, arena, &data));
    answer.data = message_binary(data);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static const struct rpc_method methods[] = {
    { .path = "/codegen.Loader/GetSchema", .unary = serve_schema },
    { .path = "/codegen.Mapper/GetMapping", .unary = serve_mapping },
    { .path = NULL },
};

fallible schema_server_open(const struct schema_source *source, struct plugin_host *host,
                            struct schema_server **out)
{
    struct schema_server *server = memory_zalloc(sizeof(*server));

    server->source = source;
    server->host = host;
    struct error *failure = rpc_server_open(methods, server, &server->server);
    if (failure) {
        free(server);
        return failure;
    }
    *out = server;
    return NULL;
}

str schema_server_address(const struct schema_server *server)
{
    return rpc_server_address(server->server);
}

void schema_server_close(struct schema_server *server)
{
    enum { GRACE_MS = 100 };

    rpc_server_close(server->server, GRACE_MS);
    map_release(&server->known);
    arena_release(&server->arena);
    free(server);
}
