/* stepgen_target.c — --target, --exclude, --replace: which resources take part in this run, and
 * what becomes of the others. */
#include "engine/plan/reference_walk.h"
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "model/resource_links.h"
#include "model/urn.h"
#include "model/value_describe.h"
#include "engine/plan/update_plan.h"

/* --- patterns: `*` stays within one part of a URN, `**` crosses "::" (scenario
 * target/target-wildcards) --- */

/* The places in the text that the pattern may have come to are marked in `reached`, one more than
 * there are characters. Each part of the pattern moves all of them at once, so that it takes as
 * long as both texts multiplied, whatever the pattern. */
static void reach_by_star(bool *reached, str text, bool crosses)
{
    for (size_t i = 0; i < text.len; i++)
        if (reached[i] && (crosses || text.ptr[i] != ':'))
            reached[i + 1] = true;
}

static bool reach_by_char(bool *reached, str text, char c)
{
    bool is_alive = false;

    for (size_t i = text.len; i > 0; i--) {
        reached[i] = reached[i - 1] && text.ptr[i - 1] == c;
        is_alive = is_alive || reached[i];
    }
    reached[0] = false;
    return is_alive;
}

static bool glob_reaches_end(str pattern, str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool *reached = ARENA_ARRAY(&scratch, bool, text.len + 1);

    reached[0] = true;
    while (pattern.len) {
        bool is_star = pattern.ptr[0] == '*';
        bool crosses = is_star && pattern.len > 1 && pattern.ptr[1] == '*';
        if (is_star)
            reach_by_star(reached, text, crosses);
        else if (!reach_by_char(reached, text, pattern.ptr[0]))
            return false;
        pattern = str_slice(pattern, crosses ? 2 : 1, pattern.len);
    }
    return reached[text.len];
}

/* Most URNs differ before the first star. */
static bool glob_matches(str pattern, str text)
{
    size_t head = str_find_char(pattern, '*');

    if (head == SIZE_MAX || !str_starts_with(text, str_slice(pattern, 0, head)))
        return str_equal(pattern, text);
    return glob_reaches_end(str_slice(pattern, head, pattern.len), str_slice(text, head, text.len));
}

static bool is_pattern(str given)
{
    return str_find_char(given, '*') != SIZE_MAX;
}

void target_set_init(struct target_set *set, struct arena *arena, struct strs given)
{
    str *patterns = ARENA_ARRAY(arena, str, given.len + 1);
    size_t len = 0;

    *set = (struct target_set){ .is_given = given.len > 0 };
    for (size_t i = 0; i < given.len; i++)
        if (is_pattern(given.items[i]))
            patterns[len++] = given.items[i];
        else
            map_put(&set->urns, given.items[i], set);
    set->patterns = (struct strs){ patterns, len };
}

void target_set_release(struct target_set *set)
{
    map_release(&set->urns);
}

bool target_set_is_given(const struct target_set *set)
{
    return set->is_given;
}

bool target_set_contains(const struct target_set *set, str urn)
{
    if (!target_set_is_given(set) || map_has(&set->urns, urn))
        return true;
    for (size_t i = 0; i < set->patterns.len; i++)
        if (glob_matches(set->patterns.items[i], urn))
            return true;
    return false;
}

void target_set_add(struct target_set *set, str urn)
{
    if (target_set_is_given(set))
        map_put(&set->urns, urn, set);
}

static bool contains_given(const struct target_set *set, str urn)
{
    return target_set_is_given(set) && target_set_contains(set, urn);
}

/* Does it refer to anything in the set: provider, parent, dependencies? */
static bool refers_to_target(const struct resource *resource, const struct target_set *set)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct strs urns = resource_references(&scratch, resource);

    if (resource->provider.len && contains_given(set, resource_provider_urn(resource)))
        return true;
    for (size_t i = 0; i < urns.len; i++)
        if (contains_given(set, urns.items[i]))
            return true;
    return false;
}

/* With --target-dependents the set grows while the program runs: each dependent that takes part is
 * added to `targets_actual`, so that its own dependents are found too. Scenario
 * target/target-dependents. */
bool stepgen_is_targeted(const struct stepgen *gen, const struct resource *resource)
{
    if (contains_given(&gen->targets, resource->urn))
        return true;
    return gen->options->plan.target_dependents && refers_to_target(resource, &gen->targets_actual);
}

bool stepgen_is_excluded(const struct stepgen *gen, const struct resource *resource)
{
    if (contains_given(&gen->excludes, resource->urn))
        return true;
    return gen->options->plan.exclude_dependents
           && refers_to_target(resource, &gen->excludes_actual);
}

