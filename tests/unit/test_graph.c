/* test_graph.c — who depends on whom. */
#include "unit/check.h"

#include "base/strbuf.h"
#include "model/graph.h"

#include <stdlib.h>

#define LIST(...)                                 \
    ((struct strs){ (const str[]){ __VA_ARGS__ }, \
                    sizeof((const str[]){ __VA_ARGS__ }) / sizeof(str) })
#define PROVIDER "urn:pulumi:d::p::pulumi:providers:x::prov"

/* The names of the resources, joined. */
static str names(struct arena *arena, struct resources list)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    for (size_t i = 0; i < list.len; i++) {
        strbuf_add(&out, i ? STR(" ") : STR(""));
        strbuf_add(&out, list.items[i]->urn);
        if (list.items[i]->is_delete)
            strbuf_add_char(&out, '!');
    }
    return arena_copy(arena, strbuf_str(&out));
}

static struct resource custom(const char *urn)
{
    return (struct resource){ .urn = str_from(urn), .is_custom = true };
}

/* stack; provider; a; b after a; component c with child d below e; f after c; g after d only by
 * property. */
struct world {
    struct arena arena;
    struct resource stack, provider, a, b, c, d, e, f, g;
    struct resource *list[9];
    struct property_dependency property;
    struct graph *graph;
};

static void build(struct world *world)
{
    static const str on_a[] = { STR_INIT("a") }, on_c[] = { STR_INIT("c") },
                     on_e[] = { STR_INIT("e") };
    *world = (struct world){ .stack = custom("stack"),
                             .provider = custom(PROVIDER),
                             .a = custom("a"),
                             .b = custom("b"),
                             .c = custom("c"),
                             .d = custom("d"),
                             .e = custom("e"),
                             .f = custom("f"),
                             .g = custom("g") };
    world->stack.is_custom = world->c.is_custom = world->d.is_custom = false;
    world->a.parent = world->b.parent = world->c.parent = STR("stack");
    world->a.provider = STR(PROVIDER "::id");
    world->b.dependencies = (struct strs){ on_a, 1 };
    world->d.parent = STR("c");
    world->e.parent = STR("d");
    world->f.dependencies = (struct strs){ on_c, 1 };
    world->property = (struct property_dependency){ STR("k"), { on_e, 1 } };
    world->g.property_dependencies = (struct property_dependencies){ &world->property, 1 };
    struct resource *list[] = { &world->stack, &world->provider, &world->a, &world->b, &world->c,
                                &world->d,     &world->e,        &world->f, &world->g };
    memcpy(world->list, list, sizeof(list));
    world->graph = graph_new(&world->arena, world->list, 9);
}

static void world_release(struct world *world)
{
    arena_release(&world->arena);
}

static void dependents_are_found_through_every_kind_of_reference(void **state)
{
    (void)state;
    CLEANUP(world_release) struct world world;
    build(&world);
    struct strs none = { 0 };
    assert_str_equal(names(&world.arena, graph_dependents(world.graph, &world.arena,
                                                          &world.provider, none, false)),
                     STR("a b"));
    assert_str_equal(
        names(&world.arena, graph_dependents(world.graph, &world.arena, &world.e, none, false)),
        STR("g"));
    assert_str_equal(
        names(&world.arena, graph_dependents(world.graph, &world.arena, &world.c, none, false)),
        STR("f"));
    assert_str_equal(
        names(&world.arena, graph_dependents(world.graph, &world.arena, &world.c, none, true)),
        STR("d e f g"));
    assert_str_equal(names(&world.arena, graph_dependents(world.graph, &world.arena, &world.c,
                                                          LIST(STR("d")), true)),
                     STR("f"));
    assert_str_equal(
        names(&world.arena, graph_dependents(world.graph, &world.arena, &world.stack, none, false)),
        STR(""));
    world.f.options.deleted_with = STR("a");
    world.g.options.replace_with = LIST(STR("b"));
    struct graph *graph = graph_new(&world.arena, world.list, 9);
    assert_str_equal(
        names(&world.arena, graph_dependents(graph, &world.arena, &world.a, none, false)),
        STR("b f g"));
}

