/* template_fetch.h — templates that are somewhere else: repositories, zip files, and the cache that
 * is a clone of a repository. */
#pragma once

#include "cli/new/template_source.h"

/* Into a temporary folder, which belongs to the finding. Blocks. */
fallible template_fetch(struct cli *cli, enum template_kind kind, struct template_address *address,
                        struct template_finding *out);

/* The user's own templates: PULUMI_TEMPLATE_PATH or templates/ of the home, and so for the other
 * kinds. */
fallible template_cache_folder(struct cli *cli, enum template_kind kind, str *out);
/* The environment names the repository that it is a clone of. */
bool template_cache_is_wanted(enum template_kind kind);
/* Clones the repository of templates, or brings the clone up to date. A folder that is no clone is
 * left as it is. Blocks. */
fallible template_cache_update(struct cli *cli, enum template_kind kind);
