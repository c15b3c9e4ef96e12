/* test_config.c — configuration values, paths into them, and what others get of them. */
#include "unit/check.h"
#include "unit/config_fixture.h"

#include "model/value_json.h"
#include "project/project.h"

/* Seals by putting a letter in front. */
static struct error *seal(struct crypter *crypter, str plaintext, struct arena *arena,
                          str *ciphertext)
{
    (void)crypter;
    *ciphertext = arena_concat(arena, STR("v1:"), plaintext);
    return NULL;
}

static struct error *unseal(struct crypter *crypter, str ciphertext, struct arena *arena,
                            str *plaintext)
{
    (void)crypter;
    (void)arena;
    if (!str_starts_with(ciphertext, STR("v1:")))
        return error_new(ERROR_INVALID, "bad value");
    *plaintext = str_slice(ciphertext, 3, ciphertext.len);
    return NULL;
}

static struct error *reverse_seal(struct crypter *crypter, str plaintext, struct arena *arena,
                                  str *ciphertext)
{
    (void)crypter;
    *ciphertext = arena_concat(arena, STR("v2:"), plaintext);
    return NULL;
}

static struct crypter letters = { .seal = seal, .unseal = unseal };
static struct crypter others = { .seal = reverse_seal };

static struct config_key key_of(struct arena *arena, const char *text, bool is_path)
{
    struct config_key key = { 0 };
    assert_ok(config_key_parse(arena, str_from(text), STR("p1"), is_path, &key));
    return key;
}

static str json_of(struct arena *arena, const struct config *config)
{
    struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    config_write_json(&writer, config);
    str result = arena_copy(arena, strbuf_str(&text));
    strbuf_release(&text);
    return result;
}

static void set(struct arena *arena, struct config *config, const char *path, const char *text)
{
    assert_ok(
        config_set(arena, config, key_of(arena, path, true), str_from(text), CONFIG_UNTYPED, true));
}

static void a_bare_key_belongs_to_the_project(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct config_key key;

    key = key_of(&arena, "name", false);
    assert_str_equal(config_key_format(&arena, key), STR("p1:name"));
    key = key_of(&arena, "aws:config:region", false);
    assert_str_equal(config_key_format(&arena, key), STR("aws:region"));
    key = key_of(&arena, "aws:a.b[\"x:y\"]", true);
    assert_str_equal(key.namespace, STR("aws"));
    assert_str_equal(key.name, STR("a.b[\"x:y\"]"));
    key = key_of(&arena, "foo.bar:buzz", true);
    assert_str_equal(config_key_format(&arena, key), STR("p1:foo.bar:buzz"));
    assert_fails(config_key_parse(&arena, STR("a:b:c"), STR("p"), false, &key), ERROR_INVALID,
                 "could not parse a:b:c as a configuration key (configuration keys should be of "
                 "the form `<namespace>:<name>`)");
}

static void values_set_inside_a_path_become_what_they_look_like(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct config config = { 0 };

    set(&arena, &config, "o.flag", "true");
    set(&arena, &config, "o.count", "12");
    set(&arena, &config, "o.negative", "-3");
    set(&arena, &config, "o.id", "007");
    set(&arena, &config, "o.float", "1.5");
    set(&arena, &config, "o.list[0]", "0");
    set(&arena, &config, "o.list[1].x", "y");
    set(&arena, &config, "top", "12");
    assert_str_equal(json_of(&arena, &config),
                     STR("{\"p1:o\":{\"count\":12,\"flag\":true,\"float\":\"1.5\",\"id\":\"007\","
                         "\"list\":[0,{\"x\":\"y\"}],\"negative\":-3},\"p1:top\":\"12\"}"));
    assert_ok(config_set(&arena, &config, key_of(&arena, "o.count", true), STR("12"), CONFIG_STRING,
                         true));
    const struct value *found;
    assert_ok(config_get(&arena, &config, key_of(&arena, "o.count", true), true, &found));
    assert_int_equal(found->kind, VALUE_STRING);
}

