/* node_run.c — runs programs and plugins with node and the runner that the SDK brings.
 *
 * The program talks to the engine's resource monitor itself. (The reference puts a server of its
 * own between them, for synchronous calls of SDKs before 3.0.) */
#include "nodejs/nodejs.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/program.h"
#include "base/settings.h"
#include "common/debugger.h"
#include "common/policy_relay.h"
#include "fiber/process.h"
#include "proto/message.h"

#include <limits.h>
#include <stdlib.h>

enum { PACKAGE_JSON_MAX = 32 << 20 };

/* --- options --- */

static fallible check_package_manager(str name)
{
    static const char *const known[] = { "auto", "npm", "yarn", "pnpm", "bun" };
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (str_equal(name, str_from(known[i])))
            return NULL;
    return error_new(
        ERROR_INVALID,
        "packagemanager option must be one of auto, npm, yarn, pnpm, bun, got '" STR_FMT "'",
        STR_ARG(name));
}

fallible node_options_read(struct arena *arena, const struct program *program,
                           struct node_options *out)
{
    TRY(program_option_bool(program, "typescript", true, &out->is_typescript));
    TRY(program_option_bool(program, "production", false, &out->is_production));
    TRY(program_option_text(program, "tsconfig", &out->tsconfig));
    TRY(program_option_text(program, "nodeargs", &out->node_arguments));
    TRY(program_option_text(program, "packagemanager", &out->package_manager));
    if (out->tsconfig.len > 0)
        out->tsconfig = fs_path_absolute(arena, program->root, out->tsconfig);
    if (out->package_manager.len == 0)
        out->package_manager = STR("auto");
    return check_package_manager(out->package_manager);
}

/* --- finding --- */

fallible node_find(struct host *host, struct arena *arena, str *out)
{
    *out = host_find_executable(host, arena, STR("node"));
    if (out->len == 0)
        return error_new(ERROR_NOT_FOUND,
                         "could not find node on the $PATH: install Node.js to run this program");
    return NULL;
}

/* As node does: node_modules here, then in each folder above. Saves a start of node. */
static str look_upwards(struct arena *arena, str directory, str module)
{
    char real[PATH_MAX];

    while (true) {
        str folder =
            fs_path_join(arena, fs_path_join(arena, directory, STR("node_modules")), module);
        str file = fs_path_join(arena, folder, STR("index.js"));
        if (fs_is_file(file) && realpath(arena_cstr(arena, file), real))
            return arena_copy(arena, str_from(real));
        str above = fs_path_directory(directory);
        if (str_equal(above, directory) || !fs_path_is_absolute(directory))
            return STR("");
        directory = above;
    }
}

/* A package.json that node cannot read keeps it from finding anything; only node says it well. */
static bool has_broken_package(struct arena *arena, str directory)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    str path = fs_path_join(arena, directory, STR("package.json")), text;

    if (!fs_is_file(path))
        return false;
    struct error *failure = fs_read(arena, path, PACKAGE_JSON_MAX, &text);
    if (!failure) {
        json_reader_init(&reader, arena, text);
        failure = json_skip(&reader, NULL);
    }
    bool is_broken = failure != NULL;
    error_ignore(failure, "node is asked what is wrong");
    return is_broken;
}

/* node itself knows layouts that we do not: NODE_PATH, plug and play, loaders. */
static fallible ask_node(struct host *host, struct arena *arena, str node, str directory,
                         str module, str *out)
{
    CLEANUP(command_release) struct command command = { .path = node, .directory = directory };
    struct captured captured;

    words_add(&command.args, arena, STR("-e"));
    words_add(
        &command.args, arena,
        arena_concat(arena, STR("try { console.log(require.resolve('"), module,
                     STR("')) } catch (e) { console.error(e.code === 'MODULE_NOT_FOUND' ? e.code : "
                         "e.message); process.exit(1) }")));
    TRY(command_capture(host, arena, &command, &captured));
    *out = str_trim(captured.out);
    if (captured.exit_code == 0 && out->len > 0)
        return NULL;
    if (str_find(captured.err, STR("MODULE_NOT_FOUND")) != SIZE_MAX)
        return error_new(
            ERROR_NOT_FOUND,
            "It looks like the Pulumi SDK has not been installed. Have you run %s install?",
            program_name());
    return error_new(ERROR_OTHER, STR_FMT, STR_ARG(str_trim(captured.err)));
}

fallible node_find_module(struct host *host, struct arena *arena, str node, str directory,
                          str module, str *out)
{
    *out = has_broken_package(arena, directory) ? STR("") : look_upwards(arena, directory, module);
    return out->len > 0 ? NULL : ask_node(host, arena, node, directory, module, out);
}

