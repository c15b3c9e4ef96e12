/* test_yaml_host_references.c — outputs that refer to other resources, results of functions that
 * are no objects, and text that is not UTF-8. */
#include "unit/yaml_host_fixture.h"

static const char schema[] =
    "{\"name\":\"pkg\",\"version\":\"1.0.0\",\"resources\":{"
    "\"pkg:index:Comp\":{\"isComponent\":true,\"inputProperties\":{},\"properties\":{"
    "\"ref\":{\"$ref\":\"#/resources/pkg:index:Custom\"}}},"
    "\"pkg:index:Custom\":{\"inputProperties\":{\"value\":{\"type\":\"string\"},"
    "\"other\":{\"$ref\":\"#/resources/pkg:index:Custom\"}},"
    "\"properties\":{\"value\":{\"type\":\"string\"},"
    "\"other\":{\"$ref\":\"#/resources/pkg:index:Custom\"}}}},"
    "\"functions\":{\"pkg:index:map\":{\"inputs\":{\"properties\":{\"m\":{\"type\":\"object\"}}},"
    "\"outputs\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}}}}";

static void a_property_of_a_referenced_resource_is_looked_up(void **state)
{
    struct fake_engine fake = { .schema = schema };

    (void)state;
    assert_str_equal(outputs_of(&fake, "resources:\n"
                                       "  c: {type: 'pkg:Comp'}\n"
                                       "  d: {type: 'pkg:Custom', properties: {value: "
                                       "'${c.ref.value}'}}\n"
                                       "outputs: {v: '${c.ref.value}', i: '${c.ref.id}'}"),
                     STR("{\"i\":\"id-child\",\"v\":\"deep\"}"));
    /* Asked for once; the value depends on the component and on what it came from. */
    assert_str_equal(strbuf_str(&fake.notes),
                     STR("invoke pulumi:pulumi:getResource\n"
                         "pkg:index:Custom d {\"value\":\"deep\"} deps=2\n"));
    fake_release(&fake);
}

static void an_unknown_property_of_a_referenced_resource_is_complained_about(void **state)
{
    struct fake_engine fake = { .schema = schema };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake, "resources: {c: {type: 'pkg:Comp'}}\noutputs: {v: '${c.ref.nothing}'}", &run);
    assert_true(run.result.has_failed);
    assert_true(str_find(run.result.complaints, STR("nothing does not exist on c.ref"))
                != SIZE_MAX);
    fake_release(&fake);
}

/* It is looked up all the same, and it is no dependency: the component is. */
static void a_reference_as_input_depends_on_where_it_came_from(void **state)
{
    struct fake_engine fake = { .schema = schema };

    (void)state;
    outputs_of(&fake, "resources:\n"
                      "  c: {type: 'pkg:Comp'}\n"
                      "  d: {type: 'pkg:Custom', properties: {other: '${c.ref}'}}\n");
    str notes = strbuf_str(&fake.notes);
    assert_true(str_starts_with(notes, STR("invoke pulumi:pulumi:getResource\n"
                                           "pkg:index:Custom d {\"other\":{")));
    assert_true(str_find(notes, STR("\"id\":\"id-child\"")) != SIZE_MAX);
    assert_true(str_ends_with(notes, STR("} deps=1\n")));
    fake_release(&fake);
}

static void a_declared_resource_as_input_is_a_dependency(void **state)
{
    struct fake_engine fake = { .schema = schema };

    (void)state;
    outputs_of(&fake, "resources:\n"
                      "  c: {type: 'pkg:Custom'}\n"
                      "  d: {type: 'pkg:Custom', properties: {other: '${c}'}}\n");
    assert_true(str_ends_with(strbuf_str(&fake.notes), STR("} deps=1\n")));
    assert_true(str_find(strbuf_str(&fake.notes), STR("getResource")) == SIZE_MAX);
    fake_release(&fake);
}

/* The answer is {"m": {…}}: the name means nothing. */
static void a_map_that_a_function_gives_is_unwrapped(void **state)
{
    struct fake_engine fake = { .schema = schema };

    (void)state;
    assert_str_equal(
        outputs_of(&fake, "variables: {v: {fn::invoke: {function: 'pkg:map', arguments: {m: {a: "
                          "b}}}}}\n"
                          "outputs: {all: '${v}', one: '${v.a}'}"),
        STR("{\"all\":{\"a\":\"b\"},\"one\":\"b\"}"));
    fake_release(&fake);
}

