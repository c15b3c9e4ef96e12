/* stepgen.c — the phases of one registration: name it, find what it was, read it if asked, import,
 * check, compare, decide. */
#include "engine/plan/policy.h"
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/plan/stepgen_references.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "model/resource_links.h"
#include "model/urn.h"
#include "model/value_describe.h"

#include "base/uuid.h"
#include "engine/plan/update_plan.h"

enum { SEED_SIZE = 32 };

void stepgen_init(struct stepgen *gen, const struct step_tools *tools,
                  const struct registrations *registrations)
{
    const struct engine_options *options = tools->options;

    *gen = (struct stepgen){
        .options = options,
        .arena = tools->arena,
        .report = tools->report,
        .estate = tools->estate,
        .fates = &tools->estate->fates,
        .registry = tools->registry,
        .registrations = registrations,
        .mode = operation_of(options)->mode,
        .refreshes = operation_refreshes_each(options),
    };
    target_set_init(&gen->targets, gen->arena, options->plan.targets);
    target_set_init(&gen->targets_actual, gen->arena, options->plan.targets);
    target_set_init(&gen->excludes, gen->arena, options->plan.excludes);
    target_set_init(&gen->excludes_actual, gen->arena, options->plan.excludes);
    target_set_init(&gen->replace_targets, gen->arena, options->plan.replaces);
}

void stepgen_release(struct stepgen *gen)
{
    struct map *maps[] = {
        &gen->providers, &gen->aliased,   &gen->aliases,       &gen->condemned,
        &gen->kept,      &gen->under_way, &gen->deletes_first,
    };
    struct target_set *sets[] = {
        &gen->targets,         &gen->targets_actual,  &gen->excludes,
        &gen->excludes_actual, &gen->replace_targets,
    };
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
        map_release(maps[i]);
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
        target_set_release(sets[i]);
    vec_release(&gen->to_delete);
    vec_release(&gen->pending_sames);
    update_plan_release(gen->plan);
    update_plan_release(gen->new_plan);
}

fallible stepgen_name(struct stepgen *gen, struct registration *reg)
{
    struct goal *goal = &reg->goal;

    TRY(stepgen_check_parent(gen, goal->parent));
    reg->urn = urn_make(gen->arena, gen->options->project->stack, gen->options->project->name,
                        goal->parent, goal->type, goal->name);
    if (fates_have(gen->fates, reg->urn, FATE_NAMED | FATE_VIEW)
        && !stepgen_take_kept(gen, reg, reg->urn)) {
        report_diagnose(gen->report, SEVERITY_ERROR, reg->urn,
                        "Duplicate resource URN '" STR_FMT "'; try giving it a unique name",
                        STR_ARG(reg->urn));
        return error_reported("duplicate resource URN");
    }
    fates_add(gen->fates, reg->urn, FATE_NAMED);
    return NULL;
}

/* The state that the steps fill in: copies of what was requested, and what it carries over from the
 * old one. Its inputs are copied when they are final. */
static struct resource *new_state(struct stepgen *gen, const struct registration *reg)
{
    const struct goal *goal = &reg->goal;
    struct resource asked = {
        .type = goal->type,
        .is_custom = goal->is_custom,
        .outputs = VALUE_EMPTY_OBJECT,
        .parent = goal->parent,
        .provider = goal->provider,
        .dependencies = goal->dependencies,
        .property_dependencies = goal->property_dependencies,
        .options = goal->options,
    };

    if (reg->extension)
        asked.options.extension_ref = reg->extension->ref;
    struct resource *state = resource_copy_like(gen->arena, &asked, reg->old);
    state->urn = reg->urn;
    state->inputs = goal->inputs;
    if (reg->old) {
        state->created = reg->old->created;
        state->modified = reg->old->modified;
        state->refreshes_before_update = reg->old->refreshes_before_update;
    }
    return state;
}

