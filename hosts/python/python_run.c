/* python_run.c — runs programs by way of our script, and plugins. */
#include "python/python.h"

#include "base/fs.h"
#include "base/program.h"
#include "common/debugger.h"
#include "common/policy_relay.h"
#include "common/temporary.h"
#include "fiber/process.h"
#include "proto/message.h"

static const char *const checker_names[] = { "", "mypy", "pyright" };

/* --- type checking, if the project wants it --- */

static fallible python_check_types(struct host *host, struct arena *arena,
                                   const struct python *python)
{
    CLEANUP(command_release) struct command command = { 0 };
    const char *name = checker_names[python->checker];
    str folder = python->program->directory;
    struct captured captured;

    if (python->checker == CHECKER_NONE)
        return NULL;
    TRY(python_command(host, arena, python, &command));
    words_add(&command.args, arena, STR("-m"));
    words_add(&command.args, arena, str_from(name));
    if (python->checker == CHECKER_MYPY && str_starts_with(python->virtualenv, folder)) {
        words_add(&command.args, arena, STR("--exclude"));
        words_add(&command.args, arena,
                  str_slice(python->virtualenv, folder.len + 1, python->virtualenv.len));
    }
    words_add(&command.args, arena, folder);
    TRY(command_capture(host, arena, &command, &captured));
    if (captured.exit_code == 0)
        return NULL;
    if (str_find(captured.err, STR("No module named")) != SIZE_MAX)
        return error_new(ERROR_OTHER,
                         "The typechecker option is set to %s, but %s is not installed. Please add "
                         "an entry for %s to "
                         "requirements.txt",
                         name, name, name);
    return error_new(ERROR_OTHER, "%s failed: exit status %d\n" STR_FMT STR_FMT, name,
                     captured.exit_code, STR_ARG(captured.out), STR_ARG(captured.err));
}

/* --- debugging --- */

/* debugpy writes a log that is named after the process. */
static fallible python_look_for_debugger(struct debugger *debugger, struct arena *scratch,
                                         bool *is_ready)
{
    enum { LOG_MAX = 64 << 20 };
    str path = arena_printf(scratch, STR_FMT "/debugpy.server-%d.log", STR_ARG(debugger->log),
                            process_id(debugger->process));
    str text;

    *is_ready = false;
    if (!fs_exists(path))
        return NULL;
    TRY(fs_read(scratch, path, LOG_MAX, &text));
    *is_ready = str_find(text, STR("Adapter is accepting incoming client connections")) != SIZE_MAX;
    return NULL;
}

static struct value python_describe_debugger(const struct debugger *debugger, struct arena *arena,
                                             str *where)
{
    const struct member connect[] = {
        { STR("host"), value_string(STR("127.0.0.1")) },
        { STR("port"), value_number(debugger->port) },
    };
    const struct member members[] = {
        { STR("name"), value_string(debugger->name) },
        { STR("type"), value_string(STR("python")) },
        { STR("request"), value_string(STR("attach")) },
        { STR("connect"), value_object(arena, connect, 2) },
        { STR("justMyCode"), value_bool(true) },
    };

    *where = arena_printf(arena, "on port %u", debugger->port);
    return value_object(arena, members, sizeof(members) / sizeof(*members));
}

static const struct debugger_kind python_debugger = {
    .language = "Python",
    .preferred_port = 58791,
    .look = python_look_for_debugger,
    .describe = python_describe_debugger,
};

static fallible python_check_debugpy(struct host *host, struct arena *arena,
                                     const struct python *python)
{
    CLEANUP(command_release) struct command command = { 0 };
    struct captured captured;

    TRY(python_command(host, arena, python, &command));
    words_add(&command.args, arena, STR("-c"));
    words_add(&command.args, arena, STR("import debugpy"));
    TRY(command_capture(host, arena, &command, &captured));
    if (captured.exit_code != 0)
        return error_new(ERROR_NOT_FOUND,
                         "debugpy is not installed. Please add an entry for debugpy to "
                         "requirements.txt and run `%s install`",
                         program_name());
    return NULL;
}

/* The arguments come before the script's. `plugin` is empty for a program. */
static fallible python_debug(struct host *host, struct arena *arena, const struct python *python,
                             str plugin, struct debugger *debugger, struct command *command)
{
    TRY(python_check_debugpy(host, arena, python));
    TRY(debugger_open(host, arena, &python_debugger, plugin, debugger));
    TRY(temporary_directory(arena, "pulumi-python-debugpy-", &debugger->log));
    words_add(&command->args, arena, STR("-Xfrozen_modules=off"));
    words_add_option(&command->args, arena, STR("-m"), STR("debugpy"));
    words_add_option(&command->args, arena, STR("--listen"),
                     arena_printf(arena, "127.0.0.1:%u", debugger->port));
    words_add(&command->args, arena, STR("--wait-for-client"));
    words_add_option(&command->args, arena, STR("--log-to"), debugger->log);
    command->debugger = debugger;
    return NULL;
}

/* --- programs --- */

static void python_add_run_arguments(struct words *args, struct arena *arena,
                                     const struct host *host, const struct program *program,
                                     const Pb__RunRequest *request)
{
    words_add_option(args, arena, STR("--monitor"), message_str(request->monitor_address));
    words_add_option(args, arena, STR("--engine"), str_from(host->engine_address));
    words_add_option(args, arena, STR("--project"), message_str(request->project));
    words_add_option(args, arena, STR("--root_directory"), program->root);
    words_add_option(args, arena, STR("--stack"), message_str(request->stack));
    words_add_option(args, arena, STR("--pwd"), message_str(request->pwd));
    words_add_option(args, arena, STR("--dry_run"), request->dry_run ? STR("true") : STR("false"));
    words_add_option(args, arena, STR("--parallel"), arena_printf(arena, "%d", request->parallel));
    words_add_option(args, arena, STR("--tracing"), host->tracing);
    words_add_option(args, arena, STR("--organization"), message_str(request->organization));
    words_add(args, arena, program->entry_point);
    for (size_t i = 0; i < request->n_args; i++)
        words_add(args, arena, message_str(request->args[i]));
}

