/* engine_life.c — throws the dice for the operations of a life. */
#include "unit/engine_life.h"

#include "cli/stack/urn_edit.h"
#include "model/resource_links.h"
#include "model/urn.h"

#include <string.h>

#define PROVIDER "pulumi:providers:pulumi"

enum { PROVIDERS = 2, COMPONENTS = 2, RESOURCES = 6, NAMES = PROVIDERS + COMPONENTS + RESOURCES };
static const char *const names[NAMES] = { "p", "q", "k", "l", "a", "b", "c", "d", "e", "f" };

/* --- dice --- */

static unsigned roll(struct life *life, unsigned sides)
{
    life->dice = life->dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(life->dice >> 33) % sides;
}

static bool chance(struct life *life, unsigned percent)
{
    return roll(life, 100) < percent;
}

#define ONE_OF(life, ...)                        \
    ((const char *const[]){ __VA_ARGS__ })[roll( \
        (life), sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))]

static const char *text(struct life *life, const char *before, const char *after)
{
    struct arena *arena = &life->world->arena;

    return arena_cstr(arena, arena_printf(arena, "%s%s", before, after));
}

void life_begin(struct life *life, struct world *world, unsigned long seed, bool calls_fail)
{
    *life = (struct life){ .world = world,
                           .dice = seed * UINT64_C(2654435761) + 54321,
                           .calls_fail = calls_fail,
                           .has_stack = seed % 2 };
    for (int i = 0; i < 5; i++)
        roll(life, 2);
}

unsigned life_length(struct life *life)
{
    return 2 + roll(life, 5);
}

/* --- the program --- */

/* One of those that the program has registered so far, by what they are; NULL: there is none. Some
 * are registered more than once, under different parents. */
static const char *registered(struct life *life, unsigned first, unsigned count)
{
    const char *found[NAMES];
    unsigned len = 0;

    for (size_t i = 0; i < life->world->actions.len; i++)
        for (unsigned j = first; j < first + count && len < NAMES; j++)
            if (life->world->actions.items[i].sample.name == names[j]
                && !life->world->actions.items[i].is_outputs
                && !life->world->actions.items[i].sample.read_id)
                found[len++] = names[j];
    return len ? found[roll(life, len)] : NULL;
}

/* A URN of the state, of a type for an alias, of any for a target; NULL: there is none. */
static const char *some_urn(struct life *life, str type)
{
    const struct snapshot *base = &life->world->base;
    unsigned count = (unsigned)base->resource_count, at = count ? roll(life, count) : 0;

    for (unsigned i = 0; i < count; i++) {
        const struct resource *resource = base->resources[(at + i) % count];
        if (!resource->view_of.len && (type.len == 0 || str_equal(resource->type, type))
            && !str_equal(urn_name_of(resource->urn), STR("default")))
            return arena_cstr(&life->world->arena, resource->urn);
    }
    return NULL;
}

static void throw_dependency(struct life *life, struct sample *sample)
{
    const char *name = registered(life, 0, NAMES);

    if (!name)
        return;
    switch (roll(life, 11)) {
    case 0:
    case 1: sample->uses = text(life, "y:", name); break;
    case 2: sample->depends_on = name; break;
    case 3: sample->depends_on = sample->deleted_with = name; break;
    case 4: sample->depends_on = sample->replace_with = name; break;
    case 5: sample->deleted_with = name; break;
    case 6:
        sample->replace_with = name;
        sample->deleted_with = registered(life, 0, NAMES);
        break;
    case 7:
        sample->depends_on = text(life, text(life, name, " "), registered(life, 0, NAMES));
        sample->uses = text(life, "y:", registered(life, 0, NAMES));
        break;
    default: break;
    }
}

/* All of them are registered in each run; "bad" fails in some. */
static void throw_hooks(struct life *life, struct sample *sample)
{
    sample->hooks[roll(life, HOOK_ON_ERROR)] = ONE_OF(life, "good", "bad", "bad good");
    if (chance(life, 50))
        sample->hooks[HOOK_ON_ERROR] = "retry";
}

