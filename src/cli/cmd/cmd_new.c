/* cmd_new.c — `new` and `project new`: a project from a template. */
#include "cli/new/new_project.h"
#include "cli/open.h"
#include "cli/screen/interrupt.h"

#include <stdio.h>

static const struct option options[] = {
    LIST(struct new_args, config, 'c', "config",
         "A configuration value to save, as KEY=VALUE; it is not asked for"),
    FLAG(struct new_args, config_path, 0, "config-path",
         "The keys of --config are paths into maps or lists"),
    TEXT(struct new_args, description, 'd', "description",
         "The project's description; the template's by default"),
    TEXT(struct new_args, dir, 0, "dir",
         "Where to create the project; the working directory by default"),
    FLAG(struct new_args, force, 'f', "force", "Overwrite files that are there"),
    FLAG(struct new_args, generate_only, 'g', "generate-only",
         "Only write files: no stack, no configuration, no dependencies"),
    FLAG(struct new_args, list_templates, 'l', "list-templates", "List the templates and end"),
    TEXT(struct new_args, name, 'n', "name",
         "The project's name; by default that of the template or of the directory"),
    FLAG(struct new_args, offline, 'o', "offline", "Use only templates that are on this machine"),
    CSV(struct new_args, runtime_options, 0, "runtime-options",
        "Options of the language runtime, as KEY=VALUE"),
    TEXT_PRESET(struct new_args, secrets_provider, 0, "secrets-provider", "default",
                "How secrets of the stack are encrypted: default or passphrase"),
    TEXT(struct new_args, stack, 's', "stack", "The stack to create; dev by default"),
    FLAG(struct new_args, yes, 'y', "yes", "Ask nothing, take the defaults"),
    TEXT(struct new_args, ai, 0, "ai", NULL),
    TEXT(struct new_args, language, 0, "language", NULL),
    FLAG(struct new_args, template_mode, 't', "template-mode", NULL),
    FLAG(struct new_args, remote_stack_config, 0, "remote-stack-config", NULL),
    { 0 },
};

/* What the hosted service could do, or did. */
static fallible refuse_services(struct cli *cli, const struct new_args *args)
{
    const str given[] = { args->ai, args->language };

    for (size_t i = 0; i < 2; i++) {
        const char *option = i == 0 ? "ai" : "language";
        if (given[i].len == 0 && !cli_was_given(cli, option))
            continue;
        fprintf(stderr, "Flag --%s has been deprecated, Pulumi AI has been retired\n", option);
        return error_new(ERROR_INVALID, "Pulumi AI project generation has been retired. Choose a "
                                        "template instead: `--list-templates` shows them");
    }
    if (args->remote_stack_config)
        return error_new(ERROR_INVALID, "--remote-stack-config is a feature of the hosted service");
    return NULL;
}

static fallible print_list(struct cli *cli, const struct new_args *args)
{
    const struct template_wish wish = { TEMPLATE_PROJECT, STR(""), args->offline };
    struct template_finding finding;

    TRY(template_source_all(cli, &wish, &finding));
    template_source_print(cli, &finding.list);
    template_finding_release(&finding);
    return NULL;
}

static struct error *cmd_new_choose(struct cli *cli, const void *new_)
{
    struct new_project *new = *(struct new_project *const *)new_;

    return new_project_choose(new, cli_operand(cli, 0));
}

static struct error *cmd_new_make(struct cli *cli, const void *new_)
{
    struct new_project *new = *(struct new_project *const *)new_;

    (void)cli;
    TRY(new_project_make(new));
    return new->args->generate_only ? NULL : new_project_install(new);
}

/* A template may say where the stacks of its projects live. */
static fallible cmd_new_open_backend(struct new_project *new)
{
    struct cli *cli = new->cli;
    str url;

    cli->project = &new->model;
    struct error *failure = cli_backend_url(cli, &url);
    cli->project = NULL;
    TRY(failure);
    return cli_open_backend(cli, url);
}

/* Questions are not interruptible: they wait for a line, and ^C there ends us before anything is
 * written. */
static fallible cmd_new_work(struct new_project *new, str start_directory)
{
    struct cli *cli = new->cli;

    TRY(new_project_check(new));
    TRY(new_project_check_target(new));
    TRY(cli_interruptible(cli, &new, cmd_new_choose));
    if (!new->args->generate_only)
        TRY(cmd_new_open_backend(new));
    TRY(new_project_ask(new));
    TRY(cli_interruptible(cli, &new, cmd_new_make));
    new_report_end(new, start_directory);
    return NULL;
}

static struct error *cmd_new_run(struct cli *cli, const void *args_)
{
    struct new_args args = *(const struct new_args *)args_;
    struct new_project new;
    str here;

    TRY(refuse_services(cli, &args));
    if (args.list_templates)
        return print_list(cli, &args);
    TRY(new_project_open(cli, &args, &new, &here));
    struct error *failure = cmd_new_work(&new, here);
    new_project_release(&new);
    return failure;
}

#define NEW_DETAILS                                                                       \
    "TEMPLATE is the name of a template, a folder, the address of a git repository\n"     \
    "(https://HOST/OWNER/REPOSITORY[/tree/BRANCH][/FOLDER], git@HOST:OWNER/REPOSITORY)\n" \
    "or of a zip file. Without it you are asked. Templates of this program need no\n"     \
    "network; your own are in ~/.pulumi/templates or PULUMI_TEMPLATE_PATH."

const struct command cmd_new = {
    .path = "new",
    .aliases = "create setup",
    .meant_by = "init",
    .operands = "[TEMPLATE]",
    .summary = "Create a project from a template",
    .details = NEW_DETAILS,
    .example = "new\n"
               "new random-typescript --yes\n"
               "new yaml --generate-only --dir site",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct new_args),
    .options = OPTIONS(options),
    .run = cmd_new_run,
};

const struct command cmd_project = {
    .path = "project",
    .summary = "Make and list projects",
    .example = "project list",
};

const struct command cmd_project_new = {
    .path = "project new",
    .aliases = "create setup",
    .operands = "[TEMPLATE]",
    .summary = "Create a project from a template",
    .details = NEW_DETAILS,
    .example = "project new random-typescript --yes",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct new_args),
    .options = OPTIONS(options),
    .run = cmd_new_run,
};
