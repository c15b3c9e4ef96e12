/* test_stack_config.c — the file of a stack: what it means, and how little of it changes. */
#include "unit/check.h"
#include "unit/config_fixture.h"

#include "base/strbuf.h"
#include "project/project.h"

static struct stack_config parse(struct arena *arena, str path, const char *text)
{
    struct stack_config stack = { 0 };
    assert_ok(stack_config_parse(arena, path, str_from(text), STR("p4"), &stack));
    return stack;
}

static str text_at(const struct stack_config *stack, const char *namespace, const char *name)
{
    const struct value *value =
        config_find(&stack->config, (struct config_key){ str_from(namespace), str_from(name) });
    assert_non_null(value);
    assert_int_equal(value->kind, VALUE_STRING);
    return value_text(*value);
}

static str render(struct arena *arena, const struct stack_config *stack)
{
    str text = { 0 };
    assert_ok(stack_config_render(arena, stack, &text));
    return text;
}

static struct config_key own(const char *name)
{
    return (struct config_key){ STR("p4"), str_from(name) };
}

static void scalars_are_texts_in_memory(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack = parse(
        &arena, STR("/x/Pulumi.dev.yaml"),
        "encryptionsalt: v1:abc\nconfig:\n  p4:s: text\n  bare: yes\n  p4:config:old: 1\n  p4:f: "
        "1.50\n"
        "  p4:o: 0o17\n  p4:e: 1e3\n  p4:long: 123456789012345678901234567890\n  p4:b: True\n"
        "  p4:nul:\n  p4:d: 2020-01-02\n  p4:big: 9007199254740993\n  p4:sec:\n    secure: v1:x\n"
        "  p4:obj:\n    n: 12\n    in:\n      secure: v1:y\n");

    assert_str_equal(stack.encryption_salt, STR("v1:abc"));
    assert_str_equal(text_at(&stack, "p4", "s"), STR("text"));
    assert_str_equal(text_at(&stack, "p4", "bare"), STR("yes"));
    assert_str_equal(text_at(&stack, "p4", "old"), STR("1"));
    assert_str_equal(text_at(&stack, "p4", "f"), STR("1.5"));
    assert_str_equal(text_at(&stack, "p4", "o"), STR("15"));
    assert_str_equal(text_at(&stack, "p4", "e"), STR("1000"));
    assert_str_equal(text_at(&stack, "p4", "long"), STR("1.2345678901234568e+29"));
    assert_str_equal(text_at(&stack, "p4", "b"), STR("true"));
    assert_str_equal(text_at(&stack, "p4", "nul"), STR(""));
    assert_str_equal(text_at(&stack, "p4", "d"), STR("2020-01-02 00:00:00 +0000 UTC"));
    assert_str_equal(text_at(&stack, "p4", "big"), STR("9007199254740993"));
    assert_true(config_is_secret(*config_find(&stack.config, own("sec"))));
    assert_true(config_is_secret(*config_find(&stack.config, own("obj"))));
    assert_int_equal(stack.warning_count, 1);
    assert_true(
        str_starts_with(stack.warnings[0], STR("No value for configuration key \"p4:nul\". This is "
                                               "currently treated as an empty string")));
}

/* The same key in two forms: the later counts. */
static void of_two_forms_of_a_key_the_later_counts(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack =
        parse(&arena, STR("/x/Pulumi.dev.yaml"),
              "config:\n  z: 1\n  p4:a: first\n  p4:config:a: second\n  b: 2\n  a: third\n");

    assert_int_equal(stack.config.len, 3);
    assert_str_equal(text_at(&stack, "p4", "a"), STR("third"));
    assert_str_equal(stack.config.items[2].key.name, STR("z"));
}

/* They took gigabytes and minutes when each was put in its place for itself. */
static void many_keys_are_read_and_written_at_once(void **state)
{
    enum { MANY = 50000 };
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_add(&text, STR("config:\n"));
    for (int i = 0; i < MANY; i++)
        strbuf_printf(&text, "  p4:k%05d: v%d\n", i, i);
    strbuf_add_char(&text, '\0');
    struct stack_config stack = parse(&arena, STR("/x/Pulumi.dev.yaml"), text.ptr);
    assert_int_equal(stack.config.len, MANY);
    assert_ok(config_set(&arena, &stack.config, own("k00007"), STR("new"), CONFIG_UNTYPED, false));
    str written = render(&arena, &stack);
    assert_true(str_find(written, STR("  p4:k00007: new\n")) != SIZE_MAX);
    assert_int_equal(written.len, text.len - 1 + 1); /* "new" for "v7" */
}

static void a_new_file_has_its_keys_in_order(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack = { .path = STR("/x/Pulumi.dev.yaml"),
                                  .project_name = STR("p4"),
                                  .encryption_salt = STR("v1:salt") };

    assert_ok(config_set(&arena, &stack.config, own("n10"), STR("12"), CONFIG_UNTYPED, false));
    assert_ok(
        config_set(&arena, &stack.config, own("n2"), STR("two\nlines"), CONFIG_UNTYPED, false));
    assert_ok(
        config_set(&arena, &stack.config, own("o.list[0]"), STR("true"), CONFIG_UNTYPED, true));
    assert_ok(config_set(&arena, &stack.config, own("typed"), STR("5"), CONFIG_INT, false));
    assert_str_equal(
        render(&arena, &stack),
        STR("encryptionsalt: v1:salt\nconfig:\n  p4:n2: |-\n    two\n    lines\n  p4:n10: \"12\"\n"
            "  p4:o:\n    list:\n      - true\n  p4:typed: 5\n"));
}

