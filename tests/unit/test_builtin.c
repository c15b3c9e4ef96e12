/* test_builtin.c — packages that need no plugin: random and command. */
#include "unit/check.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "builtin/builtin.h"
#include "builtin/builtin_command.h"
#include "fiber/fiber.h"
#include "model/value_json.h"

#include <stdlib.h>
#include <unistd.h>

static struct strbuf informed;

static void inform(void *context, str urn, const char *text)
{
    (void)context, (void)urn;
    strbuf_printf(&informed, "%s|", text);
}

static const char *const environment[] = { "PATH=/usr/bin:/bin", "KEPT=yes", NULL };
static const struct builtin_world world = { .inform = inform,
                                            .directory = STR_INIT("/tmp"),
                                            .environment = environment };

static struct value parse(struct arena *arena, const char *json)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value value;

    json_reader_init(&reader, arena, str_from(json));
    assert_ok(value_read_plain(&reader, &value));
    return value;
}

static str print(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    value_write(&writer, value, SECRET_BARE);
    return arena_copy(arena, strbuf_str(&text));
}

/* --- random --- */

static str urn_of(struct arena *arena, const char *type)
{
    return arena_printf(arena, "urn:pulumi:dev::p::random:index/%s::n", type);
}

static struct provider_state make(struct arena *arena, const char *type, const char *inputs, bool is_preview)
{
    struct provider *random = builtin_find(arena, &world, STR("random"));
    const struct create_request request = { .urn = urn_of(arena, type),
                                            .inputs = parse(arena, inputs),
                                            .preview = is_preview };
    struct provider_state state;

    assert_ok(random->ops->create(random, &request, arena, &state));
    return state;
}

static void forms_of_an_id_are_of_the_same_bytes(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider_state state = make(&arena, "randomId:RandomId", "{\"byteLength\": 2, \"prefix\": \"p\"}", false);
    str hex = value_find_text(state.outputs, STR("hex")), dec = value_find_text(state.outputs, STR("dec"));

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
    struct provider_state state = make(&arena, "randomString:RandomString",
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
    struct provider_state planned = make(&arena, "randomBytes:RandomBytes", "{\"length\": 3}", true);

    (void)state_;
    assert_int_equal(value_find(made.outputs, STR("hex"))->kind, VALUE_SECRET);
    assert_int_equal(value_find(planned.outputs, STR("hex"))->kind, VALUE_COMPUTED);
    assert_int_equal(planned.id.len, 0);
}

static void the_same_seed_gives_the_same(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const char *inputs = "{\"inputs\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\"], \"seed\": \"x\"}";

    (void)state_;
    assert_str_equal(print(&arena, make(&arena, "randomShuffle:RandomShuffle", inputs, false).outputs),
                     print(&arena, make(&arena, "randomShuffle:RandomShuffle", inputs, false).outputs));
    assert_str_equal(
        make(&arena, "randomInteger:RandomInteger", "{\"min\": 1, \"max\": 1000000, \"seed\": \"x\"}", false).id,
        make(&arena, "randomInteger:RandomInteger", "{\"min\": 1, \"max\": 1000000, \"seed\": \"x\"}", false).id);
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
        { "randomString:RandomString", "{\"length\": 2, \"minLower\": 3}", "must be at least the sum" },
        { "randomInteger:RandomInteger", "{\"min\": 2, \"max\": 1}", "smaller than or equal" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider *random = builtin_find(&arena, &world, STR("random"));

    (void)state_;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct check_request request = { .urn = urn_of(&arena, cases[i].type),
                                               .news = parse(&arena, cases[i].inputs) };
        struct check_answer answer;
        assert_ok(random->ops->check(random, &request, &arena, &answer));
        assert_int_equal(answer.failures.len, 1);
        assert_true(str_find(answer.failures.items[0].reason, str_from(cases[i].reason)) != SIZE_MAX);
    }
}

static void any_change_of_an_input_replaces(void **state_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct provider *random = builtin_find(&arena, &world, STR("random"));
    struct diff_request request = {
        .urn = urn_of(&arena, "randomPet:RandomPet"),
        .old_inputs = parse(&arena, "{\"keepers\": {\"a\": \"1\"}, \"length\": 2}"),
        .news = parse(&arena, "{\"keepers\": {\"a\": \"2\"}, \"length\": 2}"),
    };
    struct diff_answer answer;

    (void)state_;
    assert_ok(random->ops->diff(random, &request, &arena, &answer));
    assert_int_equal(answer.changes, CHANGES_SOME);
    assert_int_equal(answer.replace_keys.len, 1);
    assert_str_equal(answer.replace_keys.items[0], STR("keepers"));
    request.news = request.old_inputs;
    assert_ok(random->ops->diff(random, &request, &arena, &answer));
    assert_int_equal(answer.changes, CHANGES_NONE);
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
        struct value value = parse(&arena, arena_cstr(&arena, schema));
        assert_str_equal(value_find_text(value, STR("name")), str_from(packages[i]));
        assert_true(value_find(value, STR("resources"))->len > 0);
    }
    assert_null(builtin_find(&arena, &world, STR("aws")));
}

