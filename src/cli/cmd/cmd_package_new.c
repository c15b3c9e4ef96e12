/* cmd_package_new.c — `package new`: a package of components from a template. */
#include "cli/new/new_source.h"

#include "base/program.h"

#include <stdio.h>

static const struct option options[] = {
    TEXT(struct new_args, description, 'd', "description",
         "The package's description; the template's by default"),
    TEXT(struct new_args, dir, 0, "dir",
         "Where to create the package; the working directory by default"),
    FLAG(struct new_args, force, 'f', "force", "Overwrite files that are there"),
    FLAG(struct new_args, generate_only, 'g', "generate-only", "Only write files: no dependencies"),
    TEXT(struct new_args, name, 'n', "name",
         "The package's name; by default that of the directory"),
    FLAG(struct new_args, offline, 'o', "offline", "Use only templates that are on this machine"),
    FLAG(struct new_args, yes, 'y', "yes", "Ask nothing, take the defaults"),
    { 0 },
};

static void package_report_made(const struct new_project *new)
{
    printf("Created package '" STR_FMT "'\n\n", STR_ARG(new->name));
}

static void package_report_end(const struct new_project *new, str start_directory)
{
    size_t step = 1;
    bool is_elsewhere = !str_equal(start_directory, new->target);
    str quickstart = new->template->quickstart;

    new_report_ready(new->cli, "package");
    if (is_elsewhere || new->args->generate_only)
        printf("To get started, run:\n");
    if (is_elsewhere)
        printf("   %zu. " STR_FMT "\n", step++, STR_ARG(new_report_cd(new)));
    if (new->args->generate_only)
        printf("   %zu. %s install\n", step++, program_name());
    if (str_trim(quickstart).len)
        printf("\n" STR_FMT "\n", STR_ARG(str_trim(quickstart)));
}

static struct error *cmd_package_new_run(struct cli *cli, const void *args)
{
    static const struct new_source source = {
        .kind = TEMPLATE_PACKAGE,
        .plugin_kind = "resource",
        .command = "package new",
        .is_named = true,
        .report_made = package_report_made,
        .report_end = package_report_end,
    };

    return new_source_run(cli, args, &source);
}

const struct command cmd_package = {
    .path = "package",
    .summary = "Work with packages",
    .example = "package new component-typescript --dir greeting",
};

const struct command cmd_package_new = {
    .path = "package new",
    .aliases = "create setup",
    .meant_by = "init",
    .operands = "[TEMPLATE]",
    .summary = "Create a package of components from a template",
    .details = "TEMPLATE is a name, a folder or an address, as for `new`. Templates of this "
               "program are\ncomponent-typescript, component-python, component-go and "
               "component-yaml; your own are in\n~/.pulumi/templates-packages or "
               "PULUMI_PACKAGE_TEMPLATE_PATH.",
    .example = "package new component-typescript --dir greeting",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct new_args),
    .options = OPTIONS(options),
    .run = cmd_package_new_run,
};
