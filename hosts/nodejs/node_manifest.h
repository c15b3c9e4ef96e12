/* node_manifest.h — changes of package.json that leave everything else in it as it is. */
#pragma once

#include "base/error.h"

/* Sets `key` of the object that is the member `member`, which is made if it is not there. The value
 * is JSON. In an object whose keys are sorted, as that of dependencies, they stay so. */
fallible node_manifest_set(struct arena *arena, str manifest, str member, str key, str value,
                           str *out);
/* Adds a text to the list that is the member `member`, unless it has it. */
fallible node_manifest_add(struct arena *arena, str manifest, str member, str text, str *out);
