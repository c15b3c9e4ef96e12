/* cmd_policy_new.c — `policy new`: a policy pack from a template. */
#include "cli/new/new_source.h"

#include "base/program.h"

#include <stdio.h>

static const struct option options[] = {
    TEXT(struct new_args, dir, 0, "dir",
         "Where to create the policy pack; the working directory by default"),
    FLAG(struct new_args, force, 'f', "force", "Overwrite files that are there"),
    FLAG(struct new_args, generate_only, 'g', "generate-only", "Only write files: no dependencies"),
    FLAG(struct new_args, offline, 'o', "offline", "Use only templates that are on this machine"),
    CSV(struct new_args, runtime_options, 0, "runtime-options",
        "Options of the language runtime, as KEY=VALUE"),
    { 0 },
};

static void policy_report_made(const struct new_project *new)
{
    (void)new;
    printf("Created Policy Pack!\n");
}

static void policy_report_end(const struct new_project *new, str start_directory)
{
    str folder = str_equal(start_directory, new->target) ? new->target : new->args->dir;

    new_report_ready(new->cli, "Policy Pack");
    if (new->args->generate_only)
        printf("To install dependencies for the Policy Pack, run `%s install`\n", program_name());
    printf("\nOnce you're done editing your Policy Pack:\n"
           "   * To run the Policy Pack against a Pulumi program, in the directory of the Pulumi "
           "program, run `%s up --policy-pack " STR_FMT "`\n"
           "   * To publish the Policy Pack, run `%s policy publish [org-name]`\n",
           program_name(), STR_ARG(folder), program_name());
}

static struct error *cmd_policy_new_run(struct cli *cli, const void *args)
{
    static const struct new_source source = {
        .kind = TEMPLATE_POLICY,
        .plugin_kind = "analyzer",
        .command = "policy new",
        .report_made = policy_report_made,
        .report_end = policy_report_end,
    };

    return new_source_run(cli, args, &source);
}

const struct command cmd_policy = {
    .path = "policy",
    .summary = "Make policy packs, and check states by them",
    .example = "policy analyze --policy-pack ./rules",
};

const struct command cmd_policy_new = {
    .path = "policy new",
    .aliases = "create setup",
    .meant_by = "init",
    .operands = "[TEMPLATE]",
    .summary = "Create a policy pack from a template",
    .details = "TEMPLATE is a name, a folder or an address, as for `new`. Templates of this "
               "program are\npolicy-typescript and policy-python; your own are in "
               "~/.pulumi/templates-policy or\nPULUMI_POLICY_TEMPLATE_PATH.",
    .example = "policy new policy-python --dir rules",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct new_args),
    .options = OPTIONS(options),
    .run = cmd_policy_new_run,
};