static void a_dependency_on_a_component_is_one_on_all_that_is_in_it(void **state)
{
    (void)state;
    CLEANUP(world_release) struct world world;
    build(&world);
    assert_str_equal(names(&world.arena, graph_dependencies(world.graph, &world.arena, &world.f)),
                     STR("c d e"));
    assert_str_equal(names(&world.arena, graph_dependencies(world.graph, &world.arena, &world.a)),
                     STR("stack " PROVIDER));
    assert_str_equal(names(&world.arena, graph_dependencies(world.graph, &world.arena, &world.e)),
                     STR("d"));
}

static bool depends_on(const struct graph *graph, const struct resource *resource,
                       const struct resource *other)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resources list = graph_dependencies(graph, &arena, resource);

    for (size_t i = 0; i < list.len; i++)
        if (list.items[i] == other)
            return true;
    return false;
}

static void direct_dependents_are_the_other_direction(void **state)
{
    (void)state;
    CLEANUP(world_release) struct world world;
    build(&world);
    for (size_t i = 0; i < 9; i++) {
        struct resources list = graph_direct_dependents(world.graph, &world.arena, world.list[i]);
        size_t found = 0;
        for (size_t j = 0; j < 9; j++)
            if (depends_on(world.graph, world.list[j], world.list[i]))
                assert_ptr_equal(list.items[found++], world.list[j]);
        assert_int_equal(found, list.len);
    }
}

/* Everything that steps to referrers lead to, in list order. */
static str reached_by_steps(struct world *world, const struct graph *graph, size_t start)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    bool is_reached[9] = { false };

    is_reached[start] = true;
    for (size_t i = start; i < 9; i++) {
        struct resources next = { 0 };
        if (is_reached[i])
            next = graph_referrers(graph, &world->arena, world->list[i]);
        for (size_t j = 0; j < 9; j++)
            for (size_t k = 0; k < next.len; k++)
                is_reached[j] = is_reached[j] || next.items[k] == world->list[j];
    }
    for (size_t i = start + 1; i < 9; i++)
        if (is_reached[i])
            strbuf_printf(&out, "%s" STR_FMT, out.len ? " " : "", STR_ARG(world->list[i]->urn));
    return arena_copy(&world->arena, strbuf_str(&out));
}

static void steps_to_referrers_lead_to_all_dependents_and_children(void **state)
{
    (void)state;
    CLEANUP(world_release) struct world world;
    build(&world);
    assert_str_equal(names(&world.arena, graph_referrers(world.graph, &world.arena, &world.c)),
                     STR("d f"));
    for (size_t i = 0; i < 9; i++)
        assert_str_equal(
            reached_by_steps(&world, world.graph, i),
            names(&world.arena, graph_dependents(world.graph, &world.arena, world.list[i],
                                                 (struct strs){ 0 }, true)));
}

static void transitive_dependencies_leave_out_what_only_stands_before(void **state)
{
    (void)state;
    CLEANUP(world_release) struct world world;
    build(&world);
    assert_str_equal(
        names(&world.arena, graph_transitive_dependencies(world.graph, &world.arena, &world.b)),
        STR("stack " PROVIDER " a"));
    assert_str_equal(
        names(&world.arena, graph_transitive_dependencies(world.graph, &world.arena, &world.g)),
        STR("stack c d e"));
    assert_str_equal(
        names(&world.arena, graph_transitive_dependencies(world.graph, &world.arena, &world.stack)),
        STR(""));
}

