/* cmd_config_env.c — `config env list|add|remove|init`: the environments of the hosted service that
 * the configuration of a stack imports. */
#include "base/program.h"
#include "base/settings.h"
#include "cli/hosted.h"
#include "cli/open.h"
#include "cli/screen/json_print.h"
#include "cli/screen/prompt.h"
#include "cli/screen/table.h"
#include "cli/service/session.h"
#include "cli/stack/config_edit.h"
#include "cli/stack/config_show.h"
#include "model/value_json.h"
#include "service/service_environment.h"

#include <stdio.h>

struct env_args {
    struct config_common common;
    bool show_secrets;
    bool yes;
    bool json;
    str output;
    str env;
    bool keep_config;
};

static const struct option env_edit_options[] = {
    CONFIG_COMMON_OPTIONS(struct env_args),
    FLAG(struct env_args, show_secrets, 0, "show-secrets", "Show secret values in plaintext"),
    FLAG(struct env_args, yes, 'y', "yes", "Save without asking"),
    { 0 },
};

static const struct option env_init_options[] = {
    CONFIG_COMMON_OPTIONS(struct env_args),
    TEXT(struct env_args, env, 0, "env",
         "The name of the new environment; <project>/<stack> by default"),
    FLAG(struct env_args, show_secrets, 0, "show-secrets", "Show secret values in plaintext"),
    FLAG(struct env_args, keep_config, 0, "keep-config",
         "Leave the configuration in the file of the stack, too"),
    FLAG(struct env_args, yes, 'y', "yes", "Save without asking"),
    { 0 },
};

static const struct option env_list_options[] = {
    CONFIG_COMMON_OPTIONS(struct env_args),
    FLAG(struct env_args, json, 'j', "json", "Print JSON"),
    TEXT(struct env_args, output, 0, "output", "How to print: default or json"),
    { 0 },
};

static fallible env_check_host(const struct cli *cli)
{
    return cli->session ? NULL : hosted_no_environments(cli_host_name(cli));
}

/* --- list --- */

static struct error *cmd_config_env_run_list(struct cli *cli, const void *args_)
{
    const struct env_args *args = args_;
    struct stack_config config;
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    TRY(env_check_host(cli));
    TRY(cli_load_config(cli, cli->stack, args->common.config_file, &config));
    if (is_json) {
        struct json_print print;
        struct json_writer *writer = json_print_begin(&print, 2);
        json_strings(writer, config.environments, config.environment_count);
        json_print_end(&print);
        return NULL;
    }
    if (config.environment_count == 0) {
        printf("This stack configuration has no environments listed. Try adding one with `%s "
               "config env add <projectName>/<envName>`.\n",
               program_name());
        return NULL;
    }
    struct table table = { .columns = 1 };
    TABLE_ADD(&table, STR("ENVIRONMENTS"));
    for (size_t i = 0; i < config.environment_count; i++)
        TABLE_ADD(&table, config.environments[i]);
    table_print(&table, cli->terminal.color);
    table_release(&table);
    return NULL;
}

const struct command cmd_config_env_list = {
    .path = "config env list",
    .aliases = "ls",
    .summary = "List the environments that a stack imports",
    .example = "config env list",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct env_args),
    .options = OPTIONS(env_list_options),
    .run = cmd_config_env_run_list,
};

/* --- add and remove --- */

static bool env_is_approved(const struct env_args *args)
{
    return args->yes || settings_bool("PULUMI_SKIP_CONFIRMATIONS");
}

static fallible env_approve(struct cli *cli, const struct env_args *args)
{
    static const char *const choices[] = { "yes", "no", NULL };
    size_t answer = 0;

    if (env_is_approved(args))
        return NULL;
    printf("\n");
    TRY(prompt_choice(cli, "Save?", choices, 0, &answer));
    return answer == 0 ? NULL : error_new(ERROR_CANCELED, "canceled");
}

/* What the stack will be configured with is shown before it is saved. */
static fallible env_save(struct cli *cli, const struct env_args *args, struct stack_config *config)
{
    struct config merged;

    TRY(config_merge(cli, config, args->show_secrets, &merged));
    TRY(config_show(cli, config, &merged, args->show_secrets, false));
    TRY(env_approve(cli, args));
    return error_wrap(stack_config_save(config), "saving stack config");
}

static fallible env_open_edit(struct cli *cli, const struct env_args *args,
                              struct stack_config *out)
{
    if (!env_is_approved(args) && !cli->terminal.is_interactive)
        return error_new(ERROR_INVALID, "--yes must be passed in to proceed when running in "
                                        "non-interactive mode");
    TRY(env_check_host(cli));
    return cli_edit_config(cli, cli->stack, args->common.config_file, out);
}

