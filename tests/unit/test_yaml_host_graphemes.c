/* test_yaml_host_graphemes.c — how many characters a reader sees. */
#include "unit/check.h"

#include "yaml/eval/graphemes.h"

static void letters_count_one_each(void **state)
{
    (void)state;
    assert_int_equal(graphemes_count(STR("")), 0);
    assert_int_equal(graphemes_count(STR("plain")), 5);
    assert_int_equal(graphemes_count(STR("a\r\nb")), 3);
}

static void marks_of_all_scripts_continue_a_letter(void **state)
{
    (void)state;
    assert_int_equal(graphemes_count(STR("e\u0301")), 1);
    assert_int_equal(graphemes_count(STR("\u0915\u094d\u0937\u093f")), 2); /* Devanagari */
    assert_int_equal(graphemes_count(STR("\u1780\u17b6")), 1);             /* Khmer */
    assert_int_equal(graphemes_count(STR("\u0f40\u0f72")), 1);             /* Tibetan */
    assert_int_equal(graphemes_count(STR("\U00011013\U00011038")), 1);     /* Brahmi */
    assert_int_equal(graphemes_count(STR("\u1000\u102b")), 2); /* Burmese aa stands for itself */
}

static void letters_of_korean_make_syllables(void **state)
{
    (void)state;
    assert_int_equal(graphemes_count(STR("\u1112\u1161\u11ab")), 1);
    assert_int_equal(graphemes_count(STR("\uac00\u11ab")), 1);
    assert_int_equal(graphemes_count(STR("\uac00\uac00")), 2);
    assert_int_equal(graphemes_count(STR("a\u1161")), 2);
}

static void emoji_of_several_parts_count_one(void **state)
{
    (void)state;
    assert_int_equal(graphemes_count(STR("👍🏽")), 1);
    assert_int_equal(graphemes_count(STR("👩‍👩‍👧")), 1);
    assert_int_equal(graphemes_count(STR("🇩🇪🇫🇷")), 2);
    assert_int_equal(graphemes_count(STR("1️⃣")), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_count_one_each),
        cmocka_unit_test(marks_of_all_scripts_continue_a_letter),
        cmocka_unit_test(letters_of_korean_make_syllables),
        cmocka_unit_test(emoji_of_several_parts_count_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
