/* test_estate.c — what goes with what, before this run and in it. */
#include "unit/check.h"

#include "engine/estate/estate.h"

/* Each goes with the one before it, and the first with `root`. */
static struct resource **chain_of(struct arena *arena, size_t count)
{
    struct resource **all = ARENA_ARRAY(arena, struct resource *, count);

    for (size_t i = 0; i < count; i++) {
        all[i] = ARENA_NEW(arena, struct resource);
        *all[i] = (struct resource){ .urn = arena_printf(arena, "r%zu", i), .is_custom = true };
        all[i]->options.deleted_with = i ? all[i - 1]->urn : STR("root");
    }
    return all;
}

static void what_a_state_names_takes_it_along(void **state)
{
    (void)state;
    static const str with[] = { STR_INIT("x"), STR_INIT("y") };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource a = { .urn = STR("a"), .options.deleted_with = STR("x") };
    struct resource b = { .urn = STR("b"), .options.replace_with = { with, 2 } };
    struct resource gone = { .urn = STR("c"), .options.deleted_with = STR("x"), .is_delete = true };
    struct resource *base[] = { &a, &b, &gone };
    struct estate estate;

    estate_init(&estate, &arena);
    estate_set_base(&estate, base, 3);
    struct resources found = estate_old_companions(&estate, &arena, STR("x"));
    assert_int_equal(found.len, 2);
    assert_ptr_equal(found.items[0], &a);
    assert_ptr_equal(found.items[1], &b);
    assert_int_equal(estate_old_companions(&estate, &arena, STR("y")).len, 1);
    assert_int_equal(estate_old_companions(&estate, &arena, STR("a")).len, 0);
    assert_int_equal(estate_new_companions(&estate, &arena, STR("x")).len, 0);
    estate_release(&estate);
}

static void the_last_state_of_a_run_decides_what_it_goes_with(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource first = { .urn = STR("a"), .options.deleted_with = STR("x") };
    struct resource last = { .urn = STR("a"), .options.deleted_with = STR("y") };
    struct resource *base[] = { &first };
    struct estate estate;

    estate_init(&estate, &arena);
    estate_add_new(&estate, &first);
    assert_int_equal(estate_new_companions(&estate, &arena, STR("x")).len, 1);
    estate_add_new(&estate, &last);
    assert_int_equal(estate_new_companions(&estate, &arena, STR("x")).len, 0);
    assert_int_equal(estate_new_companions(&estate, &arena, STR("y")).len, 1);
    /* What was recorded is what the new base says of it. */
    estate_set_base(&estate, base, 1);
    assert_int_equal(estate_new_companions(&estate, &arena, STR("x")).len, 1);
    assert_int_equal(estate_new_companions(&estate, &arena, STR("y")).len, 0);
    estate_release(&estate);
}

/* Work that grows with the square would take minutes. */
static void each_of_many_is_asked_what_goes_with_it(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource **all = chain_of(&arena, COUNT);
    struct estate estate;

    estate_init(&estate, &arena);
    estate_set_base(&estate, all, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        estate_add_new(&estate, all[i]);
    for (size_t i = 0; i + 1 < COUNT; i++) {
        assert_int_equal(estate_old_companions(&estate, &arena, all[i]->urn).len, 1);
        assert_int_equal(estate_new_companions(&estate, &arena, all[i]->urn).len, 1);
    }
    estate_release(&estate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_state_names_takes_it_along),
        cmocka_unit_test(the_last_state_of_a_run_decides_what_it_goes_with),
        cmocka_unit_test(each_of_many_is_asked_what_goes_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
