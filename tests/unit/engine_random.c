/* engine_random.c — throws the dice for a world: up to seven resources that depend on each other,
 * are renamed, replaced, read, imported, targeted, and whose calls wait for each other. */
#include "unit/engine_random.h"

#include <string.h>

enum { NAMES = 7 };
static const char *const names[NAMES] = { "a", "b", "c", "d", "e", "f", "g" };
static const char *const methods[] = { "check", "diff", "create", "update", "delete", "read" };
enum { METHODS = 6, METHODS_THAT_FAIL = 4 };

struct dice {
    struct world *world;
    uint64_t state;
    unsigned count; /* of names that are in use */
    bool is_old[NAMES];
    bool is_goal[NAMES]; /* and may be depended on */
};

/* --- dice --- */

static unsigned roll(struct dice *dice, unsigned sides)
{
    dice->state = dice->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(dice->state >> 33) % sides;
}

static bool chance(struct dice *dice, unsigned percent)
{
    return roll(dice, 100) < percent;
}

static const char *some_method(struct dice *dice)
{
    return methods[roll(dice, METHODS)];
}

static const char *some_name(struct dice *dice)
{
    return names[roll(dice, dice->count)];
}

static const char *text(struct dice *dice, const char *before, const char *after)
{
    struct arena *arena = &dice->world->arena;

    return arena_cstr(arena, arena_printf(arena, "%s%s", before, after));
}

/* --- parts of a world --- */

static void throw_old(struct dice *dice, unsigned i)
{
    struct sample sample = { .name = names[i], .inputs = "x=1 y=1" };
    bool is_component = chance(dice, 8);
    unsigned earlier = i ? roll(dice, i) : 0;
    unsigned kind = roll(dice, 4);

    if (i && dice->is_old[earlier] && kind == 0)
        sample.uses = text(dice, "y:", names[earlier]);
    else if (i && dice->is_old[earlier] && kind == 1)
        sample.depends_on = names[earlier];
    else if (i && dice->is_old[earlier] && kind == 2 && chance(dice, 40))
        sample.deleted_with = names[earlier];
    if (is_component && !sample.uses) {
        sample.is_component = true;
        sample.inputs = "x=1";
    } else if (chance(dice, 5)) {
        sample.is_pending_replacement = true;
    }
    world_old(dice->world, &sample);
    dice->is_old[i] = true;
}

/* What a goal depends on is one of those that were registered before. */
static void throw_dependency(struct dice *dice, struct sample *sample)
{
    const char *earlier[NAMES];
    unsigned count = 0, kind = roll(dice, 6);

    for (size_t i = 0; i < dice->world->actions.len; i++)
        for (unsigned j = 0; j < NAMES; j++)
            if (dice->is_goal[j] && dice->world->actions.items[i].sample.name == names[j])
                earlier[count++] = names[j];
    if (count == 0)
        return;
    const char *name = earlier[roll(dice, count)];
    if (kind == 0) {
        sample->uses = text(dice, "y:", name);
    } else if (kind == 1) {
        sample->depends_on = name;
    } else if (kind == 2 && chance(dice, 50)) {
        sample->depends_on = sample->deleted_with = name;
    } else if (kind == 3 && chance(dice, 50)) {
        sample->depends_on = sample->replace_with = name;
    }
}

static void throw_goal(struct dice *dice, unsigned i)
{
    struct sample sample = { .name = names[i], .inputs = "x=1 y=1" };

    if (chance(dice, 50))
        sample.inputs = "x=2 y=1";
    else if (chance(dice, 30))
        sample.inputs = "x=1 y=2";
    sample.is_parallel = chance(dice, 80);
    throw_dependency(dice, &sample);
    if (dice->is_old[i] && chance(dice, 8)) {
        sample.name = text(dice, "n", names[i]);
        sample.aliases = names[i];
    } else if (dice->is_old[i] && chance(dice, 6)) {
        sample = (struct sample){ .name = names[i],
                                  .inputs = "x=1",
                                  .read_id = text(dice, "id-", names[i]),
                                  .is_parallel = sample.is_parallel };
    } else {
        if (chance(dice, 4))
            sample.import_id = text(dice, "imp-", names[i]);
        dice->is_goal[i] = true;
    }
    world_goal(dice->world, &sample);
}

