/* urn_edit.h — changes URNs wherever a resource holds them: its own, its links, references inside
 * its properties. */
#pragma once

#include "model/snapshot.h"

/* What a URN becomes; the same where it stays. */
typedef str urn_mapping(void *context, str urn);

/* The resource itself if nothing changes, else a copy. Secrets must be open to be looked into. With
 * `drops_empty`, properties that depend on nothing are no longer listed. */
struct resource *urn_edit_resource(struct arena *arena, struct resource *resource, urn_mapping *map,
                                   void *context, bool drops_empty);

/* All resources and pending operations. */
void urn_edit_snapshot(struct arena *arena, struct snapshot *snapshot, urn_mapping *map,
                       void *context);

/* The URN in another stack; the root stack's name follows. */
str urn_edit_stack(struct arena *arena, str urn, str project, str stack);
