/* dependencies.h — what a program, a plugin or a policy pack is built on, and the plugins it needs.
 */
#pragma once

#include "cli/cli.h"

struct install_wishes {
    bool no_dependencies;
    bool no_plugins;
    bool reinstall;
    bool use_language_version_tools;
    int64_t parallel; /* plugins at a time; 0: all */
};

/* Of the project, which is opened if it is not. Package managers print as they go. Blocks. */
fallible dependencies_install_project(struct cli *cli, const struct install_wishes *wishes);
struct language;
struct program_info;
/* Of one program, or plugin, by the language that is loaded. Blocks. */
fallible dependencies_install_program(struct cli *cli, struct language *language,
                                      const struct program_info *program, bool is_plugin);
/* Of a folder with a PulumiPlugin.yaml (kind "resource") or PulumiPolicy.yaml ("analyzer").
 * Blocks. */
fallible dependencies_install_source(struct cli *cli, str kind, str folder,
                                     const struct install_wishes *wishes);