static void throw_program(struct dice *dice)
{
    unsigned order[NAMES];

    for (unsigned i = 0; i < dice->count; i++)
        order[i] = i;
    if (chance(dice, 30)) {
        for (unsigned i = dice->count - 1; i > 0; i--) {
            unsigned other = roll(dice, i + 1), was = order[i];
            order[i] = order[other];
            order[other] = was;
        }
    }
    for (unsigned i = 0; i < dice->count; i++)
        if (chance(dice, 85))
            throw_goal(dice, order[i]);
}

static void throw_script(struct dice *dice, unsigned i, bool calls_fail)
{
    struct script script = { .name = names[i] };

    if (chance(dice, 10))
        script.name = text(dice, "n", names[i]);
    if (chance(dice, 60)) {
        script.replaces = chance(dice, 50) ? "x" : "y";
        script.deletes_first = chance(dice, 65);
    }
    if (chance(dice, 60)) {
        const char *method = some_method(dice);
        script.until = text(dice, text(dice, method, " "), some_name(dice));
        script.held = chance(dice, 40) ? "check diff" : some_method(dice);
        script.spared = roll(dice, 2);
    }
    if (calls_fail && chance(dice, 12))
        script.fails = methods[roll(dice, METHODS_THAT_FAIL)];
    script.is_gone = chance(dice, 5);
    world_script(dice->world, &script);
}

static void throw_options(struct dice *dice, bool calls_fail)
{
    struct engine_options *options = &dice->world->options;
    unsigned kind = roll(dice, 10);

    options->plan.parallel = chance(dice, 20) ? 1 : chance(dice, 50) ? 2 : 16;
    options->plan.parallel_diff = chance(dice, 20);
    options->plan.refresh = options->plan.run_program = chance(dice, 20);
    options->plan.continue_on_error = calls_fail && chance(dice, 50);
    options->preview = chance(dice, 8);
    dice->world->journal.is_far = chance(dice, 20);
    if (kind == 0) {
        options->plan.targets = world_urns(dice->world, some_name(dice));
        options->plan.target_dependents = chance(dice, 50);
    } else if (kind == 1) {
        options->plan.excludes = world_urns(dice->world, some_name(dice));
        options->plan.exclude_dependents = chance(dice, 50);
    } else if (kind <= 3) {
        options->kind = kind == 2 ? OPERATION_REFRESH : OPERATION_DESTROY;
        options->plan.run_program = true;
    }
}

void random_world(struct world *world, unsigned long seed, bool calls_fail)
{
    struct dice dice = { .world = world, .state = seed * UINT64_C(2654435761) + 12345 };

    for (int i = 0; i < 5; i++)
        roll(&dice, 2); /* the first ones of neighbours are alike */
    dice.count = 2 + roll(&dice, NAMES - 1);
    for (unsigned i = 0; i < dice.count; i++)
        if (chance(&dice, 80))
            throw_old(&dice, i);
    throw_program(&dice);
    for (unsigned i = 0; i < dice.count; i++)
        if (chance(&dice, 75))
            throw_script(&dice, i, calls_fail);
    throw_options(&dice, calls_fail);
}

/* --- in words --- */

static void print_text(const char *field, const char *value)
{
    if (value)
        print_error(", .%s = \"%s\"", field, value);
}

static void print_flag(const char *field, bool value)
{
    if (value)
        print_error(", .%s = true", field);
}