/* Makes reg->new. A provider is known by it from here on. */
static void plan_new_state(struct stepgen *gen, struct registration *reg)
{
    const str *alias = map_find(&gen->aliases, reg->urn);

    reg->new = new_state(gen, reg);
    if (reg->is_imported)
        reg->new->aliases = reg->old->aliases;
    else if (alias)
        reg->new->aliases = (struct strs){ alias, 1 };
    if (reg->is_refreshed)
        stepgen_keep_from_circle(gen, reg);
    if (!type_is_provider(reg->goal.type))
        return;
    map_put(&gen->providers, reg->urn, reg->new);
    for (size_t i = 0; i < reg->new->aliases.len; i++)
        map_put(&gen->providers, reg->new->aliases.items[i], reg->new);
}

bool stepgen_was_overtaken(const struct stepgen *gen, const struct registration *reg)
{
    return !reg->is_invalid && reg->memory.changes != gen->fates->changes;
}

static bool plans_again(const struct stepgen *gen, const struct registration *reg,
                        enum plan_phase *phase)
{
    if (!stepgen_was_overtaken(gen, reg))
        return false;
    PLAN_LOG("plan again", reg->urn, "another registration was planned meanwhile");
    *phase = PLAN_AGAIN;
    return true;
}

fallible stepgen_unless_overtaken(const struct stepgen *gen, const struct registration *reg,
                                  struct error *owned, enum plan_phase *phase)
{
    if (!plans_again(gen, reg, phase))
        return owned;
    error_ignore(owned, "it was asked for a plan that no longer holds");
    return NULL;
}

static fallible after_import(struct stepgen *gen, struct registration *reg, struct chain *chain,
                             enum plan_phase *phase);

static void skip_create(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    fates_add(gen->fates, reg->urn, FATE_NOT_CREATED);
    struct step *step = step_new(gen->arena, &step_same, OP_SAME, NULL, reg->new, reg);
    step->is_skipped_create = true;
    vec_add(chain, step);
}

/* A resource that depends on one that was not created cannot be created either. */
static bool skip_for_dependencies(struct stepgen *gen, struct registration *reg,
                                  struct chain *chain)
{
    if (!stepgen_depends_on_skipped(gen, reg->new, NULL))
        return false;
    PLAN_LOG("skip", reg->urn, "a dependency was not created");
    if (reg->old)
        reg->new->outputs = reg->old->outputs;
    skip_create(gen, reg, chain);
    return true;
}

/* A refresh with its program creates nothing: a new resource is skipped, one of the state was read
 * a moment ago. Providers and components take the usual path unless they depend on something
 * skipped. True if nothing is left to plan. Scenarios refresh/refresh-run-program,
 * refresh/refresh-run-program-skipped-parent. */
static bool plan_for_refresh(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    bool is_managed = reg->goal.is_custom && !type_is_provider(reg->goal.type);

    if (!is_managed && !stepgen_depends_on_skipped(gen, reg->new, NULL))
        return false;
    if (!reg->old) {
        PLAN_LOG("skip", reg->urn, "it is new, and a refresh creates nothing");
        fates_add(gen->fates, reg->urn, FATE_SAME);
        skip_create(gen, reg, chain);
    } else {
        PLAN_LOG("leave alone", reg->urn, "the refresh has read it");
        fates_add(gen->fates, reg->urn, FATE_LEFT_ALONE);
        registration_finish(reg, REGISTRATION_SUCCESS, reg->old);
    }
    return true;
}

/* A destroy with its program creates no custom resource: a new one is skipped, one of the state is
 * same with its old inputs. Providers and components are registered as usual. All of it is deleted
 * afterwards, by the provider that the program says. Scenario destroy/destroy-run-program. */
