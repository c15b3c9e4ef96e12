/* test_arena.c — memory with one lifetime. */
#include "unit/check.h"

#include "base/arena.h"

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    for (size_t size = 1; size < 300; size += 7) {
        char *block = arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)block % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 0);
        memset(block, 0xff, size);
    }
}

static void blocks_do_not_overlap_whatever_their_size(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    enum { COUNT = 200 };
    unsigned char *blocks[COUNT];
    size_t sizes[COUNT];

    for (size_t i = 0; i < COUNT; i++) {
        sizes[i] = i % 13 == 0 ? 5000 * i + 1 : i * 3 + 1;
        blocks[i] = arena_alloc_raw(&arena, sizes[i]);
        memset(blocks[i], (int)(i % 251), sizes[i]);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < sizes[i]; k += 97)
            assert_int_equal(blocks[i][k], i % 251);
    assert_true(arena.total > 0);
}

static void a_released_arena_is_empty_and_can_be_used_again(void **state)
{
    (void)state;
    struct arena arena = { 0 };
    assert_non_null(arena_alloc(&arena, 100000));
    arena_release(&arena);
    assert_int_equal(arena.total, 0);
    arena_release(&arena);
    assert_str_equal(arena_copy(&arena, STR("again")), STR("again"));
    arena_release(&arena);
}

static void texts_end_in_a_nul_and_may_hold_one(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str copy = arena_copy(&arena, STR("a\0b"));

    assert_int_equal(copy.len, 3);
    assert_int_equal(copy.ptr[3], '\0');
    assert_str_equal(arena_concat(&arena, STR("x"), copy, STR(""), STR("y")), STR("xa\0by"));
    assert_str_equal(arena_copy(&arena, (str){ 0 }), STR(""));
    str text = arena_printf(&arena, "%0300d", 7);
    assert_int_equal(text.len, 300);
    assert_int_equal(text.ptr[300], '\0');
    assert_str_equal(arena_printf(&arena, "%s-%d", "n", 3), STR("n-3"));
}

static void an_array_that_grows_moves_when_it_is_full(void **state)
{
    enum { MANY = 10000 };
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    int *items = NULL;

    for (int i = 0; i < MANY; i++) {
        items = arena_grow(&arena, items, (size_t)i, sizeof(*items));
        items[i] = i;
    }
    for (int i = 0; i < MANY; i++)
        assert_int_equal(items[i], i);
    assert_true(arena.total < 8 * MANY * sizeof(*items));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(blocks_do_not_overlap_whatever_their_size),
        cmocka_unit_test(a_released_arena_is_empty_and_can_be_used_again),
        cmocka_unit_test(texts_end_in_a_nul_and_may_hold_one),
        cmocka_unit_test(an_array_that_grows_moves_when_it_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
