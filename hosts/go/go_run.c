/* go_run.c — compiles and runs programs and plugins. */
#include "go/golang.h"

#include "base/fs.h"
#include "base/settings.h"
#include "common/debugger.h"
#include "common/temporary.h"
#include "proto/message.h"

fallible go_find(struct host *host, struct arena *arena, str *out)
{
    *out = host_find_executable(host, arena, STR("go"));
    if (out->len == 0)
        return error_new(ERROR_NOT_FOUND,
                         "unable to find 'go' executable: install Go to run this program");
    return NULL;
}

/* --- compiling --- */

static bool has_sources(struct arena *arena, str directory)
{
    str *names;
    size_t len;
    struct error *failure = fs_list(arena, directory, &names, &len);

    if (failure) {
        error_ignore(failure, "a folder that cannot be read has no sources");
        return false;
    }
    for (size_t i = 0; i < len; i++)
        if (str_ends_with(names[i], STR(".go")))
            return true;
    return false;
}

/* A debugger wants every variable where the source has it. */
static fallible go_build(struct host *host, struct arena *arena, str directory, str target,
                         bool is_debugged, struct sink *sink)
{
    CLEANUP(command_release) struct command command = { .directory = directory };
    int exit_code;

    TRY(go_find(host, arena, &command.path));
    words_add(&command.args, arena, STR("build"));
    words_add(&command.args, arena, STR("-buildvcs=false"));
    words_add_option(&command.args, arena, STR("-o"), target);
    if (is_debugged) {
        words_add_option(&command.args, arena, STR("-gcflags"), STR("all=-N -l"));
    } else {
        words_add(&command.args, arena, STR("-trimpath"));
        words_add_option(&command.args, arena, STR("-ldflags"), STR("-w -s"));
    }
    TRY(command_run(host, &command, sink, &exit_code));
    if (exit_code != 0)
        return error_new(ERROR_OTHER, "unable to run `go build`: exit status %d", exit_code);
    if (!fs_is_executable(target))
        return error_new(ERROR_OTHER,
                         "go program is not executable, does your program have a 'main' package?");
    return NULL;
}

static fallible compile(struct host *host, struct arena *arena, str directory, str target,
                        bool is_debugged, struct sink *sink)
{
    host_log(host, HOST_INFO, true, STR("Compiling the program ..."));
    if (!has_sources(arena, directory))
        return error_new(ERROR_NOT_FOUND,
                         "Failed to find go files for 'go build' matching " STR_FMT "/*.go",
                         STR_ARG(directory));
    TRY(go_build(host, arena, directory, target, is_debugged, sink));
    host_log(host, HOST_INFO, true, STR("Finished compiling"));
    return NULL;
}

/* --- debugging --- */

/* Delve writes its port into the log. */
static fallible go_look_for_debugger(struct debugger *debugger, struct arena *scratch,
                                     bool *is_ready)
{
    enum { LOG_MAX = 64 << 20 };
    str text;

    TRY(fs_read(scratch, debugger->log, LOG_MAX, &text));
    *is_ready = str_find(text, STR("API server listening at: ")) != SIZE_MAX;
    return NULL;
}

static struct value go_describe_debugger(const struct debugger *debugger, struct arena *arena,
                                         str *where)
{
    const struct member members[] = {
        { STR("name"), value_string(debugger->name) },
        { STR("type"), value_string(STR("go")) },
        { STR("request"), value_string(STR("attach")) },
        { STR("mode"), value_string(STR("remote")) },
        { STR("host"), value_string(STR("127.0.0.1")) },
        { STR("port"), value_number(debugger->port) },
    };

    *where = arena_printf(arena, "on port %u", debugger->port);
    return value_object(arena, members, sizeof(members) / sizeof(*members));
}

static const struct debugger_kind go_debugger = {
    .language = "Go",
    .preferred_port = 57134,
    .look = go_look_for_debugger,
    .describe = go_describe_debugger,
};

static fallible go_find_delve(struct host *host, struct arena *arena, str *out)
{
    *out = host_find_executable(host, arena, STR("dlv"));
    if (out->len == 0)
        return error_new(ERROR_NOT_FOUND,
                         "unable to find 'dlv' executable: install Delve to debug Go programs");
    return NULL;
}

/* The command becomes one of Delve, which runs it. `plugin` is empty for a program. */
static fallible go_debug(struct host *host, struct arena *arena, str plugin,
                         struct debugger *debugger, struct command *command)
{
    str program = command->path;

