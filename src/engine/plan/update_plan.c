/* update_plan.c — notes what a preview decides, and holds an update to it. */
#include "engine/plan/update_plan.h"

#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "model/urn.h"
#include "model/value_describe.h"

struct update_plan *update_plan_new(struct arena *arena)
{
    struct update_plan *plan = ARENA_NEW(arena, struct update_plan);
    plan->arena = arena;
    return plan;
}

void update_plan_release(struct update_plan *plan)
{
    const struct map_entry *entry;

    if (!plan)
        return;
    for (size_t cursor = 0; map_next(&plan->resources, &cursor, &entry);)
        vec_release(&((struct resource_plan *)entry->value)->ops);
    map_release(&plan->resources);
}

/* Unknown in the plan allows anything. */
static bool plan_fits(struct value expected, struct value actual)
{
    if (expected.kind == VALUE_COMPUTED || actual.kind == VALUE_COMPUTED)
        return true;
    if (expected.kind == VALUE_SECRET && actual.kind == VALUE_SECRET)
        return plan_fits(expected.secret->element, actual.secret->element);
    if (expected.kind != actual.kind || expected.len != actual.len)
        return value_equal(expected, actual);
    if (expected.kind == VALUE_ARRAY) {
        for (uint32_t i = 0; i < expected.len; i++)
            if (!plan_fits(expected.items[i], actual.items[i]))
                return false;
        return true;
    }
    if (expected.kind == VALUE_OBJECT) {
        for (uint32_t i = 0; i < expected.len; i++)
            if (!str_equal(expected.members[i].key, actual.members[i].key)
                || !plan_fits(expected.members[i].value, actual.members[i].value))
                return false;
        return true;
    }
    return value_equal(expected, actual);
}

/* A null property is as good as none. */
static const struct value *plan_find_given(struct value object, str key)
{
    const struct value *found = value_find(object, key);

    return found && found->kind != VALUE_NULL ? found : NULL;
}

struct property_changes property_changes_between(struct arena *arena, struct value old,
                                                 struct value new)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct member *adds = ARENA_ARRAY(&scratch, struct member, new.len);
    struct member *updates = ARENA_ARRAY(&scratch, struct member, new.len);
    str *deletes = ARENA_ARRAY(arena, str, old.len + 1);
    size_t add_count = 0, update_count = 0, count = 0;

    for (uint32_t i = 0; i < new.len; i++) {
        const struct value *before = plan_find_given(old, new.members[i].key);
        if (new.members[i].value.kind == VALUE_NULL)
            continue;
        if (!before)
            adds[add_count++] = new.members[i];
        else if (!value_equal(*before, new.members[i].value))
            updates[update_count++] = new.members[i];
    }
    for (uint32_t i = 0; i < old.len; i++)
        if (old.members[i].value.kind != VALUE_NULL && !plan_find_given(new, old.members[i].key))
            deletes[count++] = old.members[i].key;
    return (struct property_changes){
        .adds = value_object(arena, adds, add_count),
        .updates = value_object(arena, updates, update_count),
        .deletes = { deletes, count },
    };
}

/* --- comparing with the plan --- */

struct violations {
    struct arena *arena;
    const struct property_changes *expected;
    VEC(str);
};

static void release_violations(struct violations *violations)
{
    vec_release(violations);
}

static void plan_show(struct strbuf *out, const struct value *value)
{
    strbuf_add_char(out, '{');
    value_describe(out, *value);
    strbuf_add_char(out, '}');
}