bool stepgen_is_included(const struct stepgen *gen, const struct resource *resource)
{
    if (target_set_is_given(&gen->targets))
        return stepgen_is_targeted(gen, resource);
    return !target_set_is_given(&gen->excludes) || !stepgen_is_excluded(gen, resource);
}

/* A tainted resource is replaced as if --replace named it: test_plan_replace.c:
 * a_tainted_resource_is_replaced_without_diff. */
bool stepgen_is_targeted_replace(const struct stepgen *gen, str urn, const struct resource *old)
{
    return contains_given(&gen->replace_targets, urn) || (old && old->is_tainted);
}

bool stepgen_has_step(const struct stepgen *gen, str urn)
{
    return fates_have(gen->fates, urn,
                      FATE_CREATED | FATE_SAME | FATE_UPDATED | FATE_DELETED | FATE_REPLACED
                          | FATE_READ);
}

bool stepgen_is_operated_on(const struct stepgen *gen, str urn)
{
    /* Deletes are left out: several states of one URN may have to go (scenario
     * pending/pending-delete-program-removed). */
    urn = stepgen_current_urn(gen, urn);
    return fates_have(gen->fates, urn,
                      FATE_SAME | FATE_UPDATED | FATE_REPLACED | FATE_READ | FATE_REFRESHED);
}

bool stepgen_depends_on_skipped(const struct stepgen *gen, const struct resource *resource,
                                str *which)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str found = { 0 };

    if (!(gen->fates->seen & FATE_NOT_CREATED))
        return false;
    struct strs urns = resource_references(&scratch, resource);
    for (size_t i = 0; i < urns.len && !found.ptr; i++)
        if (fates_have(gen->fates, urns.items[i], FATE_NOT_CREATED))
            found = urns.items[i];
    if (!found.ptr && resource->provider.len
        && fates_have(gen->fates, resource_provider_urn(resource), FATE_NOT_CREATED))
        found = resource_provider_urn(resource);
    if (found.ptr && which)
        *which = found;
    return found.ptr != NULL;
}

static struct step *untargeted_same(struct stepgen *gen, struct resource *old,
                                    struct registration *reg)
{
    struct resource *new = resource_clone_shallow(gen->arena, old);
    struct step *step = step_new(gen->arena, &step_same, OP_SAME, old, new, reg);

    /* The step gives it its ID: one that is skipped is answered without. Scenario
     * fail/continue-on-error-target. */
    new->id = STR("");
    step->is_untargeted = true;
    return step;
}

/* Somebody registers it, or keeps it already. Where that has failed it is not kept for others,
 * which are skipped: test_plan_target.c: what_could_not_be_imported_is_not_kept. */
static bool is_dealt_with(const struct stepgen *gen, str urn)
{
    return stepgen_has_step(gen, urn) || stepgen_is_operated_on(gen, urn)
           || fates_have(gen->fates, stepgen_current_urn(gen, urn), FATE_SKIPPED);
}

static void begin_same(struct stepgen *gen, struct reference_walk *walk, struct resource *old)
{
    if (old->is_delete)
        return;
    fates_add(gen->fates, old->urn, FATE_NAMED);
    fates_add(gen->fates, old->urn, FATE_SAME);
    reference_walk_enter(walk, old);
}

/* The states that it refers to are in the chain; `reg` is NULL unless it is the registered one. */
static void end_same(struct stepgen *gen, const struct walked *walked, struct registration *reg,
                     struct chain *chain)
{
    struct step *step = untargeted_same(gen, walked->state, reg);

    vec_add(chain, step);
    if (!reg)
        stepgen_note_kept(gen, step, chain, walked->dependent);
}

static fallible refuse_missing(struct stepgen *gen, str urn, str missing)
{
    report_diagnose(gen->report, SEVERITY_ERROR, urn,
                    "dependency " STR_FMT " of untargeted resource " STR_FMT " has no old state",
                    STR_ARG(missing), STR_ARG(urn));
    return error_reported("dependency has no old state");
}

/* An untargeted resource keeps the references of its old state. What it refers to there and the
 * program has not registered is recorded first, because a snapshot lists dependencies before
 * dependents. Scenario target/target-keeps-removed-dependency. */
static fallible same_with_dependencies(struct stepgen *gen, struct registration *reg,
                                       struct chain *chain)
{
    CLEANUP(reference_walk_release) struct reference_walk walk = { 0 };
    struct walked *top;
    bool is_provider;
    str urn;

