/* test_registry.c — a provider that several need at once, and one that is changed meanwhile. */
#include "engine/engine_options.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "unit/check.h"

#define PROVIDER_URN STR("urn:pulumi:dev::p::pulumi:providers:pulumi::prov")
#define REFERENCE STR("urn:pulumi:dev::p::pulumi:providers:pulumi::prov::id")

/* Two processes of one provider; the first takes its time. */
struct process {
    struct provider provider;
    struct latch *held;
    size_t configured;
};

static fallible count_configure(struct provider *provider, const struct configure_request *request)
{
    struct process *process = (struct process *)(void *)provider;

    (void)request;
    if (process->held)
        latch_wait_uncancelable(process->held);
    process->configured++;
    return NULL;
}

static const struct provider_ops process_ops = { .configure = count_configure };

struct place {
    struct arena arena;
    struct project_facts project;
    struct plugin_world plugins;
    struct engine_options options;
    struct report report;
    struct estate estate;
    struct registry registry;
    struct latch go;
    struct process slow;
    struct process quick;
    struct work_group loading;
    struct resource state;
    struct resource *base[1];
};

static void place_open(struct place *place)
{
    place->options =
        (struct engine_options){ .project = &place->project, .world = &place->plugins };
    place->report = (struct report){ .options = &place->options, .arena = &place->arena };
    place->state = (struct resource){ .urn = PROVIDER_URN,
                                      .type = STR("pulumi:providers:pulumi"),
                                      .id = STR("id"),
                                      .is_custom = true,
                                      .inputs = VALUE_EMPTY_OBJECT,
                                      .outputs = VALUE_EMPTY_OBJECT };
    place->base[0] = &place->state;
    estate_init(&place->estate, &place->arena);
    estate_set_base(&place->estate, place->base, 1);
    registry_init(&place->registry, &place->options, &place->report, &place->estate);
    place->slow = (struct process){ .provider = { .ops = &process_ops, .package = STR("pulumi") },
                                    .held = &place->go };
    place->quick =
        (struct process){ .provider = { .ops = &process_ops, .package = STR("pulumi") } };
    place->registry.builtin = &place->slow.provider;
}

static void place_close(struct place *place)
{
    registry_release(&place->registry);
    estate_release(&place->estate);
    arena_release(&place->arena);
}

static void load_from_state(void *place_)
{
    struct place *place = place_;

    assert_ok(registry_ensure(&place->registry, REFERENCE));
    work_group_done(&place->loading);
}

static void load_beside(struct place *place)
{
    work_group_add(&place->loading, 1);
    fiber_spawn(load_from_state, place);
    fiber_yield();
}

static void several_need_it(void *place_)
{
    struct place *place = place_;

    place_open(place);
    load_beside(place);
    load_beside(place);
    latch_open(&place->go);
    work_group_wait_uncancelable(&place->loading);
    assert_int_equal(place->slow.configured, 1);
    assert_ptr_equal(registry_find(&place->registry, REFERENCE), &place->slow.provider);
    place_close(place);
}

static void several_that_need_a_provider_at_once_configure_it_once(void **state)
{
    struct place place = { 0 };

    (void)state;
    assert_ok(scheduler_run(several_need_it, &place));
}

/* The program changes its configuration while somebody still loads it as the state has it. */
static void it_is_changed(void *place_)
{
    struct place *place = place_;
    struct provider *self = &place->registry.provider;
    const struct check_request check = { .urn = PROVIDER_URN,
                                         .olds = VALUE_EMPTY_OBJECT,
                                         .news = VALUE_EMPTY_OBJECT };
    const struct update_request update = { .urn = PROVIDER_URN,
                                           .id = STR("id"),
                                           .news = VALUE_EMPTY_OBJECT };
    struct check_answer checked = { 0 };
    struct provider_state updated;

    place_open(place);
    load_beside(place);
    place->registry.builtin = &place->quick.provider;
    assert_ok(self->ops->check(self, &check, &place->arena, &checked));
    assert_ok(self->ops->update(self, &update, &place->arena, &updated));
    latch_open(&place->go);
    work_group_wait_uncancelable(&place->loading);
    assert_ptr_equal(registry_find(&place->registry, REFERENCE), &place->quick.provider);
    place_close(place);
}

static void a_provider_of_the_state_does_not_take_the_place_of_the_changed_one(void **state)
{
    struct place place = { 0 };

    (void)state;
    assert_ok(scheduler_run(it_is_changed, &place));
}

/* A state may have as many as it likes; each copied all that the owner had. */
static void many_views_of_one_owner_are_found_at_once(void **state)
{
    enum { MANY = 5000, MOST_BYTES = 16 << 20 };
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(arena_release) struct arena apart = { 0 };
    struct resource owner = { .urn = STR("urn:pulumi:d::p::a:b:C::owner") };
    struct resource **resources = ARENA_ARRAY(&arena, struct resource *, MANY);
    struct estate estate;

    for (int i = 0; i < MANY; i++) {
        resources[i] = ARENA_NEW(&arena, struct resource);
        resources[i]->urn = arena_printf(&arena, "urn:pulumi:d::p::a:b:V::v%d", i);
        resources[i]->view_of = owner.urn;
    }
    estate_init(&estate, &apart);
    estate_set_base(&estate, resources, MANY);
    struct provider_views views = estate_views(&estate, &owner);
    assert_int_equal(views.len, MANY);
    assert_true(apart.total < MOST_BYTES);
    estate_release(&estate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_that_need_a_provider_at_once_configure_it_once),
        cmocka_unit_test(a_provider_of_the_state_does_not_take_the_place_of_the_changed_one),
        cmocka_unit_test(many_views_of_one_owner_are_found_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