/* expected operation, actual operation, key, [expected!=actual] */
static void violate(struct violations *violations, str key, char operation,
                    const struct value *actual)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct value *added = value_find(violations->expected->adds, key);
    const struct value *updated = value_find(violations->expected->updates, key);
    const struct value *expected = added ? added : updated;

    strbuf_add_char(&text, added                                          ? '+'
                           : updated                                      ? '~'
                           : strs_has(violations->expected->deletes, key) ? '-'
                                                                          : '=');
    strbuf_add_char(&text, operation);
    strbuf_add(&text, key);
    if (expected || actual)
        strbuf_add_char(&text, '[');
    if (expected)
        plan_show(&text, expected);
    if (expected && actual)
        strbuf_add(&text, STR("!="));
    if (actual)
        plan_show(&text, actual);
    if (expected || actual)
        strbuf_add_char(&text, ']');
    vec_add(violations, arena_copy(violations->arena, strbuf_str(&text)));
}

static void compare_actual(struct violations *violations, const struct property_changes *actual)
{
    const struct property_changes *expected = violations->expected;

    for (uint32_t i = 0; i < actual->adds.len; i++) {
        const struct member *member = &actual->adds.members[i];
        const struct value *wanted = value_find(expected->adds, member->key);
        if (!wanted || !plan_fits(*wanted, member->value))
            violate(violations, member->key, '+', &member->value);
    }
    for (size_t i = 0; i < actual->deletes.len; i++) {
        const struct value *wanted = value_find(expected->updates, actual->deletes.items[i]);
        bool is_allowed = strs_has(expected->deletes, actual->deletes.items[i])
                          || (wanted && wanted->kind == VALUE_COMPUTED);
        if (!is_allowed)
            violate(violations, actual->deletes.items[i], '-', NULL);
    }
    for (uint32_t i = 0; i < actual->updates.len; i++) {
        const struct member *member = &actual->updates.members[i];
        const struct value *wanted = value_find(expected->updates, member->key);
        if (!wanted)
            wanted = value_find(expected->adds, member->key);
        if (!wanted || !plan_fits(*wanted, member->value))
            violate(violations, member->key, '~', &member->value);
    }
}

/* What the plan expected to change and did not. */
static void compare_expected(struct violations *violations, const struct property_changes *actual,
                             struct value news, bool is_update)
{
    struct value wanted = is_update ? violations->expected->updates : violations->expected->adds;

    for (uint32_t i = 0; i < wanted.len; i++) {
        const struct member *member = &wanted.members[i];
        const struct value *added = value_find(actual->adds, member->key);
        const struct value *now = plan_find_given(news, member->key);
        if (value_has(actual->updates, member->key) || (added && !is_update))
            continue;
        if (added)
            violate(violations, member->key, '+', added);
        else if (now && !plan_fits(member->value, *now))
            violate(violations, member->key, '=', now);
        else if (!now && member->value.kind != VALUE_COMPUTED)
            violate(violations, member->key, '-', NULL);
    }
}

static fallible compare_changes(struct arena *arena, struct value olds, struct value news,
                                const struct property_changes *expected)
{
    CLEANUP(release_violations)
    struct violations violations = { .arena = arena, .expected = expected };
    struct property_changes actual = property_changes_between(arena, olds, news);

    compare_actual(&violations, &actual);
    compare_expected(&violations, &actual, news, false);
    compare_expected(&violations, &actual, news, true);
    /* Inputs that did not change at all have kept what was to be deleted: not held against them.
     * Scenario plan/plan-removed-property. */
    bool has_changes = actual.adds.len || actual.updates.len || actual.deletes.len;
    for (size_t i = 0; has_changes && i < expected->deletes.len; i++) {
        const struct value *now = plan_find_given(news, expected->deletes.items[i]);
        if (now)
            violate(&violations, expected->deletes.items[i],
                    value_has(olds, expected->deletes.items[i]) ? '=' : '+', now);
    }
    if (violations.len == 0)
        return NULL;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct strs sorted = strs_sorted(arena, (struct strs){ violations.items, violations.len });
    for (size_t i = 0; i < sorted.len; i++) {
        strbuf_add(&text, i ? STR(", ") : STR(""));
        strbuf_add(&text, sorted.items[i]);
    }
    return error_new(ERROR_OTHER, "properties changed: " STR_FMT, STR_ARG(strbuf_str(&text)));
}

