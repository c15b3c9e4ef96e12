/* test_yaml_host_types.c — types that hold themselves or each other many times, and those of
 * configuration. */
#include "unit/yaml_host_fixture.h"

enum {
    LIMIT = 4096,
    DOUBLINGS = 60,
    CHAIN = 4500,
    WRITTEN = 190,
    LEVELS = 30,
    LONGEST_COMPLAINT = 128 * 1024,
};

/* Two rings of one type each, and two types that hold a choice of both. */
static const char schema[] =
    "{\"name\":\"pkg\",\"version\":\"1.0.0\",\"types\":{"
    "\"pkg:index:Node\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},"
    "\"next\":{\"$ref\":\"#/types/pkg:index:Node\"},"
    "\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/types/pkg:index:Node\"}}}},"
    "\"pkg:index:Other\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},"
    "\"next\":{\"$ref\":\"#/types/pkg:index:Other\"}}},"
    "\"pkg:index:A\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
    "\"next\":{\"oneOf\":[{\"$ref\":\"#/types/pkg:index:A\"},{\"$ref\":\"#/types/"
    "pkg:index:B\"}]}}},"
    "\"pkg:index:B\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\"},"
    "\"next\":{\"oneOf\":[{\"$ref\":\"#/types/pkg:index:A\"},{\"$ref\":\"#/types/"
    "pkg:index:B\"}]}}}},"
    "\"resources\":{\"pkg:index:R\":{\"inputProperties\":{"
    "\"node\":{\"$ref\":\"#/types/pkg:index:Node\"},"
    "\"flag\":{\"type\":\"boolean\"},\"size\":{\"type\":\"integer\"},"
    "\"text\":{\"type\":\"string\"},"
    "\"choice\":{\"oneOf\":[{\"$ref\":\"#/types/pkg:index:A\"},{\"$ref\":\"#/types/pkg:index:B\"}]}"
    "},\"properties\":{\"other\":{\"$ref\":\"#/types/pkg:index:Other\"}}}}}";

static void a_value_that_doubles_is_compared_once_with_a_type_that_holds_itself(void **state)
{
    CLEANUP(strbuf_release) struct strbuf program = { 0 };
    struct fake_engine fake = { .schema = schema, .is_preview = true, .largest_value = LIMIT };
    struct fake_run run = { 0 };

    (void)state;
    strbuf_add(&program, STR("variables:\n  v0: {name: x}\n"));
    for (unsigned i = 1; i <= DOUBLINGS; i++)
        strbuf_printf(&program, "  v%u: {name: x, next: '${v%u}', kids: ['${v%u}']}\n", i, i - 1,
                      i - 1);
    strbuf_printf(&program, "resources: {r: {type: pkg:R, properties: {node: '${v%u}'}}}\n",
                  DOUBLINGS);
    run_text(&fake, program.ptr, &run);
    assert_int_equal(run.result.complaints.len, 0);
    assert_true(str_find(strbuf_str(&fake.logs), STR("takes more than 4096 bytes")) != SIZE_MAX);
    fake_release(&fake);
}

static void two_types_that_hold_themselves_are_compared(void **state)
{
    struct fake_engine fake = { .schema = schema };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake,
             "resources:\n"
             "  a: {type: pkg:R}\n"
             "  b: {type: pkg:R, properties: {node: '${a.other}'}}\n",
             &run);
    assert_int_equal(run.result.complaints.len, 0);
    assert_false(run.result.has_failed);
    fake_release(&fake);
}

/* Each level has two ways to go on, and all of them end at what fits nowhere. */
static void a_choice_inside_a_choice_is_explained_within_bounds(void **state)
{
    CLEANUP(strbuf_release) struct strbuf program = { 0 };
    struct fake_engine fake = { .schema = schema };
    struct fake_run run = { 0 };

    (void)state;
    strbuf_add(&program, STR("resources: {r: {type: pkg:R, properties: {choice: "));
    for (unsigned i = 0; i < LEVELS; i++)
        strbuf_add(&program, STR("{next: "));
    strbuf_add(&program, STR("{z: z}"));
    strbuf_add_repeated(&program, '}', LEVELS + 3);
    strbuf_add(&program, STR("\n"));
    run_text(&fake, program.ptr, &run);
    assert_true(str_find(run.result.complaints, STR("pkg:index:R is not assignable from"))
                != SIZE_MAX);
    assert_true(run.result.complaints.len < LONGEST_COMPLAINT);
    fake_release(&fake);
}

