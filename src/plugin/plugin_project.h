/* plugin_project.h — PulumiPlugin.yaml: what a plugin that is source code says about itself. */
#pragma once

#include "base/strs.h"
#include "model/value.h"

/* A package that the plugin itself is built on. */
struct plugin_package {
    str name;
    str source; /* a directory, a name, or the address of a repository */
    str version;
    str download_url;
    struct strs parameters;
    bool is_extension; /* the parameters extend the plugin's package instead of replacing it */
};

struct plugin_project {
    str runtime;
    str version;          /* empty: it does not say */
    struct value options; /* VALUE_OBJECT */
    struct plugin_package *packages;
    size_t package_count;
};

bool plugin_project_exists(struct arena *arena, str folder);
/* PulumiPolicy.yaml for an analyzer. ERROR_NOT_FOUND if there is none. Blocks the thread. */
fallible plugin_project_load(struct arena *arena, str kind, str folder, struct plugin_project *out);

/* "./here", "../there", "/anywhere" */
bool plugin_source_is_folder(str source);
