/* cmd_watch.c — `watch`: updates the stack whenever a file of the project is saved. */
#include "cli/folder_watch.h"
#include "cli/open.h"
#include "cli/operate/operation.h"
#include "cli/screen/interrupt.h"

#include "base/fs.h"

#include <stdio.h>

static const struct option options[] = {
    TEXT(struct operation_args, stack, 's', "stack",
         "The stack to work on; the selected one by default"),
    LIST(struct operation_args, paths, 0, "path",
         "A file or folder to watch; the folder of the project by default"),
    LIST(struct operation_args, config, 'c', "config",
         "A configuration value to save and use, as KEY=VALUE"),
    FLAG(struct operation_args, config_path, 0, "config-path",
         "The keys of --config are paths into maps or lists"),
    TEXT(struct operation_args, config_file, 0, "config-file",
         "Use this file instead of Pulumi.<stack>.yaml"),
    INTEGER(struct operation_args, parallel, 'p', "parallel",
            "How many resource operations run at once; 4 for each processor by default"),
    TEXT(struct operation_args, message, 'm', "message", "A message to remember with the updates"),
    TEXT_OR(struct operation_args, refresh, 'r', "refresh", "true",
            "Read the state of all resources first"),
    CSV(struct operation_args, policy_packs, 0, "policy-pack", "Run this policy pack"),
    CSV(struct operation_args, policy_pack_configs, 0, "policy-pack-config",
        "The configuration of the policy pack at the same place"),
    FLAG(struct operation_args, debug, 'd', "debug", "Show debug messages"),
    FLAG(struct operation_args, show_replacement_steps, 0, "show-replacement-steps",
         "Show each step of a replacement"),
    FLAG(struct operation_args, show_sames, 0, "show-sames", "Show resources that do not change"),
    FLAG(struct operation_args, skip_plugin_pre_install, 0, "skip-plugin-pre-install",
         "Do not install plugins before an update"),
    FLAG(struct operation_args, idle, 0, "show-config",
         "No effect here: lines of a watch have no room for it"),
    FLAG(struct operation_args, idle, 0, "urns", "No effect here: lines of a watch have names"),
    TEXT(struct operation_args, idle_text, 0, "secrets-provider",
         "No effect here: a watch makes no stacks"),
    TEXT(struct operation_args, exec_kind, 0, "exec-kind", NULL),
    { 0 },
};

struct watching {
    struct cli *cli;
    struct operation_args args;
    struct folder_watch *files;
    bool was_interrupted; /* an update was */
};

static struct error *watch_await(struct cli *cli, const void *watching_)
{
    const struct watching *watching = watching_;

    (void)cli;
    return folder_watch_wait(watching->files);
}

/* With the project as it is now: it may be what was edited. */
static fallible watch_update(struct watching *watching, struct operation_outcome *outcome)
{
    static const struct operation_plan plan = { .kind = OPERATION_UPDATE };
    struct cli *cli = watching->cli;

    cli->project = NULL;
    TRY(cli_open_project(cli));
    return operation_run(cli, &watching->args, &plan, outcome);
}

/* Everything that one update needs is forgotten with it. */
static void watch_deploy(struct watching *watching)
{
    CLEANUP(arena_release) struct arena own = { 0 };
    struct cli *cli = watching->cli;
    struct arena *arena = cli->arena;
    struct project *project = cli->project;
    struct operation_outcome outcome = { 0 };
    size_t secrets = cli->secrets.len;

    cli_print(cli, STR(TAG_HEADLINE
                       "🚀 Save detected. " TAG_RESET TAG_FG(5) "Deploying changes..." TAG_RESET));
    cli->arena = &own;
    struct error *failure = watch_update(watching, &outcome);
    if (failure && !error_is_reported(failure))
        cli_report(cli, "error", error_message(failure));
    watching->was_interrupted = outcome.was_interrupted;
    error_free(failure);
    while (cli->secrets.len > secrets)
        secrets_close(cli->secrets.items[--cli->secrets.len]);
    cli->arena = arena;
    cli->project = project;
    fflush(stdout);
}

static fallible watch_open_files(struct watching *watching)
{
    struct cli *cli = watching->cli;
    struct strs paths = watching->args.paths;
    str *absolute = ARENA_ARRAY(cli->arena, str, paths.len + 1);

    for (size_t i = 0; i < paths.len; i++)
        absolute[i] = fs_path_absolute(cli->arena, cli->project->directory, paths.items[i]);
    if (!paths.len)
        absolute[0] = cli->project->directory;
    return folder_watch_open(absolute, paths.len ? paths.len : 1, &watching->files);
}

static struct error *cmd_watch_run(struct cli *cli, const void *args)
{
    struct watching watching = { .cli = cli, .args = *(const struct operation_args *)args };
    struct error *failure = NULL;

    watching.args.yes = true;
    watching.args.skip_preview = true;
    watching.args.is_watch = true;
    TRY(watch_open_files(&watching));
    cli_print(cli,
              arena_concat(
                  cli->arena,
                  STR(TAG_HEADLINE "👀 Watch mode enabled. " TAG_RESET TAG_FG(5) "Make an edit to "),
                  color_quote(cli->arena, stack_ref_qualified(cli->arena, cli->stack)),
                  STR(" and save to deploy." TAG_RESET)));
    fflush(stdout);
    while (!failure && !watching.was_interrupted) {
        failure = cli_interruptible(cli, &watching, watch_await);
        if (!failure)
            watch_deploy(&watching);
    }
    folder_watch_close(watching.files);
    return watching.was_interrupted ? error_reported("interrupted") : failure;
}

const struct command cmd_watch = {
    .path = "watch",
    .meant_by = "dev developer",
    .summary = "Update the stack whenever a file of the project is saved",
    .details = "There is no preview and no question. Goes on after failures, until ^C. Hidden\n"
               "files, node_modules, venv, __pycache__ and what editors keep are not watched.",
    .example = "watch\nwatch --stack dev --path src --path Pulumi.yaml",
    .needs = NEEDS_STACK | NEEDS_PROJECT | IS_OPERATION,
    .args_size = sizeof(struct operation_args),
    .options = OPTIONS(options),
    .run = cmd_watch_run,
};