static fallible find_script(const struct host *host, struct arena *arena, str *out)
{
    *out = fs_path_join(arena, host->directory, STR("pulumi-language-python-exec"));
    if (!fs_is_file(*out))
        return error_new(ERROR_NOT_FOUND, "missing executor " STR_FMT, STR_ARG(*out));
    return NULL;
}

fallible python_run(struct host *host, struct arena *arena, const Pb__RunRequest *request,
                    Pb__RunResponse *out)
{
    static const Pb__ProgramInfo none = PB__PROGRAM_INFO__INIT;
    CLEANUP(command_release) struct command command = { .is_program = true };
    CLEANUP(debugger_close) struct debugger debugger = { 0 };
    struct program program;
    struct python python;
    int exit_code;
    str script;

    TRY(find_script(host, arena, &script));
    TRY(program_open(arena, request->info ? request->info : &none, &program));
    TRY(python_open(host, arena, &program, false, &python));
    TRY(python_sync(host, arena, &python));
    TRY(python_check_virtualenv(arena, &python));
    TRY(python_check_types(host, arena, &python));
    TRY(python_command(host, arena, &python, &command));
    if (request->attach_debugger)
        TRY(python_debug(host, arena, &python, STR(""), &debugger, &command));
    words_add(&command.args, arena, script);
    python_add_run_arguments(&command.args, arena, host, &program, request);
    words_set(&command.environment, arena, STR("PULUMI_CONFIG"),
              run_config_json(arena, request->config, request->n_config, false));
    words_set(&command.environment, arena, STR("PULUMI_CONFIG_SECRET_KEYS"),
              run_secret_keys_json(arena, request));
    TRY(command_run(host, &command, NULL, &exit_code));
    run_answer(arena, exit_code, STR("program exited with non-zero exit code"), out);
    return NULL;
}

/* --- plugins --- */

static fallible can_run_packages(struct host *host, struct arena *arena,
                                 const struct python *python, bool *out)
{
    CLEANUP(command_release) struct command command = { 0 };
    struct captured captured;

    TRY(python_command(host, arena, python, &command));
    words_add(&command.args, arena, STR("-c"));
    words_add(&command.args, arena, STR("import pulumi.run.plugin"));
    TRY(command_capture(host, arena, &command, &captured));
    *out =
        captured.exit_code == 0 || str_find(captured.err, STR("ModuleNotFoundError")) == SIZE_MAX;
    return NULL;
}

/* What comes before the arguments of the request. */
static fallible python_add_plugin(struct host *host, struct arena *arena,
                                  const struct python *python, bool is_policy_pack,
                                  struct words *args)
{
    str folder = python->program->directory;
    bool can_run;

    if (is_policy_pack) {
        words_add(args, arena, STR("-u"));
        words_add(args, arena, STR("-m"));
        words_add(args, arena, STR("pulumi.policy"));
        return NULL;
    }
    if (!fs_exists(fs_path_join(arena, folder, STR("__main__.py")))) {
        TRY(can_run_packages(host, arena, python, &can_run));
        str name = python_package_name(arena, folder);
        if (can_run && name.len == 0)
            return error_new(
                ERROR_INVALID,
                "plugin is not runnable, it provides neither __main__.py nor a buildable "
                "pyproject.toml");
        if (can_run) {
            words_add(args, arena, STR("-m"));
            words_add(args, arena, STR("pulumi.run.plugin"));
            words_add(args, arena, name);
            return NULL;
        }
    }
    words_add(args, arena, folder);
    return NULL;
}

fallible python_run_plugin(struct host *host, struct arena *arena, const struct program *program,
                           const Pb__RunPluginRequest *request, struct sink *sink, int *exit_code)
{
    CLEANUP(command_release) struct command command = { .is_killed = true, .has_input = true };
    CLEANUP(debugger_close) struct debugger debugger = { 0 };
    bool is_policy_pack = str_equal(message_str(request->kind), STR("analyzer"));
    struct python python;

    TRY(python_open(host, arena, program, !is_policy_pack, &python));
    TRY(python_sync(host, arena, &python));
    TRY(python_check_virtualenv(arena, &python));
    if (request->attach_debugger)
        TRY(python_debug(host, arena, &python, message_str(request->name), &debugger, &command));
    TRY(python_add_plugin(host, arena, &python, is_policy_pack, &command.args));
    TRY(python_command(host, arena, &python, &command));
    for (size_t i = 0; i < request->n_args; i++)
        words_add(&command.args, arena, message_str(request->args[i]));
    if (is_policy_pack)
        words_add(&command.args, arena, program->directory);
    command.directory = is_policy_pack ? program->directory : message_str(request->pwd);
    str path = words_get(&command.environment, STR("PATH"));
    for (size_t i = 0; i < request->n_env; i++)
        words_set_line(&command.environment, arena, message_str(request->env[i]));
    words_set(&command.environment, arena, STR("PATH"), path);
    return is_policy_pack ? policy_pack_run(host, arena, &command, sink, exit_code)
                          : command_run(host, &command, sink, exit_code);
}
