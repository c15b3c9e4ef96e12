/* stepgen_references.c — what a registration may refer to: only what comes before it in the state.
 *
 * In a snapshot everything comes after what it refers to; one that breaks this rule cannot be used
 * again. The state has the order in which registrations were completed, so a registration can refer
 * only to those that were answered already. SDKs wait for that; a program that makes up the URN of
 * a resource, or a hook of that resource, does not. */
#include "engine/plan/stepgen_references.h"

#include "engine/estate/estate.h"
#include "engine/plan/stepgen.h"
#include "engine/plan/targets.h"
#include "model/urn.h"

/* Its state is in the new snapshot, or it has none there. */
static bool is_settled(const struct stepgen *gen, str urn)
{
    return fates_have(gen->fates, urn, FATE_ANSWERED) || map_has(&gen->kept, urn)
           || map_has(&gen->estate->reads, urn);
}

fallible stepgen_check_parent(const struct stepgen *gen, str parent)
{
    if (parent.len == 0 || is_settled(gen, parent))
        return NULL;
    if (fates_have(gen->fates, parent, FATE_NAMED))
        return error_new(ERROR_OTHER,
                         "the registration of parent resource " STR_FMT " is not complete",
                         STR_ARG(parent));
    return error_new(ERROR_OTHER, "could not find parent resource " STR_FMT, STR_ARG(parent));
}

/* What is imported, read, taken over, created again or about to be destroyed is recorded alone,
 * also if it is not a target: test_plan_target.c: an_import_does_not_come_before_what_it_names,
 * what_is_read_does_not_come_before_what_it_names,
 * what_is_destroyed_does_not_come_before_what_it_names,
 * what_is_taken_over_does_not_come_before_what_it_names. */
static bool comes_alone(const struct stepgen *gen, const struct registration *reg)
{
    return reg->is_read || stepgen_wants_import(reg)
           || (reg->old && (reg->old->is_external || stepgen_is_condemned(gen, reg->old)))
           || (gen->mode == MODE_DESTROY && reg->goal.is_custom
               && !type_is_provider(reg->goal.type));
}

/* Maybe under another name: test_plan_target.c:
 * what_is_being_renamed_does_not_come_after_those_who_name_it. */
static bool is_being_registered(const struct stepgen *gen, str urn)
{
    str current = stepgen_current_urn(gen, urn);

    return fates_have(gen->fates, current, FATE_NAMED)
           && !fates_have(gen->fates, current, FATE_ANSWERED);
}

/* One that stays as it is, or that others are recorded for, brings along what it refers to in the
 * old state; but not what this run has deleted, which is recorded when it is created again:
 * test_plan_target.c: what_was_deleted_first_does_not_come_before_those_who_name_it. */
static bool brings_along(const struct stepgen *gen, const struct registration *reg, str urn)
{
    struct resource *old = estate_old(gen->estate, urn);

    return old && !stepgen_is_condemned(gen, old) && !is_being_registered(gen, urn)
           && !comes_alone(gen, reg)
           && (target_set_is_given(&gen->targets)
               || (reg->old && !stepgen_is_included(gen, reg->new)));
}

static const char *objection(const struct stepgen *gen, str urn)
{
    if (is_being_registered(gen, urn))
        return "the registration of which is not complete";
    if (estate_had(gen->estate, urn))
        return "which the program has not registered before it";
    return "which the program has not registered and the stack does not have";
}

static fallible check_reference(const struct stepgen *gen, const struct registration *reg, str urn)
{
    if (str_equal(urn, reg->urn))
        return error_new(ERROR_OTHER, "resource " STR_FMT " depends on itself", STR_ARG(urn));
    if (urn.len == 0 || is_settled(gen, urn) || brings_along(gen, reg, urn))
        return NULL;
    return error_new(ERROR_OTHER, "resource " STR_FMT " depends on " STR_FMT ", %s",
                     STR_ARG(reg->urn), STR_ARG(urn), objection(gen, urn));
}

/* test_plan_create.c: a_dependency_that_is_nowhere_is_refused. */
fallible stepgen_check_references(const struct stepgen *gen, const struct registration *reg)
{
    const struct resource *state = reg->new;

    for (size_t i = 0; i < state->dependencies.len; i++)
        TRY(check_reference(gen, reg, state->dependencies.items[i]));
    for (size_t i = 0; i < state->property_dependencies.len; i++) {
        struct strs urns = state->property_dependencies.items[i].urns;
        for (size_t j = 0; j < urns.len; j++)
            TRY(check_reference(gen, reg, urns.items[j]));
    }
    for (size_t i = 0; i < state->options.replace_with.len; i++)
        TRY(check_reference(gen, reg, state->options.replace_with.items[i]));
    return check_reference(gen, reg, state->options.deleted_with);
}
