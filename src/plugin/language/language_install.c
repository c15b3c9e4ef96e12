/* language_install.c — has a language host install what a program or a plugin is built on. */
#include "plugin/language/language_parts.h"

#include "plugin/plugin_project.h"
#include "plugin/provider/provider_errors.h"

#include "pb/language.pb-c.h"

static struct error *language_install_take(void *output_, const void *answer)
{
    const struct dependency_output *output = output_;
    const Pb__InstallDependenciesResponse *response = answer;
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
    struct dependency_output output = request->output;
    Pb__ProgramInfo info;
    const struct plugin_call call = {
        .method = "/pulumirpc.LanguageRuntime/InstallDependencies",
        .request = &message.base,
        .answer = &pb__install_dependencies_response__descriptor,
    };

    TRY(language_program_info(&scratch, request->program, &info));
    message.directory = message_cstr(&scratch, request->program->program_directory);
    message.info = &info;
    message.is_terminal = request->is_terminal;
    message.is_plugin = request->is_plugin;
    message.use_language_version_tools = request->uses_version_tools;
    return plugin_call_stream(plugin, &call, language_install_take, &output);
}

fallible language_install_dependencies(struct language *language,
                                       const struct dependency_request *request)
{
    struct error *failure = language_install_run(language_plugin(language), request);

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
