/* stepgen_alias.c — finds the state a registration continues: under its URN, else under one of its
 * other names. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "model/urn.h"
#include "model/value_describe.h"

str stepgen_current_urn(const struct stepgen *gen, str urn)
{
    const str *current = map_find(&gen->aliased, urn);
    return current ? *current : urn;
}

/* The URN that a resource of this run had in the state, if it was found under an alias. */
static const str *former_urn(const struct stepgen *gen, str urn)
{
    return map_find(&gen->aliases, urn);
}

/* An alias that names a parent means the URN which that parent had in the state. The stack itself
 * is not part of the URNs of its children. Scenario alias/alias-parent. */
static str stepgen_alias_parent(const struct stepgen *gen, const struct registration *reg,
                                const struct alias *alias)
{
    str parent = reg->goal.parent;

    if (alias->parent.len) {
        const str *former = former_urn(gen, alias->parent);
        parent = former ? *former : alias->parent;
    }
    bool is_root = parent.len && str_equal(urn_qualified_type_of(parent), ROOT_STACK_TYPE);
    return alias->has_no_parent || is_root ? STR("") : parent;
}

/* A whole URN, or the parts that the alias gives and, for the rest, those of the registration:
 * test_plan_alias.c: an_alias_by_name_keeps_type_and_parent_of_now. */
static str alias_urn(const struct stepgen *gen, struct arena *arena, const struct registration *reg,
                     const struct alias *alias)
{
    const struct engine_options *options = gen->options;

    if (alias->urn.len)
        return alias->urn;
    return urn_make(arena, alias->stack.len ? alias->stack : options->project->stack,
                    alias->project.len ? alias->project : options->project->name,
                    stepgen_alias_parent(gen, reg, alias),
                    alias->type.len ? alias->type : reg->goal.type,
                    alias->name.len ? alias->name : reg->goal.name);
}

/* The URN a child had under its parent's former name. If the child's name begins with the name of
 * its parent, that part is renamed too. Scenario alias/alias-inherited. */
static str inherited_urn(const struct stepgen *gen, struct arena *arena, str type, str name,
                         str parent, str former_parent)
{
    const struct engine_options *options = gen->options;
    str parent_name = urn_name_of(parent);

    if (str_starts_with(name, parent_name))
        name = arena_concat(arena, urn_name_of(former_parent),
                            str_slice(name, parent_name.len, name.len));
    return urn_make(arena, options->project->stack, options->project->name, former_parent, type,
                    name);
}

/* In the order in which they are tried, some of them twice: the URN itself, the aliases as listed,
 * then each of these below the former name of the parent. test_plan_alias.c:
 * the_first_alias_that_is_in_the_state_wins; scenario alias/alias-inherited. */
static void stepgen_collect_aliases(const struct stepgen *gen, struct arena *arena,
                                    const struct registration *reg, struct str_list *out)
{
    vec_add(out, reg->urn);
    for (size_t i = 0; i < reg->goal.alias_count; i++)
        vec_add(out, alias_urn(gen, arena, reg, &reg->goal.aliases[i]));

    const str *former_parent = reg->goal.parent.len ? former_urn(gen, reg->goal.parent) : NULL;
    if (!former_parent)
        return;
    vec_add(out, inherited_urn(gen, arena, reg->goal.type, reg->goal.name, reg->goal.parent,
                               *former_parent));
    for (size_t i = 0; i < reg->goal.alias_count; i++) {
        str child = alias_urn(gen, arena, reg, &reg->goal.aliases[i]);
        vec_add(out, inherited_urn(gen, arena, urn_type_of(child), urn_name_of(child),
                                   reg->goal.parent, *former_parent));
    }
}

static void report_conflict(struct stepgen *gen, struct registration *reg, str former, str other)
{
    reg->is_invalid = true;
    report_diagnose(gen->report, SEVERITY_ERROR, reg->urn,
                    "Duplicate resource alias '" STR_FMT "' applied to resource with URN '" STR_FMT
                    "' conflicting with resource with URN '" STR_FMT "'",
                    STR_ARG(former), STR_ARG(reg->urn), STR_ARG(other));
}

static void claim_alias(struct stepgen *gen, struct registration *reg, struct resource *old)
{
    struct arena *arena = gen->arena;
    const str *claimed = map_find(&gen->aliased, old->urn);

    /* An alias of something this run has registered is refused (scenario alias/alias-existing),
     * unless it was only kept for the sake of a dependent
     * (target/target-registered-after-dependent). */
    if (fates_have(gen->fates, old->urn, FATE_NAMED) && !stepgen_take_kept(gen, reg, old->urn))
        report_conflict(gen, reg, old->urn, reg->urn);
    if (claimed)
        report_conflict(gen, reg, old->urn, *claimed);
    map_put(&gen->aliased, old->urn, arena_copy_bytes(arena, &reg->urn, sizeof(str)));
    map_put(&gen->aliases, reg->urn, arena_copy_bytes(arena, &old->urn, sizeof(str)));
    registry_add_alias(gen->registry, reg->urn, old->urn);
}

fallible stepgen_find_old(struct stepgen *gen, struct registration *reg)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(str_list_release) struct str_list candidates = { 0 };
    const str *claimed = map_find(&gen->aliased, reg->urn);

    if (claimed) {
        reg->is_invalid = true;
        report_diagnose(gen->report, SEVERITY_ERROR, reg->urn,
                        "Duplicate resource URN '" STR_FMT
                        "' conflicting with alias on resource with URN '" STR_FMT "'",
                        STR_ARG(reg->urn), STR_ARG(*claimed));
    }
    stepgen_collect_aliases(gen, &scratch, reg, &candidates);
    for (size_t i = 0; i < candidates.len; i++) {
        struct resource *old = estate_old(gen->estate, candidates.items[i]);
        if (!old)
            continue;
        reg->old = old;
        if (!str_equal(candidates.items[i], reg->urn)) {
            log_info("plan", "take over " STR_FMT ": " STR_FMT " has it as an alias",
                     STR_ARG(old->urn), STR_ARG(reg->urn));
            claim_alias(gen, reg, old);
        }
        break;
    }
    if (reg->old)
        stepgen_enter(gen, reg);
    return NULL;
}