static void a_condemned_copy_may_mean_each_copy_before_it(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource a = custom("a"), b = custom("b"), old_a = custom("a"), old_b = custom("b");
    b.dependencies = old_b.dependencies = LIST(STR("a"));
    old_a.is_delete = old_b.is_delete = true;
    struct resource *list[] = { &a, &b, &old_a, &old_b };
    struct graph *graph = graph_new(&arena, list, 4);
    assert_str_equal(names(&arena, graph_transitive_dependencies(graph, &arena, &b)), STR("a"));
    assert_str_equal(names(&arena, graph_transitive_dependencies(graph, &arena, &old_b)),
                     STR("a a!"));
    assert_str_equal(
        names(&arena, graph_dependents(graph, &arena, &old_a, (struct strs){ 0 }, false)),
        STR("b!"));
    struct resource newer = custom("a");
    assert_str_equal(
        names(&arena, graph_dependents(graph, &arena, &newer, (struct strs){ 0 }, false)),
        STR("b b!"));
    struct resource stranger = custom("x");
    assert_int_equal(graph_dependencies(graph, &arena, &stranger).len, 0);
    assert_int_equal(graph_direct_dependents(graph, &arena, &stranger).len, 0);
}

/* Random worlds: each answer must agree with the others. */
static void answers_agree_with_each_other(void **state)
{
    (void)state;
    enum { COUNT = 40, WORLDS = 50 };
    unsigned seed = 1;
    for (int world = 0; world < WORLDS; world++) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        struct resource *list[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            struct resource *resource = list[i] = ARENA_NEW(&arena, struct resource);
            str *dependencies = ARENA_ARRAY(&arena, str, 2);
            *resource = custom(arena_printf(&arena, "r%zu", i).ptr);
            resource->is_custom = rand_r(&seed) % 3 > 0;
            resource->is_delete = rand_r(&seed) % 10 == 0;
            for (size_t j = 0; j < 2 && i > 0; j++)
                dependencies[j] = list[(size_t)rand_r(&seed) % i]->urn;
            resource->dependencies =
                (struct strs){ dependencies, i > 0 ? (size_t)rand_r(&seed) % 3 : 0 };
            if (i > 0 && rand_r(&seed) % 2)
                resource->parent = list[(size_t)rand_r(&seed) % i]->urn;
        }
        struct graph *graph = graph_new(&arena, list, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            struct resources below = graph_direct_dependents(graph, &arena, list[i]);
            size_t found = 0;
            for (size_t j = 0; j < COUNT; j++)
                if (depends_on(graph, list[j], list[i]))
                    assert_ptr_equal(below.items[found++], list[j]);
            assert_int_equal(found, below.len);
        }
    }
}

/* Work that grows with the square would take minutes. */
static void what_nothing_depends_on_is_known_at_once(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource **all = ARENA_ARRAY(&arena, struct resource *, COUNT);

    for (size_t i = 0; i < COUNT; i++) {
        all[i] = ARENA_NEW(&arena, struct resource);
        *all[i] = (struct resource){ .urn = arena_printf(&arena, "r%zu", i), .is_custom = true };
        all[i]->parent = i ? all[0]->urn : STR("");
    }
    struct graph *graph = graph_new(&arena, all, COUNT);
    for (size_t i = 1; i < COUNT; i++)
        assert_int_equal(graph_dependents(graph, &arena, all[i], LIST(STR("r0")), true).len, 0);
    assert_int_equal(graph_dependents(graph, &arena, all[0], LIST(STR("r1")), true).len, COUNT - 2);
    assert_int_equal(graph_dependents(graph, &arena, all[0], LIST(STR("r1")), false).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependents_are_found_through_every_kind_of_reference),
        cmocka_unit_test(a_dependency_on_a_component_is_one_on_all_that_is_in_it),
        cmocka_unit_test(direct_dependents_are_the_other_direction),
        cmocka_unit_test(steps_to_referrers_lead_to_all_dependents_and_children),
        cmocka_unit_test(transitive_dependencies_leave_out_what_only_stands_before),
        cmocka_unit_test(answers_agree_with_each_other),
        cmocka_unit_test(a_condemned_copy_may_mean_each_copy_before_it),
        cmocka_unit_test(what_nothing_depends_on_is_known_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