    TRY(go_find_delve(host, arena, &command->path));
    TRY(debugger_open(host, arena, &go_debugger, plugin, debugger));
    TRY(temporary_file(arena, "pulumi-go-dlv-", &debugger->log));
    words_add(&command->args, arena, STR("--headless=true"));
    words_add(&command->args, arena, STR("--api-version=2"));
    words_add(&command->args, arena, STR("--log"));
    words_add_option(&command->args, arena, STR("--log-dest"), debugger->log);
    words_add(&command->args, arena, arena_printf(arena, "--listen=127.0.0.1:%u", debugger->port));
    words_add_option(&command->args, arena, STR("exec"), program);
    words_add(&command->args, arena, STR("--"));
    command->debugger = debugger;
    return NULL;
}

/* --- running --- */

static void environment_set(struct words *environment, struct arena *arena, const char *name,
                            str value)
{
    if (value.len > 0)
        words_set(environment, arena, str_from(name), value);
}

static void set_environment(struct words *environment, struct arena *arena, const struct host *host,
                            const struct program *program, const Pb__RunRequest *request)
{
    words_add_environment(environment);
    environment_set(environment, arena, "PULUMI_ORGANIZATION", message_str(request->organization));
    environment_set(environment, arena, "PULUMI_PROJECT", message_str(request->project));
    environment_set(environment, arena, "PULUMI_ROOT_DIRECTORY", program->root);
    environment_set(environment, arena, "PULUMI_STACK", message_str(request->stack));
    environment_set(environment, arena, "PULUMI_CONFIG",
                    run_config_json(arena, request->config, request->n_config, false));
    environment_set(environment, arena, "PULUMI_CONFIG_SECRET_KEYS",
                    run_secret_keys_json(arena, request));
    environment_set(environment, arena, "PULUMI_DRY_RUN",
                    request->dry_run ? STR("true") : STR("false"));
    environment_set(environment, arena, "PULUMI_PARALLEL",
                    arena_printf(arena, "%d", request->parallel));
    environment_set(environment, arena, "PULUMI_MONITOR", message_str(request->monitor_address));
    environment_set(environment, arena, "PULUMI_ENGINE", str_from(host->engine_address));
}

static fallible execute(struct host *host, struct arena *arena, const struct program *program,
                        const Pb__RunRequest *request, str path, Pb__RunResponse *out)
{
    CLEANUP(command_release)
    struct command command = { .path = path,
                               .is_program = true,
                               .directory = message_str(request->pwd) };
    CLEANUP(debugger_close) struct debugger debugger = { 0 };
    int exit_code;

    if (request->attach_debugger)
        TRY(go_debug(host, arena, STR(""), &debugger, &command));
    set_environment(&command.environment, arena, host, program, request);
    TRY(command_run(host, &command, NULL, &exit_code));
    run_answer(arena, exit_code, STR("program exited with non-zero exit code"), out);
    return NULL;
}

/* As go itself finds programs: a path, the working directory, $GOPATH/bin, PATH. */
static fallible find_binary(struct host *host, struct arena *arena, const struct program *program,
                            str name, str *out)
{
    str here = fs_path_absolute(arena, program->directory, name), path = settings_text("GOPATH");

    if (path.len == 0)
        path = fs_path_join(arena, settings_text("HOME"), STR("go"));
    str installed = fs_path_join(arena, fs_path_join(arena, path, STR("bin")), name);
    if (fs_is_executable(here) && fs_is_file(here))
        *out = here;
    else if (fs_is_executable(installed) && fs_is_file(installed))
        *out = installed;
    else
        *out = host_find_executable(host, arena, name);
    if (out->len == 0)
        return error_new(ERROR_NOT_FOUND,
                         "unable to find '" STR_FMT
                         "' executable: unable to find program: " STR_FMT,
                         STR_ARG(name), STR_ARG(name));
    return NULL;
}

/* `go run` does not pass on the exit code of the program: whatever went wrong has been printed. */
static fallible execute_with_go(struct host *host, struct arena *arena,
                                const struct program *program, const Pb__RunRequest *request,
                                Pb__RunResponse *out)
{
    CLEANUP(command_release)
    struct command command = { .is_program = true, .directory = program->directory };
    int exit_code;

    TRY(go_find(host, arena, &command.path));
    words_add(&command.args, arena, STR("run"));
    words_add(&command.args, arena, program->directory);
    set_environment(&command.environment, arena, host, program, request);
    TRY(command_run(host, &command, NULL, &exit_code));
    out->bail = exit_code != 0;
    return NULL;
}

