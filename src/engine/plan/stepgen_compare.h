/* stepgen_compare.h — how a registration is compared with what there is: read first if asked
 * (stepgen_refresh.c), then what differs (stepgen_diff.c). */
#pragma once

#include "base/error.h"

struct chain;
struct registration;
struct resource;
struct stepgen;

/* With --refresh --run-program a resource is read before it is compared, so that the program sees
 * what is there. */
bool stepgen_is_read_first(struct stepgen *gen, const struct registration *reg);
/* Adds the step that reads it. Blocks. */
fallible stepgen_read_first(struct stepgen *gen, struct registration *reg, struct chain *chain);
/* In a refresh, references by which something that stays as it was would need itself are those of
 * before. */
void stepgen_keep_from_circle(struct stepgen *gen, struct registration *reg);

fallible stepgen_diff(struct stepgen *gen, struct registration *reg, bool *is_deferred);
/* The goal has another provider, which cannot go on with what the old one has made. Blocks. */
fallible stepgen_moves(struct stepgen *gen, struct registration *reg, bool *out);

/* A pending replacement, of which nothing is left, whose provider is not in the state any more
 * (stepgen_provider.c). */
bool stepgen_needs_no_provider(const struct stepgen *gen, const struct resource *resource);
/* It names an instance of its provider that was replaced, and comes behind all that is recorded. */
bool stepgen_has_replaced_provider(const struct stepgen *gen, const struct resource *resource);
