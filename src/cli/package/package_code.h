/* package_code.h — what a language needs of the packages that a project file names: code, or a
 * declaration, in sdks/. */
#pragma once

#include "cli/cli.h"

#include "plugin/plugin.h"

/* Has the language host make it from the schema of each package, whose plugin is installed, and
 * make it known to the program. On failure everything is as it was. A host that makes none is fine,
 * but what has to come with the project then is missed with a warning. Blocks. */
fallible package_code_generate(struct cli *cli, struct plugin_host *host);
