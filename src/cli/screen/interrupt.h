/* interrupt.h — ^C in commands that are no operation but start processes or write files. */
#pragma once

#include "cli/cli.h"

/* Runs `work` so that SIGINT, SIGTERM and SIGHUP cancel what it waits for; when it has cleaned up,
 * the signal ends us as if it had come now. Blocks. */
fallible cli_interruptible(struct cli *cli, const void *args,
                           fallible (*work)(struct cli *cli, const void *args));