    begin_same(gen, &walk, reg->old);
    if (walk.len)
        fates_add(gen->fates, reg->urn, FATE_SAME);
    while ((top = reference_walk_top(&walk))) {
        bool is_first = walk.len == 1;
        if (!walked_next(top, &urn, &is_provider)) {
            end_same(gen, top, is_first ? reg : NULL, chain);
            reference_walk_leave(&walk);
            continue;
        }
        /* What was registered after this one was read, and is not answered yet, records itself; a
         * state with something that was read is sorted at the end. test_plan_refresh.c:
         * what_stays_though_it_was_read_does_not_keep_what_is_under_way. */
        if (urn.len == 0 || is_dealt_with(gen, urn) || map_has(&gen->under_way, urn))
            continue;
        struct resource *state = estate_old(gen->estate, urn);
        if (state)
            begin_same(gen, &walk, state);
        else if (!is_provider)
            return refuse_missing(gen, is_first ? reg->urn : top->state->urn, urn);
    }
    return NULL;
}

static fallible refuse_new_provider(const struct resource *old, str urn)
{
    return error_new(ERROR_OTHER,
                     "provider " STR_FMT " for resource " STR_FMT
                     " has not been registered yet, this is due to a change of providers mixed "
                     "with --target. Change your program back to the original providers",
                     STR_ARG(old->provider), STR_ARG(urn));
}

fallible stepgen_untargeted_same(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    if (stepgen_answer_kept(gen, reg))
        return NULL;
    /* Providers take part in every run, targeted or not, so the provider of an untargeted resource
     * is there unless the program changed it. test_plan_target.c:
     * providers_take_part_whether_targeted_or_not. */
    if (reg->old->provider.len && !registry_find(gen->registry, reg->old->provider)) {
        if (!estate_old(gen->estate, resource_provider_urn(reg->old)))
            return error_new(ERROR_OTHER, "could not find provider " STR_FMT " in old state",
                             STR_ARG(reg->old->provider));
        return refuse_new_provider(reg->old, reg->urn);
    }
    PLAN_LOG("same", reg->urn, "it is not a target");
    return same_with_dependencies(gen, reg, chain);
}

/* What is registered records itself: this registration and others that are not answered yet would
 * come behind what depends on them. */
static fallible refuse_unsettled(const struct registration *reg, const struct resource *kept,
                                 str urn)
{
    return error_new(ERROR_OTHER,
                     "resource " STR_FMT " depends on " STR_FMT ", which the program has not "
                     "registered before it and which depends in the state on " STR_FMT
                     ", the registration of which is not complete",
                     STR_ARG(reg->urn), STR_ARG(kept->urn), STR_ARG(urn));
}

/* `dependent` is what refers to it in the state, NULL for the registration itself. */
static fallible begin_queued(struct stepgen *gen, struct reference_walk *walk,
                             const struct registration *reg, const struct resource *dependent,
                             str urn)
{
    struct resource *old = urn.len ? estate_old(gen->estate, urn) : NULL;

    if (!old || old->is_delete || fates_have(gen->fates, urn, FATE_QUEUED_SAME))
        return NULL;
    const struct registration *other = map_find(&gen->under_way, urn);
    if (other && dependent && !estate_new(gen->estate, other->urn)
        && !fates_have(gen->fates, other->urn, FATE_SKIPPED))
        return refuse_unsettled(reg, dependent, urn);
    if (other || is_dealt_with(gen, urn))
        return NULL;
    fates_add(gen->fates, old->urn, FATE_QUEUED_SAME);
    reference_walk_enter(walk, old);
    return NULL;
}

fallible stepgen_queue_same(struct stepgen *gen, const struct registration *reg, str urn)
{
    CLEANUP(reference_walk_release) struct reference_walk walk = { 0 };
    struct walked *top;
    bool is_provider;

    TRY(begin_queued(gen, &walk, reg, NULL, urn));
    while ((top = reference_walk_top(&walk))) {
        if (walked_next(top, &urn, &is_provider)) {
            TRY(begin_queued(gen, &walk, reg, top->state, urn));
            continue;
        }
        vec_add(&gen->pending_sames, untargeted_same(gen, top->state, NULL));
        reference_walk_leave(&walk);
    }
    return NULL;
}

fallible stepgen_queue_dependency_sames(struct stepgen *gen, const struct registration *reg)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!target_set_is_given(&gen->targets))
        return NULL;
    struct strs urns = resource_references(&scratch, reg->new);
    for (size_t i = 0; i < urns.len; i++)
        TRY(stepgen_queue_same(gen, reg, urns.items[i]));
    return NULL;
}

