/* stepgen_read.c — ReadResource: a resource that is looked up, not managed. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/plan/stepgen_references.h"
#include "engine/provider/registry.h"
#include "model/urn.h"
#include "model/value_describe.h"

static struct resource *external_state(struct stepgen *gen, const struct registration *reg)
{
    const struct goal *goal = &reg->goal;
    const struct resource asked = {
        .type = goal->type,
        .is_custom = true,
        .is_external = true,
        .id = reg->read_id,
        .inputs = goal->inputs,
        .outputs = VALUE_EMPTY_OBJECT,
        .parent = goal->parent,
        .provider = goal->provider,
        .dependencies = goal->dependencies,
        .options = goal->options,
    };
    struct resource *state = resource_copy_like(gen->arena, &asked, NULL);

    state->urn = reg->urn;
    return state;
}

fallible stepgen_read(struct stepgen *gen, struct registration *reg, enum plan_phase *phase,
                      struct chain **out)
{
    struct chain *chain = *out = chain_new(gen->arena);

    if (*phase == PLAN_START) {
        TRY(stepgen_name(gen, reg));
        TRY(stepgen_find_old(gen, reg));
        *phase = PLAN_FOUND;
    }
    if (stepgen_waits_for_delete(gen, reg) || stepgen_waits_for_kept(gen, reg))
        return NULL;
    *phase = PLAN_DONE;
    /* Its state goes on under another name: test_plan_alias.c:
     * what_goes_on_under_another_name_is_not_read_under_its_own. */
    if (reg->is_invalid)
        return error_reported("resource " STR_FMT " is invalid", STR_ARG(reg->urn));
    reg->new = external_state(gen, reg);
    TRY(stepgen_check_references(gen, reg));
    TRY(stepgen_check_kept(gen, reg, true));
    if (reg->read_id.len == 0)
        return error_new(ERROR_OTHER, "Expected an ID for " STR_FMT, STR_ARG(reg->urn));

    /* A destroy forgets what it was made to read, also if that took a name: test_plan_delete.c:
     * a_destroy_with_its_program_forgets_what_it_reads. */
    if (gen->mode == MODE_DESTROY)
        vec_add(&gen->to_delete, reg->new);
    if (reg->old && !reg->old->is_external && !str_equal(reg->old->id, reg->read_id)) {
        /* Another instance was managed under this name: it is deleted at the end (scenario
         * read/read-replacement). The same instance is only released (read/read-relinquish). */
        struct step *read =
            step_new(gen->arena, &step_read, OP_READ_REPLACEMENT, reg->old, reg->new, reg);
        PLAN_LOG("read, replacing", reg->urn, "another instance was managed under this name");
        read->is_replacing = true;
        read->marks_delete = true;
        fates_add(gen->fates, reg->urn, FATE_REPLACED);
        vec_add(chain, read);
        vec_add(chain, step_new(gen->arena, &step_replace, OP_REPLACE, reg->old, reg->new, NULL));
        return stepgen_validate_read(gen, chain);
    }
    PLAN_LOG("read", reg->urn, "the program asks for it by its ID");
    fates_add(gen->fates, reg->urn, FATE_READ);
    vec_add(chain, step_new(gen->arena, &step_read, OP_READ, reg->old, reg->new, reg));
    return stepgen_validate_read(gen, chain);
}