static fallible compare_lists(const char *what, struct strs expected, struct strs actual)
{
    if (strs_equal_set(expected, actual))
        return NULL;
    return error_new(ERROR_OTHER, "%s changed", what);
}

static bool alias_equal(const struct alias *a, const struct alias *b)
{
    return str_equal(a->urn, b->urn) && str_equal(a->name, b->name) && str_equal(a->type, b->type)
           && str_equal(a->stack, b->stack) && str_equal(a->project, b->project)
           && str_equal(a->parent, b->parent) && a->has_no_parent == b->has_no_parent;
}

static bool has_all_aliases(const struct goal *goal, const struct goal *other)
{
    for (size_t i = 0; i < other->alias_count; i++) {
        size_t at = 0;
        while (at < goal->alias_count && !alias_equal(&goal->aliases[at], &other->aliases[i]))
            at++;
        if (at == goal->alias_count)
            return false;
    }
    return true;
}

static fallible compare_aliases(const struct goal *expected, const struct goal *actual)
{
    if (has_all_aliases(expected, actual) && has_all_aliases(actual, expected))
        return NULL;
    return error_new(ERROR_OTHER, "aliases changed");
}

static fallible compare_provider(str expected, str actual)
{
    str expected_urn, expected_id, urn, id;

    if (str_equal(expected, actual))
        return NULL;
    bool is_pair = str_cut_last(expected, STR("::"), &expected_urn, &expected_id)
                   && str_cut_last(actual, STR("::"), &urn, &id);
    if (is_pair && str_equal(expected_urn, urn)
        && str_equal(expected_id, STR("04da6b54-80e4-46f7-96ec-b56ff0331ba9")))
        return NULL; /* the preview did not know its ID yet */
    return error_new(ERROR_OTHER, "provider changed (expected " STR_FMT ")", STR_ARG(expected));
}

static fallible compare_goal(const struct resource_plan *plan, const struct registration *reg,
                             struct value olds)
{
    const struct goal *expected = &plan->goal, *actual = &reg->goal;

    if (!plan->has_goal)
        return error_new(ERROR_OTHER, "resource unexpectedly not deleted");
    if (expected->is_custom != actual->is_custom)
        return error_new(ERROR_OTHER, "resource kind changed (expected %s)",
                         expected->is_custom ? "custom" : "component");
    TRY(compare_provider(expected->provider, actual->provider));
    if (!str_equal(expected->parent, actual->parent))
        return error_new(ERROR_OTHER, "parent changed (expected " STR_FMT ")",
                         STR_ARG(expected->parent));
    if (expected->options.protect != actual->options.protect)
        return error_new(ERROR_OTHER, "protect changed (expected %s)",
                         expected->options.protect ? "true" : "false");
    if (expected->has_delete_before_replace != actual->has_delete_before_replace
        || expected->deletes_before_replace != actual->deletes_before_replace)
        return error_new(ERROR_OTHER, "deleteBeforeReplace changed (expected %s)",
                         !expected->has_delete_before_replace ? "no value"
                         : expected->deletes_before_replace   ? "true"
                                                              : "false");
    if (!str_equal(expected->options.import_id, actual->options.import_id))
        return error_new(ERROR_OTHER, "importID changed (expected " STR_FMT ")",
                         STR_ARG(expected->options.import_id));
    if (memcmp(&expected->options.custom_timeouts, &actual->options.custom_timeouts,
               sizeof(struct timeouts))
        != 0)
        return error_new(ERROR_OTHER, "timeouts changed");
    TRY(compare_lists("ignoreChanges", expected->options.ignore_changes,
                      actual->options.ignore_changes));
    TRY(compare_lists("additionalSecretOutputs", expected->options.additional_secret_outputs,
                      actual->options.additional_secret_outputs));
    TRY(compare_lists("dependencies", expected->dependencies, actual->dependencies));
    TRY(compare_aliases(expected, actual));
    return compare_changes(reg->arena, olds, reg->inputs, &plan->inputs);
}

