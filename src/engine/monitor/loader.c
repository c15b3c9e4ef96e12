/* loader.c — the Loader and Mapper services: schemas of packages, asked of their providers once and
 * kept, and what other ecosystems call their parts. */
#include "engine/monitor/services.h"

#include "engine/provider/registry.h"
#include "engine/step/step.h"
#include "plugin/schema_server.h"
#include "proto/message.h"

#include "pb/codegen.pb-c.h"

static str cache_key(struct arena *arena, const Pb__LoaderGetSchemaRequest *message)
{
    const Pb__Parameterization *parameterization = message->parameterization;

    return arena_concat(arena, message_str(message->package), STR("\n"),
                        message_str(message->version), STR("\n"),
                        parameterization ? message_str(parameterization->name) : STR(""), STR("\n"),
                        parameterization ? message_bytes(parameterization->value) : STR(""));
}

static fallible loader_parameterize(struct provider *provider, const Pb__Parameterization *wanted,
                                    struct arena *arena)
{
    if (!wanted || !provider->ops->parameterize)
        return NULL;
    return provider->ops->parameterize(provider, message_str(wanted->name),
                                       message_str(wanted->version), message_bytes(wanted->value),
                                       arena);
}

/* Not one of the providers of the run, which are configured: this one only describes itself, and
 * may be one of them later. */
static fallible loader_ask(struct registry *registry, const Pb__LoaderGetSchemaRequest *message,
                           struct arena *arena, str *out)
{
    const struct provider_spec spec = {
        .package = { .name = message_str(message->package),
                     .version = message_str(message->version),
                     .download_url = message_str(message->download_url) },
    };
    struct provider *provider = NULL;

    struct error *failure = registry_load_package(registry, &spec, &provider);
    if (failure && error_kind(failure) != ERROR_NOT_FOUND)
        return error_wrap(failure, "Error loading schema from plugin");
    TRY(failure);
    failure = loader_parameterize(provider, message->parameterization, arena);
    if (!failure && !provider->ops->get_schema)
        failure = error_from_status(RPC_UNIMPLEMENTED, STR("the package has no schema"), STR(""));
    if (!failure)
        failure = provider->ops->get_schema(provider, arena, out);
    plugin_give_back(provider);
    return failure;
}

fallible loader_get_schema(void *shared, struct rpc_call *call, str bytes, str *response)
{
    const struct step_tools *tools = services_tools(shared);
    struct arena *arena = rpc_call_arena(call);
    Pb__LoaderGetSchemaRequest *message = NULL;
    Pb__LoaderGetSchemaResponse answer = PB__LOADER_GET_SCHEMA_RESPONSE__INIT;

    if (!tools)
        return services_refuse();
    TRY(message_request(arena, &pb__loader_get_schema_request__descriptor, bytes,
                        (void **)&message));
    str key = cache_key(arena, message);
    const str *known = map_find(services_schemas(shared), key);
    if (!known) {
        str schema;
        TRY(loader_ask(tools->registry, message, tools->arena, &schema));
        known = arena_copy_bytes(tools->arena, &schema, sizeof(schema));
        map_put(services_schemas(shared), arena_copy(tools->arena, key), (void *)(uintptr_t)known);
    }
    answer.schema = message_binary(*known);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

/* --- the Mapper --- */

fallible mapper_get_mapping(void *shared, struct rpc_call *call, str bytes, str *response)
{
    const struct step_tools *tools = services_tools(shared);
    struct arena *arena = rpc_call_arena(call);
    Pb__MapperGetMappingRequest *message = NULL;
    Pb__MapperGetMappingResponse answer = PB__MAPPER_GET_MAPPING_RESPONSE__INIT;
    str data = STR("");

    if (!tools)
        return services_refuse();
    TRY(message_request(arena, &pb__mapper_get_mapping_request__descriptor, bytes,
                        (void **)&message));
    TRY(mapping_ask(tools->registry->host, message, arena, &data));
    answer.data = message_binary(data);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}
