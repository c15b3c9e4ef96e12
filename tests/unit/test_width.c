/* test_width.c — columns that texts take on a terminal. */
#include "unit/check.h"

#include "base/width.h"
#include "base/width_table.h"

static void letters_take_one_column(void **state)
{
    (void)state;
    assert_int_equal(width_of(STR("")), 0);
    assert_int_equal(width_of(STR("plain ~")), 7);
    assert_int_equal(width_of(STR("naïve-café")), 10);
    assert_int_equal(width_of(STR("עברית")), 5);
    assert_int_equal(width_of(STR("├─ │ └─ …")), 9);
}

static void chinese_japanese_and_korean_take_two(void **state)
{
    (void)state;
    assert_int_equal(width_of(STR("数据库-主")), 9);
    assert_int_equal(width_of(STR("ｆｕｌｌ")), 8);
    assert_int_equal(width_of(STR("한국어")), 6);
    assert_int_equal(width_of(STR("\u1112\u1161\u11ab")), 2); /* one syllable of three letters */
    assert_int_equal(width_of(STR("ひらがな")), 8);
}

static void marks_take_none(void **state)
{
    (void)state;
    assert_int_equal(width_of(STR("e\u0301")), 1);
    assert_int_equal(width_of(STR("a\u0308\u0323b")), 2);
    assert_int_equal(width_of(STR("x\u200by")), 2);
    assert_int_equal(width_of(STR("\u0301")), 0);
}

static void an_emoji_takes_two_however_it_is_composed(void **state)
{
    static const char *const emojis[] = {
        "🚀",
        "👍🏽",
        "👩\u200d🚀",
        "❤\ufe0f",
        "❤\ufe0f\u200d🔥",
        "1\ufe0f\u20e3",
        "🏳\ufe0f\u200d🌈",
        "🇩🇪",
        "👨\u200d👩\u200d👧",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(emojis) / sizeof(emojis[0]); i++)
        assert_int_equal(width_of(str_from(emojis[i])), 2);
    assert_int_equal(width_of(STR("🇩🇪🇫🇷")), 4);
    assert_int_equal(width_of(STR("🇲🇲🇲🇲")), 4);
    assert_int_equal(width_of(STR("❤")), 1);
}

static void escapes_and_controls_take_none(void **state)
{
    (void)state;
    assert_int_equal(width_of(STR("\x1b[31mred\x1b[0m")), 3);
    assert_int_equal(width_of(STR("\x1b[38;5;12m")), 0);
    assert_int_equal(width_of(STR("a\tb\x7f")), 2);
    assert_int_equal(width_of(STR("\x1b")), 0);
    assert_int_equal(width_of(STR("\x1b[")), 0);
}

static void what_is_cut_is_cut_between_visible_characters(void **state)
{
    (void)state;
    assert_int_equal(width_fit(STR("数据库"), 5).len, strlen("数据"));
    assert_int_equal(width_fit(STR("数据库"), 1).len, 0);
    assert_int_equal(width_fit(STR("e\u0301x"), 1).len, strlen("e\u0301"));
    assert_int_equal(width_fit(STR("👩\u200d🚀x"), 2).len, strlen("👩\u200d🚀"));
    assert_int_equal(width_fit(STR("👩\u200d🚀x"), 1).len, 0);
    assert_int_equal(width_fit(STR("abc"), 9).len, 3);
}

/* Any bytes are walked to their end, and what fits is never wider than asked for. */
static void no_bytes_are_too_strange(void **state)
{
    uint32_t seed = 7;
    char bytes[64];

    (void)state;
    for (int round = 0; round < 20000; round++) {
        for (size_t i = 0; i < sizeof(bytes); i++) {
            seed = seed * 1664525 + 1013904223;
            bytes[i] = (char)(seed >> (round % 3 ? 24 : 20));
        }
        str text = { bytes, sizeof(bytes) };
        assert_true(width_of(text) <= 2 * sizeof(bytes));
        str fit = width_fit(text, 10);
        assert_true(fit.len <= text.len && width_of(fit) <= 12);
    }
}

static void the_table_is_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i + 1 < sizeof(width_none) / sizeof(width_none[0]); i++)
        assert_true(width_none[i].first <= width_none[i].last
                    && width_none[i].last < width_none[i + 1].first);
    for (size_t i = 0; i + 1 < sizeof(width_two) / sizeof(width_two[0]); i++)
        assert_true(width_two[i].first <= width_two[i].last
                    && width_two[i].last < width_two[i + 1].first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_take_one_column),
        cmocka_unit_test(chinese_japanese_and_korean_take_two),
        cmocka_unit_test(marks_take_none),
        cmocka_unit_test(an_emoji_takes_two_however_it_is_composed),
        cmocka_unit_test(escapes_and_controls_take_none),
        cmocka_unit_test(what_is_cut_is_cut_between_visible_characters),
        cmocka_unit_test(no_bytes_are_too_strange),
        cmocka_unit_test(the_table_is_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
