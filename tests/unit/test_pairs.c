/* test_pairs.c — lists of keys with their text. */
#include "unit/check.h"

#include "base/pairs.h"

static const struct pair given[] = { { STR_INIT("b"), STR_INIT("1") },
                                     { STR_INIT("a"), STR_INIT("2") },
                                     { STR_INIT("b"), STR_INIT("3") } };
static const struct pair others[] = { { STR_INIT("a"), STR_INIT("4") },
                                      { STR_INIT("c"), STR_INIT("") } };
static const struct pairs list = { given, 3 }, more = { others, 2 };

static void the_first_of_equal_keys_is_found(void **state)
{
    (void)state;
    assert_str_equal(*pairs_find(list, STR("b")), STR("1"));
    assert_null(pairs_find(list, STR("c")));
    assert_null(pairs_find((struct pairs){ 0 }, STR("b")));
}

static void a_union_adds_only_keys_that_are_new(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pairs both = pairs_union(&arena, list, more);

    (void)state;
    assert_int_equal(both.len, 4);
    assert_str_equal(*pairs_find(both, STR("a")), STR("2"));
    assert_str_equal(both.items[3].key, STR("c"));
    assert_int_equal(pairs_union(&arena, (struct pairs){ 0 }, (struct pairs){ 0 }).len, 0);
}

static void a_join_keeps_everything_and_a_sort_orders_it_by_key(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pairs sorted = pairs_sorted(&arena, pairs_join(&arena, list, more));

    (void)state;
    assert_int_equal(sorted.len, 5);
    assert_str_equal(sorted.items[0].key, STR("a"));
    assert_str_equal(sorted.items[4].key, STR("c"));
    assert_int_equal(pairs_sorted(&arena, (struct pairs){ 0 }).len, 0);
}

static void a_list_of_text_is_read_two_by_two(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const str words[] = { STR("a"), STR("1"), STR("b"), STR("2"), STR("alone") };
    struct pairs read = pairs_from_strs(&arena, (struct strs){ words, 5 });

    (void)state;
    assert_int_equal(read.len, 2);
    assert_str_equal(read.items[1].key, STR("b"));
    assert_str_equal(read.items[1].value, STR("2"));
}

static void a_copy_has_its_own_text(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pairs copy = pairs_copy(&arena, list);

    (void)state;
    assert_str_equal(copy.items[2].value, STR("3"));
    assert_ptr_not_equal(copy.items[2].value.ptr, list.items[2].value.ptr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_equal_keys_is_found),
        cmocka_unit_test(a_union_adds_only_keys_that_are_new),
        cmocka_unit_test(a_join_keeps_everything_and_a_sort_orders_it_by_key),
        cmocka_unit_test(a_list_of_text_is_read_two_by_two),
        cmocka_unit_test(a_copy_has_its_own_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