static void what_has_not_changed_keeps_its_bytes(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    const char *text = "# head\nconfig:\n  # of a\n  p4:a:   12   # note\n  p4:obj: # deep\n    x: "
                       "1 # one\n    y:\n   "
                       "   - 'q' # item\n"
                       "  p4:z: {k: 0x1f}\n\n# tail\nencryptionsalt: 'v1:s'\nother: kept\n";
    struct stack_config stack = parse(&arena, STR("/x/Pulumi.dev.yaml"), text);

    assert_str_equal(render(&arena, &stack), str_from(text));
    assert_ok(config_set(&arena, &stack.config, own("obj.y[1]"), STR("new"), CONFIG_UNTYPED, true));
    assert_ok(config_set(&arena, &stack.config, own("added"), STR("7"), CONFIG_UNTYPED, false));
    assert_str_equal(render(&arena, &stack),
                     STR("# head\nconfig:\n  # of a\n  p4:a:   12   # note\n  p4:obj: # deep\n    "
                         "x: 1 # one\n    y:\n      - 'q' # "
                         "item\n"
                         "      - new\n  p4:z: {k: 0x1f}\n  p4:added: \"7\"\n\n# "
                         "tail\nencryptionsalt: 'v1:s'\nother: kept\n"));
    assert_ok(remove_at(&arena, &stack.config, own("a"), false));
    stack.encryption_salt = STR("v1:t");
    assert_str_equal(
        render(&arena, &stack),
        STR("# head\nconfig:\n  p4:obj: # deep\n    x: 1 # one\n    y:\n      - 'q' # item\n"
            "      - new\n  p4:z: {k: 0x1f}\n  p4:added: \"7\"\n\n# tail\nencryptionsalt: "
            "'v1:t'\nother: kept\n"));
}

static void bare_and_old_keys_are_rewritten_on_save(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack = parse(&arena, STR("/x/Pulumi.dev.yaml"),
                                      "config:\n  size: 3\n  p4:config:old: x\n  p4:a: 1\n");
    assert_str_equal(render(&arena, &stack),
                     STR("config:\n  p4:a: 1\n  p4:old: x\n  p4:size: \"3\"\n"));
}

static void a_large_number_does_not_become_an_integer_of_other_digits(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack =
        parse(&arena, STR("/x/Pulumi.dev.yaml"),
              "config:\n  o: [1048695994710751232.0, -1e18, 1048695994710751232]\n");
    assert_str_equal(render(&arena, &stack),
                     STR("config:\n  p4:o:\n    - 1.0486959947107512e+18\n    - -1e+18\n"
                         "    - 1048695994710751232\n"));
}

static void an_empty_configuration_leaves_no_section(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack =
        parse(&arena, STR("/x/Pulumi.dev.yaml"), "encryptionsalt: s\nconfig:\n  p4:a: 1\n");
    assert_ok(remove_at(&arena, &stack.config, own("a"), false));
    assert_str_equal(render(&arena, &stack), STR("encryptionsalt: s\n"));
}

static void a_json_project_has_json_stacks(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack =
        parse(&arena, STR("/x/Pulumi.dev.json"), "{\"config\": {\"p4:a\": \"1\"}}");
    assert_ok(config_set(&arena, &stack.config, own("b"), STR("2"), CONFIG_UNTYPED, false));
    assert_str_equal(
        render(&arena, &stack),
        STR("{\n    \"config\": {\n        \"p4:a\": \"1\",\n        \"p4:b\": \"2\"\n    }\n}\n"));
}

static void environments_are_seen_and_kept(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config list = parse(&arena, STR("/x/a.yaml"), "environment:\n  - one\n  - two\n");
    struct stack_config inline_one =
        parse(&arena, STR("/x/a.yaml"),
              "environment:\n  imports:\n    - one\n    - two: {merge: false}\n");

    assert_true(list.has_environment && inline_one.has_environment);
    assert_int_equal(list.environment_count, 2);
    assert_int_equal(inline_one.environment_count, 2);
    assert_str_equal(inline_one.environments[1], STR("two"));
    assert_str_equal(render(&arena, &list), STR("environment:\n  - one\n  - two\n"));
}

static void bad_files_are_refused_with_a_reason(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack;
    str path = STR("/x/a.yaml");

    assert_fails(stack_config_parse(&arena, path, STR("[1]"), STR("p"), &stack), ERROR_INVALID,
                 "to be a map");
    assert_fails(stack_config_parse(&arena, path, STR("config: [1]"), STR("p"), &stack),
                 ERROR_INVALID, "line 1 column 9: 'config' must be a map");
    assert_fails(stack_config_parse(&arena, path, STR("config:\n  a:b:c: 1"), STR("p"), &stack),
                 ERROR_INVALID,
                 "could not unmarshal map: could not parse a:b:c as a configuration key");
    assert_fails(stack_config_parse(&arena, path, STR("encryptionsalt: {}"), STR("p"), &stack),
                 ERROR_INVALID, "must be a string");
    assert_ok(stack_config_parse(&arena, path, STR("\xef\xbb\xbf# nothing"), STR("p"), &stack));
    assert_int_equal(stack.config.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_are_texts_in_memory),
        cmocka_unit_test(of_two_forms_of_a_key_the_later_counts),
        cmocka_unit_test(many_keys_are_read_and_written_at_once),
        cmocka_unit_test(a_new_file_has_its_keys_in_order),
        cmocka_unit_test(what_has_not_changed_keeps_its_bytes),
        cmocka_unit_test(bare_and_old_keys_are_rewritten_on_save),
        cmocka_unit_test(a_large_number_does_not_become_an_integer_of_other_digits),
        cmocka_unit_test(an_empty_configuration_leaves_no_section),
        cmocka_unit_test(a_json_project_has_json_stacks),
        cmocka_unit_test(environments_are_seen_and_kept),
        cmocka_unit_test(bad_files_are_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
