/* operation_setup.c — gathers what an operation works with: configuration, secrets, directories,
 * settings. */
#include "cli/operate/operation_setup.h"

#include "backend/history.h"
#include "base/fs.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "cli/stack/config_edit.h"
#include "cli/open.h"
#include "cli/package/plugin_open.h"

#include <unistd.h>

extern char **environ;

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

static fallible load_config(struct operation *operation)
{
    struct cli *cli = operation->cli;
    const struct operation_args *args = operation->args;

    if (!cli->project && !args->config_file.len)
        return load_latest_config(operation);
    TRY(cli_load_config(cli, cli->stack, args->config_file, &operation->stack_config));
    if (args->config.len) {
        TRY(config_edit_set_plain(cli, &operation->stack_config, args->config, args->config_path));
        TRY(stack_config_save(&operation->stack_config));
    }
    TRY(error_wrap(cli_refuse_environments(cli, &operation->stack_config), "opening environment"));
    TRY(error_wrap(
        cli_stack_secrets(cli, cli->stack, &operation->stack_config, &operation->config_secrets),
        "get stack secrets manager"));
    operation->config = operation->stack_config.config;
    return NULL;
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

/* Every text that was sealed inside the value. */
static void collect_secrets(struct arena *arena, struct value value, struct strs *into)
{
    if (value.kind == VALUE_SECRET && value.secret->element.kind == VALUE_STRING) {
        str *grown = ARENA_ARRAY(arena, str, into->len + 1);
        if (into->len)
            memcpy(grown, into->items, into->len * sizeof(str));
        grown[into->len] = value_text(value.secret->element);
        *into = (struct strs){ grown, into->len + 1 };
    }
    for (size_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        collect_secrets(arena, value.items[i], into);
    for (size_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        collect_secrets(arena, value.members[i].value, into);
}

static fallible decrypt_config(struct operation *operation)
{
    struct cli *cli = operation->cli;
    struct config *config = &operation->config;
    struct crypter *crypter = secrets_crypter(operation->config_secrets);
    struct config_text *texts;
    size_t count;

    TRY(config_texts(cli->arena, config, crypter, &texts, &count));
    str *pairs = ARENA_ARRAY(cli->arena, str, 2 * count);
    struct pair *shown = ARENA_ARRAY(cli->arena, struct pair, count);
    str *secret_keys = ARENA_ARRAY(cli->arena, str, count);
    size_t secret_count = 0;
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = texts[i].key;
        pairs[2 * i + 1] = texts[i].text;
        shown[i] = (struct pair){ texts[i].key, texts[i].shown };
        if (texts[i].is_secret)
            secret_keys[secret_count++] = texts[i].key;
    }
    for (size_t i = 0; i < config->len; i++) {
        struct value unsealed;
        if (!config_is_secret(config->items[i].value))
            continue;
        TRY(config_unseal(cli->arena, config->items[i].value, crypter, &unsealed));
        collect_secrets(cli->arena, unsealed, &operation->secret_texts);
    }
    operation->pairs = pairs;
    operation->shown_pairs = (struct pairs){ shown, count };
    operation->pair_count = 2 * count;
    operation->secret_keys = (struct strs){ secret_keys, secret_count };
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
    TRY(check_debugged(operation->args->attach_debugger));
    TRY(error_wrap(load_config(operation), "getting stack configuration"));
    TRY(fall_back_on_state(operation));
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

static fallible find_program(struct operation *operation, struct engine_options *options)
{
    struct cli *cli = operation->cli;
    const struct project *project = cli->project;

    if (!project) {
        options->entry_point = STR(".");
        return cli_current_directory(cli, &options->program_directory);
    }
    options->root_directory = project->directory;
    options->runtime = project->runtime;
    options->runtime_options = project->runtime_options;
    return project_program(cli->arena, project, &options->program_directory, &options->entry_point);
}

static fallible list_plugins(struct operation *operation, struct engine_options *options)
{
    struct plugin_folders folders;

    TRY(cli_plugin_folders(operation->cli, &folders));
    options->project_plugins = folders.items;
    options->project_plugin_count = folders.len;
    return NULL;
}

/* The file beside each policy pack. */
static fallible read_policy_configs(struct operation *operation, struct engine_options *options)
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
    options->policy_pack_configs = (struct strs){ texts, paths.len };
    return NULL;
}

static void apply_arguments(struct operation *operation, struct engine_options *options)
{
    const struct operation_args *args = operation->args;
    struct cli *cli = operation->cli;

    options->parallel = parallelism(operation);
    options->refresh = operation->refreshes;
    options->run_program =
        cli_was_given(cli, "run-program") ? args->run_program : settings_bool("PULUMI_RUN_PROGRAM");
    options->continue_on_error = cli_was_given(cli, "continue-on-error")
                                     ? args->continue_on_error
                                     : settings_bool("PULUMI_CONTINUE_ON_ERROR");
    options->ignore_protect = args->ignore_protect;
    options->exclude_protected = args->exclude_protected;
    options->target_dependents = args->target_dependents;
    options->exclude_dependents = args->exclude_dependents;
    options->expect_no_changes = args->expect_no_changes;
    options->clear_pending_creates = args->clear_pending_creates;
    options->debug = args->debug;
    options->debugged = args->attach_debugger;
    options->plugin_flags = cli_plugin_flags(cli);
    options->skips_preinstall = args->skip_plugin_pre_install;
    options->targets = strs_join(cli->arena, args->targets, args->target_replaces);
    options->excludes = args->excludes;
    options->replaces = strs_join(cli->arena, args->replaces, args->target_replaces);
    options->policy_packs = args->policy_packs;
    options->import_pending = pairs_from_strs(cli->arena, args->import_pending_creates);
    options->imports = operation->plan->imports;
    options->import_count = operation->plan->import_count;
    options->client_address = args->client;
    options->is_inline = str_equal(args->exec_kind, STR("auto.inline"));
}

static void apply_settings(struct engine_options *options)
{
    options->search_path = settings_text("PATH");
    options->debug_providers = settings_text("PULUMI_DEBUG_PROVIDERS");
    options->debug_languages = settings_text("PULUMI_DEBUG_LANGUAGES");
    options->ignores_ambient_plugins = settings_bool("PULUMI_IGNORE_AMBIENT_PLUGINS");
    options->disables_resource_references = settings_bool("PULUMI_DISABLE_RESOURCE_REFERENCES");
    options->disables_output_values = settings_bool("PULUMI_DISABLE_OUTPUT_VALUES");
    options->disables_provider_preview = settings_bool("PULUMI_DISABLE_PROVIDER_PREVIEW");
    options->legacy_diff = settings_bool("PULUMI_ENABLE_LEGACY_DIFF");
    options->legacy_refresh_diff = settings_bool("PULUMI_ENABLE_LEGACY_REFRESH_DIFF");
    options->parallel_diff = settings_bool("PULUMI_PARALLEL_DIFF");
    options->environment = (const char *const *)environ;
}

/* For the states of other stacks. */
static struct error *open_crypter(void *cli, str type, str state, struct crypter **out)
{
    struct snapshot other = { .secrets_type = type, .secrets_state = state };
    struct secrets *secrets;

    TRY(cli_state_secrets(cli, &other, &secrets));
    *out = secrets_crypter(secrets);
    return NULL;
}

/* For an update plan; empty if none is made or there is no configuration. */
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

fallible operation_engine_options(struct operation *operation, struct engine_options *out)
{
    struct cli *cli = operation->cli;

    *out = (struct engine_options){
        .kind = operation->plan->kind,
        .project = cli->stack.project,
        .stack = cli->stack,
        .organization = STR("organization"),
        .runtime_options = VALUE_EMPTY_OBJECT,
        .config = operation->pairs,
        .config_shown = operation->shown_pairs,
        .config_len = operation->pair_count,
        .config_secret_keys = operation->secret_keys,
        .config_json = config_text_of(operation),
        .crypter = secrets_crypter(operation->config_secrets),
        .secrets_type =
            operation->config_secrets ? secrets_type(operation->config_secrets) : STR(""),
        .secrets_state =
            operation->config_secrets ? secrets_state(operation->config_secrets) : STR(""),
        .backend = cli->backend,
        .open_crypter = open_crypter,
        .crypter_context = cli,
        .executable_directory = cli_executable_directory(cli->arena),
    };
    TRY(cli_home(cli, &out->home));
    TRY(find_program(operation, out));
    TRY(list_plugins(operation, out));
    apply_arguments(operation, out);
    TRY(read_policy_configs(operation, out));
    apply_settings(out);
    return NULL;
}
