/* test_plan_random.c — what holds whatever the state, the program and the order of calls. Worlds
 * are made up by chance, each from its seed. */
#include "unit/engine_play.h"
#include "unit/engine_random.h"

#include "model/urn.h"

#include <string.h>

enum { COUNT = 1500 };

/* --- what must hold --- */

static bool was_called(const struct call *call, const char *method)
{
    return str_starts_with(call->what, str_from(method)) && call->what.ptr[strlen(method)] == ' ';
}

/* An ID that the state had; what a run creates has the same ID each time. */
static bool is_of_before(str id)
{
    return str_starts_with(id, STR("id-"));
}

/* The program reads it by its ID, whatever has become of it; what was deleted first is compared if
 * it goes on under another name (scenario dbr/aliased-while-condemned); and a plan that is
 * overtaken by the delete may still ask. */
static bool is_question(const struct world *world, const struct call *call)
{
    if (was_called(call, "diff"))
        return world->options.plan.parallel != 1 || str_starts_with(call->what, STR("diff n"));
    for (size_t i = 0; i < world->actions.len; i++)
        if (was_called(call, "read")
            && str_equal(str_from(world->actions.items[i].sample.read_id), call->id))
            return true;
    return false;
}

static void nothing_is_touched_after_its_delete(const struct world *world)
{
    for (size_t i = 0; i < world->calls.len; i++) {
        const struct call *delete = &world->calls.items[i];
        if (!was_called(delete, "delete") || !is_of_before(delete->id))
            continue;
        for (size_t j = i + 1; j < world->calls.len; j++) {
            const struct call *call = &world->calls.items[j];
            if (!str_equal(call->id, delete->id) || is_question(world, call))
                continue;
            print_error(STR_FMT " was deleted before '" STR_FMT "'\n", STR_ARG(delete->id),
                        STR_ARG(call->what));
            fail();
        }
    }
}

/* By the end of the run: a later create may have brought it back. */
static bool is_deleted(const struct world *world, str id)
{
    bool is_deleted = false;

    for (size_t i = 0; i < world->calls.len; i++) {
        const struct call *call = &world->calls.items[i];
        if (was_called(call, "delete") && str_equal(call->id, id))
            is_deleted = true;
        if (was_called(call, "create") && str_starts_with(id, STR("new-"))
            && str_equal(str_slice(call->what, 7, call->what.len), str_slice(id, 4, id.len)))
            is_deleted = false;
    }
    return is_deleted;
}

static bool is_live(const struct resource *resource)
{
    return resource->is_custom && !resource->is_delete && !resource->is_pending_replacement
           && !resource->is_external && resource->id.len && !type_is_provider(resource->type);
}

static void the_state_has_nothing_that_was_deleted(const struct world *world)
{
    for (size_t i = 0; i < world->result.resource_count; i++) {
        const struct resource *resource = world->result.resources[i];
        if (!is_live(resource) || !is_deleted(world, resource->id))
            continue;
        print_error("the state still has " STR_FMT "\n", STR_ARG(resource->id));
        fail();
    }
}

static void nothing_is_in_the_state_twice(const struct world *world)
{
    for (size_t i = 0; i < world->result.resource_count; i++) {
        const struct resource *one = world->result.resources[i];
        for (size_t j = i + 1; is_live(one) && j < world->result.resource_count; j++) {
            const struct resource *other = world->result.resources[j];
            if (!is_live(other) || !str_equal(one->id, other->id))
                continue;
            print_error("the state has " STR_FMT " twice\n", STR_ARG(one->id));
            fail();
        }
    }
}

static bool is_in_state(const struct world *world, str id)
{
    for (size_t i = 0; i < world->result.resource_count; i++)
        if (str_equal(world->result.resources[i]->id, id))
            return true;
    return false;
}