/* What the types of a long chain need on the stack does not grow with it. */
static void a_long_chain_of_variables_has_a_type(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        CLEANUP(strbuf_release) struct strbuf program = { 0 };
        struct fake_engine fake = { .is_preview = true, .largest_value = LIMIT };
        struct fake_run run = { 0 };
        strbuf_printf(&program, "outputs: {w: {fn::join: ['${v%u}', []]}}\nvariables:\n", CHAIN);
        for (unsigned i = CHAIN; i > 0; i--) {
            strbuf_printf(&program, "  v%u: ", i);
            strbuf_printf(&program, k ? "{n: '${v%u}'}" : "'${v%u}'", i - 1);
            strbuf_add_char(&program, '\n');
        }
        strbuf_add(&program, STR("  v0: [a]\n"));
        run_text(&fake, program.ptr, &run);
        assert_true(str_find(run.result.complaints, STR("string is not assignable from"))
                    != SIZE_MAX);
        fake_release(&fake);
    }
}

/* As deep as variables may make them, and as deep as a program may write them down. */
static void a_deep_value_is_compared_as_far_as_the_stack_goes(void **state)
{
    CLEANUP(strbuf_release) struct strbuf program = { 0 };
    struct fake_engine fake = { .schema = schema, .is_preview = true, .largest_value = LIMIT };
    struct fake_run run = { 0 };

    (void)state;
    strbuf_add(&program, STR("variables:\n  l: "));
    strbuf_add_repeated(&program, '[', WRITTEN);
    strbuf_add_repeated(&program, ']', WRITTEN);
    strbuf_add(&program, STR("\n  v0: {next: [x]}\n"));
    for (unsigned i = 1; i <= CHAIN; i++)
        strbuf_printf(&program, "  v%u: {next: '${v%u}'}\n", i, i - 1);
    strbuf_printf(&program, "resources: {r: {type: pkg:R, properties: {node: '${v%u}'}}}\n", CHAIN);
    run_text(&fake, program.ptr, &run);
    assert_true(run.result.has_failed);
    fake_release(&fake);
}

/* Empty: nothing speaks against it. */
static void check_config(struct value given, const char *property, const char *wanted)
{
    CLEANUP(strbuf_release) struct strbuf program = { 0 };
    const struct config_value config = { STR("proj:k"), given };
    struct fake_engine fake = { .schema = schema };
    struct fake_run run = { .config = &config, .config_len = 1 };

    strbuf_printf(&program, "resources: {r: {type: pkg:R, properties: {%s: '${k}'}}}\n", property);
    run_text(&fake, program.ptr, &run);
    if (*wanted)
        assert_true(str_find(run.result.complaints, str_from(wanted)) != SIZE_MAX);
    else
        assert_int_equal(run.result.complaints.len, 0);
    assert_true(run.result.has_failed == (*wanted != 0));
    fake_release(&fake);
}

static void configuration_has_the_type_of_what_was_given(void **state)
{
    (void)state;
    check_config(value_string(STR("yes")), "flag",
                 "flag: Cannot assign type 'string' to type 'boolean'");
    check_config(value_bool(true), "flag", "");
    check_config(value_bool(true), "size", "size: Cannot assign type 'boolean' to type 'integer'");
    check_config(value_number(5), "size", "");
    check_config(value_number(5), "text", "");
    check_config(VALUE_EMPTY_OBJECT, "text", "text: Cannot assign 'Map<any>' to 'string'");
    check_config(VALUE_EMPTY_OBJECT, "node", "");
    assert_complains("config: {k: {default: x}}\noutputs: {o: '${k.a}'}",
                     "cannot access a property on 'k' (type string)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_doubles_is_compared_once_with_a_type_that_holds_itself),
        cmocka_unit_test(two_types_that_hold_themselves_are_compared),
        cmocka_unit_test(a_choice_inside_a_choice_is_explained_within_bounds),
        cmocka_unit_test(a_long_chain_of_variables_has_a_type),
        cmocka_unit_test(a_deep_value_is_compared_as_far_as_the_stack_goes),
        cmocka_unit_test(configuration_has_the_type_of_what_was_given),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
