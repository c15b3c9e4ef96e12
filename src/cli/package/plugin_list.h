/* plugin_list.h — what the commands for plugins share: which ones a project needs, and installing
 * them. */
#pragma once

#include "cli/cli.h"

#include "plugin/install.h"
#include "plugin/language.h"

/* One that a project needs. */
struct needed_plugin {
    struct package_ref package; /* no version: any */
    bool is_built_in;           /* works without; one that is installed wins */
};
struct needed_plugins {
    struct needed_plugin *items;
    size_t len;
};

/* What the program's language host reports, without what is bundled or part of the project.
 * Blocks. */
fallible plugin_list_of_program(struct cli *cli, struct plugin_host *host,
                                struct needed_plugins *out);
/* What `packages:` of the project file names, without directories. */
fallible plugin_list_of_packages(struct cli *cli, struct needed_plugins *out);
/* One more of those, unless it is a directory or built in; `list` has room. */
fallible plugin_list_add_package(struct cli *cli, struct needed_plugins *list, str source,
                                 str version, str url);
/* Where the program of the project is. */
fallible plugin_list_program(struct cli *cli, struct program_info *out);

/* Installs what is missing of them (or all again), `parallel` at a time; 0: all at once. Blocks. */
fallible plugin_list_install(struct cli *cli, struct plugin_host *host,
                             const struct needed_plugins *plugins, bool reinstalls,
                             int64_t parallel);

/* With the settings that every installation needs. */
fallible plugin_list_request(struct cli *cli, struct install_request *out);
/* Any version will do if none is named; a named one must be there exactly. */
fallible plugin_list_has(struct cli *cli, const struct install_request *request, bool *out);
/* Installs one, saying so on standard error; without a version, the newest. Blocks. */
fallible plugin_list_install_one(struct cli *cli, struct install_request *request);

/* "1.2 MB" */
str plugin_list_size(struct arena *arena, uint64_t bytes);
