/* test_display_scroll.c — moving through a table that is longer than the screen. */
#include "unit/check.h"

#include "display/scroll.h"

static size_t offset_after(struct scroll scroll, const char *keys)
{
    scroll_keys(&scroll, str_from(keys), 5);
    return scroll.offset;
}

static void it_follows_the_end_until_one_moves_away(void **state)
{
    struct scroll scroll = { 0 };

    (void)state;
    scroll_fit(&scroll, 8, 10);
    assert_int_equal(scroll.offset, 0);
    scroll_fit(&scroll, 30, 10);
    assert_int_equal(scroll.offset, 20);
    assert_true(scroll_keys(&scroll, STR("k"), 5));
    scroll_fit(&scroll, 40, 10);
    assert_int_equal(scroll.offset, 19);
    assert_true(scroll_keys(&scroll, STR("G"), 5));
    scroll_fit(&scroll, 41, 10);
    assert_int_equal(scroll.offset, 31);
    scroll_fit(&scroll, 5, 10);
    assert_int_equal(scroll.offset, 0);
}

static void keys_move_it_within_its_ends(void **state)
{
    const struct scroll middle = { .offset = 10, .most = 20 };

    (void)state;
    assert_int_equal(offset_after(middle, "\x1b[A"), 9);
    assert_int_equal(offset_after(middle, "\x1bOA"), 9);
    assert_int_equal(offset_after(middle, "kk"), 8);
    assert_int_equal(offset_after(middle, "\x1b[B"), 11);
    assert_int_equal(offset_after(middle, "j"), 11);
    assert_int_equal(offset_after(middle, "\x1b[5~"), 5);
    assert_int_equal(offset_after(middle, "\x1b[5~\x1b[5~\x1b[5~"), 0);
    assert_int_equal(offset_after(middle, "\x1b[6~"), 15);
    assert_int_equal(offset_after(middle, "\x1b[6~\x1b[6~\x1b[6~"), 20);
    assert_int_equal(offset_after(middle, "g"), 0);
    assert_int_equal(offset_after(middle, "\x1b[H"), 0);
    assert_int_equal(offset_after(middle, "G"), 20);
    assert_int_equal(offset_after(middle, "\x1b[F"), 20);
}

static void other_keys_mean_nothing(void **state)
{
    struct scroll scroll = { .offset = 10, .most = 20 };

    (void)state;
    assert_false(scroll_keys(&scroll, STR("\r\nls\x1b\x1b[1;5C\x1b[15~\x1b["), 5));
    assert_false(scroll_keys(&scroll, STR(""), 5));
    assert_int_equal(scroll.offset, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_follows_the_end_until_one_moves_away),
        cmocka_unit_test(keys_move_it_within_its_ends),
        cmocka_unit_test(other_keys_mean_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