/* It says what it was by some of its parts: the others are those of now. */
static void throw_alias(struct life *life, struct sample *sample)
{
    if (chance(life, 50))
        sample->alias_from = registered(life, 0, NAMES);
    else
        sample->alias.has_no_parent = true;
    if (chance(life, 30))
        sample->alias.name = str_from(names[roll(life, NAMES)]);
}

static void throw_options(struct life *life, struct sample *sample)
{
    if (chance(life, 12))
        throw_hooks(life, sample);
    sample->protect = chance(life, 4);
    sample->retain_on_delete = chance(life, 4);
    if (chance(life, 12))
        sample->delete_first = ONE_OF(life, "yes", "no");
    if (chance(life, 10))
        sample->trigger = ONE_OF(life, "v=1", "v=2");
    if (chance(life, 5))
        sample->replace_on_changes = "x";
    if (chance(life, 4))
        sample->ignore_changes = "x";
}

/* It is read, imported, or goes on from something of the state under another name. */
static void throw_origin(struct life *life, struct sample *sample)
{
    struct world *world = life->world;
    unsigned kind = roll(life, 100);

    if (kind < 5 && world->cloud->len) {
        str id = world->cloud->items[roll(life, (unsigned)world->cloud->len)].id;
        *sample = (struct sample){ .name = sample->name,
                                   .inputs = "x=1",
                                   .read_id = arena_cstr(&world->arena, id),
                                   .provider = sample->provider,
                                   .is_parallel = sample->is_parallel };
    } else if (kind < 9) {
        sample->import_id = arena_cstr(&world->arena, cloud_new_id(world, STR("found")));
        cloud_add(world, str_from(sample->import_id), false);
    } else if (kind < 20) {
        sample->aliases = some_urn(life, STR("pulumi:t:R"));
        if (sample->aliases && chance(life, 40))
            sample->aliases =
                text(life, text(life, sample->aliases, " "), some_urn(life, STR("pulumi:t:R")));
    } else if (kind < 25) {
        throw_alias(life, sample);
    }
}

/* The program asks for it a second time now and then, which ends the run. */
static void throw_goal(struct life *life, struct sample *sample)
{
    if (life->has_stack && !sample->parent)
        sample->parent = "s";
    world_goal(life->world, sample);
    if (chance(life, 1))
        world_goal(life->world, sample);
}

static void throw_resource(struct life *life, const char *name)
{
    struct sample sample = { .name = name,
                             .inputs = ONE_OF(life, "x=1 y=1", "x=1 y=1", "x=2 y=1", "x=1 y=2"),
                             .is_parallel = chance(life, 70) };

    throw_dependency(life, &sample);
    throw_options(life, &sample);
    sample.is_hasty = chance(life, 3);
    if (chance(life, 20))
        sample.parent = registered(life, 0, NAMES);
    if (chance(life, 25))
        sample.provider = registered(life, 0, PROVIDERS);
    throw_origin(life, &sample);
    if (!sample.read_id && chance(life, 12))
        sample.extension = ONE_OF(life, "x1", "x2");
    if (!sample.read_id && chance(life, 6)) { /* a component of that type */
        sample.type = "pulumi:t:R";
        sample.is_component = true;
        sample.provider = sample.extension = sample.import_id = NULL;
    }
    throw_goal(life, &sample);
}

