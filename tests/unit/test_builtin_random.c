/* test_builtin_random.c — package random, and what all packages that need no plugin have. */
#include "unit/builtin_fixture.h"

#include <stdlib.h>

static const struct builtin_world world = { 0 };

static str urn_of(struct arena *arena, const char *type)
{
    return arena_printf(arena, "urn:pulumi:dev::p::random:index/%s::n", type);
}

static struct provider_state make(struct arena *arena, const char *type, const char *inputs,
                                  bool is_preview)
{
    struct provider *random = builtin_find(arena, &world, STR("random"));
    const struct create_request request = { .urn = urn_of(arena, type),
                                            .inputs = fixture_parse(arena, inputs),
                                            .preview = is_preview };
    struct provider_state state;

    assert_ok(random->ops->create(random, &request, arena, &state));
    return state;
}

static void forms_of_an_id_are_of_the_same_bytes(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider_state state =
        make(&arena, "randomId:RandomId", "{\"byteLength\": 2, \"prefix\": \"p\"}", false);
    str hex = value_find_text(state.outputs, STR("hex")),
        dec = value_find_text(state.outputs, STR("dec"));

    (void)state_;
    assert_int_equal(hex.len, 5);
    assert_int_equal(strtol(hex.ptr + 1, NULL, 16), strtol(dec.ptr + 1, NULL, 10));
    assert_int_equal(state.id.len, 3);
    assert_str_equal(str_slice(value_find_text(state.outputs, STR("b64Url")), 1, 4), state.id);
    assert_int_equal(value_find_text(state.outputs, STR("b64Std")).len, 5);
}

static void text_has_what_was_asked_for(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider_state state =
        make(&arena, "randomString:RandomString",
             "{\"length\": 10, \"upper\": false, \"lower\": false, \"special\": false, "
             "\"minSpecial\": 4, \"overrideSpecial\": \"#\"}",
             false);
    size_t digits = 0, special = 0;

    (void)state_;
    assert_int_equal(state.id.len, 10);
    for (size_t i = 0; i < state.id.len; i++) {
        digits += state.id.ptr[i] >= '0' && state.id.ptr[i] <= '9';
        special += state.id.ptr[i] == '#';
    }
    assert_int_equal(special, 4);
    assert_int_equal(digits, 6);
    assert_true(value_find(state.outputs, STR("numeric"))->boolean);
    assert_str_equal(value_find_text(state.outputs, STR("result")), state.id);
}

static void secrets_are_secret_and_nothing_is_made_in_a_preview(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider_state made = make(&arena, "randomBytes:RandomBytes", "{\"length\": 3}", false);
    struct provider_state planned =
        make(&arena, "randomBytes:RandomBytes", "{\"length\": 3}", true);

    (void)state_;
    assert_int_equal(value_find(made.outputs, STR("hex"))->kind, VALUE_SECRET);
    assert_int_equal(value_find(planned.outputs, STR("hex"))->kind, VALUE_COMPUTED);
    assert_int_equal(planned.id.len, 0);
}

