/* test_secret.c — text that nobody may see. */
#include "unit/check.h"

#include "base/secret.h"

static void what_is_hidden_is_revealed_only_when_asked(void **state)
{
    (void)state;
    struct secret secret = secret_hide(STR("hunter2"));
    assert_str_equal(secret_reveal(secret), STR("hunter2"));
    assert_true(secret_equal(secret, secret_hide(STR("hunter2"))));
    assert_false(secret_equal(secret, secret_hide(STR("hunter"))));
}

static void nothing_is_left_of_a_secret_that_is_cleared(void **state)
{
    (void)state;
    char bytes[] = "hunter2";
    struct secret secret = secret_hide(str_from(bytes));
    secret_clear(&secret);
    for (size_t i = 0; i < sizeof(bytes); i++)
        assert_int_equal(bytes[i], 0);
    assert_int_equal(secret_reveal(secret).len, 0);
    secret_clear(&secret);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_hidden_is_revealed_only_when_asked),
        cmocka_unit_test(nothing_is_left_of_a_secret_that_is_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
