/* stepgen_meet.h — registrations that meet a chain which deletes before it replaces
 * (stepgen_meet.c). */
#pragma once

#include "base/error.h"
#include "base/vec.h"
#include "model/resource.h"

struct chain;
struct registration;
struct stepgen;

/* `chain` is going to delete this state. */
void stepgen_condemn(struct stepgen *gen, struct resource *resource, struct chain *chain);
bool stepgen_is_condemned(const struct stepgen *gen, struct resource *resource);
/* A chain has failed before it came to this one: it stays. */
void stepgen_reprieve(struct stepgen *gen, struct resource *resource);
/* The old state is about to be deleted for another's sake: sets reg->awaited. */
bool stepgen_waits_for_delete(struct stepgen *gen, struct registration *reg);
/* It should have been deleted by now, but could not be. */
bool stepgen_was_not_deleted(const struct stepgen *gen, const struct registration *reg);
/* It was deleted in this run for another's sake, under this name or a former one. */
bool stepgen_was_deleted(const struct stepgen *gen, const struct registration *reg);
/* What depends on the old state is not out of the way yet: sets reg->awaited. */
bool stepgen_waits_for_dependents(struct stepgen *gen, struct registration *reg);
/* Reading the old state begins and has ended. */
void stepgen_unsettle(struct stepgen *gen, struct registration *reg);
void stepgen_settle(struct registration *reg);

/* --- what has to be deleted first (stepgen_replace.c) --- */

struct dependent {
    struct resource *resource;
    struct strs keys;
};
struct dependents {
    VEC(struct dependent);
};
/* `reg` replaces the root, or is NULL: nothing is being replaced. Blocks. */
fallible stepgen_dependent_replacements(struct stepgen *gen, struct resource *root,
                                        struct registration *reg, struct dependents *out);
void stepgen_cascade_replacements(struct stepgen *gen, str urn, struct dependents *out);
