/* policy_pack.h — policy packs that an organisation requires: fetched and made ready once, kept
 * below the home directory where the reference keeps them. */
#pragma once

#include "plugin/install.h"

struct policy_pack {
    str organization;
    str name;
    str version;  /* as its publisher calls it: any text */
    str location; /* of its tar.gz. Whoever has this URL may read it: its query is never shown */
};

/* "NAME@vVERSION" */
str policy_pack_text(struct arena *arena, const struct policy_pack *pack);
/* policies/ORGANIZATION/pulumi-analyzer-NAME-vVERSION; ERROR_INVALID if it has a name that no
 * folder can have. */
fallible policy_pack_folder(struct arena *arena, str home, const struct policy_pack *pack,
                            str *out);

/* Nothing is done for one that is there. On failure nothing of it is left, and what its package
 * manager printed is in the message. An interrupt of the host ends it. Blocks. */
fallible policy_pack_install(struct plugin_host *host, const struct policy_pack *pack,
                             const struct install_listener *listener);