static fallible plan_for_destroy(struct stepgen *gen, struct registration *reg, struct chain *chain,
                                 bool *is_planned)
{
    *is_planned = skip_for_dependencies(gen, reg, chain);
    if (*is_planned)
        return NULL;
    if (reg->goal.is_custom && !type_is_provider(reg->goal.type)) {
        *is_planned = true;
        if (!reg->old) {
            PLAN_LOG("skip", reg->urn, "it is new, and a destroy creates nothing");
            skip_create(gen, reg, chain);
            return NULL;
        }
        /* test_plan_delete.c: a_destroy_with_its_program_needs_providers_that_exist. */
        TRY(stepgen_check_provider(gen, reg->urn, reg->goal.provider));
        PLAN_LOG("same", reg->urn, "the destroy deletes it in the end");
        fates_add(gen->fates, reg->urn, FATE_SAME);
        reg->is_to_delete = true;
        reg->new->inputs = reg->old->inputs;
        /* What was only read is not ours to delete, what an earlier run has deleted is gone, and
         * behind a component there is nothing: test_plan_delete.c:
         * a_destroy_with_its_program_leaves_what_was_only_read,
         * a_destroy_with_its_program_forgets_pending_replacements,
         * a_destroy_with_its_program_asks_no_provider_to_delete_a_component. */
        reg->new->is_custom = reg->old->is_custom;
        reg->new->provider = reg->old->is_custom ? reg->new->provider : STR("");
        reg->new->is_external = reg->old->is_external;
        reg->new->is_pending_replacement = reg->old->is_pending_replacement;
        vec_add(chain, step_new(gen->arena, &step_same, OP_SAME, reg->old, reg->new, reg));
        return NULL;
    }
    reg->is_to_delete = true;
    return NULL;
}

/* An ID in the goal means import, unless that ID was imported before or is the one that is managed:
 * test_plan_import.c: what_was_imported_before_is_not_imported_again. Something that was only read
 * is always imported. */
bool stepgen_wants_import(const struct registration *reg)
{
    str wanted = reg->goal.options.import_id;
    const struct resource *old = reg->old;

    if (!reg->goal.is_custom || wanted.len == 0)
        return false;
    if (!old || old->is_external)
        return true;
    return !str_equal(old->options.import_id.len ? old->options.import_id : old->id, wanted);
}

static void stepgen_plan_import(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    /* What is managed under another ID is replaced by the import: scenario
     * import/import-replaces-managed. An instance that this run has deleted already needs no second
     * delete. */
    bool is_replace = reg->old && !reg->is_recreating;
    struct step *import =
        step_new(gen->arena, &step_import, is_replace ? OP_IMPORT_REPLACEMENT : OP_IMPORT, NULL,
                 reg->new, reg);

    PLAN_LOG(is_replace ? "import, replacing" : "import", reg->urn,
             "the program gives an ID that was not imported before");
    import->is_replacing = is_replace;
    import->original = reg->old;
    import->seed = reg->seed;
    fates_add(gen->fates, reg->urn, FATE_IMPORTED);
    vec_add(chain, import);
    if (is_replace)
        vec_add(chain, step_new(gen->arena, &step_replace, OP_REPLACE, reg->old, reg->new, NULL));
}

static str new_seed(struct arena *arena)
{
    char *bytes = arena_alloc_raw(arena, SEED_SIZE);
    random_bytes(bytes, SEED_SIZE);
    return (str){ bytes, SEED_SIZE };
}

static fallible after_refresh(struct stepgen *gen, struct registration *reg, struct chain *chain,
                              enum plan_phase *phase)
{
    bool is_planned = false;

    *phase = PLAN_DONE;
    if (gen->mode == MODE_REFRESH && plan_for_refresh(gen, reg, chain))
        return NULL;
    if (gen->mode == MODE_DESTROY)
        TRY(plan_for_destroy(gen, reg, chain, &is_planned));
    if (is_planned)
        return NULL;

    TRY(stepgen_load_provider(gen, reg->urn, reg->goal.is_custom, reg->goal.provider,
                              reg->goal.type, &reg->provider, &reg->has_unregistered_provider));
    if (plans_again(gen, reg, phase))
        return NULL;
    reg->is_recreating = fates_have(gen->fates, reg->urn, FATE_DELETED);
    if (reg->seed.len == 0)
        reg->seed = update_plan_seed(gen, reg->urn);
    if (reg->seed.len == 0)
        reg->seed = new_seed(reg->arena);
    if (stepgen_wants_import(reg) && !reg->is_invalid) {
        stepgen_plan_import(gen, reg, chain);
        *phase = PLAN_IMPORTED;
        return NULL;
    }
    return after_import(gen, reg, chain, phase);
}

