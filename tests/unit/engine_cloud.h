/* engine_cloud.h — what the made-up provider of a world has made, over several operations, and what
 * must not happen to it. */
#pragma once

#include "base/strbuf.h"
#include "base/vec.h"

struct world;

struct cloud_object {
    str id;
    bool exists;
    bool is_released; /* nobody has to know of it any more */
};

struct cloud {
    VEC(struct cloud_object);
    unsigned created;
    struct strbuf complaints;
};

void cloud_release(struct cloud *cloud);

/* --- what the provider does; without a cloud whatever is asked for exists --- */

/* The ID of what is about to be created. */
str cloud_new_id(struct world *world, str name);
/* It exists. If that is not certain nobody has to know of it. */
void cloud_add(struct world *world, str id, bool is_certain);
bool cloud_has(const struct world *world, str id);
/* Somebody else has deleted it. */
void cloud_lose(struct world *world, str id);
/* It may exist, and nobody has to know of it any more. */
void cloud_release_object(struct world *world, str id);
void cloud_update(struct world *world, str id);
void cloud_delete(struct world *world, str urn, str id);

/* --- after an operation --- */

/* The state has what exists and nothing else; what went wrong is in `complaints`. */
void cloud_check(struct world *world);
