/* package_schema.h — schemas of packages, by the plugin that has them, by ourselves, or from a
 * file. */
#pragma once

#include "cli/cli.h"

#include "plugin/plugin.h"

/* Of a package that is installed, or built in where no plugin is there. Blocks. */
fallible package_schema_load(struct cli *cli, struct plugin_host *host,
                             const struct package_ref *package, struct arena *arena, str *out);

/* For the help of commands that take one. */
#define PACKAGE_SOURCE_HELP                                                                   \
    "SOURCE is a plugin as NAME or NAME@VERSION, the place of one, a git repository as "      \
    "HOST/OWNER/REPOSITORY[.git/FOLDER][@VERSION], or a file with a schema in JSON or YAML. " \
    "What follows it are parameters for the plugin; put -- before those that begin with dashes."

/* What a user names: NAME[@VERSION], the executable of a plugin or its folder, a git repository, or
 * a file with a schema in JSON or YAML. */
struct package_source {
    str file; /* not empty: of a schema */
    struct package_ref package;
    struct plugin_folder folder; /* where it is, if it was named by its place */
    bool is_folder;              /* its place is a folder, not an executable */
    str address;                 /* of a git repository, as it was written, without the version */
};
fallible package_source_parse(struct cli *cli, str text, struct package_source *out);

/* A host that finds it, also at its place. Close it with plugin_host_close. */
fallible package_source_open(struct cli *cli, const struct package_source *source,
                             struct plugin_host **out);

/* Its schema; `words` are the parameters that follow on the line. Blocks. */
fallible package_source_schema(struct cli *cli, const struct package_source *source,
                               struct strs words, str *out);
