/* service.c — LanguageRuntime as the engine calls it: messages in, the language's own way, messages
 * out. */
#include "common/service.h"

#include "base/version.h"
#include "common/code.h"
#include "common/host.h"
#include "common/language_ops.h"
#include "proto/message.h"

#include "pb/status.pb-c.h"

static struct error *not_implemented(const struct host *host, const char *what)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str text = arena_printf(&scratch, "%s is not implemented by the %s language host of culumi",
                            what, host->ops->runtime);
    return error_from_status(RPC_UNIMPLEMENTED, text, STR(""));
}

/* A NULL `info` is a program in the working directory. */
static fallible open_program(struct rpc_call *call, const Pb__ProgramInfo *info,
                             struct program *out)
{
    static const Pb__ProgramInfo none = PB__PROGRAM_INFO__INIT;
    return program_open(rpc_call_arena(call), info ? info : &none, out);
}

/* --- asking --- */

static fallible get_plugin_info(void *host, struct rpc_call *call, str bytes, str *response)
{
    Pb__PluginInfo answer = PB__PLUGIN_INFO__INIT;
    char version[] = PULUMI_VERSION;

    (void)host;
    (void)bytes;
    answer.version = &version[1]; /* without the "v" */
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static fallible service_handshake(void *host_, struct rpc_call *call, str bytes, str *response)
{
    Pb__LanguageHandshakeResponse answer = PB__LANGUAGE_HANDSHAKE_RESPONSE__INIT;
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    void *request;

    TRY(message_request(arena, &pb__language_handshake_request__descriptor, bytes, &request));
    host_set_engine(host, message_str(((Pb__LanguageHandshakeRequest *)request)->engine_address));
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static fallible get_required_packages(void *host_, struct rpc_call *call, str bytes, str *response)
{
    Pb__GetRequiredPackagesResponse answer = PB__GET_REQUIRED_PACKAGES_RESPONSE__INIT;
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    struct program program;
    struct packages packages = { 0 };
    void *request;

    TRY(message_request(arena, &pb__get_required_packages_request__descriptor, bytes, &request));
    TRY(open_program(call, ((Pb__GetRequiredPackagesRequest *)request)->info, &program));
    struct error *failure = host->ops->required_packages(host, arena, &program, &packages);
    answer.n_packages = packages.len;
    answer.packages = packages.items;
    *response = MESSAGE_PACK(arena, &answer);
    vec_release(&packages);
    return failure;
}

static fallible get_required_plugins(void *host, struct rpc_call *call, str bytes, str *response)
{
    (void)call;
    (void)bytes;
    (void)response;
    return not_implemented(host, "GetRequiredPlugins");
}

static fallible about(void *host_, struct rpc_call *call, str bytes, str *response)
{
    Pb__AboutResponse answer = PB__ABOUT_RESPONSE__INIT;
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    struct program program;
    struct about facts = { 0 };
    void *request;

    TRY(message_request(arena, &pb__about_request__descriptor, bytes, &request));
    TRY(open_program(call, ((Pb__AboutRequest *)request)->info, &program));
    struct error *failure = host->ops->about(host, arena, &program, &facts);
    answer.executable = message_cstr(arena, facts.executable);
    answer.version = message_cstr(arena, facts.version);
    message_put_pairs(arena, &answer, metadata, ((struct pairs){ facts.items, facts.len }));
    vec_release(&facts);
    *response = MESSAGE_PACK(arena, &answer);
    return failure;
}

static fallible get_program_dependencies(void *host_, struct rpc_call *call, str bytes,
                                         str *response)
{
    Pb__GetProgramDependenciesResponse answer = PB__GET_PROGRAM_DEPENDENCIES_RESPONSE__INIT;
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    struct program program;
    struct dependencies list = { 0 };
    void *message;

    TRY(message_request(arena, &pb__get_program_dependencies_request__descriptor, bytes, &message));
    const Pb__GetProgramDependenciesRequest *request = message;
    TRY(open_program(call, request->info, &program));
    struct error *failure =
        host->ops->dependencies(host, arena, &program, request->transitive_dependencies, &list);
    answer.n_dependencies = list.len;
    answer.dependencies = list.items;
    *response = MESSAGE_PACK(arena, &answer);
    vec_release(&list);
    return failure;
}

static fallible runtime_options_prompts(void *host_, struct rpc_call *call, str bytes,
                                        str *response)
{
    Pb__RuntimeOptionsResponse answer = PB__RUNTIME_OPTIONS_RESPONSE__INIT;
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    struct program program;
    void *request;

    TRY(message_request(arena, &pb__runtime_options_request__descriptor, bytes, &request));
    TRY(open_program(call, ((Pb__RuntimeOptionsRequest *)request)->info, &program));
    if (host->ops->prompts)
        TRY(host->ops->prompts(host, arena, &program, &answer));
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static fallible service_template(void *host_, struct rpc_call *call, str bytes, str *response)
{
    Pb__TemplateResponse answer = PB__TEMPLATE_RESPONSE__INIT;
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    struct program program;
    void *message;

    TRY(message_request(arena, &pb__template_request__descriptor, bytes, &message));
    const Pb__TemplateRequest *request = message;
    TRY(open_program(call, request->info, &program));
    if (host->ops->fill_template)
        TRY(host->ops->fill_template(host, arena, &program, message_str(request->project_name)));
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

/* --- running --- */

static fallible service_run(void *host_, struct rpc_call *call, str bytes, str *response)
{
    Pb__RunResponse answer = PB__RUN_RESPONSE__INIT;
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    void *request;

    TRY(message_request(arena, &pb__run_request__descriptor, bytes, &request));
    TRY(host->ops->run(host, arena, request, &answer));
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static fallible cancel(void *host, struct rpc_call *call, str bytes, str *response)
{
    Pb__Empty answer = PB__EMPTY__INIT;

    (void)bytes;
    host_interrupt_programs(host);
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

/* Output that goes out as messages of a call. */
struct streamed {
    struct sink sink;
    struct rpc_call *call;
};

static fallible receive_request(struct rpc_call *call, const ProtobufCMessageDescriptor *type,
                                void **out)
{
    bool has_message;
    str bytes;

    TRY(rpc_call_receive(call, &has_message, &bytes));
    if (!has_message)
        return error_from_status(RPC_INVALID_ARGUMENT, STR("the request is missing"), STR(""));
    return message_request(rpc_call_arena(call), type, bytes, out);
}

static fallible stream_install(struct sink *sink, enum output_kind kind, str bytes)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__InstallDependenciesResponse message = PB__INSTALL_DEPENDENCIES_RESPONSE__INIT;

    if (kind == OUTPUT_STDOUT)
        message.stdout = message_binary(bytes);
    else
        message.stderr = message_binary(bytes);
    return rpc_call_send(((struct streamed *)sink)->call, MESSAGE_PACK(&scratch, &message));
}

static fallible service_install(void *host_, struct rpc_call *call)
{
    struct host *host = host_;
    struct streamed streamed = { { stream_install }, call };
    struct program program;
    void *message;

    TRY(receive_request(call, &pb__install_dependencies_request__descriptor, &message));
    const Pb__InstallDependenciesRequest *request = message;
    TRY(open_program(call, request->info, &program));
    if (program.directory.len == 0)
        program.directory = message_str(request->directory);
    TRY(sink_write(&streamed.sink, OUTPUT_STDOUT, STR("Installing dependencies...\n\n")));
    TRY(host->ops->install(host, rpc_call_arena(call), &program, request, &streamed.sink));
    return sink_write(&streamed.sink, OUTPUT_STDOUT, STR("Finished installing dependencies\n\n"));
}

static fallible stream_plugin(struct sink *sink, enum output_kind kind, str bytes)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__RunPluginResponse message = PB__RUN_PLUGIN_RESPONSE__INIT;

    if (kind == OUTPUT_STDOUT) {
        message.output_case = PB__RUN_PLUGIN_RESPONSE__OUTPUT_STDOUT;
        message.stdout = message_binary(bytes);
    } else {
        message.output_case = PB__RUN_PLUGIN_RESPONSE__OUTPUT_STDERR;
        message.stderr = message_binary(bytes);
    }
    return rpc_call_send(((struct streamed *)sink)->call, MESSAGE_PACK(&scratch, &message));
}

static fallible run_plugin(void *host_, struct rpc_call *call)
{
    struct host *host = host_;
    struct arena *arena = rpc_call_arena(call);
    struct streamed streamed = { { stream_plugin }, call };
    Pb__RunPluginResponse last = PB__RUN_PLUGIN_RESPONSE__INIT;
    struct program program;
    void *message;
    int exit_code;

    TRY(receive_request(call, &pb__run_plugin_request__descriptor, &message));
    const Pb__RunPluginRequest *request = message;
    TRY(open_program(call, request->info, &program));
    TRY(host->ops->run_plugin(host, arena, &program, request, &streamed.sink, &exit_code));
    last.output_case = PB__RUN_PLUGIN_RESPONSE__OUTPUT_EXITCODE;
    last.exitcode = exit_code;
    return rpc_call_send(call, MESSAGE_PACK(arena, &last));
}

/* --- programs that we print --- */

static fallible generate_program(void *host_, struct rpc_call *call, str bytes, str *response)
{
    const struct host *host = host_;
    return code_generate_program(rpc_call_arena(call), host->ops->program_file,
                                 host->ops->print_program, bytes, response);
}

static fallible service_refuse_generation(void *host, struct rpc_call *call, str bytes,
                                          str *response)
{
    (void)call;
    (void)bytes;
    (void)response;
    return not_implemented(host, "code generation");
}

/* --- SDKs of packages --- */

static fallible generate_package(void *host_, struct rpc_call *call, str bytes, str *response)
{
    struct host *host = host_;
    return host->ops->generate_package ? sdk_generate(host, rpc_call_arena(call), bytes, response)
                                       : not_implemented(host, "generating SDKs");
}

static fallible service_pack(void *host_, struct rpc_call *call, str bytes, str *response)
{
    struct host *host = host_;
    return host->ops->pack ? sdk_pack(host, rpc_call_arena(call), bytes, response)
                           : not_implemented(host, "packing SDKs");
}

static fallible service_link(void *host_, struct rpc_call *call, str bytes, str *response)
{
    struct host *host = host_;
    return host->ops->link ? sdk_link(host, rpc_call_arena(call), bytes, response)
                           : not_implemented(host, "linking SDKs");
}

#define METHOD(name) "/pulumirpc.LanguageRuntime/" name

const struct rpc_method service_methods[] = {
    { METHOD("Handshake"), .unary = service_handshake },
    { METHOD("GetPluginInfo"), .unary = get_plugin_info },
    { METHOD("GetRequiredPackages"), .unary = get_required_packages },
    { METHOD("GetRequiredPlugins"), .unary = get_required_plugins },
    { METHOD("Run"), .unary = service_run },
    { METHOD("Cancel"), .unary = cancel },
    { METHOD("About"), .unary = about },
    { METHOD("GetProgramDependencies"), .unary = get_program_dependencies },
    { METHOD("InstallDependencies"), .stream = service_install },
    { METHOD("RuntimeOptionsPrompts"), .unary = runtime_options_prompts },
    { METHOD("Template"), .unary = service_template },
    { METHOD("RunPlugin"), .stream = run_plugin },
    { METHOD("GenerateProgram"), .unary = generate_program },
    { METHOD("GenerateProject"), .unary = service_refuse_generation },
    { METHOD("GeneratePackage"), .unary = generate_package },
    { METHOD("Pack"), .unary = service_pack },
    { METHOD("Link"), .unary = service_link },
    { .path = NULL },
};
