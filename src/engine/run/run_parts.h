/* run_parts.h — what the phases of an operation share (run.c). */
#pragma once

#include "base/error.h"

struct arena;
struct deployment;
struct engine_options;
struct source;

/* precheck.c: refused before anything is begun. */
fallible precheck(struct deployment *deployment);
/* --exclude-protected: what must stay is excluded; true if that is everything. */
bool precheck_leaves_nothing(struct engine_options *options, struct arena *arena);

/* preinstall.c: plugins that the state and the program (once its packages are known) need and that
 * are not there. What fails is reported when it is loaded. Blocks. */
void preinstall_plugins(struct deployment *deployment);
/* Policy packs that are required: without them nothing begins. Blocks. */
fallible preinstall_packs(struct deployment *deployment);

/* older_packages.c: warns that a refresh or destroy uses older ones than the program. Blocks. */
void older_packages_warn(struct deployment *deployment);

/* phases.c: refresh, then what `source` registers, then what it did not mention. Needs no services
 * and no plugins of its own: a test may give its own source and providers. Blocks. */
fallible phases_run(struct deployment *deployment, const struct source *source);

/* import.c: `import` without a program. Blocks. */
fallible import_resources(struct deployment *deployment);