static fallible compile_and_execute(struct host *host, struct arena *arena,
                                    const struct program *program, const Pb__RunRequest *request,
                                    str target, Pb__RunResponse *out)
{
    bool is_temporary = target.len == 0;

    if (is_temporary)
        TRY(temporary_file(arena, "pulumi-go.", &target));
    else
        target = fs_path_absolute(arena, program->directory, target);
    struct error *failure =
        error_wrap(compile(host, arena, program->directory, target, request->attach_debugger, NULL),
                   "error in compiling Go");
    if (!failure)
        failure = execute(host, arena, program, request, target, out);
    if (is_temporary)
        error_ignore(fs_remove_if_present(target), "a temporary file");
    return failure;
}

fallible go_run(struct host *host, struct arena *arena, const Pb__RunRequest *request,
                Pb__RunResponse *out)
{
    static const Pb__ProgramInfo none = PB__PROGRAM_INFO__INIT;
    struct program program;
    str binary, target, path;

    if (request->attach_debugger)
        TRY(go_find_delve(host, arena, &path)); /* before minutes of compiling */
    TRY(program_open(arena, request->info ? request->info : &none, &program));
    TRY(program_option_text(&program, "binary", &binary));
    TRY(program_option_text(&program, "buildTarget", &target));
    if (binary.len > 0 && target.len > 0)
        return error_new(ERROR_INVALID, "binary and buildTarget cannot both be specified");
    if (binary.len > 0) {
        TRY(find_binary(host, arena, &program, binary, &path));
        return execute(host, arena, &program, request, path, out);
    }
    if (settings_text("PULUMI_GO_USE_RUN").len > 0)
        return execute_with_go(host, arena, &program, request, out);
    return compile_and_execute(host, arena, &program, request, target, out);
}

/* --- plugins --- */

static fallible execute_plugin(struct host *host, struct arena *arena,
                               const Pb__RunPluginRequest *request, str path, struct sink *sink,
                               int *exit_code)
{
    CLEANUP(command_release)
    struct command command = {
        .path = path, .directory = message_str(request->pwd), .is_killed = true, .has_input = true
    };
    CLEANUP(debugger_close) struct debugger debugger = { 0 };

    if (request->attach_debugger)
        TRY(go_debug(host, arena, message_str(request->name), &debugger, &command));
    for (size_t i = 0; i < request->n_args; i++)
        words_add(&command.args, arena, message_str(request->args[i]));
    for (size_t i = 0; i < request->n_env; i++)
        words_set_line(&command.environment, arena, message_str(request->env[i]));
    return command_run(host, &command, sink, exit_code);
}

/* What the compiler prints must not be taken for the port. */
struct stderr_sink {
    struct sink sink;
    struct sink *to;
};

static fallible stderr_sink_write(struct sink *sink, enum output_kind kind, str bytes)
{
    (void)kind;
    return sink_write(((struct stderr_sink *)sink)->to, OUTPUT_STDERR, bytes);
}

fallible go_run_plugin(struct host *host, struct arena *arena, const struct program *program,
                       const Pb__RunPluginRequest *request, struct sink *sink, int *exit_code)
{
    struct stderr_sink compiler = { { stderr_sink_write }, sink };
    str path;

    TRY(temporary_file(arena, "pulumi-go.", &path));
    struct error *failure = error_wrap(
        compile(host, arena, program->directory, path, request->attach_debugger, &compiler.sink),
        "error in compiling Go");
    if (!failure)
        failure = execute_plugin(host, arena, request, path, sink, exit_code);
    error_ignore(fs_remove_if_present(path), "a temporary file");
    return failure;
}

/* --- installing, about --- */

fallible go_install(struct host *host, struct arena *arena, const struct program *program,
                    const Pb__InstallDependenciesRequest *request, struct sink *sink)
{
    CLEANUP(command_release) struct command command = { .directory = program->directory };
    int exit_code;

    (void)request;
    TRY(go_find(host, arena, &command.path));
    words_add(&command.args, arena, STR("mod"));
    words_add(&command.args, arena, STR("tidy"));
    words_add(&command.args, arena, STR("-compat=1.18"));
    TRY(command_run(host, &command, sink, &exit_code));
    if (exit_code != 0)
        return error_new(ERROR_OTHER,
                         "`go mod tidy` failed to install dependencies: exit status %d", exit_code);
    return NULL;
}

fallible go_about(struct host *host, struct arena *arena, const struct program *program,
                  struct about *out)
{
    CLEANUP(command_release) struct command command = { .directory = program->directory };

    TRY(go_find(host, arena, &out->executable));
    command.path = out->executable;
    words_add(&command.args, arena, STR("version"));
    return command_read(host, arena, &command, &out->version);
}