/* --- command --- */

static void patterns_match_as_documented(void **state_)
{
    static const struct {
        const char *pattern;
        const char *path;
        bool is_match;
    } cases[] = {
        { "*.js", "a.js", true },
        { "*.js", "src/a.js", false },
        { "src/**.js", "src/x/a.js", true },
        { "**", "a/b/c", true },
        { "assets/**", "assets/l/x", true },
        { "**secret.*", "src/secret.js", true },
        { "a?c", "abc", true },
        { "a?c", "a/c", false },
        { "[a-c]x", "bx", true },
        { "[!a-c]x", "bx", false },
        { "{a,b}.txt", "b.txt", true },
        { "{a,b}.txt", "c.txt", false },
        { "a\\*b", "a*b", true },
        { "a\\*b", "axb", false },
        { "", "", true },
        { "[", "[", true },
    };

    (void)state_;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(local_glob_match(str_from(cases[i].pattern), str_from(cases[i].path)), cases[i].is_match);
}

/* A command on a fiber. */
struct command_case {
    struct arena arena;
    const char *command;
    const char *inputs;
    struct value results;
    struct error *failure;
};

static void run_command(void *case_)
{
    struct command_case *command = case_;

    command->failure =
        local_command_run(&world, STR(""), str_from(command->command), parse(&command->arena, command->inputs),
                          parse(&command->arena, "{\"stdout\": \"before\"}"), &command->arena, &command->results);
}

static void assert_prints(const char *text, const char *inputs, const char *wanted)
{
    struct command_case command = { .command = text, .inputs = inputs };

    assert_ok(scheduler_run(run_command, &command));
    assert_ok(command.failure);
    assert_str_equal(print(&command.arena, command.results), str_from(wanted));
    arena_release(&command.arena);
}

static void a_command_has_input_environment_and_output(void **state_)
{
    (void)state_;
    assert_prints("cat; echo $A $KEPT $PULUMI_COMMAND_STDOUT >&2",
                  "{\"stdin\": \"in\\n\", \"environment\": {\"A\": \"1\"}, \"logging\": \"none\"}",
                  "{\"stderr\":\"1 yes before\",\"stdout\":\"in\"}");
    assert_prints("print('x', end='')", "{\"interpreter\": [\"python3\", \"-c\"], \"addPreviousOutputInEnv\": false}",
                  "{\"stderr\":\"\",\"stdout\":\"x\"}");
    assert_prints("pwd", "{\"dir\": \"/usr\"}", "{\"stderr\":\"\",\"stdout\":\"/usr\"}");
}

static void lines_are_shown_as_logging_says(void **state_)
{
    (void)state_;
    strbuf_clear(&informed);
    assert_prints("echo one; printf two", "{}", "{\"stderr\":\"\",\"stdout\":\"one\\ntwo\"}");
    assert_str_equal(strbuf_str(&informed), STR("one|two|"));
    strbuf_clear(&informed);
    assert_prints("echo one; echo two >&2", "{\"logging\": \"stderr\"}", "{\"stderr\":\"two\",\"stdout\":\"one\"}");
    assert_str_equal(strbuf_str(&informed), STR("two|"));
    strbuf_release(&informed);
}

static void a_command_that_fails_says_what_it_printed(void **state_)
{
    struct command_case command = { .command = "echo out; echo err >&2; exit 3", .inputs = "{\"logging\": \"none\"}" };

    (void)state_;
    assert_ok(scheduler_run(run_command, &command));
    assert_fails(command.failure, ERROR_OTHER, "exit status 3: running \"echo out; echo err >&2; exit 3\":\n");
    arena_release(&command.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_an_id_are_of_the_same_bytes),
        cmocka_unit_test(text_has_what_was_asked_for),
        cmocka_unit_test(secrets_are_secret_and_nothing_is_made_in_a_preview),
        cmocka_unit_test(the_same_seed_gives_the_same),
        cmocka_unit_test(wrong_inputs_are_refused),
        cmocka_unit_test(any_change_of_an_input_replaces),
        cmocka_unit_test(schemas_are_json_and_name_their_package),
        cmocka_unit_test(patterns_match_as_documented),
        cmocka_unit_test(a_command_has_input_environment_and_output),
        cmocka_unit_test(lines_are_shown_as_logging_says),
        cmocka_unit_test(a_command_that_fails_says_what_it_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
