/* test_yaml_host_growth.c — programs whose values grow with each line. */
#include "unit/yaml_host_fixture.h"

#include "base/fs.h"

enum { LIMIT = 4096, DOUBLINGS = 12, LONGEST_COMPLAINT = 64 * 1024 };

#define REFUSED "the value takes more than 4096 bytes, the most that a message to the engine holds"

/* v0 is `first`, each of the others `step` with the one before it for @. */
static void add_variables(struct strbuf *out, const char *first, const char *step, unsigned count)
{
    strbuf_printf(out, "variables:\n  v0: %s\n", first);
    for (unsigned i = 1; i <= count; i++) {
        strbuf_printf(out, "  v%u: ", i);
        for (const char *at = step; *at; at++) {
            if (*at == '@')
                strbuf_printf(out, "${v%u}", i - 1);
            else
                strbuf_add_char(out, *at);
        }
        strbuf_add_char(out, '\n');
    }
}

static void assert_refused(const char *program, const char *wanted)
{
    struct fake_engine fake = { .is_preview = true, .largest_value = LIMIT };
    struct fake_run run = { 0 };

    run_text(&fake, program, &run);
    if (str_find(strbuf_str(&fake.logs), str_from(wanted)) == SIZE_MAX)
        print_error("got '" STR_FMT "'\n", STR_ARG(strbuf_str(&fake.logs)));
    assert_true(run.result.has_failed);
    assert_true(str_find(strbuf_str(&fake.logs), str_from(wanted)) != SIZE_MAX);
    fake_release(&fake);
}

static void assert_grows(const char *first, const char *step, const char *wanted)
{
    CLEANUP(strbuf_release) struct strbuf program = { 0 };

    add_variables(&program, first, step, DOUBLINGS);
    assert_refused(program.ptr, wanted);
}

static void a_text_that_doubles_is_refused_where_it_is_too_long(void **state)
{
    (void)state;
    assert_grows("abcdefghij", "'@@'", REFUSED);
    assert_grows("abcdefghij", "'@@'", "on Pulumi.yaml line 11:\n  11:   v9: '${v8}${v8}'");
    assert_grows("abcdefghij", "{fn::join: ['', ['@', '@']]}", REFUSED);
    assert_grows("abcdefghij", "{fn::join: ['@', [a, b, c]]}", REFUSED);
    assert_grows("'\"'", "{fn::toJSON: ['@']}", REFUSED);
    assert_grows("abcdefghij", "{fn::toBase64: '@@'}", REFUSED);
    assert_grows("[a]", "['@ @', '@']", REFUSED);
}

static void a_value_that_holds_another_twice_is_refused(void **state)
{
    (void)state;
    assert_grows("a", "['@', '@']", REFUSED);
    assert_grows("a", "{a: '@', b: '@'}", REFUSED);
    assert_grows("a", "{fn::secret: ['@', '@']}", REFUSED);
    assert_grows("a", "[{fn::toJSON: '@'}, '@', '@']", REFUSED);
    assert_grows("a", "[{fn::assetArchive: {x: {fn::stringAsset: b}}}, '@', '@']", REFUSED);
}

static void one_step_that_makes_too_much_is_refused(void **state)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 }, program = { 0 };
    str path = STR("/tmp/yaml-host-growth.txt");

    (void)state;
    strbuf_add_repeated(&text, 'x', LIMIT / sizeof(struct value) + 1);
    strbuf_printf(&program, "variables: {v: {fn::split: ['', %s]}}", text.ptr);
    assert_refused(program.ptr, REFUSED);
    strbuf_add_repeated(&text, 'x', LIMIT);
    assert_ok(fs_replace(path, strbuf_str(&text), 0600));
    assert_refused("variables: {v: {fn::readFile: yaml-host-growth.txt}}",
                   "'/tmp/yaml-host-growth.txt': larger than 4096 bytes");
    assert_refused("variables: {v: {fn::filebase64: yaml-host-growth.txt}}",
                   "'/tmp/yaml-host-growth.txt': larger than 4096 bytes");
    assert_ok(fs_remove(path));
}

/* Each value alone could be sent. */
static void what_goes_out_together_is_weighed_together(void **state)
{
    CLEANUP(strbuf_release) struct strbuf program = { 0 };

    (void)state;
    add_variables(&program, "abcdefghij", "'@@'", 7);
    size_t len = program.len;
    strbuf_add(&program, STR("resources:\n  r:\n    type: pkg:A\n    properties:\n"
                             "      {a: '${v7}', b: '${v7}', c: '${v7}', d: '${v7}'}\n"));
    assert_refused(program.ptr, "the properties take more than 4096 bytes");
    program.len = len;
    strbuf_add(&program, STR("outputs: {a: '${v7}', b: '${v7}', c: '${v7}', d: '${v7}'}\n"));
    assert_refused(program.ptr, "this output and those before it take more than 4096 bytes");
}

static void what_is_within_the_limit_is_sent(void **state)
{
    CLEANUP(strbuf_release) struct strbuf program = { 0 };
    struct fake_engine fake = { .largest_value = LIMIT };

    (void)state;
    add_variables(&program, "abcdefghij", "'@@'", 8);
    strbuf_add(&program, STR("outputs: {n: {fn::length: '${v8}'}, v: '${v8}'}\n"));
    outputs_of(&fake, program.ptr);
    assert_true(value_find(fake.outputs, STR("n"))->number == 2560);
    assert_int_equal(value_find(fake.outputs, STR("v"))->len, 2560);
    fake_release(&fake);
}

static void a_type_that_doubles_has_a_short_name(void **state)
{
    CLEANUP(strbuf_release) struct strbuf program = { 0 };
    struct fake_engine fake = { 0 };
    struct fake_run run = { 0 };

    (void)state;
    add_variables(&program, "a", "{a: '@', b: '@'}", DOUBLINGS);
    strbuf_printf(&program, "  w: {fn::toBase64: '${v%u}'}\n", DOUBLINGS);
    strbuf_printf(&program, "  x: {fn::join: ['${v%u}', []]}\n", DOUBLINGS);
    run_text(&fake, program.ptr, &run);
    assert_true(str_find(run.result.complaints, STR("string is not assignable from {a: {a:"))
                != SIZE_MAX);
    assert_true(run.result.complaints.len < LONGEST_COMPLAINT);
    fake_release(&fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_that_doubles_is_refused_where_it_is_too_long),
        cmocka_unit_test(a_value_that_holds_another_twice_is_refused),
        cmocka_unit_test(one_step_that_makes_too_much_is_refused),
        cmocka_unit_test(what_goes_out_together_is_weighed_together),
        cmocka_unit_test(what_is_within_the_limit_is_sent),
        cmocka_unit_test(a_type_that_doubles_has_a_short_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