static void throw_one(struct life *life, unsigned i)
{
    struct sample sample = { .name = names[i] };

    if (i >= PROVIDERS + COMPONENTS) {
        throw_resource(life, names[i]);
        return;
    }
    if (i < PROVIDERS) {
        sample.type = PROVIDER;
        sample.inputs = ONE_OF(life, "region=1", "region=1", "region=2");
        if (chance(life, 6))
            sample.aliases = some_urn(life, STR(PROVIDER));
    } else {
        sample.is_component = true;
        sample.inputs = ONE_OF(life, "x=1", "x=2");
        if (chance(life, 30))
            sample.parent = registered(life, PROVIDERS, COMPONENTS);
        if (chance(life, 6))
            sample.aliases = some_urn(life, STR("pulumi:t:C"));
    }
    if (chance(life, 25))
        throw_dependency(life, &sample);
    if (chance(life, 15))
        sample.parent = registered(life, 0, NAMES);
    if (chance(life, 6))
        throw_hooks(life, &sample);
    sample.protect = chance(life, 3);
    sample.retain_on_delete = chance(life, 3);
    sample.is_parallel = chance(life, 40);
    if (sample.is_component && chance(life, 6)) {
        sample.type = "pulumi:t:C";
        sample.is_component = false;
    }
    if (chance(life, 8))
        throw_alias(life, &sample);
    throw_goal(life, &sample);
    if (sample.is_component && !sample.is_parallel && chance(life, 40))
        world_outputs(life->world, sample.name, ONE_OF(life, "o=1", "o=2"));
}

static void throw_stack(struct life *life)
{
    if (!life->has_stack)
        return;
    GOAL(life->world, "s", .type = "pulumi:pulumi:Stack", .is_component = true);
    if (chance(life, 30))
        world_outputs(life->world, "s", ONE_OF(life, "o=1", "o=2"));
}

static void throw_program(struct life *life)
{
    unsigned order[NAMES];
    unsigned first = chance(life, 25) ? 0 : PROVIDERS + COMPONENTS;

    throw_stack(life);
    for (unsigned i = 0; i < NAMES; i++)
        order[i] = i;
    for (unsigned i = NAMES - 1; i > first && chance(life, 80); i--) {
        unsigned other = first + roll(life, i - first + 1);
        unsigned was = order[i];
        order[i] = order[other];
        order[other] = was;
    }
    for (unsigned i = 0; i < NAMES; i++)
        if (chance(life, i < PROVIDERS + COMPONENTS ? 45 : 75))
            throw_one(life, order[i]);
}

/* --- the answers --- */

static void throw_failure(struct life *life, struct script *script)
{
    const char *method =
        ONE_OF(life, "create", "update", "delete", "delete", "read", "check", "diff", "configure");
    unsigned kind = roll(life, 100);

    if (kind < 14)
        script->fails = method;
    else if (kind < 17)
        script->partial = ONE_OF(life, "create", "update", "read");
    else if (kind < 19)
        script->lost = ONE_OF(life, "create", "update", "delete", "read");
    else if (kind < 21)
        script->signal = ONE_OF(life, "once", "once", "twice");
    if (chance(life, 50))
        script->times = 1;
}

static void throw_script(struct life *life, const char *name)
{
    struct script script = { .name = name };

    if (chance(life, 60)) {
        script.replaces = ONE_OF(life, "x", "y", "region");
        script.deletes_first = chance(life, 55);
    }
    if (chance(life, 40)) {
        const char *method = ONE_OF(life, "check ", "diff ", "create ", "update ", "delete ");
        script.until = text(life, method, names[roll(life, NAMES)]);
        script.held = ONE_OF(life, "check diff", "create", "update", "delete", "read", "diff");
        script.spared = roll(life, 2);
    }
    if (life->calls_fail)
        throw_failure(life, &script);
    if (chance(life, 6))
        script.inputs = ONE_OF(life, "x=3 y=1", "x=1 y=1", "x=2");
    if (chance(life, 4))
        script.outputs = ONE_OF(life, "x=1 o=1", "o=2");
    if (chance(life, 4))
        script.diff = ONE_OF(life, "none", "some", "unknown");
    if (chance(life, 3))
        script.detailed = ONE_OF(life, "x:update-replace", "y:add-replace", "x:update");
    if (life->calls_fail && chance(life, 3))
        script.refuses = "x";
    script.is_gone = chance(life, 3);
    script.refreshes_before_update = chance(life, 3);
    script.has_view = chance(life, 40);
    world_script(life->world, &script);
}

