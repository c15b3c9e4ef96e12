/* language_install.c — has a language host install what a program or a plugin is built on. */
#include "plugin/language/language_parts.h"

#include "plugin/plugin_project.h"
#include "plugin/provider/provider_errors.h"
#include "rpc/rpc.h"

#include "pb/language.pb-c.h"

static fallible language_install_take_message(struct rpc_stream *stream,
                                              const struct dependency_output *output, bool *goes_on)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str bytes;
    void *message;

    TRY(rpc_stream_receive(stream, &scratch, goes_on, &bytes));
    if (!*goes_on)
        return NULL;
    TRY(message_unpack(&scratch, &pb__install_dependencies_response__descriptor, bytes, &message));
    const Pb__InstallDependenciesResponse *response = message;
    str out = message_bytes(response->stdout), err = message_bytes(response->stderr);
    if (out.len > 0)
        output->write(output->context, false, out);
    if (err.len > 0)
        output->write(output->context, true, err);
    return NULL;
}

static fallible language_install_run(struct plugin *plugin,
                                     const struct dependency_request *request)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__InstallDependenciesRequest message = PB__INSTALL_DEPENDENCIES_REQUEST__INIT;
    Pb__ProgramInfo info;
    struct rpc_stream *stream;
    bool goes_on = true;

    TRY(language_program_info(&scratch, request->program, &info));
    message.directory = message_cstr(&scratch, request->program->program_directory);
    message.info = &info;
    message.is_terminal = request->is_terminal;
    message.is_plugin = request->is_plugin;
    message.use_language_version_tools = request->uses_version_tools;
    TRY(plugin_open_stream(plugin, "/pulumirpc.LanguageRuntime/InstallDependencies", &stream));
    struct error *failure = rpc_stream_send(stream, MESSAGE_PACK(&scratch, &message));
    if (!failure)
        failure = rpc_stream_close_send(stream);
    while (!failure && goes_on)
        failure = language_install_take_message(stream, &request->output, &goes_on);
    rpc_stream_close(stream);
    return failure;
}

fallible language_install_dependencies(struct language *language,
                                       const struct dependency_request *request)
{
    struct plugin *plugin = language_plugin(language);

    work_group_add(&plugin->in_use, 1);
    struct error *failure = language_install_run(plugin, request);
    work_group_done(&plugin->in_use);
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "a host that has nothing to install");
        return NULL;
    }
    return provider_error(failure);
}

fallible plugin_install_dependencies(struct plugin_host *host, str folder,
                                     const struct dependency_output *output)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct plugin_project project;
    struct language *language;

    if (!plugin_project_exists(&scratch, folder))
        return NULL;
    TRY(plugin_project_load(&scratch, STR("resource"), folder, &project));
    TRY(error_wrap(plugin_load_language(host, project.runtime, &language),
                   "load language plugin " STR_FMT, STR_ARG(project.runtime)));
    const struct program_info program = { folder, folder, STR("."), project.options };
    const struct dependency_request request = { .program = &program,
                                                .is_plugin = true,
                                                .output = *output };
    return error_wrap(language_install_dependencies(language, &request),
                      "installing dependencies of '" STR_FMT "'", STR_ARG(folder));
}