/* Others may have been registered while it was read: test_plan_refresh.c:
 * what_is_being_registered_since_it_was_read_is_not_named. What only a refresh registers may have
 * kept its references. */
static fallible plan_refreshed(struct stepgen *gen, struct registration *reg, struct chain *chain,
                               enum plan_phase *phase)
{
    if (gen->mode == MODE_UPDATE)
        TRY(stepgen_check_references(gen, reg));
    return after_refresh(gen, reg, chain, phase);
}

/* Every run of planning over a state that is known begins here: with the answers it has, over what
 * is shared as it is now. */
static fallible plan_found(struct stepgen *gen, struct registration *reg, struct chain *chain,
                           enum plan_phase *phase)
{
    if (!reg->new)
        plan_new_state(gen, reg);
    if (stepgen_waits_for_delete(gen, reg) || stepgen_waits_for_kept(gen, reg))
        return NULL; /* the same phase again */
    reg->memory.changes = gen->fates->changes;
    if (reg->is_imported)
        return after_import(gen, reg, chain, phase);
    if (reg->is_refreshed)
        return plan_refreshed(gen, reg, chain, phase);
    TRY(stepgen_check_references(gen, reg));
    TRY(stepgen_check_kept(gen, reg, stepgen_wants_import(reg)));
    /* The state that it claims may be another's: test_plan_alias.c:
     * what_claims_the_state_of_another_is_neither_read_nor_imported,
     * what_claims_the_state_of_another_is_not_destroyed. */
    if (reg->is_invalid && gen->mode != MODE_UPDATE)
        return error_reported("resource " STR_FMT " is invalid", STR_ARG(reg->urn));
    if (reg->is_invalid || !stepgen_is_read_first(gen, reg))
        return after_refresh(gen, reg, chain, phase);
    *phase = PLAN_REFRESHED;
    return stepgen_unless_overtaken(gen, reg, stepgen_read_first(gen, reg, chain), phase);
}

/* The state that the refresh step left is the old one from here on; a resource that is gone is
 * new. */
static fallible stepgen_take_refreshed(struct stepgen *gen, struct registration *reg,
                                       struct chain *chain, enum plan_phase *phase)
{
    reg->is_refreshed = true;
    reg->memory.changes = gen->fates->changes;
    plan_new_state(gen, reg);
    return plan_refreshed(gen, reg, chain, phase);
}

/* What was imported is the old state; the goal is compared with it like with any other. */
static fallible take_imported(struct stepgen *gen, struct registration *reg, struct chain *chain,
                              enum plan_phase *phase)
{
    /* What was imported takes the place of what this run has deleted: test_plan_import.c:
     * what_was_deleted_first_is_replaced_by_its_import. */
    if (reg->is_recreating) {
        fates_remove(gen->fates, reg->urn, FATE_DELETED);
        fates_add(gen->fates, reg->urn, FATE_REPLACED);
    }
    reg->is_recreating = false;
    reg->old = reg->new;
    reg->is_imported = true;
    reg->memory.changes = gen->fates->changes;
    plan_new_state(gen, reg);
    return after_import(gen, reg, chain, phase);
}

static struct step *create_replacement(struct stepgen *gen, struct registration *reg,
                                       struct strs keys, bool marks_delete)
{
    struct step *create =
        step_new(gen->arena, &step_create, OP_CREATE_REPLACEMENT, reg->old, reg->new, reg);

    create->is_replacing = true;
    create->marks_delete = marks_delete;
    create->keys = keys;
    return create;
}

/* It was deleted earlier in this run because something it depends on had to be deleted first:
 * creating it now is the second half of a replacement. Scenario dbr/dbr-chain. */