/* What answers for those that have no name in the program. */
static void throw_other_scripts(struct life *life)
{
    struct world *world = life->world;

    world->default_inputs = ONE_OF(life, "region=1", "region=1", "region=2");
    SCRIPT(world, "default", .replaces = chance(life, 60) ? "region" : NULL,
           .deletes_first = chance(life, 40));
    if (life->calls_fail && chance(life, 10))
        SCRIPT(world, "x1", .fails = "parameterize");
    world->retries = roll(life, 4);
}

/* --- the options --- */

static struct strs throw_urns(struct life *life)
{
    const char *one = some_urn(life, STR("")), *other = some_urn(life, STR(""));

    if (chance(life, 25)) {
        const char *name = registered(life, 0, NAMES);
        if (name)
            other = arena_cstr(&life->world->arena, world_urn(life->world, name));
        if (!one)
            one = other;
    }
    if (chance(life, 8))
        other = ONE_OF(life, "**::a", "**pulumi:t:C**", "**R::*");
    if (!one)
        return (struct strs){ 0 };
    return world_list(life->world,
                      chance(life, 60) ? one : text(life, text(life, one, " "), other));
}

static void throw_selection(struct life *life, struct plan_options *plan)
{
    unsigned kind = roll(life, 100);

    if (kind < 12) {
        plan->targets = throw_urns(life);
        plan->target_dependents = chance(life, 60);
    } else if (kind < 24) {
        plan->excludes = throw_urns(life);
        plan->exclude_dependents = chance(life, 50);
    } else if (kind < 28) {
        plan->replaces = throw_urns(life);
        if (chance(life, 40))
            plan->targets = plan->replaces;
    } else if (kind < 32) {
        plan->exclude_protected = true;
    }
}

static void clear_options(struct world *world)
{
    world->options.plan = (struct plan_options){ .parallel = 4 };
    world->options.kind = OPERATION_UPDATE;
    world->options.preview = false;
    world->options.update_plan = (struct update_plan_options){ 0 };
    world->program_fails = false;
    world->journal.is_far = false;
    world->journal.dies_at = 0;
    world->journal.fails_at = 0;
    world->default_inputs = NULL;
    world->hooks = "good bad retry";
    world->retries = 0;
    world->bad_hook = NULL;
}

/* --- between operations --- */

static bool is_needed(const struct snapshot *snapshot, const struct resource *resource)
{
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *other = snapshot->resources[i];
        struct link_cursor cursor = { 0 };
        struct link link;
        while (resource_link_next(other, &cursor, &link))
            if (str_equal(link.urn, resource->urn))
                return true;
        if (str_equal(other->view_of, resource->urn))
            return true;
    }
    return false;
}

/* `state delete`: nobody knows of it any more. */
static void forget_one(struct life *life)
{
    struct snapshot *base = &life->world->base;
    unsigned at = base->resource_count ? roll(life, (unsigned)base->resource_count) : 0;

    if (base->resource_count == 0 || is_needed(base, base->resources[at])
        || base->resources[at]->view_of.len)
        return;
    cloud_release_object(life->world, base->resources[at]->id);
    base->resources = arena_copy_bytes(&life->world->arena, base->resources,
                                       base->resource_count * sizeof(*base->resources));
    for (size_t i = at + 1; i < base->resource_count; i++)
        base->resources[i - 1] = base->resources[i];
    base->resource_count--;
}

/* `state taint`, `state protect`, `state unprotect`. */
static void mark_one(struct life *life)
{
    struct snapshot *base = &life->world->base;

    if (base->resource_count == 0)
        return;
    struct resource **place = &base->resources[roll(life, (unsigned)base->resource_count)];
    *place = resource_clone_shallow(&life->world->arena, *place);
    if (chance(life, 50))
        (*place)->is_tainted = (*place)->is_custom && !(*place)->is_delete;
    else
        (*place)->options.protect = !(*place)->options.protect;
}

static str renamed(void *names_, str urn)
{
    const str *pair = names_;

    return str_equal(urn, pair[0]) ? pair[1] : urn;
}