static struct error *cmd_config_env_run_add(struct cli *cli, const void *args)
{
    struct stack_config config;

    TRY(env_open_edit(cli, args, &config));
    TRY(stack_config_import(&config, cli->operands));
    return env_save(cli, args, &config);
}

static struct error *cmd_config_env_run_remove(struct cli *cli, const void *args)
{
    struct stack_config config;

    TRY(env_open_edit(cli, args, &config));
    TRY(stack_config_drop_import(&config, cli_operand(cli, 0)));
    return env_save(cli, args, &config);
}

/* --- init --- */

/* "PROJECT/NAME" or "NAME"; what is not given is the stack's. */
static fallible env_name_parse(struct cli *cli, str text, str *project, str *name)
{
    *project = cli_project_name(cli);
    *name = text.len > 0 ? text : cli->stack.name;
    (void)(text.len > 0 && str_cut(text, STR("/"), project, name));
    if (project->len > 0 && name->len > 0 && str_find_char(*name, '/') == SIZE_MAX)
        return NULL;
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' is no name of an environment: it is NAME or PROJECT/NAME",
                     STR_ARG(text));
}

/* What the service makes of the definition, and the definition itself. */
static fallible env_preview(struct cli *cli, const struct env_args *args, str definition)
{
    struct service_environment environment;
    struct json_print print;

    TRY(service_environment_read(cli->session->service, cli->stack.organization, definition,
                                 ENVIRONMENT_CHECKED, cli->arena, &environment));
    printf("# Value\n```json\n");
    value_write(json_print_begin(&print, 2), environment.all,
                args->show_secrets ? SECRET_BARE : SECRET_MASKED);
    json_print_end(&print);
    printf("```\n# Definition\n```yaml\n" STR_FMT "\n```\n", STR_ARG(definition));
    return NULL;
}

static fallible env_replace_config(struct stack_config *config, const struct env_args *args,
                                   str name)
{
    TRY(stack_config_import(config, (struct strs){ &name, 1 }));
    if (!args->keep_config)
        config->config = (struct config){ 0 };
    return stack_config_save(config);
}

static struct error *cmd_config_env_run_init(struct cli *cli, const void *args_)
{
    const struct env_args *args = args_;
    struct stack_config config;
    str project, name;

    TRY(env_open_edit(cli, args, &config));
    TRY(stack_config_check(&config));
    TRY(env_name_parse(cli, args->env, &project, &name));
    printf("Creating environment " STR_FMT "/" STR_FMT " for stack " STR_FMT "...\n",
           STR_ARG(project), STR_ARG(name), STR_ARG(cli->stack.name));
    struct value *values = ARENA_ARRAY(cli->arena, struct value, config.config.len);
    TRY(config_unseal_all(cli, &config, &config.config, values));
    TRY(env_preview(cli, args,
                    config_definition(cli->arena, &config.config, values, !args->show_secrets)));
    TRY(env_approve(cli, args));
    TRY(error_wrap(
        service_environment_create(cli->session->service, cli->stack.organization, project, name,
                                   config_definition(cli->arena, &config.config, values, false)),
        "creating environment"));
    return error_wrap(
        env_replace_config(&config, args, arena_concat(cli->arena, project, STR("/"), name)),
        "saving stack config");
}

const struct command cmd_config_env_init = {
    .path = "config env init",
    .summary = "Make an environment out of a stack's configuration, and import it in its place",
    .example = "config env init --env shared/base",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct env_args),
    .options = OPTIONS(env_init_options),
    .run = cmd_config_env_run_init,
};

const struct command cmd_config_env = {
    .path = "config env",
    .summary = "Look at and change the environments that a stack imports",
    .example = "config env list",
};

const struct command cmd_config_env_add = {
    .path = "config env add",
    .operands = "ENVIRONMENT...",
    .summary = "Let a stack import environments",
    .example = "config env add shared/base",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct env_args),
    .options = OPTIONS(env_edit_options),
    .run = cmd_config_env_run_add,
};

const struct command cmd_config_env_remove = {
    .path = "config env remove",
    .aliases = "rm delete",
    .operands = "ENVIRONMENT",
    .summary = "No longer import an environment into a stack",
    .example = "config env remove shared/base",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct env_args),
    .options = OPTIONS(env_edit_options),
    .run = cmd_config_env_run_remove,
};
