/* code.c — GenerateProgram: PCL and schemas in, a program out. */
#include "common/code.h"

#include "proto/message.h"
#include "rpc/rpc.h"

#include "pb/codegen.pb-c.h"
#include "pb/language.pb-c.h"

/* --- schemas --- */

struct code_loader {
    str address;               /* may be empty */
    struct rpc_client *client; /* opened when needed */
};

static Pb__Parameterization *wanted_parameter(struct arena *arena,
                                              const struct pcl_package *package)
{
    Pb__Parameterization *message = ARENA_NEW(arena, Pb__Parameterization);

    if (!package->parameter_name.len)
        return NULL;
    pb__parameterization__init(message);
    message->name = message_cstr(arena, package->parameter_name);
    message->version = message_cstr(arena, package->parameter_version);
    message->value = message_binary(package->parameter_value);
    return message;
}

static fallible code_load_schema(void *loader_, const struct pcl_package *package,
                                 struct arena *arena, str *json)
{
    Pb__LoaderGetSchemaRequest request = PB__LOADER_GET_SCHEMA_REQUEST__INIT;
    const struct rpc_options options = { 0 };
    struct code_loader *loader = loader_;
    void *answer;
    str bytes;

    if (!loader->address.len)
        return error_new(ERROR_NOT_FOUND, "nobody was named who has schemas");
    if (!loader->client)
        TRY(rpc_client_open(loader->address, &loader->client));
    request.package = message_cstr(arena, package->plugin);
    request.version = message_cstr(arena, package->version);
    request.download_url = message_cstr(arena, package->download_url);
    request.parameterization = wanted_parameter(arena, package);
    TRY(rpc_call_unary(loader->client, "/codegen.Loader/GetSchema", MESSAGE_PACK(arena, &request),
                       &options, arena, &bytes));
    TRY(message_unpack(arena, &pb__loader_get_schema_response__descriptor, bytes, &answer));
    *json = message_bytes(((const Pb__LoaderGetSchemaResponse *)answer)->schema);
    return NULL;
}

/* --- the program --- */

static fallible code_print(struct arena *arena, const Pb__GenerateProgramRequest *request,
                           pcl_print *print, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct code_loader source = { .address = message_str(request->loader_target) };
    const struct pcl_loader loader = { &source, code_load_schema };
    struct pcl_program program = { 0 };

    for (size_t i = 0; i < request->n_source; i++) {
        strbuf_add(&text, message_str(request->source[i]->value));
        strbuf_add_char(&text, '\n');
    }
    struct error *failure =
        pcl_program_read(arena, arena_copy(arena, strbuf_str(&text)), &loader, &program);
    if (!failure)
        failure = print(&program, out);
    pcl_program_release(&program);
    if (source.client)
        rpc_client_close(source.client);
    return failure;
}

fallible code_generate_program(struct arena *arena, const char *file, pcl_print *print, str request,
                               str *response)
{
    Pb__GenerateProgramResponse answer = PB__GENERATE_PROGRAM_RESPONSE__INIT;
    Pb__Diagnostic diagnostic = PB__DIAGNOSTIC__INIT, *diagnostics[] = { &diagnostic };
    Pb__BytesEntry entry = PB__BYTES_ENTRY__INIT, *entries[] = { &entry };
    void *message;
    str text = STR("");

    TRY(message_request(arena, &pb__generate_program_request__descriptor, request, &message));
    struct error *failure = code_print(arena, message, print, &text);
    if (failure) {
        diagnostic.severity = PB__DIAGNOSTIC_SEVERITY__DIAG_ERROR;
        diagnostic.summary = message_cstr(arena, error_message(failure));
        answer.diagnostics = diagnostics;
        answer.n_diagnostics = 1;
        error_free(failure);
    } else {
        entry.key = message_cstr(arena, str_from(file));
        entry.value = message_binary(text);
        answer.source = entries;
        answer.n_source = 1;
    }
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}
