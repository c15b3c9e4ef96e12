/* browser.h — pages in the user's browser. */
#pragma once

#include "cli/cli.h"

/* False where there is no browser to show it. Blocks. */
bool browser_show(struct cli *cli, str page);
