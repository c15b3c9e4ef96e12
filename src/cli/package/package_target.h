/* package_target.h — what packages are added to: a project, a plugin that is source code, or a
 * folder with neither. */
#pragma once

#include "cli/package/sdk_maker.h"

struct package_target {
    str root;     /* the folder */
    str manifest; /* of the project or plugin; empty: there is none */
    str runtime;
    struct value options;
    bool is_plugin;
};

/* The project or plugin that the working directory is in; with `language` the directory itself,
 * which must be in neither. A project is opened. Blocks. */
fallible package_target_find(struct cli *cli, str language, struct package_target *out);

/* "nodejs" of what people call it: typescript, javascript, node. */
str package_runtime(str language);

/* Where SDKs are. */
str package_target_sdks(struct arena *arena, const struct package_target *target);

/* Makes an SDK known to the program, and has the language install it; prints how to import it. On
 * failure the files of the program are as they were. A host that does not link is fine: then the
 * user is told. Blocks. */
fallible package_target_link(struct sdk_maker *maker, const struct package_target *target,
                             const struct package_sdk *sdks, size_t count, bool installs);

/* Writes the package into the manifest. Blocks. */
fallible package_target_record(struct cli *cli, const struct package_target *target,
                               const struct project_package *package);