static void print_sample(const char *what, const struct sample *sample)
{
    print_error("    %s(world, \"%s\"", what, sample->name);
    print_text("inputs", sample->inputs);
    print_text("uses", sample->uses);
    print_text("depends_on", sample->depends_on);
    print_text("deleted_with", sample->deleted_with);
    print_text("replace_with", sample->replace_with);
    print_text("type", sample->type);
    print_text("parent", sample->parent);
    print_text("provider", sample->provider);
    print_text("aliases", sample->aliases);
    print_text("delete_first", sample->delete_first);
    print_text("trigger", sample->trigger);
    print_text("replace_on_changes", sample->replace_on_changes);
    print_text("ignore_changes", sample->ignore_changes);
    print_text("outputs", sample->outputs);
    print_text("read_id", sample->read_id);
    print_text("import_id", sample->import_id);
    print_text("extension", sample->extension);
    print_text("alias_from", sample->alias_from);
    print_text("alias.name", sample->alias.name.len ? sample->alias.name.ptr : NULL);
    for (int kind = 0; kind < HOOK_KINDS; kind++)
        print_text(hook_names[kind], sample->hooks[kind]);
    print_flag("protect", sample->protect);
    print_flag("retain_on_delete", sample->retain_on_delete);
    print_flag("is_component", sample->is_component);
    print_flag("alias.has_no_parent", sample->alias.has_no_parent);
    print_flag("is_pending_replacement", sample->is_pending_replacement);
    print_flag("is_parallel", sample->is_parallel);
    print_flag("is_hasty", sample->is_hasty);
    print_error(");\n");
}

static void print_script(const struct script *script)
{
    print_error("    SCRIPT(world, \"%s\"", script->name);
    print_text("replaces", script->replaces);
    print_text("refuses", script->refuses);
    print_text("detailed", script->detailed);
    print_text("diff", script->diff);
    print_text("outputs", script->outputs);
    print_text("inputs", script->inputs);
    print_text("until", script->until);
    print_text("held", script->held);
    print_text("fails", script->fails);
    print_text("partial", script->partial);
    print_text("lost", script->lost);
    print_text("signal", script->signal);
    print_text("view", script->view);
    print_flag("deletes_first", script->deletes_first);
    print_flag("has_view", script->has_view);
    print_flag("is_gone", script->is_gone);
    print_flag("refreshes_before_update", script->refreshes_before_update);
    if (script->times)
        print_error(", .times = %zu", script->times);
    if (script->spared)
        print_error(", .spared = %zu", script->spared);
    print_error(");\n");
}

static void print_urns(const char *option, struct strs urns)
{
    for (size_t i = 0; i < urns.len; i++)
        print_error(", %s " STR_FMT, option, STR_ARG(urns.items[i]));
}

static void print_options(const struct world *world)
{
    static const char *const kinds[OPERATION_KINDS] = { "update", "refresh", "destroy", "import" };
    const struct engine_options *options = &world->options;

    print_error("    %s, parallel %d", kinds[options->kind], (int)options->plan.parallel);
    print_urns("target", options->plan.targets);
    print_urns("exclude", options->plan.excludes);
    print_urns("replace", options->plan.replaces);
    print_error(
        "%s%s%s%s%s%s%s%s\n", options->plan.target_dependents ? ", target_dependents" : "",
        options->plan.exclude_dependents ? ", exclude_dependents" : "",
        options->plan.parallel_diff ? ", parallel_diff" : "",
        options->plan.refresh ? ", refresh" : "", options->plan.run_program ? ", run_program" : "",
        options->plan.continue_on_error ? ", continue_on_error" : "",
        options->preview ? ", preview" : "", world->journal.is_far ? ", journal.is_far" : "");
    if (world->bad_hook)
        print_error("    the hook \"%s\" fails\n", world->bad_hook);
    if (world->journal.fails_at)
        print_error("    line %zu cannot be written\n", world->journal.fails_at);
    if (world->default_inputs)
        print_error("    default provider: %s\n", world->default_inputs);
    if (world->journal.dies_at)
        print_error("    killed before line %zu\n", world->journal.dies_at);
    if (options->update_plan.text.len)
        print_error("    with a plan\n");
}

void random_world_print(const struct world *world)
{
    for (size_t i = 0; i < world->olds.len; i++)
        print_sample("OLD", &world->olds.items[i]);
    for (size_t i = 0; i < world->actions.len; i++)
        print_sample("GOAL", &world->actions.items[i].sample);
    for (size_t i = 0; i < world->scripts.len; i++)
        print_script(&world->scripts.items[i]);
    print_options(world);
}
