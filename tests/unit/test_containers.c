/* test_containers.c — growing texts, growing arrays, maps. */
#include "unit/check.h"

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <stdio.h>

static void a_text_grows_and_stays_terminated(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf buf = { 0 };

    assert_str_equal(strbuf_str(&buf), STR(""));
    for (int i = 0; i < 1000; i++) {
        strbuf_add(&buf, STR("ab"));
        strbuf_add_char(&buf, 'c');
        assert_int_equal(buf.ptr[buf.len], '\0');
    }
    assert_int_equal(buf.len, 3000);
    strbuf_clear(&buf);
    strbuf_add_repeated(&buf, '-', 5);
    strbuf_printf(&buf, "%d %0200d", 7, 8);
    assert_int_equal(buf.len, 5 + 2 + 200);
    assert_true(str_starts_with(strbuf_str(&buf), STR("-----7 000")));
    strbuf_add(&buf, (str){ 0 });
    assert_int_equal(buf.len, 207);
}

struct numbers {
    VEC(int);
};

static void an_array_grows_and_shrinks_in_order(void **state)
{
    (void)state;
    struct numbers numbers = { 0 };

    for (int i = 0; i < 100; i++)
        vec_add(&numbers, i);
    vec_remove(&numbers, 0);
    vec_remove(&numbers, 98);
    vec_remove(&numbers, 50);
    assert_int_equal(numbers.len, 97);
    assert_int_equal(numbers.items[0], 1);
    assert_int_equal(numbers.items[50], 52);
    assert_int_equal(numbers.items[96], 98);
    vec_reserve(&numbers, 1000);
    assert_true(numbers.capacity >= 1000);
    vec_release(&numbers);
    assert_int_equal(numbers.len, 0);
    vec_release(&numbers);
}

static void a_map_finds_what_was_put_and_forgets_what_was_removed(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static char names[COUNT][16];
    struct map map = { 0 };

    assert_null(map_find(&map, STR("x")));
    assert_null(map_remove(&map, STR("x")));
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), "key-%zu", i);
        map_put(&map, str_from(names[i]), names[i]);
    }
    for (size_t i = 0; i < COUNT; i += 3)
        assert_ptr_equal(map_remove(&map, str_from(names[i])), names[i]);
    assert_int_equal(map.len, COUNT - COUNT / 3);
    for (size_t i = 0; i < COUNT; i++)
        assert_ptr_equal(map_find(&map, str_from(names[i])), i % 3 ? names[i] : NULL);
    for (size_t i = 0; i < COUNT; i += 3)
        map_put(&map, str_from(names[i]), names[0]);
    assert_int_equal(map.len, COUNT);
    assert_ptr_equal(map_find(&map, str_from(names[3])), names[0]);
    map_release(&map);
}

static void a_map_is_walked_in_the_order_of_insertion(void **state)
{
    (void)state;
    struct map map = { 0 };
    const struct map_entry *entry;
    CLEANUP(strbuf_release) struct strbuf order = { 0 };

    map_put(&map, STR("b"), NULL);
    map_put(&map, STR("a"), NULL);
    map_put(&map, STR(""), NULL);
    map_put(&map, STR("c\0d"), NULL);
    map_put(&map, STR("a"), &map);
    map_remove(&map, STR("b"));
    map_put(&map, STR("b"), NULL);
    for (size_t i = 0; map_next(&map, &i, &entry);) {
        strbuf_add(&order, entry->key);
        strbuf_add_char(&order, '|');
    }
    assert_str_equal(strbuf_str(&order), STR("a||c\0d|b|"));
    assert_true(map_has(&map, STR("b")));
    assert_null(map_find(&map, STR("b")));
    assert_ptr_equal(map_find(&map, STR("a")), &map);
    map_release(&map);
}

static void many_removals_do_not_fill_a_map(void **state)
{
    (void)state;
    struct map map = { 0 };

    for (int i = 0; i < 100000; i++) {
        map_put(&map, STR("x"), &map);
        map_remove(&map, STR("x"));
    }
    assert_int_equal(map.len, 0);
    assert_true(map.capacity < 100);
    map_release(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_grows_and_stays_terminated),
        cmocka_unit_test(an_array_grows_and_shrinks_in_order),
        cmocka_unit_test(a_map_finds_what_was_put_and_forgets_what_was_removed),
        cmocka_unit_test(a_map_is_walked_in_the_order_of_insertion),
        cmocka_unit_test(many_removals_do_not_fill_a_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