static bool has_failing_create(const struct world *world, str name)
{
    for (size_t i = 0; i < world->scripts.len; i++) {
        const struct script *script = &world->scripts.items[i];
        if (str_equal(str_from(script->name), name) && script->fails)
            return strcmp(script->fails, "create") == 0;
    }
    return false;
}

static void what_was_created_is_in_the_state(struct world *world)
{
    for (size_t i = 0; i < world->calls.len; i++) {
        const struct call *call = &world->calls.items[i];
        if (!was_called(call, "create"))
            continue;
        str name = str_slice(call->what, 7, call->what.len);
        str id = arena_concat(&world->arena, STR("new-"), name);
        if (has_failing_create(world, name) || is_deleted(world, id) || is_in_state(world, id))
            continue;
        print_error("the state has lost " STR_FMT "\n", STR_ARG(id));
        fail();
    }
}

static const struct resource *find_before(const struct world *world, str id)
{
    for (size_t i = 0; i < world->base.resource_count; i++)
        if (str_equal(world->base.resources[i]->id, id))
            return world->base.resources[i];
    return NULL;
}

/* The state of before that a call deletes as nobody wants it any more; NULL if it does not. What is
 * deleted before it is replaced takes only those along that have to be replaced with it. */
static const struct resource *unwanted(struct world *world, const struct call *call)
{
    str step = arena_printf(&world->arena, "begin " STR_FMT "\n", STR_ARG(call->what));

    if (!was_called(call, "delete") || str_find(strbuf_str(&world->history), step) == SIZE_MAX)
        return NULL;
    return find_before(world, call->id);
}

/* As the state had them. A destroy or a refresh that runs the program goes by what that says they
 * depend on. */
static void dependents_are_deleted_first(struct world *world)
{
    if (world->options.plan.run_program)
        return;
    for (size_t i = 0; i < world->calls.len; i++) {
        const struct resource *gone = unwanted(world, &world->calls.items[i]);
        for (size_t j = i + 1; gone && j < world->calls.len; j++) {
            const struct call *call = &world->calls.items[j];
            const struct resource *later =
                was_called(call, "delete") ? find_before(world, call->id) : NULL;
            if (!later || !strs_has(later->dependencies, gone->urn))
                continue;
            print_error(STR_FMT " was deleted before " STR_FMT ", which needs it\n",
                        STR_ARG(gone->id), STR_ARG(later->id));
            fail();
        }
    }
}

/* Programs that the engine has reason to refuse, and it says so. */
static bool was_refused(const struct world *world)
{
    static const char *const reasons[] = { "Duplicate", "may not be replaced", "not exist",
                                           "depends on" };

    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (str_find(strbuf_str(&world->diagnostics), str_from(reasons[i])) != SIZE_MAX)
            return true;
    return false;
}

static void check_world(struct world *world, bool calls_fail)
{
    bool may_fail =
        calls_fail || world->options.plan.targets.len || world->options.plan.excludes.len;

    if (!may_fail && !was_refused(world))
        assert_succeeds(world);
    if (world->options.preview)
        return;
    if (!world->has_failed)
        nothing_is_touched_after_its_delete(world);
    the_state_has_nothing_that_was_deleted(world);
    nothing_is_in_the_state_twice(world);
    what_was_created_is_in_the_state(world);
    dependents_are_deleted_first(world);
}

/* --- playing --- */

/* That it ends, and that the state is whole, in order and what the journal says, is world_run's
 * part. */
static void play(struct world *world, unsigned long seed, bool calls_fail)
{
    random_world(world, seed, calls_fail);
    play_run(world);
    check_world(world, calls_fail);
}

static void the_state_is_what_the_cloud_has(void **state)
{
    (void)state;
    play_all(play, false, COUNT);
}

static void the_state_is_what_the_cloud_has_though_calls_fail(void **state)
{
    (void)state;
    play_all(play, true, COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOR_ALL(the_state_is_what_the_cloud_has),
        FOR_ALL(the_state_is_what_the_cloud_has_though_calls_fail),
    };

    play_watch_signals();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
