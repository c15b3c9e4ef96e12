/* plugin_open.h — plugins for commands that are no operation: where they are, and a host to run
 * them. */
#pragma once

#include "cli/cli.h"

#include "plugin/plugin.h"

/* Where our own executable is, and the plugins that come with it. */
str cli_bundled_directory(struct arena *arena);

/* The directories that the project file names in `plugins:` and `packages:`, with what the plugins
 * there name in turn: a directory comes behind what it needs. Refuses those that need each other.
 * Blocks. */
fallible cli_plugin_folders(struct cli *cli, struct plugin_folders *out);
/* The same for a folder with a PulumiPlugin.yaml (kind "resource") or PulumiPolicy.yaml
 * ("analyzer"), without itself. */
fallible cli_plugin_folders_of(struct cli *cli, str kind, str folder, struct plugin_folders *out);

/* What the environment and the project say of plugins; the directories are among it. Blocks. */
fallible cli_plugin_world(struct cli *cli, struct plugin_world *out);

/* A host for plugins that run in `directory`, of the project if one is open. Close it with
 * plugin_host_close. */
fallible cli_open_plugins(struct cli *cli, str directory, struct plugin_host **out);
/* The same, with a plugin that lies in a folder of its own. */
fallible cli_open_plugins_with(struct cli *cli, str directory, const struct plugin_folder *folder,
                               struct plugin_host **out);
/* The same for plugins that the command has started before: what they warn of was said then. */
fallible cli_open_plugins_again(struct cli *cli, str directory, struct plugin_host **out);
