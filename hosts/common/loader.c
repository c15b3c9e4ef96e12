/* loader.c — asks codegen.Loader for schemas. */
#include "common/loader.h"

#include "base/base64.h"
#include "proto/message.h"
#include "rpc/rpc.h"

#include "pb/codegen.pb-c.h"

void loader_release(struct loader *loader)
{
    if (loader->client)
        rpc_client_close(loader->client);
    loader->client = NULL;
}

static fallible loader_parameter(struct arena *arena, const struct schema_dependency *wanted,
                                 Pb__Parameterization **out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };

    if (!base64_decode(&bytes, wanted->parameter_value))
        return error_new(ERROR_INVALID, "the parameter of package '" STR_FMT "' is not base64",
                         STR_ARG(wanted->parameter_name));
    *out = message_parameter(arena, wanted->parameter_name, wanted->parameter_version,
                             arena_copy(arena, strbuf_str(&bytes)));
    return NULL;
}

fallible loader_load(void *loader_, const struct schema_dependency *wanted, struct arena *arena,
                     str *json)
{
    Pb__LoaderGetSchemaRequest request = PB__LOADER_GET_SCHEMA_REQUEST__INIT;
    const struct rpc_options options = { 0 };
    struct loader *loader = loader_;
    void *answer;
    str bytes;

    if (!loader->address.len)
        return error_new(ERROR_NOT_FOUND, "nobody was named who has schemas");
    if (!loader->client)
        TRY(rpc_client_open(loader->address, &loader->client));
    request.package = message_cstr(arena, wanted->name);
    request.version = message_cstr(arena, wanted->version);
    request.download_url = message_cstr(arena, wanted->download_url);
    if (wanted->parameter_name.len)
        TRY(loader_parameter(arena, wanted, &request.parameterization));
    TRY(rpc_call_unary(loader->client, "/codegen.Loader/GetSchema", MESSAGE_PACK(arena, &request),
                       &options, arena, &bytes));
    TRY(message_unpack(arena, &pb__loader_get_schema_response__descriptor, bytes, &answer));
    *json = message_bytes(((const Pb__LoaderGetSchemaResponse *)answer)->schema);
    return NULL;
}

str loader_parameter_text(struct arena *arena, str bytes)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    base64_encode(&text, bytes);
    return arena_copy(arena, strbuf_str(&text));
}

struct schema_dependency loader_wanted(struct arena *arena, const Pb__PackageDependency *package)
{
    struct schema_dependency wanted = { .name = message_str(package->name),
                                        .version = message_str(package->version),
                                        .download_url = message_str(package->server) };

    if (package->parameterization) {
        wanted.parameter_name = message_str(package->parameterization->name);
        wanted.parameter_version = message_str(package->parameterization->version);
        wanted.parameter_value =
            loader_parameter_text(arena, message_bytes(package->parameterization->value));
    }
    return wanted;
}
