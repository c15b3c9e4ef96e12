/* test_monitor_decode.c — dependencies in requests of programs: each once, and no dearer than what
 * names them. */
#include "unit/check.h"

#include "engine/monitor/decode.h"

enum { COUNT = 2000 };

static str urn(struct arena *arena, int number)
{
    return arena_printf(arena, "urn:pulumi:dev::project::a:b:C::n%04d", number);
}

static struct value output_with(struct arena *arena, const str *urns, size_t count)
{
    struct output *output = ARENA_NEW(arena, struct output);

    *output = (struct output){ .element = value_number(1),
                               .is_known = true,
                               .dependencies = urns,
                               .dependency_count = count };
    return (struct value){ .kind = VALUE_OUTPUT, .output = output };
}

static void each_dependency_is_there_once(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str names[] = { urn(&arena, 1), urn(&arena, 2), urn(&arena, 1), urn(&arena, 3) };
    struct value items[] = { output_with(&arena, names, 3), value_number(2),
                             output_with(&arena, names + 2, 2) };
    struct strs urns = { names + 3, 1 };

    (void)state;
    add_output_dependencies(&arena, &urns, value_array(&arena, items, 3));
    assert_int_equal(urns.len, 3);
    assert_str_equal(urns.items[0], names[3]);
    assert_str_equal(urns.items[1], names[0]);
    assert_str_equal(urns.items[2], names[1]);

    struct strs before = urns;
    add_output_dependencies(&arena, &urns, value_number(2));
    assert_ptr_equal(urns.items, before.items);

    assert_ok(decode_urns(&arena, (struct strs){ names, 4 }, "URN", &urns));
    assert_int_equal(urns.len, 3);
    names[3] = STR("none");
    assert_fails(decode_urns(&arena, (struct strs){ names, 4 }, "alias URN", &urns), ERROR_STATUS,
                 "invalid alias URN");
}

static void many_outputs_cost_what_they_are(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(arena_release) struct arena spent = { 0 };
    struct value items[COUNT];
    struct strs urns = { 0 };

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        str name = urn(&arena, i);
        items[i] = output_with(&arena, arena_copy_bytes(&arena, &name, sizeof(name)), 1);
    }
    add_output_dependencies(&spent, &urns, value_array(&arena, items, COUNT));
    assert_int_equal(urns.len, COUNT);
    assert_true(spent.total < 64 * COUNT * sizeof(str));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_dependency_is_there_once),
        cmocka_unit_test(many_outputs_cost_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