/* `state rename`. */
static void rename_one(struct life *life)
{
    struct snapshot *base = &life->world->base;
    struct arena *arena = &life->world->arena;
    size_t at = base->resource_count ? roll(life, (unsigned)base->resource_count) : 0;
    struct urn urn;

    if (base->resource_count == 0 || base->resources[at]->is_delete
        || base->resources[at]->view_of.len)
        return;
    assert_ok(urn_parse(base->resources[at]->urn, &urn));
    urn.name = str_from(names[roll(life, NAMES)]);
    str pair[] = { base->resources[at]->urn, urn_format(arena, &urn) };
    bool is_default = str_equal(urn_name_of(pair[0]), STR("default"));
    for (size_t i = 0; i < base->resource_count; i++)
        if (is_default || str_equal(base->resources[i]->urn, pair[1]))
            return;
    base->resources =
        arena_copy_bytes(arena, base->resources, base->resource_count * sizeof(*base->resources));
    for (size_t i = 0; i < base->resource_count; i++)
        base->resources[i] = urn_edit_resource(arena, base->resources[i], renamed, pair, i != at);
}

static void edit_state(struct life *life)
{
    if (chance(life, 6))
        forget_one(life);
    if (chance(life, 10))
        rename_one(life);
    if (chance(life, 10))
        mark_one(life);
}

void life_next(struct life *life)
{
    struct world *world = life->world;
    struct plan_options *plan = &world->options.plan;
    unsigned kind = roll(life, 100);

    clear_options(world);
    edit_state(life);
    throw_program(life);
    for (unsigned i = 0; i < NAMES; i++)
        throw_script(life, names[i]);
    throw_other_scripts(life);
    plan->parallel = chance(life, 25) ? 1 : chance(life, 50) ? 2 : 16;
    plan->parallel_diff = chance(life, 15);
    plan->refresh = chance(life, 25);
    plan->run_program = chance(life, 50);
    plan->continue_on_error = chance(life, 35);
    plan->ignore_protect = chance(life, 20);
    plan->clear_pending_creates = chance(life, 5);
    plan->legacy_diff = chance(life, 5);
    plan->legacy_refresh_diff = chance(life, 5);
    if (kind < 12)
        world->options.kind = OPERATION_REFRESH;
    else if (kind < 26)
        world->options.kind = OPERATION_DESTROY;
    world->options.preview = chance(life, 5);
    world->program_fails = life->calls_fail && chance(life, 3);
    world->journal.is_far = chance(life, 15);
    if (life->calls_fail && chance(life, 15))
        world->journal.dies_at = 1 + roll(life, 40);
    else if (life->calls_fail && chance(life, 10))
        world->journal.fails_at = 1 + roll(life, 40);
    if (life->calls_fail && chance(life, 20))
        world->bad_hook = "bad";
    throw_selection(life, plan);
    life->has_plan = world->options.kind == OPERATION_UPDATE && chance(life, 8);
}

void life_settle(struct life *life)
{
    struct world *world = life->world;
    const char *top = life->has_stack ? "s" : NULL;

    clear_options(world);
    world->options.plan.ignore_protect = true;
    world->options.plan.clear_pending_creates = true;
    if (life->has_stack)
        GOAL(world, "s", .type = "pulumi:pulumi:Stack", .is_component = true);
    GOAL(world, "p", .type = PROVIDER, .inputs = "region=1", .parent = top);
    GOAL(world, "k", .is_component = true, .parent = top);
    GOAL(world, "a", .inputs = "x=1 y=1", .parent = top);
    GOAL(world, "b", .inputs = "x=1 y=1", .uses = "y:a", .parent = top);
    GOAL(world, "c", .inputs = "x=1 y=1", .parent = "k", .depends_on = "a");
    GOAL(world, "d", .inputs = "x=1 y=1", .provider = "p", .parent = top);
    GOAL(world, "e", .inputs = "x=1 y=1", .uses = "y:d", .parent = top);
}
