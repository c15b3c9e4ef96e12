/* package_code.h — what a language needs of the packages that a project file names: code, or a
 * declaration, in sdks/. */
#pragma once

#include "cli/cli.h"

#include "plugin/plugin.h"

struct package_target;

/* Has the language host make it from the schema of each package, whose plugin is installed, and
 * make it known to the program. On failure everything is as it was. A host that makes none is fine,
 * but what has to come with the project then is missed with a warning. Blocks. */
fallible package_code_generate(struct cli *cli, struct plugin_host *host,
                               const struct package_target *target,
                               const struct project_package *packages, size_t count);
/* Of the project that is open. */
fallible package_code_of_project(struct cli *cli, struct plugin_host *host);
/* Of a plugin that is source code. */
fallible package_code_of_plugin(struct cli *cli, struct plugin_host *host, str folder);