/* A resource that the plan does not mention must stay as it is. */
static fallible compare_unplanned(const struct registration *reg)
{
    const struct resource *old = reg->old;
    const struct property_changes none = { .adds = VALUE_EMPTY_OBJECT,
                                           .updates = VALUE_EMPTY_OBJECT };

    if (old->is_custom != reg->goal.is_custom)
        return error_new(ERROR_OTHER, "resource kind changed (expected %s)",
                         old->is_custom ? "custom" : "component");
    TRY(compare_provider(old->provider, reg->goal.provider));
    return compare_changes(reg->arena, old->inputs, reg->inputs, &none);
}

/* --- noting --- */

static void own_changes(struct arena *arena, struct property_changes *changes)
{
    changes->adds = value_copy(arena, changes->adds);
    changes->updates = value_copy(arena, changes->updates);
    changes->deletes = strs_copy(arena, changes->deletes);
}

static const struct alias *own_aliases(struct arena *arena, const struct goal *goal)
{
    struct alias *aliases = ARENA_ARRAY(arena, struct alias, goal->alias_count + 1);

    for (size_t i = 0; i < goal->alias_count; i++) {
        const struct alias *alias = &goal->aliases[i];
        aliases[i] = (struct alias){
            .urn = arena_copy(arena, alias->urn),
            .name = arena_copy(arena, alias->name),
            .type = arena_copy(arena, alias->type),
            .stack = arena_copy(arena, alias->stack),
            .project = arena_copy(arena, alias->project),
            .parent = arena_copy(arena, alias->parent),
            .has_no_parent = alias->has_no_parent,
        };
    }
    return aliases;
}

static struct resource_plan *find_or_add(struct update_plan *plan, str urn)
{
    struct resource_plan *found = map_find(&plan->resources, urn);

    if (!found) {
        found = ARENA_NEW(plan->arena, struct resource_plan);
        found->inputs = found->outputs_diff =
            (struct property_changes){ .adds = VALUE_EMPTY_OBJECT, .updates = VALUE_EMPTY_OBJECT };
        map_put(&plan->resources, arena_copy(plan->arena, urn), found);
    }
    return found;
}

static void note_goal(struct update_plan *plan, const struct registration *reg, struct value olds)
{
    struct resource_plan *noted = find_or_add(plan, reg->urn);
    struct resource owned = *reg->new; /* has copies of everything that lasts */

    noted->has_goal = true;
    noted->goal = reg->goal;
    noted->goal.type = owned.type;
    noted->goal.name = urn_name_of(owned.urn);
    noted->goal.parent = owned.parent;
    noted->goal.provider = owned.provider;
    noted->goal.dependencies = owned.dependencies;
    noted->goal.property_dependencies = owned.property_dependencies;
    noted->goal.options = owned.options;
    noted->goal.aliases = own_aliases(plan->arena, &reg->goal);
    noted->goal.inputs = VALUE_EMPTY_OBJECT;
    noted->seed = arena_copy(plan->arena, reg->seed);
    noted->inputs = property_changes_between(reg->arena, olds, reg->inputs);
    own_changes(plan->arena, &noted->inputs);
    /* It was read for the import; no later step reports its outputs. */
    if (reg->is_imported && reg->old) {
        noted->has_outputs = true;
        noted->outputs = value_copy(plan->arena, reg->old->outputs);
    }
}

str update_plan_seed(const struct stepgen *gen, str urn)
{
    const struct resource_plan *plan = gen->plan ? map_find(&gen->plan->resources, urn) : NULL;
    return plan ? plan->seed : STR("");
}

fallible update_plan_check_goal(struct stepgen *gen, struct registration *reg, bool starts_over)
{
    struct value olds = starts_over ? VALUE_EMPTY_OBJECT : reg->old_inputs;
    struct error *violation = NULL;

    if (gen->new_plan)
        note_goal(gen->new_plan, reg, olds);
    if (!gen->plan)
        return NULL;
    const struct resource_plan *plan = map_find(&gen->plan->resources, reg->urn);
    if (plan)
        violation = compare_goal(plan, reg, reg->old_inputs);
    else if (reg->old)
        violation = compare_unplanned(reg);
    return error_wrap(violation, "resource " STR_FMT " violates plan", STR_ARG(reg->urn));
}

