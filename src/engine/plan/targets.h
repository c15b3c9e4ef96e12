/* targets.h — --target, --exclude, --replace: which resources take part in a run
 * (stepgen_target.c). */
#pragma once

#include "base/error.h"
#include "base/map.h"
#include "model/resource.h"

struct arena;
struct chain;
struct registration;
struct step;
struct stepgen;

/* URNs and globs given by the user, and what was added to them on the way. */
struct target_set {
    bool is_given;
    struct map urns;      /* as a set: without wildcards, and those that were added */
    struct strs patterns; /* with wildcards */
};
/* What is given lasts as long as the set. */
void target_set_init(struct target_set *set, struct arena *arena, struct strs given);
void target_set_release(struct target_set *set);
bool target_set_is_given(const struct target_set *set);
/* Everything is contained in a set that was not given. */
bool target_set_contains(const struct target_set *set, str urn);
void target_set_add(struct target_set *set, str urn);

/* A same step for something of the state that is needed and nobody registered; it precedes the next
 * chain. */
fallible stepgen_queue_same(struct stepgen *gen, const struct registration *reg, str urn);
bool stepgen_is_included(const struct stepgen *gen, const struct resource *resource);
bool stepgen_is_targeted(const struct stepgen *gen, const struct resource *resource);
bool stepgen_is_excluded(const struct stepgen *gen, const struct resource *resource);
bool stepgen_is_targeted_replace(const struct stepgen *gen, str urn, const struct resource *old);
bool stepgen_has_step(const struct stepgen *gen, str urn);
bool stepgen_is_operated_on(const struct stepgen *gen, str urn);
bool stepgen_depends_on_skipped(const struct stepgen *gen, const struct resource *resource,
                                str *which);
fallible stepgen_untargeted_same(struct stepgen *gen, struct registration *reg,
                                 struct chain *chain);
/* --- recorded for a dependent before it is registered (stepgen_kept.c) --- */
/* `chain` records the state of `step`, because `dependent` needs it. */
void stepgen_note_kept(struct stepgen *gen, struct step *step, struct chain *chain,
                       const struct resource *dependent);
/* Is it only known for a dependent's sake so far? The registration takes it over. */
bool stepgen_take_kept(struct stepgen *gen, struct registration *reg, str urn);
/* The state of a registration is known: nobody else records it from here on. */
void stepgen_enter(struct stepgen *gen, struct registration *reg);
/* It is kept itself, or what its old state refers to is, and not recorded yet: sets reg->awaited.
 */
bool stepgen_waits_for_kept(struct stepgen *gen, struct registration *reg);
/* It was recorded for a dependent, as it is. */
bool stepgen_is_kept(const struct stepgen *gen, const struct registration *reg);
/* Refuses what would have to be changed behind a dependent that was recorded. */
fallible stepgen_check_kept(struct stepgen *gen, struct registration *reg, bool changes);
/* False: it was not recorded after all. */
bool stepgen_answer_kept(struct stepgen *gen, struct registration *reg);

fallible stepgen_queue_dependency_sames(struct stepgen *gen, const struct registration *reg);
/* Steps that need something which this run does not create are refused. */
fallible stepgen_check_skipped(struct stepgen *gen, const struct chain *chain);
/* Last check of a chain: queued sames go first, targets that need a skipped create are refused. */
fallible stepgen_validate(struct stepgen *gen, struct chain *chain);
/* The same for a read, which is made whether it is a target or not: recorded without what it
 * depends on, it would leave a state that is not whole. */
fallible stepgen_validate_read(struct stepgen *gen, const struct chain *chain);
/* Literal URNs that exist neither in the state nor in the program. */
fallible stepgen_check_targets(struct stepgen *gen, struct strs given);
