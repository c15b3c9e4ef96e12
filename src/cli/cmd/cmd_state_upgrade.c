/* cmd_state_upgrade.c — `state upgrade`: gives the stacks of an old store a project each. */
#include "base/program.h"
#include "base/settings.h"
#include "cli/open.h"
#include "cli/screen/prompt.h"

#include <stdio.h>

struct upgrade_args {
    bool yes;
};

static const struct option options[] = {
    FLAG(struct upgrade_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

static struct error *cmd_state_upgrade_run(struct cli *cli, const void *args_)
{
    const struct upgrade_args *args = args_;
    struct layout_upgrade upgrade;

    /* All stacks change, and there is no way back: without a terminal, too, somebody has to say so.
     */
    if (!args->yes && !settings_bool("PULUMI_SKIP_CONFIRMATIONS")
        && !prompt_typed(cli,
                         "This will move the stacks of this backend to the present layout, which "
                         "older versions cannot read.",
                         STR("yes"))) {
        puts("Upgrade cancelled");
        return NULL;
    }
    TRY(backend_upgrade(cli->backend, cli->arena, &upgrade));
    for (size_t i = 0; i < upgrade.skipped_count; i++)
        cli_report(cli, "warning",
                   arena_printf(cli->arena, "Skipping stack \"" STR_FMT "\": " STR_FMT,
                                STR_ARG(upgrade.skipped[i].key),
                                STR_ARG(upgrade.skipped[i].value)));
    fprintf(stderr, "Upgraded %zu stack(s) to project mode\n", upgrade.upgraded);
    if (upgrade.failed_count)
        return error_new(
            ERROR_OTHER,
            "%zu stack(s) could not be upgraded; run `%s state upgrade` again when the "
            "cause is gone",
            upgrade.failed_count, program_name());
    return NULL;
}

const struct command cmd_state_upgrade = {
    .path = "state upgrade",
    .summary = "Move the stacks of this backend to the present layout",
    .example = "state upgrade --yes",
    .needs = NEEDS_BACKEND | TAKES_OLD_LAYOUT,
    .args_size = sizeof(struct upgrade_args),
    .options = OPTIONS(options),
    .run = cmd_state_upgrade_run,
};
