/* plugin_json.h — how a package of a language says which plugin it belongs to. */
#pragma once

#include "base/json.h"
#include "common/language_ops.h"

struct plugin_parameters {
    bool is_given;
    str name;
    str version;
    str value; /* decoded */
};

/* pulumi-plugin.json, or "pulumi" in a package.json. */
struct plugin_json {
    bool is_resource;
    bool says_no; /* "resource": false is written */
    str name;
    str version;
    str server;
    struct plugin_parameters parameterization;
    struct plugin_parameters extension;
};

/* Reads one object; unknown members are skipped. The text lives as long as the reader's arena. */
fallible plugin_json_read(struct json_reader *reader, struct plugin_json *out);
fallible plugin_json_load(struct arena *arena, str path, struct plugin_json *out);

/* Adds a resource plugin, with a "v" before its version. */
void packages_add(struct packages *list, struct arena *arena, const struct plugin_json *plugin);
