/* converter.c — the scripted converter: the rules say what the state of the other tool has. */
#include "support/provider.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "proto/message.h"

#include "pb/converter.pb-c.h"

static struct error *convert_state(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("ConvertState");
    Pb__ConvertStateResponse answer = PB__CONVERT_STATE_RESPONSE__INIT;
    void *request;

    TRY(provider_begin_named(&call, call.provider->package, bytes,
                             &pb__convert_state_request__descriptor, &request));
    return provider_finish(&call, &answer.base, response);
}

/* Writes the words it was given as a program in PCL. */
static fallible write_program(const Pb__ConvertProgramRequest *request)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    for (size_t i = 0; i < request->n_args; i++)
        strbuf_printf(&text, "output word%zu { value = \"%s\" }\n", i, request->args[i]);
    strbuf_printf(&text, "// asks %s\n", *request->loader_target ? "for schemas" : "nobody");
    TRY(fs_make_directory(fs_path_join(&scratch, str_from(request->target_directory), STR("sub")),
                          0755));
    TRY(fs_create(fs_path_join(&scratch, str_from(request->target_directory), STR("sub/data")),
                  STR("data\n"), 0644));
    return fs_create(fs_path_join(&scratch, str_from(request->target_directory), STR("main.pp")),
                     strbuf_str(&text), 0644);
}

static struct error *convert_program(void *provider_, struct rpc_call *rpc, str bytes,
                                     str *response)
{
    struct provider_call call = PROVIDER_CALL("ConvertProgram");
    Pb__ConvertProgramResponse answer = PB__CONVERT_PROGRAM_RESPONSE__INIT;
    void *request;

    TRY(provider_begin_named(&call, call.provider->package, bytes,
                             &pb__convert_program_request__descriptor, &request));
    TRY(write_program(request));
    return provider_finish(&call, &answer.base, response);
}

static const struct rpc_method methods[] = {
    { .path = "/pulumirpc.Converter/ConvertProgram", .unary = convert_program },
    { .path = "/pulumirpc.Converter/ConvertState", .unary = convert_state },
    { 0 },
};

int converter_main(str name)
{
    return provider_serve(name, methods);
}
