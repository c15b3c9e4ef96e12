/* stepgen_read.c — ReadResource: a resource that is looked up, not managed. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "engine/step/resource_diff.h"
#include "model/resource_links.h"
#include "model/resource_own.h"
#include "model/urn.h"
#include "model/value_describe.h"

static struct resource *external_state(struct stepgen *gen, const struct registration *reg)
{
    const struct goal *goal = &reg->goal;
    struct resource *state = ARENA_NEW(gen->arena, struct resource);

    state->urn = reg->urn;
    state->type = goal->type;
    state->is_custom = true;
    state->is_external = true;
    state->id = reg->read_id;
    state->inputs = goal->inputs;
    state->outputs = VALUE_EMPTY_OBJECT;
    state->parent = goal->parent;
    state->provider = goal->provider;
    state->dependencies = goal->dependencies;
    state->options.additional_secret_outputs = goal->options.additional_secret_outputs;
    state->options.source_position = goal->options.source_position;
    state->options.stack_trace = goal->options.stack_trace;
    resource_own(gen->arena, state);
    state->inputs = value_copy(gen->arena, state->inputs);
    return state;
}

struct error *stepgen_read(struct stepgen *gen, struct registration *reg, enum plan_phase *phase,
                           struct chain **out)
{
    struct chain *chain = *out = chain_new(gen->arena);

    if (*phase == PLAN_START) {
        TRY(stepgen_name(gen, reg));
        TRY(stepgen_find_old(gen, reg));
        *phase = PLAN_FOUND;
    }
    if (stepgen_waits_for_delete(gen, reg) || stepgen_waits_for_kept(reg))
        return NULL;
    *phase = PLAN_DONE;
    reg->new = external_state(gen, reg);
    TRY(stepgen_check_kept(gen, reg, true));
    if (reg->read_id.len == 0)
        return error_new(ERROR_OTHER, "Expected an ID for " STR_FMT, STR_ARG(reg->urn));

    if (reg->old && !reg->old->is_external && !str_equal(reg->old->id, reg->read_id)) {
        /* Another instance was managed under this name: it goes at the end. */
        struct step *read =
            step_new(gen->arena, &step_read, OP_READ_REPLACEMENT, reg->old, reg->new, reg);
        read->is_replacing = true;
        read->marks_delete = true;
        fates_add(gen->fates, reg->urn, FATE_REPLACED);
        vec_add(chain, read);
        vec_add(chain, step_new(gen->arena, &step_replace, OP_REPLACE, reg->old, reg->new, NULL));
        return NULL;
    }
    if (gen->mode == MODE_DESTROY)
        vec_add(&gen->to_delete, reg->new);
    fates_add(gen->fates, reg->urn, FATE_READ);
    vec_add(chain, step_new(gen->arena, &step_read, OP_READ, reg->old, reg->new, reg));
    return NULL;
}