static void a_type_can_be_forced(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct config config = { 0 };
    enum config_type type;

    assert_ok(config_type_parse(STR("int"), &type));
    assert_int_equal(type, CONFIG_INT);
    assert_fails(config_type_parse(STR("list"), &type), ERROR_INVALID, "unknown type 'list'");
    assert_ok(config_set(&arena, &config, key_of(&arena, "n", false), STR("5"), CONFIG_INT, false));
    assert_ok(
        config_set(&arena, &config, key_of(&arena, "f", false), STR("1.5"), CONFIG_FLOAT, false));
    assert_ok(
        config_set(&arena, &config, key_of(&arena, "b", false), STR("True"), CONFIG_BOOL, false));
    assert_str_equal(json_of(&arena, &config), STR("{\"p1:b\":true,\"p1:f\":1.5,\"p1:n\":5}"));
    assert_fails(
        config_set(&arena, &config, key_of(&arena, "n", false), STR("x"), CONFIG_INT, false),
        ERROR_INVALID, "'x' is not an integer");
    assert_fails(
        config_set(&arena, &config, key_of(&arena, "n", false), STR("x"), CONFIG_BOOL, false),
        ERROR_INVALID, "'x' is not a boolean");
}

/* What was not asked for stays as it is, and a program gets the number that the file has. */
static void whole_numbers_keep_all_their_digits(void **state)
{
    (void)state;
    static const char *const numbers[] = {
        "9007199254740993",    "-9007199254740993",    "9223372036854775807",
        "9223372036854775806", "-9223372036854775808", "-9223372036854775807",
        "1152921504606847489", "9007199254740992",     "12",
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        struct config config = { 0 };
        set(&arena, &config, "o.n", numbers[i]);
        set(&arena, &config, "o.other", "1");
        assert_ok(config_set(&arena, &config, key_of(&arena, "t", false), str_from(numbers[i]),
                             CONFIG_INT, false));
        assert_str_equal(json_of(&arena, &config),
                         arena_printf(&arena, "{\"p1:o\":{\"n\":%s,\"other\":1},\"p1:t\":%s}",
                                      numbers[i], numbers[i]));
    }
}

static void typed_numbers_are_read_to_the_base_ten(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct config config = { 0 };
    static const char *const no_integers[] = { "0x10", "0o7", "1_000", "1e3",
                                               "1.0",  "",    "-",     "9223372036854775808" };
    static const char *const no_floats[] = { "0x10", ".inf", "-.inf", ".nan", "1e400", "" };

    assert_ok(
        config_set(&arena, &config, key_of(&arena, "n", false), STR("010"), CONFIG_INT, false));
    assert_ok(
        config_set(&arena, &config, key_of(&arena, "f", false), STR("010"), CONFIG_FLOAT, false));
    assert_str_equal(json_of(&arena, &config), STR("{\"p1:f\":10,\"p1:n\":10}"));
    for (size_t i = 0; i < sizeof(no_integers) / sizeof(*no_integers); i++)
        assert_fails(config_set(&arena, &config, key_of(&arena, "n", false),
                                str_from(no_integers[i]), CONFIG_INT, false),
                     ERROR_INVALID, "is not an integer");
    for (size_t i = 0; i < sizeof(no_floats) / sizeof(*no_floats); i++)
        assert_fails(config_set(&arena, &config, key_of(&arena, "f", false), str_from(no_floats[i]),
                                CONFIG_FLOAT, false),
                     ERROR_INVALID, "is not a number");
}

static void missing_containers_are_made_and_wrong_ones_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct config config = { 0 };

    set(&arena, &config, "a[2]", "x");
    set(&arena, &config, "s", "text");
    set(&arena, &config, "s.inner", "1");
    set(&arena, &config, "l[0]", "a");
    set(&arena, &config, "l[1]", "b");
    assert_str_equal(
        json_of(&arena, &config),
        STR("{\"p1:a\":[null,null,\"x\"],\"p1:l\":[\"a\",\"b\"],\"p1:s\":{\"inner\":1}}"));
    struct config_key key = key_of(&arena, "l[3]", true);
    assert_fails(config_set(&arena, &config, key, STR("x"), CONFIG_UNTYPED, true), ERROR_INVALID,
                 "l[3]: array index out of range");
    key = key_of(&arena, "l[\"k\"]", true);
    assert_fails(config_set(&arena, &config, key, STR("x"), CONFIG_UNTYPED, true), ERROR_INVALID,
                 "key for an array must be an int");
    key = key_of(&arena, "s[0]", true);
    assert_fails(config_set(&arena, &config, key, STR("x"), CONFIG_UNTYPED, true), ERROR_INVALID,
                 "key for a map must be a string");
    key = key_of(&arena, "s.inner.x", true);
    assert_fails(config_set(&arena, &config, key, STR("x"), CONFIG_UNTYPED, true), ERROR_INVALID,
                 "s.inner: expected a map");
    key = key_of(&arena, "new.secure", true);
    assert_fails(config_set(&arena, &config, key, STR("x"), CONFIG_UNTYPED, true), ERROR_INVALID,
                 "maps with the single key \"secure\" are reserved");
    key = key_of(&arena, "a[99999999]", true);
    assert_fails(config_set(&arena, &config, key, STR("x"), CONFIG_UNTYPED, true), ERROR_INVALID,
                 "out of range");
    key = key_of(&arena, "big[99999999]", true);
    assert_fails(config_set(&arena, &config, key, STR("x"), CONFIG_UNTYPED, true), ERROR_INVALID,
                 "out of range");
}

