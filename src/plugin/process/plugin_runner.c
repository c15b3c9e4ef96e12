/* plugin_runner.c — plugins that are source code: a language host runs them for us. */
#include "plugin/process/plugin_process.h"

#include "base/fs.h"
#include "plugin/language/language_parts.h"
#include "plugin/plugin_project.h"
#include "rpc/rpc.h"

#include "pb/language.pb-c.h"

#include <stdlib.h>

/* A running one. Its output comes as messages of a call; ending the call ends it. */
struct runner {
    struct cancel *scope; /* of the fiber that reads the messages */
    struct rpc_stream *stream;
    bool has_ended;
    int32_t exit_code;
    str failure; /* the call broke; empty: it ended by itself */
};

bool plugin_needs_runner(str path)
{
    return !fs_exists(path) || fs_is_directory(path);
}

/* --- starting --- */

static bool runner_is_debugged(struct arena *arena, const struct plugin *plugin)
{
    struct strs wanted = plugin->host->options.world->debugged;

    return strs_has(wanted, STR("plugins")) || strs_has(wanted, STR("all"))
           || strs_has(wanted, arena_concat(arena, STR("plugin:"), plugin->name));
}

static void fill_request(struct arena *arena, const struct plugin *plugin,
                         const struct plugin_launch *launch, Pb__RunPluginRequest *message)
{
    const struct plugin_host_options *options = &plugin->host->options;
    str *args = ARENA_ARRAY(arena, str, options->world->flags.len + 1);
    size_t count = 0;

    for (size_t i = 0; i < options->world->flags.len; i++)
        args[i] = options->world->flags.items[i];
    args[options->world->flags.len] = options->engine_address;
    message_put_strs(arena, message, args, ((struct strs){ args, options->world->flags.len + 1 }));
    while (launch->environment && launch->environment[count])
        count++;
    str *environment = ARENA_ARRAY(arena, str, count);
    for (size_t i = 0; i < count; i++)
        environment[i] = str_from(launch->environment[i]);
    message_put_strs(arena, message, env, ((struct strs){ environment, count }));
    message->pwd = message_cstr(arena, options->project->program.program_directory);
    message->kind = message_cstr(arena, plugin->kind);
    message->attach_debugger = runner_is_debugged(arena, plugin);
    if (message->attach_debugger)
        message->name = message_cstr(arena, plugin->name);
    message->loader_target = message_cstr(arena, options->loader_address);
}

static fallible open_run(struct plugin *plugin, const struct plugin_launch *launch,
                         struct language *language, const struct program_info *program,
                         struct rpc_stream **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__RunPluginRequest message;
    pb__run_plugin_request__init(&message);
    Pb__ProgramInfo info;

    TRY(language_program_info(&scratch, program, &info));
    fill_request(&scratch, plugin, launch, &message);
    message.info = &info;
    TRY(plugin_open_stream(language_plugin(language), "/pulumirpc.LanguageRuntime/RunPlugin", out));
    struct error *failure = rpc_stream_send(*out, MESSAGE_PACK(&scratch, &message));
    if (!failure)
        failure = rpc_stream_close_send(*out);
    if (failure)
        rpc_stream_close(*out);
    return failure;
}

/* Passes one message on; *goes_on is false after the last. */
static fallible plugin_runner_take_message(struct plugin *plugin, bool *goes_on)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str bytes;
    void *message;

    TRY(rpc_stream_receive(plugin->runner->stream, &scratch, goes_on, &bytes));
    if (!*goes_on)
        return NULL;
    TRY(message_unpack(&scratch, &pb__run_plugin_response__descriptor, bytes, &message));
    const Pb__RunPluginResponse *response = message;
    switch (response->output_case) {
    case PB__RUN_PLUGIN_RESPONSE__OUTPUT_STDOUT:
        plugin_output_add(&plugin->output, OUTPUT_STDOUT, message_bytes(response->stdout));
        break;
    case PB__RUN_PLUGIN_RESPONSE__OUTPUT_STDERR:
        plugin_output_add(&plugin->output, OUTPUT_STDERR, message_bytes(response->stderr));
        break;
    case PB__RUN_PLUGIN_RESPONSE__OUTPUT_EXITCODE:
        plugin->runner->exit_code = response->exitcode;
        *goes_on = false;
        break;
    case PB__RUN_PLUGIN_RESPONSE__OUTPUT__NOT_SET:
    case _PB__RUN_PLUGIN_RESPONSE__OUTPUT__CASE_IS_INT_SIZE: break;
    }
    return NULL;
}

static void read_messages(void *plugin_)
{
    struct plugin *plugin = plugin_;
    struct runner *runner = plugin->runner;
    bool goes_on = true;

    while (goes_on) {
        struct error *failure = plugin_runner_take_message(plugin, &goes_on);
        if (!failure)
            continue;
        runner->failure = arena_copy(&plugin->arena, error_message(failure));
        error_ignore(failure, "kept as the reason of its end");
        break;
    }
    rpc_stream_close(runner->stream);
    runner->has_ended = true;
    plugin_output_end(&plugin->output, OUTPUT_STDOUT);
    plugin_output_end(&plugin->output, OUTPUT_STDERR);
    work_group_done(&plugin->in_use);
}

static fallible plugin_runner_run(struct plugin *plugin, const struct plugin_launch *launch)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str folder = fs_is_directory(plugin->path) ? plugin->path : fs_path_directory(plugin->path);
    struct plugin_project project;
    struct language *language;
    struct rpc_stream *stream;

    TRY(plugin_project_load(&scratch, plugin->kind, folder, &project));
    TRY(error_wrap(plugin_load_language(plugin->host, project.runtime, &language),
                   "loading runtime"));
    struct program_info program = { folder, folder, STR("."), project.options };
    TRY(open_run(plugin, launch, language, &program, &stream));
    plugin->runner = memory_zalloc(sizeof(*plugin->runner));
    plugin->runner->stream = stream;
    plugin->runner->scope = cancel_open(plugin->host->scope);
    work_group_add(&plugin->in_use, 1);
    fiber_spawn_in(plugin->runner->scope, read_messages, plugin);
    return NULL;
}

fallible plugin_run(struct plugin *plugin, const struct plugin_launch *launch)
{
    return error_wrap(plugin_runner_run(plugin, launch), "failed to load plugin " STR_FMT,
                      STR_ARG(plugin->path));
}

/* --- ending --- */

bool plugin_runner_has_ended(const struct plugin *plugin, struct arena *arena, str *how)
{
    const struct runner *runner = plugin->runner;

    if (runner->failure.len > 0)
        *how = runner->failure;
    else if (runner->exit_code != 0)
        *how = arena_printf(arena, "exit status %d", runner->exit_code);
    return runner->has_ended;
}

void plugin_stop_runner(struct plugin *plugin)
{
    struct runner *runner = plugin->runner;

    cancel_fire(runner->scope);
    latch_wait_uncancelable(&plugin->output.done);
    work_group_wait_uncancelable(&plugin->in_use);
    cancel_close(runner->scope);
    free(runner);
    plugin->runner = NULL;
}
