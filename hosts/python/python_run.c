/* python_run.c — runs programs by way of our script, and plugins. */
#include "python/python.h"

#include "base/fs.h"
#include "proto/message.h"

static const char *const checker_names[] = { "", "mypy", "pyright" };

/* --- type checking, if the project wants it --- */

static struct error *check_types(struct host *host, struct arena *arena,
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

/* --- programs --- */

static void add_run_arguments(struct words *args, struct arena *arena, const struct host *host,
                              const struct program *program, const Pb__RunRequest *request)
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

static struct error *find_script(const struct host *host, struct arena *arena, str *out)
{
    *out = fs_path_join(arena, host->directory, STR("pulumi-language-python-exec"));
    if (!fs_is_file(*out))
        return error_new(ERROR_NOT_FOUND, "missing executor " STR_FMT, STR_ARG(*out));
    return NULL;
}

struct error *python_run(struct host *host, struct arena *arena, const Pb__RunRequest *request,
                         Pb__RunResponse *out)
{
    static const Pb__ProgramInfo none = PB__PROGRAM_INFO__INIT;
    CLEANUP(command_release) struct command command = { .is_program = true };
    struct program program;
    struct python python;
    int exit_code;
    str script;

    TRY(find_script(host, arena, &script));
    TRY(program_open(arena, request->info ? request->info : &none, &program));
    TRY(python_open(host, arena, &program, false, &python));
    TRY(python_sync(host, arena, &python));
    TRY(python_check_virtualenv(arena, &python));
    TRY(check_types(host, arena, &python));
    TRY(python_command(host, arena, &python, &command));
    words_add(&command.args, arena, script);
    add_run_arguments(&command.args, arena, host, &program, request);
    words_set(&command.environment, arena, STR("PULUMI_CONFIG"),
              run_config_json(arena, request, false));
    words_set(&command.environment, arena, STR("PULUMI_CONFIG_SECRET_KEYS"),
              run_secret_keys_json(arena, request));
    TRY(command_run(host, &command, NULL, &exit_code));
    run_answer(arena, exit_code, STR("program exited with non-zero exit code"), out);
    return NULL;
}

/* --- plugins --- */

static struct error *can_run_packages(struct host *host, struct arena *arena,
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
static struct error *add_plugin(struct host *host, struct arena *arena, const struct python *python,
                                bool is_policy_pack, struct words *args)
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

struct error *python_run_plugin(struct host *host, struct arena *arena,
                                const struct program *program, const Pb__RunPluginRequest *request,
                                struct sink *sink, int *exit_code)
{
    CLEANUP(command_release) struct command command = { .is_killed = true, .has_input = true };
    bool is_policy_pack = str_equal(message_str(request->kind), STR("analyzer"));
    struct python python;

    TRY(python_open(host, arena, program, !is_policy_pack, &python));
    TRY(python_sync(host, arena, &python));
    TRY(python_check_virtualenv(arena, &python));
    TRY(add_plugin(host, arena, &python, is_policy_pack, &command.args));
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
    return command_run(host, &command, sink, exit_code);
}