/* The values are those of the published package. */
static void a_seed_gives_what_the_published_package_gives(void **state_)
{
    static const struct {
        const char *inputs;
        const char *wanted;
    } integers[] = {
        { "{\"min\": 1, \"max\": 100, \"seed\": \"hello\"}", "59" },
        { "{\"min\": -1000, \"max\": 4999998999, \"seed\": \"x\"}", "1510680646" },
        { "{\"min\": 1, \"max\": 50000, \"seed\": 12345}", "22644" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider_state shuffled =
        make(&arena, "randomShuffle:RandomShuffle",
             "{\"inputs\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\"], "
             "\"seed\": \"x\", \"resultCount\": 10}",
             false);

    (void)state_;
    assert_str_equal(fixture_print(&arena, *value_find(shuffled.outputs, STR("results"))),
                     STR("[\"b\",\"e\",\"d\",\"f\",\"c\",\"g\",\"h\",\"a\",\"h\",\"a\"]"));
    for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++)
        assert_str_equal(make(&arena, "randomInteger:RandomInteger", integers[i].inputs, false).id,
                         str_from(integers[i].wanted));
}

static void without_a_seed_a_list_is_only_put_in_another_order(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const char *const inputs[] = { "{\"inputs\": [1, 2, 4]}",
                                   "{\"inputs\": [1, 2, 4], \"resultCount\": 3}" };

    (void)state_;
    for (size_t i = 0; i < 2; i++) {
        struct provider_state state = make(&arena, "randomShuffle:RandomShuffle", inputs[i], false);
        const struct value *results = value_find(state.outputs, STR("results"));
        long sum = 0;
        assert_int_equal(results->len, 3);
        for (uint32_t k = 0; k < 3; k++)
            sum += strtol(arena_cstr(&arena, value_text(results->items[k])), NULL, 10);
        assert_int_equal(sum, 7);
        assert_str_equal(state.id, STR("-"));
    }
}

static void wrong_inputs_are_refused(void **state_)
{
    static const struct {
        const char *type;
        const char *inputs;
        const char *reason;
    } cases[] = {
        { "randomId:RandomId", "{}", "missing required property 'byteLength'" },
        { "randomId:RandomId", "{\"byteLength\": \"x\"}", "\"byteLength\" must be an integer" },
        { "randomId:RandomId", "{\"byteLength\": 1, \"other\": 1}", "unknown property \"other\"" },
        { "randomString:RandomString", "{\"length\": 2, \"minLower\": 3}",
          "must be at least the sum" },
        { "randomInteger:RandomInteger", "{\"min\": 2, \"max\": 1}", "smaller than or equal" },
        { "randomString:RandomString", "{\"length\": 2, \"number\": true, \"numeric\": false}",
          "use \"numeric\" instead" },
        { "randomString:RandomString",
          "{\"length\": 2, \"lower\": false, \"upper\": false, \"special\": false, \"number\": "
          "false}",
          "must be true" },
        { "randomPet:RandomPet", "{\"keepers\": {\"a\": []}}",
          "\"keepers\" must be a map of strings" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider *random = builtin_find(&arena, &world, STR("random"));

    (void)state_;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct check_request request = { .urn = urn_of(&arena, cases[i].type),
                                               .news = fixture_parse(&arena, cases[i].inputs) };
        struct check_answer answer;
        assert_ok(random->ops->check(random, &request, &arena, &answer));
        assert_int_equal(answer.failures.len, 1);
        assert_true(str_find(answer.failures.items[0].reason, str_from(cases[i].reason))
                    != SIZE_MAX);
    }
}

/* "replaces KEY …", "updates KEY …" or "same". */
static str difference(struct arena *arena, const char *type, const char *state, const char *news)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct provider *random = builtin_find(arena, &world, STR("random"));
    const struct diff_request request = {
        .urn = urn_of(arena, type),
        .old_inputs = VALUE_EMPTY_OBJECT,
        .old_outputs = fixture_parse(arena, state),
        .news = fixture_parse(arena, news),
    };
    struct diff_answer answer;

    assert_ok(random->ops->diff(random, &request, arena, &answer));
    const struct strs *keys = answer.replace_keys.len ? &answer.replace_keys : &answer.changed_keys;
    strbuf_add(&text, answer.changes == CHANGES_NONE ? STR("same")
                      : keys == &answer.replace_keys ? STR("replaces")
                                                     : STR("updates"));
    for (size_t i = 0; i < keys->len; i++)
        strbuf_printf(&text, " " STR_FMT, STR_ARG(keys->items[i]));
    return arena_copy(arena, strbuf_str(&text));
}

static void a_change_of_what_was_used_replaces(void **state_)
{
    static const char pet[] = "randomPet:RandomPet", text[] = "randomString:RandomString";
    static const char made[] = "{\"keepers\": {\"a\": \"1\"}, \"length\": 2, \"separator\": \"-\"}";
    static const char password[] = "{\"length\": 8, \"lower\": true, \"upper\": true, \"numeric\": "
                                   "false, \"number\": false, \"special\": true, "
                                   "\"minLower\": 0, \"minUpper\": 0, \"minNumeric\": 0, "
                                   "\"minSpecial\": 0, \"overrideSpecial\": \"\"}";
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state_;
    assert_str_equal(difference(&arena, pet, made, "{\"keepers\": {\"a\": \"1\"}}"), STR("same"));
    assert_str_equal(difference(&arena, pet, made, "{\"keepers\": {\"a\": 1}, \"length\": 2}"),
                     STR("same"));
    assert_str_equal(difference(&arena, pet, made, "{\"keepers\": {\"a\": \"2\"}}"),
                     STR("replaces keepers"));
    assert_str_equal(difference(&arena, pet, made, "{\"length\": 3}"),
                     STR("replaces keepers length"));
    assert_str_equal(
        difference(&arena, pet, "{\"length\": 2, \"separator\": \"-\"}", "{\"keepers\": {}}"),
        STR("updates keepers"));
    assert_str_equal(difference(&arena, text, password,
                                "{\"length\": 8, \"numeric\": false, \"special\": true}"),
                     STR("updates overrideSpecial"));
    assert_str_equal(difference(&arena, text, password,
                                "{\"length\": 8, \"number\": false, \"overrideSpecial\": \"#\"}"),
                     STR("replaces overrideSpecial"));
    assert_str_equal(
        difference(&arena, text, password, "{\"length\": 8, \"overrideSpecial\": \"\"}"),
        STR("replaces numeric number"));
}

static void an_update_keeps_what_was_made(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider *random = builtin_find(&arena, &world, STR("random"));
    const struct update_request request = {
        .urn = urn_of(&arena, "randomString:RandomString"),
        .id = STR("abc"),
        .old_outputs = fixture_parse(
            &arena, "{\"length\": 3, \"overrideSpecial\": \"\", \"result\": \"abc\"}"),
        .news = fixture_parse(&arena, "{\"length\": 3}"),
    };
    struct provider_state state;

    (void)state_;
    assert_ok(random->ops->update(random, &request, &arena, &state));
    assert_str_equal(state.id, STR("abc"));
    assert_str_equal(value_find_text(state.outputs, STR("result")), STR("abc"));
    assert_false(value_has(state.outputs, STR("overrideSpecial")));
    assert_true(value_find(state.outputs, STR("lower"))->boolean);
}

static void what_was_made_elsewhere_is_known_by_its_value(void **state_)
{
    static const struct {
        const char *type;
        const char *id;
        const char *inputs; /* NULL: refused */
        const char *outputs;
    } cases[] = {
        { "randomId:RandomId", "p,q,_-8", "{\"byteLength\":2,\"prefix\":\"p,q\"}",
          "{\"b64Std\":\"p,q/"
          "+8=\",\"b64Url\":\"p,q_-8\",\"byteLength\":2,\"dec\":\"p,q65519\",\"hex\":\"p,qffef\","
          "\"id\":\"_-8\",\"prefix\":\"p,q\"}" },
        { "randomId:RandomId", "%", NULL, NULL },
        { "randomInteger:RandomInteger", "7,1,9", "{\"max\":9,\"min\":1}",
          "{\"id\":\"7\",\"max\":9,\"min\":1,\"result\":7}" },
        { "randomInteger:RandomInteger", "-7,-9,9,s,t", "{\"max\":9,\"min\":-9,\"seed\":\"s,t\"}",
          "{\"id\":\"-7\",\"max\":9,\"min\":-9,\"result\":-7,\"seed\":\"s,t\"}" },
        { "randomInteger:RandomInteger", "7,1", NULL, NULL },
        { "randomInteger:RandomInteger", "x,1,9", NULL, NULL },
        { "randomBytes:RandomBytes", "AQI=", "{\"length\":2}",
          "{\"base64\":\"AQI=\",\"hex\":\"0102\",\"length\":2}" },
        { "randomBytes:RandomBytes", "%", NULL, NULL },
        { "randomUuid:RandomUuid", "aabbccdd-1122-4333-8444-556677889900", "{}",
          "{\"id\":\"aabbccdd-1122-4333-8444-556677889900\",\"result\":\"aabbccdd-1122-4333-8444-"
          "556677889900\"}" },
        { "randomUuid:RandomUuid", "aabbccdd", NULL, NULL },
        { "randomString:RandomString", "abc",
          "{\"length\":3,\"lower\":true,\"number\":true,\"numeric\":true,\"special\":true,"
          "\"upper\":true}",
          "{\"__meta\":\"{\\\"schema_version\\\":\\\"2\\\"}\",\"id\":\"abc\",\"length\":3,"
          "\"lower\":true,\"minLower\":"
          "0,"
          "\"minNumeric\":0,\"minSpecial\":0,\"minUpper\":0,\"number\":true,\"numeric\":true,"
          "\"result\":\"abc\","
          "\"special\":true,\"upper\":true}" },
        { "randomPet:RandomPet", "old-cat", NULL, NULL },
        { "randomShuffle:RandomShuffle", "-", NULL, NULL },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider *random = builtin_find(&arena, &world, STR("random"));

    (void)state_;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct read_request request = { .urn = urn_of(&arena, cases[i].type),
                                              .id = str_from(cases[i].id) };
        struct provider_state state;
        struct error *failure = random->ops->read(random, &request, &arena, &state);
        assert_int_equal(failure == NULL, cases[i].inputs != NULL);
        error_freep(&failure);
        if (!cases[i].inputs)
            continue;
        assert_str_equal(fixture_print(&arena, state.inputs), str_from(cases[i].inputs));
        assert_str_equal(fixture_print(&arena, state.outputs), str_from(cases[i].outputs));
    }
}

static void schemas_are_json_and_name_their_package(void **state_)
{
    static const char *const packages[] = { "random", "command" };
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state_;
    for (size_t i = 0; i < 2; i++) {
        struct provider *provider = builtin_find(&arena, &world, str_from(packages[i]));
        str schema;
        assert_ok(provider->ops->get_schema(provider, &arena, &schema));
        struct value value = fixture_parse(&arena, arena_cstr(&arena, schema));
        assert_str_equal(value_find_text(value, STR("name")), str_from(packages[i]));
        assert_true(value_find(value, STR("resources"))->len > 0);
    }
    assert_null(builtin_find(&arena, &world, STR("aws")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_an_id_are_of_the_same_bytes),
        cmocka_unit_test(text_has_what_was_asked_for),
        cmocka_unit_test(secrets_are_secret_and_nothing_is_made_in_a_preview),
        cmocka_unit_test(a_seed_gives_what_the_published_package_gives),
        cmocka_unit_test(without_a_seed_a_list_is_only_put_in_another_order),
        cmocka_unit_test(wrong_inputs_are_refused),
        cmocka_unit_test(a_change_of_what_was_used_replaces),
        cmocka_unit_test(an_update_keeps_what_was_made),
        cmocka_unit_test(what_was_made_elsewhere_is_known_by_its_value),
        cmocka_unit_test(schemas_are_json_and_name_their_package),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
