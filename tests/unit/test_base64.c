/* test_base64.c — bytes as base64. */
#include "unit/check.h"

#include "base/base64.h"

static void assert_encodes(str bytes, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    base64_encode(&out, bytes);
    assert_str_equal(strbuf_str(&out), text);
    strbuf_clear(&out);
    assert_true(base64_decode(&out, text));
    assert_str_equal(strbuf_str(&out), bytes);
}

static bool decodes(str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    return base64_decode(&out, text);
}

static void every_length_has_its_padding(void **state)
{
    (void)state;
    assert_encodes(STR(""), STR(""));
    assert_encodes(STR("f"), STR("Zg=="));
    assert_encodes(STR("fo"), STR("Zm8="));
    assert_encodes(STR("foo"), STR("Zm9v"));
    assert_encodes(STR("foobar"), STR("Zm9vYmFy"));
    assert_encodes(STR("\xff\xfe\0\x7f"), STR("//4Afw=="));
}

static void what_is_not_base64_is_refused(void **state)
{
    (void)state;
    assert_true(decodes(STR("Zm9v\r\nYmFy\n")));
    assert_false(decodes(STR("Zg")));
    assert_false(decodes(STR("Zg=")));
    assert_false(decodes(STR("Z===")));
    assert_false(decodes(STR("====")));
    assert_false(decodes(STR("Zg==Zg==")));
    assert_false(decodes(STR("Zg=a")));
    assert_false(decodes(STR("Zm9v=")));
    assert_false(decodes(STR("Zm 9v")));
    assert_false(decodes(STR("Zm-v")));
}

static void urls_have_their_own_alphabet(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    base64_encode_url(&out, STR("\xff\xfe\0\x7f"));
    assert_str_equal(strbuf_str(&out), STR("__4Afw"));
    strbuf_clear(&out);
    assert_true(base64_decode_url(&out, STR("__4Afw")));
    assert_true(base64_decode_url(&out, STR("__4Afw==")));
    assert_str_equal(strbuf_str(&out), STR("\xff\xfe\0\x7f\xff\xfe\0\x7f"));
    assert_true(base64_decode_url(&out, STR("")));
    assert_false(base64_decode_url(&out, STR("//4Afw==")));
    assert_false(base64_decode_url(&out, STR("__4Af")));
    assert_false(base64_decode_url(&out, STR("a\nbc")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_has_its_padding),
        cmocka_unit_test(what_is_not_base64_is_refused),
        cmocka_unit_test(urls_have_their_own_alphabet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
