/* operation_setup.c — gathers what an operation works with: configuration, secrets, directories,
 * settings. */
#include "cli/operate/operation_setup.h"

#include "backend/history.h"
#include "base/fs.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cli/stack/config_edit.h"
#include "cli/open.h"
#include "cli/package/plugin_open.h"

#include <unistd.h>

/* --- configuration --- */

/* Outside a project, what the last operation used. */
static fallible load_latest_config(struct operation *operation)
{
    struct cli *cli = operation->cli;
    struct history history;

    TRY(backend_history(cli->backend, cli->stack, cli->arena, 1, 1, &history));
    if (!history.len || !history.items[0].config.len)
        return NULL;
    CLEANUP(json_reader_release) struct json_reader reader;
    json_reader_init(&reader, cli->arena, history.items[0].config);
    return error_wrap(config_read_json(&reader, &operation->config),
                      "the configuration of the last operation");
}

/* What --config says is kept for later operations. */
static fallible set_config(struct operation *operation)
{
    struct cli *cli = operation->cli;
    const struct operation_args *args = operation->args;

    TRY(cli_edit_config(cli, cli->stack, args->config_file, &operation->stack_config));
    TRY(config_edit_set_plain(cli, &operation->stack_config.config, args->config,
                              args->config_path));
    TRY(stack_config_save(&operation->stack_config));
    cli_unlock_config(cli);
    return NULL;
}

static fallible load_config(struct operation *operation)
{
    struct cli *cli = operation->cli;
    const struct operation_args *args = operation->args;

    if (!cli->project && !args->config_file.len)
        return load_latest_config(operation);
    TRY(args->config.len
            ? set_config(operation)
            : cli_load_config(cli, cli->stack, args->config_file, &operation->stack_config));
    if (!cli->session)
        TRY(error_wrap(cli_refuse_environments(cli, &operation->stack_config),
                       "opening environment"));
    TRY(error_wrap(
        cli_stack_secrets(cli, cli->stack, &operation->stack_config, &operation->config_secrets),
        "get stack secrets manager"));
    operation->config = (struct config){
        arena_copy_bytes(cli->arena, operation->stack_config.config.items,
                         operation->stack_config.config.len * sizeof(*operation->config.items)),
        operation->stack_config.config.len
    };
    TRY(error_wrap(environment_apply(cli, &operation->stack_config, ENVIRONMENT_OPENED,
                                     secrets_crypter(operation->config_secrets), &operation->config,
                                     &operation->environment),
                   "opening environment"));
    return error_wrap(environment_write_files(cli, &operation->environment), "opening environment");
}

/* Without a configuration file the state's own manager goes on. */
static fallible fall_back_on_state(struct operation *operation)
{
    struct cli *cli = operation->cli;
    struct snapshot snapshot;
    bool has_deployment;

    if (operation->config_secrets)
        return NULL;
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    return cli_state_secrets(cli, &snapshot, &operation->config_secrets);
}

static bool runs_program(const struct operation *operation)
{
    return operation->plan->kind == OPERATION_UPDATE || operation->args->run_program;
}

static fallible apply_project(struct operation *operation)
{
    struct cli *cli = operation->cli;
    struct crypter *crypter = secrets_crypter(operation->config_secrets);

    if (!cli->project)
        return NULL;
    TRY(error_wrap(project_apply_config(cli->arena, cli->project, &operation->config, crypter),
                   "applying stack config"));
    if (!runs_program(operation) || operation->args->skip_config_validation)
        return NULL;
    return error_wrap(project_validate_config(cli->arena, cli->project, cli->stack.name,
                                              &operation->config, crypter),
                      "validating stack config");
}

struct sealed_texts {
    VEC(struct secret);
};

