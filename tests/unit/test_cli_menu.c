/* test_cli_menu.c — choosing from a menu with keys. */
#include "unit/check.h"

#include "cli/screen/menu.h"

static const char *const choices[] = { "yes", "no", "details", NULL };

/* The choice after these keys, or what became of the menu. */
static const char *choose(size_t preset, const char *keys)
{
    struct menu menu = { .choices = choices, .selected = preset };

    /* Byte by byte: a key may come in pieces. */
    for (size_t i = 0; keys[i]; i++) {
        enum menu_verdict verdict = menu_feed(&menu, (str){ keys + i, 1 });
        if (verdict != MENU_OPEN)
            return verdict == MENU_CANCELED ? "canceled" : choices[menu.selected];
    }
    return "open";
}

static void enter_takes_what_is_selected(void **state)
{
    (void)state;
    assert_string_equal(choose(1, "\r"), "no");
    assert_string_equal(choose(0, "\n"), "yes");
}

static void arrows_move_around_the_ends(void **state)
{
    (void)state;
    assert_string_equal(choose(1, "\x1b[A\r"), "yes");
    assert_string_equal(choose(1, "\x1b[B\r"), "details");
    assert_string_equal(choose(1, "\x1bOA\r"), "yes");
    assert_string_equal(choose(0, "\x1b[A\r"), "details");
    assert_string_equal(choose(2, "\x1b[B\r"), "yes");
    assert_string_equal(choose(1, "\x10\r"), "yes");
    assert_string_equal(choose(1, "\x0e\r"), "details");
}

static void typing_leaves_what_has_it(void **state)
{
    (void)state;
    assert_string_equal(choose(1, "yes\n"), "yes");
    assert_string_equal(choose(1, "Y\r"), "yes");
    assert_string_equal(choose(0, "tail\r"), "details");
    assert_string_equal(choose(1, "e\r"), "yes");
    assert_string_equal(choose(1, "e\x1b[B\r"), "details");
    assert_string_equal(choose(1, "yx\x7f\r"), "yes");
    assert_string_equal(choose(1, "nothing like it\r"), "open");
}

static void backspace_takes_a_whole_character(void **state)
{
    (void)state;
    assert_string_equal(choose(1, "y\xc3\xa9\x7f\r"), "yes");
    assert_string_equal(choose(1, "y\xe6\x95\xb0\x7f\r"), "yes");
}

static void control_c_and_the_end_cancel(void **state)
{
    (void)state;
    assert_string_equal(choose(1, "\x03"), "canceled");
    assert_string_equal(choose(1, "y\x04"), "canceled");
}

/* Escape alone is a key, too: what comes after it is not swallowed. */
static void control_c_after_escape_cancels(void **state)
{
    (void)state;
    assert_string_equal(choose(1, "\x1b\x03"), "canceled");
    assert_string_equal(choose(1, "\x1b[\x03"), "canceled");
    assert_string_equal(choose(1, "\x1b\r"), "no");
    assert_string_equal(choose(1, "\x1b\x1b[A\r"), "yes");
}

static void other_keys_mean_nothing(void **state)
{
    (void)state;
    assert_string_equal(choose(1, "\x1b[5~\x1b[1;5C\x1bx\t\r"), "no");
    assert_string_equal(choose(1, "\x7f\x08\r"), "no");
}

/* Any bytes leave a menu that can be drawn. */
static void no_keys_break_it(void **state)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    uint32_t seed = 1;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct menu menu = { .choices = choices, .selected = 1 };
        for (int i = 0; i < 100; i++) {
            seed = seed * 1664525 + 1013904223;
            char key = (char)(seed >> 24);
            if (menu_feed(&menu, (str){ &key, 1 }) == MENU_CHOSEN)
                break;
            out.len = 0;
            assert_true(menu_draw(&menu, 20, COLOR_NEVER, &out) <= 4);
            assert_true(menu.selected < 3);
        }
    }
}

static str draw(struct strbuf *out, struct menu *menu, size_t width)
{
    out->len = 0;
    menu_draw(menu, width, COLOR_NEVER, out);
    return strbuf_str(out);
}

static void the_selected_one_is_marked(void **state)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct menu menu = { .choices = choices, .selected = 1 };

    (void)state;
    assert_str_equal(draw(&out, &menu, 80), STR("  yes\n> no\n  details\n"));
    menu_feed(&menu, STR("e"));
    assert_str_equal(draw(&out, &menu, 80), STR("  / e\n> yes\n  details\n"));
    assert_str_equal(draw(&out, &menu, 6), STR("  / e\n> yes\n  deta\n"));
}

static void a_long_list_shows_what_is_near(void **state)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    static const char *const letters[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                           "k", "l", "m", "n", "o", "p", "q", "r", "s", NULL };
    struct menu menu = { .choices = letters, .selected = 9 };

    (void)state;
    assert_str_equal(draw(&out, &menu, 80),
                     STR("  e\n  f\n  g\n  h\n  i\n> j\n  k\n  l\n  m\n  n\n"));
    menu.selected = 18;
    assert_str_equal(draw(&out, &menu, 80),
                     STR("  j\n  k\n  l\n  m\n  n\n  o\n  p\n  q\n  r\n> s\n"));
    menu.selected = 0;
    assert_str_equal(draw(&out, &menu, 80),
                     STR("> a\n  b\n  c\n  d\n  e\n  f\n  g\n  h\n  i\n  j\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enter_takes_what_is_selected),
        cmocka_unit_test(arrows_move_around_the_ends),
        cmocka_unit_test(typing_leaves_what_has_it),
        cmocka_unit_test(backspace_takes_a_whole_character),
        cmocka_unit_test(control_c_and_the_end_cancel),
        cmocka_unit_test(control_c_after_escape_cancels),
        cmocka_unit_test(other_keys_mean_nothing),
        cmocka_unit_test(no_keys_break_it),
        cmocka_unit_test(the_selected_one_is_marked),
        cmocka_unit_test(a_long_list_shows_what_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
