/* plugin_open.h — plugins for commands that are no operation: where they are, and a host to run
 * them. */
#pragma once

#include "cli/cli.h"

#include "plugin/plugin.h"

/* Where our own executable is: plugins that come with us lie beside it. */
str cli_executable_directory(struct arena *arena);

struct plugin_folders {
    struct plugin_folder *items;
    size_t len;
};
/* The folders that the project file names in `plugins:` and `packages:`, with what the plugins
 * there name in turn. Blocks. */
fallible cli_plugin_folders(struct cli *cli, struct plugin_folders *out);

/* A host for plugins that run in `directory`, of the project if one is open. Close it with
 * plugin_host_close. */
fallible cli_open_plugins(struct cli *cli, str directory, struct plugin_host **out);