static const char asking_program[] =
    "resources:\n"
    "  a: {type: 'pkg:A', properties: {text: hello}}\n"
    "variables:\n"
    "  v: {fn::invoke: {function: 'pkg:get', arguments: {x: '${a.text}'}, return: x}}\n"
    "outputs: {o: '${v}'}";

/* The argument is known in a preview, the resource that it comes from is not there yet. */
static void a_function_waits_for_what_its_arguments_come_from(void **state)
{
    struct fake_engine fake = { 0 }, preview = { .is_preview = true };

    (void)state;
    assert_str_equal(outputs_of(&fake, asking_program), STR("{\"o\":\"hello\"}"));
    assert_true(str_ends_with(strbuf_str(&fake.notes),
                              STR("invoke pkg:index:get\n"
                                  "after urn:pulumi:dev::proj::pkg:index:A::a\n")));
    fake_release(&fake);
    outputs_of(&preview, asking_program);
    assert_int_equal(value_find(preview.outputs, STR("o"))->kind, VALUE_COMPUTED);
    fake_release(&preview);
}

static const char bytes_program[] = "resources:\n"
                                    "  bytes: {type: 'pkg:B'}\n"
                                    "  user: {type: 'pkg:B', properties: {x: '${bytes.raw}'}}\n"
                                    "outputs: {y: '${bytes.raw}'}";

static void text_that_is_not_utf8_goes_through(void **state)
{
    struct fake_engine fake = { .takes_byte_strings = true };

    (void)state;
    outputs_of(&fake, bytes_program);
    const struct value *found = value_find(fake.outputs, STR("y"));
    assert_non_null(found);
    assert_str_equal(value_text(*found), STR("\xff\xfe"));
    assert_true(str_starts_with(strbuf_str(&fake.notes), STR("pkg:index:B bytes {} deps=0\n"
                                                             "features\n"
                                                             "pkg:index:B user {\"x\":{")));
    fake_release(&fake);
}

static void an_engine_without_byte_strings_is_not_sent_any(void **state)
{
    struct fake_engine fake = { 0 };
    struct fake_run run = { 0 };

    (void)state;
    run_text(&fake, bytes_program, &run);
    assert_true(str_find(run.result.error, STR("is not valid UTF-8")) != SIZE_MAX);
    fake_release(&fake);
}

static void an_engine_is_not_asked_about_byte_strings_without_need(void **state)
{
    struct fake_engine fake = { 0 };

    (void)state;
    outputs_of(&fake, "resources: {a: {type: 'pkg:A', properties: {x: h\u00e9}}}");
    assert_true(str_find(strbuf_str(&fake.notes), STR("features")) == SIZE_MAX);
    fake_release(&fake);
}

static void id_and_urn_may_stand_in_brackets(void **state)
{
    (void)state;
    assert_outputs("resources: {a: {type: 'pkg:A'}}\n"
                   "outputs: {i: '${a[\"id\"]}', u: '${a[\"urn\"]}'}",
                   "{\"i\":\"id-a\",\"u\":\"urn:pulumi:dev::proj::pkg:index:A::a\"}");
    assert_outputs("resources: {a: {type: 'pkg:A', properties: {id: own, urn: mine}}}\n"
                   "outputs: {i: '${a[\"id\"]}', u: '${a[\"urn\"]}', n: '${a.id}'}",
                   "{\"i\":\"own\",\"n\":\"id-a\",\"u\":\"mine\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_property_of_a_referenced_resource_is_looked_up),
        cmocka_unit_test(an_unknown_property_of_a_referenced_resource_is_complained_about),
        cmocka_unit_test(a_reference_as_input_depends_on_where_it_came_from),
        cmocka_unit_test(a_declared_resource_as_input_is_a_dependency),
        cmocka_unit_test(a_map_that_a_function_gives_is_unwrapped),
        cmocka_unit_test(a_function_waits_for_what_its_arguments_come_from),
        cmocka_unit_test(text_that_is_not_utf8_goes_through),
        cmocka_unit_test(an_engine_without_byte_strings_is_not_sent_any),
        cmocka_unit_test(an_engine_is_not_asked_about_byte_strings_without_need),
        cmocka_unit_test(id_and_urn_may_stand_in_brackets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
