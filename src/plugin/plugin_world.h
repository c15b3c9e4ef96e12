/* plugin_world.h — what all plugins of a command have around them: directories, variables,
 * flags. */
#pragma once

#include "base/strs.h"

/* A directory that holds a plugin for this project, from `plugins:` or `packages:` in the project
 * file. */
struct plugin_folder {
    str kind;
    str name;
    str version;
    str path;
};
struct plugin_folders {
    const struct plugin_folder *items;
    size_t len;
};

struct plugin_world {
    str home;                       /* PULUMI_HOME */
    str search_path;                /* PATH */
    str bundled_directory;          /* where our own executable is */
    const char *const *environment; /* of children; NULL-terminated */
    struct plugin_folders folders;
    struct strs flags;    /* given to every plugin: --logtostderr, -v=9, --tracing URL */
    struct strs debugged; /* program, plugins, plugin:NAME, all: what waits for a debugger */
    str debug_providers;  /* PULUMI_DEBUG_PROVIDERS */
    str debug_languages;
    str client_address;             /* --client: the language runtime is there */
    bool ignores_ambient;           /* PULUMI_IGNORE_AMBIENT_PLUGINS */
    bool disables_provider_preview; /* Create and Update are not sent in a preview */
};
