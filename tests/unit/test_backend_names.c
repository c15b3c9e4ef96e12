/* test_backend_names.c — stack names and references. */
#include "unit/check.h"

#include "backend/backend.h"

static void a_reference_has_one_two_or_three_parts(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_ref stack;

    assert_ok(stack_ref_parse(&arena, STR("dev"), STR("p1"), &stack));
    assert_str_equal(stack_ref_qualified(&arena, stack), STR("organization/p1/dev"));
    assert_ok(stack_ref_parse(&arena, STR("organization/dev"), STR("p1"), &stack));
    assert_str_equal(stack_ref_qualified(&arena, stack), STR("organization/p1/dev"));
    assert_ok(stack_ref_parse(&arena, STR("organization/p2/dev"), STR("p1"), &stack));
    assert_str_equal(stack_ref_qualified(&arena, stack), STR("organization/p2/dev"));
    assert_ok(stack_ref_parse(&arena, STR("organization/p2/dev"), STR(""), &stack));
}

static void a_reference_that_cannot_be_meant_is_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_ref stack;

    assert_fails(stack_ref_parse(&arena, STR(""), STR("p1"), &stack), ERROR_INVALID,
                 "stack name must not be empty");
    assert_fails(stack_ref_parse(&arena, STR("acme/dev"), STR("p1"), &stack), ERROR_INVALID,
                 "organization name must be 'organization'");
    assert_fails(stack_ref_parse(&arena, STR("dev"), STR(""), &stack), ERROR_INVALID,
                 "no Pulumi.yaml project file found; either run this command from a directory "
                 "containing a Pulumi "
                 "project, or pass the fully qualified stack name (organization/project/stack)");
    assert_fails(stack_ref_parse(&arena, STR("a/b/c/d"), STR("p1"), &stack), ERROR_INVALID,
                 "'a/b/c/d' is not the name of a stack: it is written as stack, "
                 "organization/stack or organization/project/stack");
    assert_fails(stack_ref_parse(&arena, STR("organization/a b/dev"), STR(""), &stack),
                 ERROR_INVALID,
                 "project names may only contain alphanumerics, hyphens, underscores, and periods");
    assert_fails(stack_ref_parse(&arena, STR("organization/../dev"), STR(""), &stack),
                 ERROR_INVALID, "a project cannot be named '..'");
    assert_fails(stack_ref_parse(&arena, STR("."), STR("p1"), &stack), ERROR_INVALID,
                 "a stack cannot be named '.'");
}

static void names_are_limited_in_length_and_alphabet(void **state)
{
    (void)state;
    char long_name[101];

    memset(long_name, 'a', sizeof(long_name));
    assert_ok(stack_name_check((str){ long_name, 100 }));
    assert_fails(stack_name_check((str){ long_name, 101 }), ERROR_INVALID,
                 "a stack name cannot exceed 100 characters");
    assert_ok(stack_name_check(STR("A.b-c_9")));
    assert_fails(stack_name_check(STR("")), ERROR_INVALID, "a stack name may not be empty");
    assert_fails(stack_name_check(STR("!x")), ERROR_INVALID,
                 "a stack name may only contain alphanumeric, hyphens, underscores, or periods: "
                 "invalid character '!' at position 0");
    assert_fails(stack_name_check(STR("d\xc3\xa9v")), ERROR_INVALID,
                 "invalid character '\xc3\xa9' at position 1");
    assert_fails(stack_name_check(STR("cut\xc3")), ERROR_INVALID, "at position 3");
}

static void a_stack_is_shown_short_in_its_own_project(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_ref stack = { .project = STR("p1"), .name = STR("dev") };

    assert_str_equal(stack_ref_display(&arena, stack, STR("p1"), STR(""), false), STR("dev"));
    assert_str_equal(stack_ref_display(&arena, stack, STR("p2"), STR(""), false),
                     STR("organization/p1/dev"));
    assert_str_equal(stack_ref_display(&arena, stack, STR("p1"), STR(""), true),
                     STR("organization/p1/dev"));
    stack.organization = STR("acme");
    assert_str_equal(stack_ref_display(&arena, stack, STR("p1"), STR("acme"), false), STR("dev"));
    assert_str_equal(stack_ref_display(&arena, stack, STR("p1"), STR("other"), false),
                     STR("acme/dev"));
    assert_str_equal(stack_ref_display(&arena, stack, STR("p2"), STR("acme"), false),
                     STR("acme/p1/dev"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reference_has_one_two_or_three_parts),
        cmocka_unit_test(a_reference_that_cannot_be_meant_is_refused),
        cmocka_unit_test(names_are_limited_in_length_and_alphabet),
        cmocka_unit_test(a_stack_is_shown_short_in_its_own_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
