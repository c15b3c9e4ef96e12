/* test_error.c — failures as values. */
#include "unit/check.h"

#include <errno.h>

static void context_goes_in_front_and_kind_and_codes_stay(void **state)
{
    (void)state;
    errno = EACCES;
    struct error *error = error_wrap(error_os("open '%s'", "x"), "reading stack '%s'", "dev");

    assert_str_equal(error_message(error), STR("reading stack 'dev': open 'x': Permission denied"));
    assert_int_equal(error_kind(error), ERROR_OS);
    assert_int_equal(error_errno(error), EACCES);
    assert_int_equal(error_exit_code(error), 1);
    error = error_with_exit_code(error_as(error, ERROR_NOT_FOUND), 4);
    assert_int_equal(error_kind(error), ERROR_NOT_FOUND);
    assert_int_equal(error_errno(error), 0);
    assert_int_equal(error_exit_code(error), 4);
    error_free(error);
}

static void success_passes_through(void **state)
{
    (void)state;
    assert_null(error_wrap(NULL, "context"));
    assert_null(error_join(NULL, NULL));
    assert_null(error_as(NULL, ERROR_INVALID));
    assert_null(error_mark_reported(NULL));
    assert_null(error_with_exit_code(NULL, 3));
    error_free(NULL);
    error_ignore(NULL, "nothing failed");
}

static void two_failures_are_both_told(void **state)
{
    (void)state;
    struct error *error =
        error_join(error_new(ERROR_INVALID, "one"), error_new(ERROR_OTHER, "two"));
    assert_str_equal(error_message(error), STR("one; two"));
    assert_int_equal(error_kind(error), ERROR_INVALID);
    error = error_join(NULL, error);
    error = error_join(error, NULL);
    error_freep(&error);
    assert_null(error);
}

static void what_fails_again_of_the_same_cause_is_told_once(void **state)
{
    (void)state;
    struct error *error =
        error_join(error_new(ERROR_OTHER, "no space"), error_new(ERROR_OTHER, "a: b: no space"));
    assert_str_equal(error_message(error), STR("no space"));
    error = error_join(error, error_new(ERROR_OTHER, "there is no space"));
    assert_str_equal(error_message(error), STR("no space; there is no space"));
    error_free(error);
}

static void what_is_joined_is_reported_only_if_all_of_it_was(void **state)
{
    (void)state;
    struct error *error =
        error_join(error_reported("update failed"), error_new(ERROR_INVALID, "no space"));
    assert_false(error_is_reported(error));
    assert_str_equal(error_message(error), STR("no space"));
    assert_int_equal(error_kind(error), ERROR_INVALID);
    error = error_join(error, error_mark_reported(error_new(ERROR_OTHER, "seen")));
    assert_false(error_is_reported(error));
    assert_str_equal(error_message(error), STR("no space"));
    error_free(error);
    error = error_join(error_reported("one"), error_wrap(error_reported("two"), "x"));
    assert_true(error_is_reported(error));
    assert_str_equal(error_message(error), STR("one; x: two"));
    error = error_join(error_as(error, ERROR_INVALID), NULL);
    assert_true(error_is_reported(error));
    error_free(error);
}

static void the_exit_code_of_a_pair_is_the_first_that_was_set(void **state)
{
    (void)state;
    struct error *error = error_join(error_with_exit_code(error_reported("seen"), 4),
                                     error_with_exit_code(error_new(ERROR_OTHER, "new"), 5));
    assert_int_equal(error_exit_code(error), 4);
    assert_str_equal(error_message(error), STR("new"));
    error_free(error);
    error = error_join(error_new(ERROR_OTHER, "a"),
                       error_with_exit_code(error_new(ERROR_OTHER, "b"), 5));
    assert_int_equal(error_exit_code(error), 5);
    error_free(error);
}

static void a_status_keeps_code_message_and_details(void **state)
{
    (void)state;
    struct error *error = error_from_status(12, STR("not \0 implemented"), STR("\x08\x0c"));
    assert_int_equal(error_status(error), 12);
    assert_str_equal(error_message(error), STR("not \0 implemented"));
    assert_str_equal(error_status_details(error), STR("\x08\x0c"));
    error_free(error);
    error = error_new(ERROR_CANCELED, "stop");
    assert_int_equal(error_status(error), 1);
    error_free(error);
    error = error_new(ERROR_OTHER, "%s", "100% \xff");
    assert_int_equal(error_status(error), 2);
    error_free(error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(context_goes_in_front_and_kind_and_codes_stay),
        cmocka_unit_test(success_passes_through),
        cmocka_unit_test(two_failures_are_both_told),
        cmocka_unit_test(what_fails_again_of_the_same_cause_is_told_once),
        cmocka_unit_test(what_is_joined_is_reported_only_if_all_of_it_was),
        cmocka_unit_test(the_exit_code_of_a_pair_is_the_first_that_was_set),
        cmocka_unit_test(a_status_keeps_code_message_and_details),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