/* --- memory: node says it on stderr when it runs out --- */

struct sniffer {
    struct sink sink;
    struct sink *to;
    bool has_run_out;
    size_t kept; /* bytes at the end of what came last, for text that is cut in two */
    char tail[128];
};

static fallible sniff(struct sink *sink, enum output_kind kind, str bytes)
{
    static const str signs[] = {
        STR_INIT("<--- Last few GCs --->"),
        STR_INIT("Check failed: needs_context && current_scope_ == closure_scope_")
    };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct sniffer *sniffer = (struct sniffer *)sink;

    if (kind == OUTPUT_STDERR && !sniffer->has_run_out) {
        str text = arena_concat(&scratch, ((str){ sniffer->tail, sniffer->kept }), bytes);
        for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
            sniffer->has_run_out |= str_find(text, signs[i]) != SIZE_MAX;
        sniffer->kept = text.len < sizeof(sniffer->tail) ? text.len : sizeof(sniffer->tail);
        memcpy(sniffer->tail, text.ptr + text.len - sniffer->kept, sniffer->kept);
    }
    return sink_write(sniffer->to, kind, bytes);
}

#define OUT_OF_MEMORY                                                                             \
    ". Detected a possible out of memory error. Consider increasing the memory available to the " \
    "nodejs process by "                                                                          \
    "setting the `nodeargs` runtime option in Pulumi.yaml to `nodeargs: "                         \
    "--max-old-space-size=<size>` where `<size>` "                                                \
    "is the maximum memory in megabytes that can be allocated to nodejs. "

/* --- debugging --- */

static struct value node_describe_debugger(const struct debugger *debugger, struct arena *arena,
                                           str *where)
{
    bool is_usual = debugger->port == debugger->kind->preferred_port;
    int id = process_id(debugger->process);
    const struct value skipped[] = { value_string(STR("<node_internals>/**")) };
    const struct member members[] = {
        { STR("name"), value_string(debugger->name) },
        { STR("type"), value_string(STR("node")) },
        { STR("request"), value_string(STR("attach")) },
        { STR("processId"), value_number(id) },
        { STR("continueOnAttach"), value_bool(true) },
        { STR("skipFiles"), value_array(arena, skipped, 1) },
        { STR("port"), value_number(debugger->port) }, /* the last: left out if it is the usual */
    };

    *where = is_usual ? arena_printf(arena, "on process id %d", id)
                      : arena_printf(arena, "on process id %d and port %u", id, debugger->port);
    return value_object(arena, members, sizeof(members) / sizeof(*members) - is_usual);
}

static const struct debugger_kind node_debugger = {
    .language = "nodejs",
    .preferred_port = 9229,
    .look = debugger_look_for_port,
    .describe = node_describe_debugger,
};

/* `plugin` is empty for a program. */
static fallible node_debug(struct host *host, struct arena *arena, str plugin,
                           struct debugger *debugger, struct command *command)
{
    TRY(debugger_open(host, arena, &node_debugger, plugin, debugger));
    words_add(&command->args, arena, arena_printf(arena, "--inspect-brk=%u", debugger->port));
    /* Without "Debugger listening on …" in the program's output. */
    words_add(&command->args, arena, STR("--inspect-publish-uid=http"));
    command->debugger = debugger;
    return NULL;
}

/* --- running --- */

static void node_add_run_arguments(struct words *args, struct arena *arena, const struct host *host,
                                   const struct program *program, const Pb__RunRequest *request)
{
    words_add_option(args, arena, STR("--monitor"), message_str(request->monitor_address));
    words_add_option(args, arena, STR("--engine"), str_from(host->engine_address));
    words_add_option(args, arena, STR("--organization"), message_str(request->organization));
    words_add_option(args, arena, STR("--project"), message_str(request->project));
    words_add_option(args, arena, STR("--root-directory"), program->root);
    words_add_option(args, arena, STR("--stack"), message_str(request->stack));
    words_add_option(args, arena, STR("--pwd"), message_str(request->pwd));
    if (request->dry_run)
        words_add(args, arena, STR("--dry-run"));
    words_add_option(args, arena, STR("--parallel"), arena_printf(arena, "%d", request->parallel));
    words_add_option(args, arena, STR("--tracing"), host->tracing);
    words_add(args, arena, program->entry_point);
    for (size_t i = 0; i < request->n_args; i++)
        words_add(args, arena, message_str(request->args[i]));
}