static void removing_reaches_into_values_too(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct config config = { 0 };

    set(&arena, &config, "l[0]", "a");
    set(&arena, &config, "l[1].x", "b");
    set(&arena, &config, "l[1].y", "c");
    set(&arena, &config, "z", "1");
    assert_ok(remove_at(&arena, &config, key_of(&arena, "l[1].x", true), true));
    assert_ok(remove_at(&arena, &config, key_of(&arena, "l[0]", true), true));
    assert_ok(remove_at(&arena, &config, key_of(&arena, "l[7]", true), true));
    assert_ok(remove_at(&arena, &config, key_of(&arena, "nope.x", true), true));
    assert_ok(remove_at(&arena, &config, key_of(&arena, "z", false), false));
    assert_str_equal(json_of(&arena, &config), STR("{\"p1:l\":[{\"y\":\"c\"}]}"));
    set(&arena, &config, "m.other", "1");
    set(&arena, &config, "m.secure", "text");
    struct config_key key = key_of(&arena, "m.other", true);
    assert_fails(remove_at(&arena, &config, key, true), ERROR_INVALID,
                 "m.other: maps with the single key \"secure\" are reserved");
}

static void secrets_are_sealed_and_opened_in_place(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct config config = { 0 };
    struct config_facts facts;

    assert_ok(config_set_secret(&arena, &config, key_of(&arena, "pw", false),
                                secret_hide(STR("hunter2")), &letters, false));
    assert_ok(config_set_secret(&arena, &config, key_of(&arena, "o.sec", true),
                                secret_hide(STR("12<")), &letters, true));
    set(&arena, &config, "o.list[0]", "1");
    set(&arena, &config, "aws:region", "us-west-2");
    set(&arena, &config, "n", "12");
    assert_str_equal(
        json_of(&arena, &config),
        STR("{\"aws:region\":\"us-west-2\",\"p1:n\":\"12\",\"p1:o\":{\"list\":[1],"
            "\"sec\":{\"secure\":\"v1:12<\"}},\"p1:pw\":{\"secure\":\"v1:hunter2\"}}"));
    assert_true(config_has_secret(&config));
    assert_ok(config_decrypt(&arena, &config, &letters, &facts));
    assert_int_equal(facts.len, 4);
    assert_str_equal(facts.items[0].key, STR("aws:region"));
    assert_str_equal(secret_reveal(facts.items[2].text),
                     STR("{\"list\":[1],\"sec\":\"12\\u003c\"}"));
    assert_true(facts.items[2].is_secret && facts.items[3].is_secret && !facts.items[1].is_secret);
    assert_str_equal(secret_reveal(facts.items[3].text), STR("hunter2"));
    assert_str_equal(facts.items[3].shown, STR("[secret]"));
    assert_str_equal(config_facts_shown(&facts, &arena).items[2].value,
                     STR("{\"list\":[1],\"sec\":\"[secret]\"}"));
    assert_str_equal(config_facts_reveal(&facts, &arena).items[3].value, STR("hunter2"));
    assert_int_equal(config_facts_secret_keys(&facts, &arena).len, 2);
    assert_null(config_facts_find(&facts, STR("p1:x")));
    assert_fails(config_decrypt(&arena, &config, NULL, &facts), ERROR_INVALID,
                 "has no secrets provider");

    assert_ok(config_reseal(&arena, &config, &letters, &others));
    assert_true(str_find(json_of(&arena, &config), STR("v2:hunter2")) != SIZE_MAX);
}

static void the_history_is_read_back(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct config config;
    str text = STR("{\"aws:region\":\"us-west-2\",\"p1:b\":true,\"p1:obj\":{\"flag\":true,\"sec\":{"
                   "\"secure\":\"v1:x\"}"
                   "},\"p1:pw\":{\"secure\":\"v1:y\"}}");

    json_reader_init(&reader, &arena, text);
    assert_ok(config_read_json(&reader, &config));
    assert_int_equal(config.len, 4);
    const struct value *flag = config_find(&config, (struct config_key){ STR("p1"), STR("b") });
    assert_str_equal(value_text(*flag), STR("true"));
    assert_true(
        config_is_secret(*config_find(&config, (struct config_key){ STR("p1"), STR("obj") })));
}