static void plan_recreate(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    const struct strs *keys = fates_reasons(gen->fates, reg->old ? reg->old->urn : reg->urn);

    PLAN_LOG("replace", reg->urn, "it was deleted earlier in this run for another's sake");
    fates_remove(gen->fates, reg->urn, FATE_DELETED);
    fates_add(gen->fates, reg->urn, FATE_REPLACED);
    vec_add(chain, step_new(gen->arena, &step_replace, OP_REPLACE, reg->old, reg->new, NULL));
    vec_add(chain, create_replacement(gen, reg, keys ? *keys : (struct strs){ 0 }, false));
}

/* A chain should have deleted the old state first and failed to: what exists now is not known, so
 * nothing is created. Scenario dbr/delete-fails-and-the-rest-goes-on. */
static void skip_undeleted(struct stepgen *gen, struct registration *reg)
{
    PLAN_LOG("skip", reg->urn, "the delete before its replacement failed");
    fates_add(gen->fates, reg->urn, FATE_REPLACED);
    fates_add(gen->fates, reg->urn, FATE_SKIPPED);
    registration_finish(reg, REGISTRATION_SKIPPED, reg->new);
}

/* It was only read so far: a managed instance is created in its place and the external one is
 * discarded, not deleted. Scenario read/read-take-ownership. */
static void plan_take_ownership(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    PLAN_LOG("create", reg->urn, "it was only read so far");
    fates_add(gen->fates, reg->urn, FATE_CREATED);
    vec_add(chain, create_replacement(gen, reg, (struct strs){ 0 }, true));
    vec_add(chain, step_new(gen->arena, &step_replace, OP_REPLACE, reg->old, reg->new, NULL));
}

static void note_dependents_of_targets(struct stepgen *gen, const struct registration *reg)
{
    bool is_targeted = reg->memory.is_targeted;

    if (target_set_is_given(&gen->excludes) && !is_targeted && stepgen_is_excluded(gen, reg->new)) {
        target_set_add(&gen->excludes_actual, reg->urn);
        fates_note_change(gen->fates);
    } else if (is_targeted && target_set_is_given(&gen->targets)
               && stepgen_is_targeted(gen, reg->new)) {
        target_set_add(&gen->targets_actual, reg->urn);
        fates_note_change(gen->fates);
    }
}

static fallible plan_existing(struct stepgen *gen, struct registration *reg, struct chain *chain,
                              enum plan_phase *phase)
{
    bool is_deferred = false;

    TRY(stepgen_unless_overtaken(gen, reg, stepgen_diff(gen, reg, &is_deferred), phase));
    if (*phase == PLAN_AGAIN)
        return NULL;
    if (!is_deferred)
        return stepgen_after_diff(gen, reg, chain, phase);
    vec_add(chain, step_new(gen->arena, &step_diff, OP_SAME, reg->old, reg->new, reg));
    *phase = PLAN_DIFFED;
    return NULL;
}

/* Answers to another question are of no use: what this one is to become has changed since. */
static void forget_answers(struct stepgen *gen, struct registration *reg, bool is_targeted)
{
    bool starts_over = stepgen_starts_over(gen, reg);
    struct plan_memory *memory = &reg->memory;

    if (memory->old == reg->old && memory->starts_over == starts_over
        && memory->is_targeted == is_targeted)
        return;
    if (memory->is_checked)
        plan_new_state(gen, reg);
    *memory = (struct plan_memory){ .changes = memory->changes,
                                    .old = reg->old,
                                    .starts_over = starts_over,
                                    .is_targeted = is_targeted,
                                    .is_move_known = memory->is_move_known,
                                    .has_moved = memory->has_moved,
                                    .judgements = memory->judgements,
                                    .told = memory->told,
                                    .dependents = memory->dependents };
}

/* What the provider, the update plan and the policy packs say of the inputs. Stops between two
 * questions when the plan was overtaken. */