static void set_typescript(struct words *environment, struct arena *arena,
                           const struct node_options *options)
{
    if (options->is_typescript)
        words_set(environment, arena, STR("PULUMI_NODEJS_TYPESCRIPT"), STR("true"));
    if (options->tsconfig.len > 0)
        words_set(environment, arena, STR("PULUMI_NODEJS_TSCONFIG_PATH"), options->tsconfig);
}

/* The script says what for. */
static void add_preload(const struct host *host, struct arena *arena, struct words *args)
{
    str script = fs_path_join(arena, host->directory, STR("pulumi-language-nodejs-preload.cjs"));
    if (fs_is_file(script))
        words_add_option(args, arena, STR("--require"), script);
}

static fallible node_prepare(struct host *host, struct arena *arena, const struct program *program,
                             const struct node_options *options, str module,
                             struct command *command)
{
    str runner;

    TRY(node_find(host, arena, &command->path));
    TRY(node_find_module(host, arena, command->path, program->directory, module, &runner));
    add_preload(host, arena, &command->args);
    TRY(error_wrap(words_split(&command->args, arena, options->node_arguments), "nodeargs"));
    words_add(&command->args, arena, runner);
    return NULL;
}

fallible node_run(struct host *host, struct arena *arena, const Pb__RunRequest *request,
                  Pb__RunResponse *out)
{
    static const Pb__ProgramInfo none = PB__PROGRAM_INFO__INIT;
    CLEANUP(command_release) struct command command = { .is_program = true };
    str module = settings_text("PULUMI_LANGUAGE_NODEJS_RUN_PATH");
    struct sniffer sniffer = { .sink = { sniff } };
    struct debugger debugger;
    struct node_options options;
    struct program program;
    int exit_code;

    TRY(program_open(arena, request->info ? request->info : &none, &program));
    TRY(node_options_read(arena, &program, &options));
    if (request->attach_debugger)
        TRY(node_debug(host, arena, STR(""), &debugger, &command));
    struct error *failure =
        node_prepare(host, arena, &program, &options,
                     module.len > 0 ? module : STR("@pulumi/pulumi/cmd/run"), &command);
    if (failure) {
        out->error = message_cstr(arena, arena_copy(arena, error_message(failure)));
        error_free(failure);
        return NULL;
    }
    node_add_run_arguments(&command.args, arena, host, &program, request);
    command.directory = message_str(request->pwd);
    words_add_environment(&command.environment);
    words_set(&command.environment, arena, STR("PULUMI_CONFIG"),
              run_config_json(arena, request->config, request->n_config, true));
    words_set(&command.environment, arena, STR("PULUMI_CONFIG_SECRET_KEYS"),
              run_secret_keys_json(arena, request));
    set_typescript(&command.environment, arena, &options);
    TRY(command_run(host, &command, &sniffer.sink, &exit_code));
    run_answer(arena, exit_code, STR("Program exited with non-zero exit code"), out);
    if (sniffer.has_run_out && exit_code != 0)
        out->error =
            message_cstr(arena, arena_concat(arena, message_str(out->error), STR(OUT_OF_MEMORY)));
    return NULL;
}

/* A policy pack is called from inside its folder, with the folder behind the other arguments. */
fallible node_run_plugin(struct host *host, struct arena *arena, const struct program *program,
                         const Pb__RunPluginRequest *request, struct sink *sink, int *exit_code)
{
    CLEANUP(command_release) struct command command = { .is_killed = true, .has_input = true };
    bool is_policy_pack = str_equal(message_str(request->kind), STR("analyzer"));
    struct debugger debugger;
    struct node_options options;

    TRY(node_options_read(arena, program, &options));
    if (request->attach_debugger)
        TRY(node_debug(host, arena, message_str(request->name), &debugger, &command));
    TRY(node_prepare(host, arena, program, &options,
                     is_policy_pack ? STR("@pulumi/pulumi/cmd/run-policy-pack")
                                    : STR("@pulumi/pulumi/cmd/run-plugin"),
                     &command));
    if (!is_policy_pack)
        words_add(&command.args, arena, program->directory);
    for (size_t i = 0; i < request->n_args; i++)
        words_add(&command.args, arena, message_str(request->args[i]));
    if (is_policy_pack)
        words_add(&command.args, arena, program->directory);
    command.directory = is_policy_pack ? program->directory : message_str(request->pwd);
    for (size_t i = 0; i < request->n_env; i++)
        words_set_line(&command.environment, arena, message_str(request->env[i]));
    set_typescript(&command.environment, arena, &options);
    return is_policy_pack ? policy_pack_run(host, arena, &command, sink, exit_code)
                          : command_run(host, &command, sink, exit_code);
}
