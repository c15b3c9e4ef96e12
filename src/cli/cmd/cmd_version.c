/* cmd_version.c — `version`: the version that SDKs gate their features on. */
#include "cli/cli.h"

#include "base/version.h"

#include <stdio.h>

static struct error *cmd_version_run(struct cli *cli, const void *args)
{
    (void)cli;
    (void)args;
    puts(PULUMI_VERSION);
    return NULL;
}

const struct command cmd_version = {
    .path = "version",
    .summary = "Show the version",
    .example = "version",
    .run = cmd_version_run,
};