static fallible examine(struct stepgen *gen, struct registration *reg, bool is_targeted)
{
    struct plan_memory *memory = &reg->memory;

    forget_answers(gen, reg, is_targeted);
    if (!memory->is_checked) {
        TRY(stepgen_check(gen, reg, is_targeted));
        memory->is_checked = true;
    }
    if (memory->is_judged || stepgen_was_overtaken(gen, reg))
        return NULL;
    if (!reg->is_invalid)
        TRY(update_plan_check_goal(gen, reg, memory->starts_over));
    TRY(policy_check_resource(gen, reg));
    memory->is_judged = true;
    return NULL;
}

static fallible after_import(struct stepgen *gen, struct registration *reg, struct chain *chain,
                             enum plan_phase *phase)
{
    /* Providers and the stack take part whatever --target and --exclude say: test_plan_target.c:
     * providers_take_part_whether_targeted_or_not. */
    bool is_implicit = type_is_provider(reg->goal.type)
                       || str_equal(urn_qualified_type_of(reg->urn), ROOT_STACK_TYPE);
    bool is_targeted = is_implicit || stepgen_is_included(gen, reg->new);

    *phase = PLAN_DONE;
    TRY(stepgen_unless_overtaken(gen, reg, examine(gen, reg, is_targeted), phase));
    if (*phase == PLAN_AGAIN)
        return NULL;
    reg->keeps_dependencies = is_targeted;
    if (reg->is_invalid)
        return error_reported("resource " STR_FMT " is invalid", STR_ARG(reg->urn));

    if (stepgen_was_not_deleted(gen, reg)) {
        skip_undeleted(gen, reg);
        return NULL;
    }
    if (reg->is_recreating || (!is_targeted && stepgen_was_deleted(gen, reg))) {
        plan_recreate(gen, reg, chain);
        return NULL;
    }
    if (reg->old && reg->old->is_external) {
        plan_take_ownership(gen, reg, chain);
        return NULL;
    }
    /* The order of the rules above matters: what this run has deleted is created again and what was
     * only read is taken over even if it is not a target. Scenario dbr/targeted-while-condemned. */
    reg->adds_to_targets = true;
    if (reg->old && !is_targeted)
        return stepgen_untargeted_same(gen, reg, chain);
    if (reg->old)
        return plan_existing(gen, reg, chain, phase);
    if (!is_targeted) {
        PLAN_LOG("skip", reg->urn, "it is new, and not a target");
        fates_add(gen->fates, reg->urn, FATE_SAME);
        skip_create(gen, reg, chain);
        return NULL;
    }
    PLAN_LOG("create", reg->urn, "the state does not have it");
    fates_add(gen->fates, reg->urn, FATE_CREATED);
    vec_add(chain, step_new(gen->arena, &step_create, OP_CREATE, NULL, reg->new, reg));
    return NULL;
}

/* The provider has compared, beside other work. */
static fallible after_deferred_diff(struct stepgen *gen, struct registration *reg,
                                    struct chain *chain, enum plan_phase *phase)
{
    *phase = PLAN_DONE;
    if (plans_again(gen, reg, phase)) {
        error_ignore(reg->diff_error, "it was asked for a plan that no longer holds");
        reg->diff_error = NULL;
        return NULL;
    }
    reg->memory.is_compared = true;
    reg->memory.diff = reg->diff;
    return stepgen_after_diff(gen, reg, chain, phase);
}

/* Begins once the provider knows the extension that the resource belongs to, if it does. */
static fallible start_extended(struct stepgen *gen, struct registration *reg, struct chain *chain,
                               enum plan_phase *phase)
{
    bool waits;

    TRY(stepgen_wait_for_extension(gen, reg, chain, &waits));
    *phase = waits ? PLAN_EXTENDED : PLAN_FOUND;
    return waits ? NULL : plan_found(gen, reg, chain, phase);
}

/* Names and states are taken before anything is waited for: test_plan_extension.c:
 * what_waits_for_its_extension_is_not_kept_for_another. */
static fallible start_resource(struct stepgen *gen, struct registration *reg, struct chain *chain,
                               enum plan_phase *phase)
{
    TRY(stepgen_name(gen, reg));
    TRY(stepgen_find_old(gen, reg));
    return start_extended(gen, reg, chain, phase);
}