static void the_history_keeps_all_digits(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct config config;
    str text = STR("{\"p1:o\":[9007199254740993,-9223372036854775808,1.0486959947107512e+18,0.5]}");

    json_reader_init(&reader, &arena, text);
    assert_ok(config_read_json(&reader, &config));
    assert_str_equal(json_of(&arena, &config), text);
}

/* As many as a file may have: each of them copied all that were there. */
static void many_values_of_the_history_are_read_at_once(void **state)
{
    enum { MANY = 5000, MOST_BYTES = 32 << 20 };
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct config config;

    strbuf_add_char(&text, '{');
    for (int i = 0; i < MANY; i++)
        strbuf_printf(&text, "%s\"p1:k%d\":\"v\"", i ? "," : "", i);
    strbuf_add_char(&text, '}');
    json_reader_init(&reader, &arena, strbuf_str(&text));
    assert_ok(config_read_json(&reader, &config));
    assert_int_equal(config.len, MANY);
    assert_true(arena.total < MOST_BYTES);
}

static void a_draft_is_what_its_parts_would_be_one_after_another(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    static const char *const paths[] = { "o.b",     "o.a.x", "l[0]",  "l[1].y", "o.a.z",
                                         "o.b.c.d", "o.a.x", "plain", "l[1].y", "z[2]" };
    struct config one_by_one = { 0 }, at_once = { 0 };
    struct config_draft draft;
    bool is_there;

    set(&arena, &one_by_one, "o.a.w", "1");
    set(&arena, &at_once, "o.a.w", "1");
    config_draft_open(&draft, &arena, &at_once);
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        struct config_key key = key_of(&arena, paths[i], true);
        str text = arena_printf(&arena, "%zu", i);
        struct error *alone = config_set(&arena, &one_by_one, key, text, CONFIG_UNTYPED, true);
        struct error *together = config_draft_set(&draft, key, text, CONFIG_UNTYPED, true);
        assert_int_equal(alone != NULL, together != NULL);
        if (alone)
            assert_str_equal(error_message(alone), error_message(together));
        error_free(alone);
        error_free(together);
    }
    assert_ok(config_draft_has(&draft, key_of(&arena, "o.a.z", true), &is_there));
    assert_true(is_there);
    assert_ok(config_draft_has(&draft, key_of(&arena, "z[3]", true), &is_there));
    assert_false(is_there);
    assert_ok(config_draft_has(&draft, key_of(&arena, "z[2].no", true), &is_there));
    assert_false(is_there);
    config_draft_close(&draft, &at_once);
    assert_str_equal(json_of(&arena, &one_by_one), json_of(&arena, &at_once));
}

static void many_entries_at_once_are_the_same_as_one_by_one(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct config_entry entries[] = {
        { { STR("p"), STR("b") }, value_string(STR("1")) },
        { { STR("p"), STR("a") }, value_string(STR("2")) },
        { { STR("o"), STR("z") }, value_string(STR("3")) },
        { { STR("p"), STR("b") }, value_string(STR("4")) },
    };
    struct config one_by_one = { 0 }, at_once = { 0 };

    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < 4; i++)
            config_put(&arena, &one_by_one, entries[i].key, entries[i].value);
        config_put_all(&arena, &at_once, entries, 4);
        assert_int_equal(at_once.len, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(config_key_compare(at_once.items[i].key, one_by_one.items[i].key), 0);
            assert_true(value_equal(at_once.items[i].value, one_by_one.items[i].value));
        }
    }
    config_put_all(&arena, &at_once, NULL, 0);
    assert_int_equal(at_once.len, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bare_key_belongs_to_the_project),
        cmocka_unit_test(values_set_inside_a_path_become_what_they_look_like),
        cmocka_unit_test(a_type_can_be_forced),
        cmocka_unit_test(whole_numbers_keep_all_their_digits),
        cmocka_unit_test(typed_numbers_are_read_to_the_base_ten),
        cmocka_unit_test(missing_containers_are_made_and_wrong_ones_refused),
        cmocka_unit_test(removing_reaches_into_values_too),
        cmocka_unit_test(secrets_are_sealed_and_opened_in_place),
        cmocka_unit_test(the_history_is_read_back),
        cmocka_unit_test(the_history_keeps_all_digits),
        cmocka_unit_test(many_values_of_the_history_are_read_at_once),
        cmocka_unit_test(a_draft_is_what_its_parts_would_be_one_after_another),
        cmocka_unit_test(many_entries_at_once_are_the_same_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