/* Every text that was sealed inside the value. */
static void collect_secrets(struct value value, struct sealed_texts *into)
{
    if (value.kind == VALUE_SECRET && value.secret->element.kind == VALUE_STRING)
        vec_add(into, secret_hide(value_text(value.secret->element)));
    for (size_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        collect_secrets(value.items[i], into);
    for (size_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        collect_secrets(value.members[i].value, into);
}

static fallible decrypt_config(struct operation *operation)
{
    struct cli *cli = operation->cli;
    struct config *config = &operation->config;
    struct crypter *crypter = secrets_crypter(operation->config_secrets);
    const struct secret_list *known = &operation->environment.secrets;
    CLEANUP(vec_drop) struct sealed_texts texts = { 0 };

    TRY(config_decrypt(cli->arena, config, crypter, &operation->facts));
    for (size_t i = 0; i < known->len; i++)
        vec_add(&texts, known->items[i]);
    for (size_t i = 0; i < config->len; i++) {
        struct value unsealed;
        if (!config_is_secret(config->items[i].value))
            continue;
        TRY(config_unseal(cli->arena, config->items[i].value, crypter, &unsealed));
        collect_secrets(unsealed, &texts);
    }
    operation->secret_texts = (struct secret_list){
        arena_copy_bytes(cli->arena, texts.items, texts.len * sizeof(struct secret)), texts.len
    };
    return NULL;
}

static fallible read_refresh(struct operation *operation)
{
    str text = operation->args->refresh;

    operation->refreshes = operation->cli->project && operation->cli->project->refreshes_always;
    if (!text.len)
        return NULL;
    if (str_equal(text, STR("true")) || str_equal(text, STR("1")))
        operation->refreshes = true;
    else if (str_equal(text, STR("false")) || str_equal(text, STR("0")))
        operation->refreshes = false;
    else
        return error_new(ERROR_INVALID,
                         "could not determine refresh option: '" STR_FMT
                         "' is neither true nor false",
                         STR_ARG(text));
    return NULL;
}

static fallible check_debugged(struct strs wanted)
{
    for (size_t i = 0; i < wanted.len; i++) {
        str what = wanted.items[i];
        if (!str_equal(what, STR("program")) && !str_equal(what, STR("plugins"))
            && !str_equal(what, STR("all")) && !str_starts_with(what, STR("plugin:")))
            return error_new(ERROR_INVALID, "invalid --attach-debugger flag value: " STR_FMT,
                             STR_ARG(what));
    }
    return NULL;
}

fallible operation_setup(struct operation *operation)
{
    /* Another's stack is not what this program describes: scenario cli/cli-stack-other-project. */
    TRY(cli_check_project(operation->cli, operation->cli->stack));
    TRY(check_debugged(operation->args->attach_debugger));
    TRY(error_wrap(load_config(operation), "getting stack configuration"));
    TRY(fall_back_on_state(operation));
    TRY(operation_begin_key(operation));
    TRY(apply_project(operation));
    TRY(error_wrap(decrypt_config(operation),
                   "getting stack configuration: get stack secrets manager"));
    return read_refresh(operation);
}

/* --- the engine's options --- */

static int32_t parallelism(const struct operation *operation)
{
    int64_t wanted = operation->args->parallel;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);

    if (wanted <= 0 && !cli_was_given(operation->cli, "parallel"))
        wanted = (int64_t)settings_number("PULUMI_PARALLEL", 0);
    if (wanted <= 0)
        wanted = cli_was_given(operation->cli, "parallel") ? 1 : 4 * (cpus > 0 ? cpus : 1);
    return wanted > INT32_MAX ? INT32_MAX : (int32_t)wanted;
}

static fallible describe_project(struct operation *operation, struct project_facts *out)
{
    struct cli *cli = operation->cli;
    const struct project *project = cli->project;
    struct program_info *program = &out->program;

    *out = (struct project_facts){
        .name = cli->stack.project,
        .stack = cli->stack.name,
        .organization = cli->stack.organization.len ? cli->stack.organization : STR("organization"),
        .program.options = VALUE_EMPTY_OBJECT,
    };
    if (project) {
        out->runtime = project->runtime;
        program->root_directory = project->directory;
        program->options = project->runtime_options;
        TRY(project_program(cli->arena, project, &program->program_directory,
                            &program->entry_point));
    } else {
        program->entry_point = STR(".");
        TRY(cli_current_directory(cli, &program->program_directory));
    }
    if (operation->args->client.len) { /* the program lives in the process that started us */
        const struct member address = { STR("address"), value_string(operation->args->client) };
        out->runtime = STR("client");
        program->options = value_object(cli->arena, &address, 1);
    }
    return NULL;
}

/* What environments bring replaces what the process has. */
static const char *const *with_variables(const struct operation *operation,
                                         const char *const *environment)
{
    struct arena *arena = operation->cli->arena;
    struct pairs added = operation->environment.variables;
    size_t count = 0, len = 0;

    if (added.len == 0)
        return environment;
    while (environment[count])
        count++;
    const char **all = ARENA_ARRAY(arena, const char *, count + added.len + 1);
    for (size_t i = 0; i < count; i++) {
        str name = str_from(environment[i]), value;
        str_cut(name, STR("="), &name, &value);
        if (!pairs_find(added, name))
            all[len++] = environment[i];
    }
    for (size_t i = 0; i < added.len; i++)
        all[len++] = arena_concat(arena, added.items[i].key, STR("="), added.items[i].value).ptr;
    return all;
}

static fallible describe_world(struct operation *operation, struct plugin_world *out)
{
    TRY(cli_plugin_world(operation->cli, out));
    out->environment = with_variables(operation, out->environment);
    out->debugged = operation->args->attach_debugger;
    out->client_address = operation->args->client;
    return NULL;
}

/* The file beside each policy pack. */
static fallible read_policies(struct operation *operation, struct policy_options *out)
{
    enum { CONFIG_MAX = 1 << 20 };
    struct arena *arena = operation->cli->arena;
    struct strs paths = operation->args->policy_pack_configs;
    str *texts = ARENA_ARRAY(arena, str, paths.len + 1);

    if (paths.len && !operation->args->policy_packs.len)
        return error_new(ERROR_INVALID,
                         "\"--policy-pack-config\" must be specified with \"--policy-pack\"");

    for (size_t i = 0; i < paths.len; i++)
        if (paths.items[i].len)
            TRY(fs_read(arena, paths.items[i], CONFIG_MAX, &texts[i]));
    *out = (struct policy_options){ .packs = operation->args->policy_packs,
                                    .configs = { texts, paths.len } };
    return NULL;
}

/* What an option says, or else a variable. */
static bool is_set(const struct cli *cli, const char *option, bool value, const char *variable)
{
    return cli_was_given(cli, option) ? value : settings_bool(variable);
}

static struct plan_options describe_plan(const struct operation *operation)
{
    const struct operation_args *args = operation->args;
    struct cli *cli = operation->cli;

    return (struct plan_options){
        .parallel = parallelism(operation),
        .refresh = operation->refreshes,
        .run_program = is_set(cli, "run-program", args->run_program, "PULUMI_RUN_PROGRAM"),
        .continue_on_error =
            is_set(cli, "continue-on-error", args->continue_on_error, "PULUMI_CONTINUE_ON_ERROR"),
        .ignore_protect = args->ignore_protect,
        .exclude_protected = args->exclude_protected,
        .target_dependents = args->target_dependents,
        .exclude_dependents = args->exclude_dependents,
        .clear_pending_creates = args->clear_pending_creates,
        .legacy_diff = settings_bool("PULUMI_ENABLE_LEGACY_DIFF"),
        .legacy_refresh_diff = settings_bool("PULUMI_ENABLE_LEGACY_REFRESH_DIFF"),
        .parallel_diff = settings_bool("PULUMI_PARALLEL_DIFF"),
        .targets = strs_join(cli->arena, args->targets, args->target_replaces),
        .excludes = args->excludes,
        .replaces = strs_join(cli->arena, args->replaces, args->target_replaces),
    };
}

static struct program_options describe_program(const struct operation_args *args)
{
    return (struct program_options){
        .skips_preinstall = args->skip_plugin_pre_install,
        .is_inline = str_equal(args->exec_kind, STR("auto.inline")),
        .disables_resource_references = settings_bool("PULUMI_DISABLE_RESOURCE_REFERENCES"),
        .disables_output_values = settings_bool("PULUMI_DISABLE_OUTPUT_VALUES"),
    };
}

/* For the states of other stacks. */
static struct error *operation_setup_open_crypter(void *cli, str type, str state,
                                                  struct crypter **out)
{
    struct snapshot other = { .secrets_type = type, .secrets_state = state };
    struct secrets *secrets;

    TRY(cli_state_secrets(cli, &other, &secrets));
    *out = secrets_crypter(secrets);
    return NULL;
}

/* For an update plan; empty if no plan is written or there is no configuration. */
static str config_text_of(struct operation *operation)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    if (operation->config.len == 0 || !(operation->args->save_plan.len || operation->args->strict))
        return STR("");
    config_write_json(&writer, &operation->config);
    error_ignore(json_writer_finish(&writer), "there is no file behind it");
    return arena_copy(operation->cli->arena, strbuf_str(&text));
}

static struct state_source describe_state(struct operation *operation)
{
    struct secrets *secrets = operation->config_secrets;

    return (struct state_source){
        .crypter = secrets_crypter(secrets),
        .secrets_type = secrets ? secrets_type(secrets) : STR(""),
        .secrets_state = secrets ? secrets_state(secrets) : STR(""),
        .backend = operation->cli->backend,
        .open_crypter = operation_setup_open_crypter,
        .crypter_context = operation->cli,
    };
}

fallible operation_engine_options(struct operation *operation, struct engine_options *out)
{
    *out = (struct engine_options){
        .kind = operation->plan->kind,
        .project = &operation->project,
        .config = &operation->facts,
        .world = &operation->world,
        .program = describe_program(operation->args),
        .plan = describe_plan(operation),
        .imports = operation->plan->imports,
        .update_plan = { .name = operation->args->plan, .config_json = config_text_of(operation) },
        .state = describe_state(operation),
    };
    TRY(describe_project(operation, &operation->project));
    TRY(describe_world(operation, &operation->world));
    return read_policies(operation, &out->policies);
}