static fallible run_phase(struct stepgen *gen, struct registration *reg, enum plan_phase *phase,
                          struct chain *chain)
{
    switch (*phase) {
    case PLAN_START: return start_resource(gen, reg, chain, phase);
    case PLAN_EXTENDED: return start_extended(gen, reg, chain, phase);
    case PLAN_FOUND:
    case PLAN_AGAIN: return plan_found(gen, reg, chain, phase);
    case PLAN_REFRESHED: return stepgen_take_refreshed(gen, reg, chain, phase);
    case PLAN_IMPORTED: return take_imported(gen, reg, chain, phase);
    case PLAN_DIFFED: return after_deferred_diff(gen, reg, chain, phase);
    case PLAN_DONE: break;
    }
    return NULL;
}

/* Inputs that did not change are the old ones: no copy, and secrets in them keep their
 * ciphertext. */
static void own_inputs(struct stepgen *gen, struct registration *reg)
{
    if (!reg->new)
        return;
    if (reg->old && value_identical(reg->old->inputs, reg->new->inputs))
        reg->new->inputs = reg->old->inputs;
    else
        reg->new->inputs = value_copy_like(gen->arena, reg->new->inputs,
                                           reg->old ? reg->old->inputs : VALUE_EMPTY_OBJECT);
}

/* What the registration records: the state of before where it does not take part. */
static struct resource *recorded_state(const struct registration *reg, const struct chain *chain)
{
    for (size_t i = 0; i < chain->len; i++)
        if (chain->items[i]->reg == reg && chain->items[i]->new)
            return chain->items[i]->new;
    return reg->new;
}

/* What a destroy deletes after the program, in the order of the state. What is only kept for others
 * goes with them: test_plan_target_destroy.c: what_is_kept_while_the_program_runs_is_destroyed. */
static void note_deletes(struct stepgen *gen, const struct registration *reg,
                         const struct chain *chain)
{
    for (size_t i = 0; gen->mode == MODE_DESTROY && i < chain->len; i++) {
        const struct step *step = chain->items[i];
        if (step->is_untargeted && step->reg != reg)
            vec_add(&gen->to_delete, step->new);
    }
    if (reg->is_to_delete)
        vec_add(&gen->to_delete, recorded_state(reg, chain));
}

/* The plan is whole: from here on others see what becomes of this resource. */
static fallible commit(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    if (reg->adds_to_targets)
        note_dependents_of_targets(gen, reg);
    if (reg->has_unregistered_provider)
        TRY(stepgen_queue_same(gen, reg, resource_provider_urn(reg->new)));
    if (reg->keeps_dependencies)
        TRY(stepgen_queue_dependency_sames(gen, reg));
    TRY(stepgen_validate(gen, chain));
    note_deletes(gen, reg, chain);
    return NULL;
}

static void drop_chain(struct chain *chain)
{
    chain->is_failed = true;
    latch_open(&chain->deleted); /* registrations that wait for a state in it go on */
    latch_open(&chain->finished);
    vec_release(chain);
}

fallible stepgen_register(struct stepgen *gen, struct registration *reg, enum plan_phase *phase,
                          struct chain **out)
{
    struct chain *chain = chain_new(gen->arena);

    struct error *failure = run_phase(gen, reg, phase, chain);
    if (*phase == PLAN_REFRESHED || *phase == PLAN_IMPORTED)
        stepgen_unsettle(gen, reg);
    else if (*phase == PLAN_DONE)
        stepgen_settle(reg);
    if (!failure && *phase != PLAN_AGAIN)
        own_inputs(gen, reg);
    if (!failure && *phase == PLAN_DONE)
        failure = commit(gen, reg, chain);
    else if (!failure && (*phase == PLAN_REFRESHED || *phase == PLAN_IMPORTED))
        failure = stepgen_check_skipped(gen, chain); /* it is recorded before the plan is whole */
    if (failure) {
        drop_chain(chain);
        return failure;
    }
    *out = chain;
    return NULL;
}
