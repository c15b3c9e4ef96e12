/* update_plan.h — update plans: what a preview saw, written down, and an update that may do nothing
 * else. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "engine/plan/stepgen.h"

/* How properties change against the old ones. */
struct property_changes {
    struct value adds;
    struct value updates;
    struct strs deletes;
};

/* What is expected of one resource. */
struct resource_plan {
    bool has_goal;    /* false: it is only to be deleted */
    struct goal goal; /* inputs are in `inputs` */
    struct property_changes inputs;
    struct property_changes outputs_diff;
    struct {
        VEC(enum step_op);
    } ops;
    size_t seen; /* of the ops */
    bool has_outputs;
    struct value outputs;
    str seed;
};

struct update_plan {
    struct arena *arena;
    struct map resources; /* URN → struct resource_plan * */
};

struct update_plan *update_plan_new(struct arena *arena);
void update_plan_release(struct update_plan *plan);
struct property_changes property_changes_between(struct arena *arena, struct value old,
                                                 struct value new);

/* --- the file --- */
fallible update_plan_parse(struct arena *arena, str text, struct crypter *crypter,
                           struct update_plan **out);
/* Seals secrets; `config` is JSON, may be empty. Blocks. */
fallible update_plan_write(struct update_plan *plan, str config, struct crypter *crypter,
                           struct arena *arena, str *out);

/* --- while planning; each does nothing where no plan is made or held to --- */
/* The seed of the plan, so that what is random comes out the same. Empty: none. */
str update_plan_seed(const struct stepgen *gen, str urn);
/* After Check: notes the goal, and refuses one that the plan does not allow. */
fallible update_plan_check_goal(struct stepgen *gen, struct registration *reg, bool starts_over);
fallible update_plan_check_step(struct stepgen *gen, const struct step *step);
fallible update_plan_check_outputs(struct stepgen *gen, str urn, struct value old,
                                   struct value new);
/* What a step of the preview left belongs into the plan that is being made. */
void update_plan_note_state(struct stepgen *gen, const struct resource *state);
/* At the end: refuses if operations that were expected did not come. */
fallible update_plan_check_complete(struct stepgen *gen);
