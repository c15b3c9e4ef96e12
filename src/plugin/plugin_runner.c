/* plugin_runner.c — plugins that are source code: a language host runs them for us. */
#include "plugin/plugin_process.h"

bool plugin_needs_runner(str path)
{
    (void)path;
    return false;
}

fallible plugin_run(struct plugin *plugin, const struct plugin_launch *launch)
{
    (void)launch;
    return error_new(ERROR_OTHER, "failed to load plugin " STR_FMT ": plugin not found", STR_ARG(plugin->path));
}

void plugin_stop_runner(struct plugin *plugin)
{
    (void)plugin;
}

bool plugin_runner_has_ended(const struct plugin *plugin, str *how)
{
    (void)plugin;
    (void)how;
    return false;
}