/* Less than was planned is always allowed, more never: test_plan_update_plan.c:
 * less_than_was_planned_is_allowed, more_than_was_planned_is_refused. */
static bool is_allowed(enum step_op op, enum step_op planned)
{
    if (op == planned)
        return true;
    return (op == OP_SAME && step_op_has(planned, TRAIT_MAY_BE_SAME))
           || (op == OP_UPDATE && step_op_has(planned, TRAIT_MAY_BE_UPDATE));
}

fallible update_plan_check_step(struct stepgen *gen, const struct step *step)
{
    str urn = stepgen_current_urn(gen, step_urn(step));

    if (gen->new_plan)
        vec_add(&find_or_add(gen->new_plan, urn)->ops, step->op);
    if (!gen->plan)
        return NULL;
    struct resource_plan *plan = map_find(&gen->plan->resources, step_urn(step));
    const char *name = step_op_names[step->op];
    if (!plan)
        return step->op == OP_SAME
                   ? NULL
                   : error_new(
                       ERROR_OTHER,
                       "%s is not allowed by the plan: no steps were expected for this resource",
                       name);
    if (plan->seen >= plan->ops.len)
        return error_new(
            ERROR_OTHER,
            "%s is not allowed by the plan: no more steps were expected for this resource", name);
    enum step_op planned = plan->ops.items[plan->seen++];
    if (is_allowed(step->op, planned))
        return NULL;
    return error_new(ERROR_OTHER,
                     "%s is not allowed by the plan: this resource is constrained to %s", name,
                     step_op_names[planned]);
}

void update_plan_note_state(struct stepgen *gen, const struct resource *state)
{
    struct update_plan *plan = gen->new_plan;
    struct resource_plan *noted = plan ? map_find(&plan->resources, state->urn) : NULL;

    if (!noted)
        return;
    noted->has_outputs = true;
    noted->outputs = value_copy(plan->arena, state->outputs);
}

fallible update_plan_check_outputs(struct stepgen *gen, str urn, struct value old, struct value new)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (gen->new_plan) {
        struct resource_plan *noted = find_or_add(gen->new_plan, urn);
        noted->outputs_diff = property_changes_between(&scratch, old, new);
        own_changes(gen->new_plan->arena, &noted->outputs_diff);
        noted->has_outputs = true;
        noted->outputs = value_copy(gen->new_plan->arena, new);
    }
    if (!gen->plan)
        return NULL;
    const struct resource_plan *plan = map_find(&gen->plan->resources, urn);
    if (!plan)
        return error_new(ERROR_OTHER, "no plan for resource " STR_FMT, STR_ARG(urn));
    return error_wrap(compare_changes(&scratch, old, new, &plan->outputs_diff),
                      "resource violates plan");
}

fallible update_plan_check_complete(struct stepgen *gen)
{
    const struct map_entry *entry;
    bool is_incomplete = false;

    if (!gen->plan)
        return NULL;
    for (size_t cursor = 0; map_next(&gen->plan->resources, &cursor, &entry);) {
        const struct resource_plan *plan = entry->value;
        if (plan->seen >= plan->ops.len)
            continue;
        /* A planned delete of something that is gone already is not missed. */
        if (plan->ops.len - plan->seen == 1 && plan->ops.items[plan->seen] == OP_DELETE
            && !estate_had(gen->estate, entry->key))
            continue;
        report_diagnose(gen->report, SEVERITY_ERROR, entry->key,
                        "expected resource operations for " STR_FMT " but none were seen",
                        STR_ARG(entry->key));
        is_incomplete = true;
    }
    return is_incomplete ? error_reported("the plan was not carried out") : NULL;
}