static void put_queued_sames_first(struct stepgen *gen, struct chain *chain)
{
    struct chain whole = { 0 };

    if (gen->pending_sames.len == 0)
        return;
    for (size_t i = 0; i < gen->pending_sames.len; i++) {
        struct step *step = gen->pending_sames.items[i];
        if (is_dealt_with(gen, step->old->urn))
            continue;
        fates_add(gen->fates, step->old->urn, FATE_NAMED);
        fates_add(gen->fates, step->old->urn, FATE_SAME);
        stepgen_note_kept(gen, step, chain,
                          chain->len ? step_resource(chain->items[0]) : step->old);
        vec_add(&whole, step);
    }
    gen->pending_sames.len = 0;
    for (size_t i = 0; i < chain->len; i++)
        vec_add(&whole, chain->items[i]);
    vec_release(chain);
    chain->items = whole.items;
    chain->len = whole.len;
    chain->capacity = whole.capacity;
}

/* Whether a step that needs something this run does not create is an error: always with --target or
 * --replace (scenario target/target-needs-skipped), with --exclude only in an update
 * (target/exclude-needs-skipped). Refresh and destroy with --exclude leave such a step out. */
static bool must_have_dependencies(const struct stepgen *gen)
{
    return target_set_is_given(&gen->targets) || target_set_is_given(&gen->replace_targets)
           || (target_set_is_given(&gen->excludes) && gen->mode == MODE_UPDATE);
}

static void complain_of_skipped(struct stepgen *gen, const struct step *step, str which)
{
    bool is_excluded = !target_set_is_given(&gen->targets) && target_set_is_given(&gen->excludes);

    report_diagnose(gen->report, SEVERITY_ERROR, step_urn(step),
                    "Resource '" STR_FMT "' depends on '" STR_FMT "' which %s",
                    STR_ARG(step_urn(step)), STR_ARG(which),
                    is_excluded ? "does not exist yet and is excluded by --exclude.\nEither "
                                  "take it out of the --exclude list or "
                                  "pass --exclude-dependents to proceed."
                                : "was was not specified in --target list.\nEither include "
                                  "resource in --target list or pass "
                                  "--target-dependents to proceed.");
    gen->has_failed = true;
}

fallible stepgen_check_skipped(struct stepgen *gen, const struct chain *chain)
{
    if (!must_have_dependencies(gen))
        return NULL;
    for (size_t i = 0; i < chain->len; i++) {
        const struct step *step = chain->items[i];
        str which;
        if (!step->new || step->is_skipped_create)
            continue;
        while (stepgen_depends_on_skipped(gen, step->new, &which)) {
            complain_of_skipped(gen, step, which);
            if (!gen->options->preview)
                return error_reported("untargeted create");
            fates_remove(gen->fates, which, FATE_NOT_CREATED); /* report it once */
        }
    }
    return NULL;
}

fallible stepgen_validate(struct stepgen *gen, struct chain *chain)
{
    put_queued_sames_first(gen, chain);
    for (size_t i = 0; i < chain->len; i++) {
        const struct step *step = chain->items[i];
        TRY(update_plan_check_step(gen, chain->items[i]));
        /* Also one that is only kept for the sake of another: test_plan_target.c:
         * what_is_kept_and_has_a_provider_that_was_replaced_is_refused. */
        if (step->is_untargeted && stepgen_has_replaced_provider(gen, step->old))
            return refuse_new_provider(step->old, step->old->urn);
    }
    return stepgen_check_skipped(gen, chain);
}

fallible stepgen_validate_read(struct stepgen *gen, const struct chain *chain)
{
    /* A refresh or a destroy forgets a read again: only an update records it. */
    return gen->mode == MODE_UPDATE ? stepgen_check_skipped(gen, chain) : NULL;
}

/* A shell that takes "$pkg" for a variable leaves "a:b:C:mod:Res" of "a:b:C$pkg:mod:Res": more
 * parts than a type has. */
static bool has_lost_a_dollar(str urn)
{
    enum { PARTS_OF_A_TYPE = 3 };
    str type = urn_qualified_type_of(urn), head;
    size_t parts = 1;

    if (str_find_char(type, '$') != SIZE_MAX)
        return false;
    while (str_cut(type, STR(":"), &head, &type))
        parts++;
    return parts > PARTS_OF_A_TYPE;
}

fallible stepgen_check_targets(struct stepgen *gen, struct strs given)
{
    bool has_unknown = false;

    for (size_t i = 0; i < given.len; i++) {
        str urn = given.items[i];
        if (is_pattern(urn) || estate_had(gen->estate, urn)
            || fates_have(gen->fates, urn, FATE_NAMED))
            continue;
        has_unknown = true;
        report_diagnose(gen->report, SEVERITY_ERROR, STR(""),
                        "Target '" STR_FMT "' could not be found in the stack.%s", STR_ARG(urn),
                        has_lost_a_dollar(urn) ? " Did you forget to escape $ in your shell?" : "");
    }
    return has_unknown ? error_reported("one or more targets could not be found in the stack")
                       : NULL;
}
