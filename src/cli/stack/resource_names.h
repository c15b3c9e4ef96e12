/* resource_names.h — short names for the resources of a stack, in place of URNs. */
#pragma once

#include "base/pairs.h"
#include "model/snapshot.h"

/* Name → URN, sorted by name. A name is that of the resource with the beginning of a hash of its
 * URN, so it stays while the resource does. The root and providers have none. */
struct pairs resource_names(struct arena *arena, const struct snapshot *snapshot);
