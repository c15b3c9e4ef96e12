/* test_hash.c — digests, hexadecimal digits, random identifiers. */
#include "unit/check.h"

#include "base/hash.h"
#include "base/hex.h"
#include "base/uuid.h"

static void digests_agree_with_their_standards(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };

    assert_str_equal(hash_sha256_hex(&arena, STR("v3.260.0-dev.0")),
                     STR("72278bb271e3f3418751163032a60630b583696326f5f633b85e1594f1dbd9d2"));
    assert_str_equal(hash_sha256_hex(&arena, STR("")),
                     STR("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    assert_str_equal(hash_sha1_hex(&arena, STR("abc")),
                     STR("a9993e364706816aba3e25717850c26c9cd0d89d"));
}

static void pieces_give_the_digest_of_the_whole(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct sha256 sha = { 0 };

    for (int round = 0; round < 2; round++) {
        sha256_add(&sha, STR("v3.260"));
        sha256_add(&sha, STR(""));
        sha256_add(&sha, STR(".0-dev.0"));
        assert_str_equal(sha256_finish_hex(&sha, &arena),
                         STR("72278bb271e3f3418751163032a60630b583696326f5f633b85e1594f1dbd9d2"));
    }
}

static void hexadecimal_reads_either_case(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str bytes;

    assert_true(hex_decode(&arena, STR("00fFAb"), &bytes));
    assert_str_equal(bytes, STR("\x00\xff\xab"));
    assert_str_equal(hex_encode(&arena, bytes), STR("00ffab"));
    assert_false(hex_decode(&arena, STR("0"), &bytes));
    assert_false(hex_decode(&arena, STR("0g"), &bytes));
}

static void escapes_with_percent_signs_are_bytes(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str bytes;

    assert_true(percent_decode(&arena, STR("a%20b%2Fc%fF"), &bytes));
    assert_str_equal(bytes, STR("a b/c\xff"));
    assert_true(percent_decode(&arena, STR(""), &bytes));
    assert_int_equal(bytes.len, 0);
    assert_false(percent_decode(&arena, STR("a%2"), &bytes));
    assert_false(percent_decode(&arena, STR("a%"), &bytes));
    assert_false(percent_decode(&arena, STR("%0g"), &bytes));
}

static void a_query_is_pairs_with_blanks_for_plus_signs(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct pairs query;

    assert_true(query_parse(&arena, STR("a=1+%2B2&&b&c%3D="), &query));
    assert_int_equal(query.len, 3);
    assert_str_equal(query.items[0].value, STR("1 +2"));
    assert_str_equal(query.items[1].key, STR("b"));
    assert_str_equal(query.items[1].value, STR(""));
    assert_str_equal(query.items[2].key, STR("c="));
    assert_true(query_parse(&arena, STR(""), &query));
    assert_int_equal(query.len, 0);
    assert_false(query_parse(&arena, STR("a=%2"), &query));
    assert_false(query_parse(&arena, STR("a=%00"), &query));
}

static void a_random_identifier_has_the_form_of_version_four(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str a = uuid_new(&arena), b = uuid_new(&arena);

    assert_int_equal(a.len, 36);
    assert_true(a.ptr[8] == '-' && a.ptr[13] == '-' && a.ptr[14] == '4' && a.ptr[18] == '-'
                && a.ptr[23] == '-');
    assert_non_null(strchr("89ab", a.ptr[19]));
    assert_false(str_equal(a, b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_agree_with_their_standards),
        cmocka_unit_test(pieces_give_the_digest_of_the_whole),
        cmocka_unit_test(hexadecimal_reads_either_case),
        cmocka_unit_test(escapes_with_percent_signs_are_bytes),
        cmocka_unit_test(a_query_is_pairs_with_blanks_for_plus_signs),
        cmocka_unit_test(a_random_identifier_has_the_form_of_version_four),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
