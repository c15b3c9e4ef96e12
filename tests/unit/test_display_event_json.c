/* test_display_event_json.c — events as JSON, colours and masks. */
#include "unit/check.h"

#include "display/event_json.h"

static const char *write_event(struct strbuf *out, const struct event_json *form,
                               const struct event *event)
{
    struct json_writer writer = { .out = out };

    strbuf_clear(out);
    event_json_write(&writer, form, event, 7, 1700000000);
    return out->ptr;
}

static void a_diagnostic_has_prefix_and_no_escapes(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct event_json plain = { .color = COLOR_NEVER }, colored = { .color = COLOR_ALWAYS };
    struct event event = { .kind = EVENT_DIAGNOSTIC };

    event.diagnostic.severity = SEVERITY_ERROR;
    event.diagnostic.message = STR("\x1b[31mboom\x1b[0m <b>\n");
    assert_string_equal(
        write_event(&out, &plain, &event),
        "{\"sequence\":7,\"timestamp\":1700000000,\"diagnosticEvent\":{\"prefix\":\"error: "
        "\",\"message\":\"boom <b>\\n\","
        "\"color\":\"never\",\"severity\":\"error\"}}");
    assert_string_equal(write_event(&out, &colored, &event),
                        "{\"sequence\":7,\"timestamp\":1700000000,\"diagnosticEvent\":{\"prefix\":"
                        "\"<{%fg 1%}>error: <{%reset%}>\","
                        "\"message\":\"<{%reset%}>boom "
                        "<b><{%reset%}>\\n\",\"color\":\"always\",\"severity\":\"error\"}}");
}

static void a_step_carries_both_states(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct event_json form = { .color = COLOR_NEVER };
    const struct member inputs[] = { { STR_INIT("pw"),
                                       value_secret(&arena, value_string(STR("x"))) },
                                     { STR_INIT("n"), value_number(1) } };
    struct resource new = {
        .urn = STR("urn:pulumi:dev::p::a:b:C::r"),
        .type = STR("a:b:C"),
        .is_custom = true,
        .inputs = value_object(&arena, inputs, 2),
    };
    const str keys[] = { STR_INIT("n") };
    const struct property_diff diffs[] = { { STR_INIT("n"), DIFF_UPDATE_REPLACE, true } };
    struct event event = { .kind = EVENT_RESOURCE_PRE };

    event.resource.is_planning = true;
    event.resource.step = (struct event_step){
        .op = OP_CREATE_REPLACEMENT,
        .urn = new.urn,
        .type = new.type,
        .new = &new,
        .keys = { keys, 1 },
        .has_detailed_diff = true,
        .detailed_diff = { diffs, 1 },
    };
    assert_string_equal(write_event(&out, &form, &event),
                        "{\"sequence\":7,\"timestamp\":1700000000,\"resourcePreEvent\":{"
                        "\"metadata\":{\"op\":\"create-replacement\","
                        "\"urn\":\"urn:pulumi:dev::p::a:b:C::r\",\"type\":\"a:b:C\",\"old\":null,"
                        "\"new\":{\"type\":\"a:b:C\","
                        "\"urn\":\"urn:pulumi:dev::p::a:b:C::r\",\"custom\":true,\"id\":\"\","
                        "\"parent\":\"\",\"inputs\":{\"n\":1,"
                        "\"pw\":{\"4dabf18193072939515e22adb298388d\":"
                        "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"[secret]\"}"
                        "},"
                        "\"outputs\":{},\"provider\":\"\"},\"keys\":[\"n\"],\"detailedDiff\":{"
                        "\"n\":{\"diffKind\":\"update-replace\","
                        "\"inputDiff\":true}},"
                        "\"provider\":\"\"},\"planning\":true}}");
}

static void a_summary_counts_what_happened(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct event_json form = { .color = COLOR_NEVER };
    int64_t changes[STEP_OP_COUNT] = { [OP_SAME] = 2, [OP_REPLACE] = 1 };
    struct event event = { .kind = EVENT_SUMMARY };

    event.summary.duration_seconds = 3;
    event.summary.changes = changes;
    event.summary.result = "succeeded";
    assert_string_equal(write_event(&out, &form, &event),
                        "{\"sequence\":7,\"timestamp\":1700000000,\"summaryEvent\":{"
                        "\"maybeCorrupt\":false,\"durationSeconds\":3,"
                        "\"resourceChanges\":{\"same\":2,\"replace\":1},\"PolicyPacks\":{},"
                        "\"isPreview\":false,\"result\":"
                        "\"succeeded\"}}");
}

static void secrets_are_masked_wherever_they_stand(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct secret secrets[] = { secret_hide(STR("hunter2")), secret_hide(STR("ab")),
                                      secret_hide(STR("True")), secret_hide(STR("a\"b")),
                                      secret_hide(STR("hunter2longer")) };
    struct mask mask = mask_new(&arena, (struct secret_list){ secrets, 5 });

    assert_str_equal(mask_text(mask, &arena, STR("x hunter2hunter2 y")),
                     STR("x [secret][secret] y"));
    /* A secret that begins with another is hidden whole. */
    assert_str_equal(mask_text(mask, &arena, STR("hunter2longer hunter2")),
                     STR("[secret] [secret]"));
    assert_str_equal(mask_text(mask, &arena, STR("ab true")), STR("ab true"));
    assert_str_equal(mask_text(mask, &arena, STR("{\"k\":\"a\\\"b\"}")),
                     STR("{\"k\":\"[secret]\"}"));
    struct value items[] = { value_string(STR("hunter2")), value_number(1) };
    struct value masked = mask_value(mask, &arena, value_array(&arena, items, 2));
    assert_str_equal(value_text(masked.items[0]), STR("[secret]"));
}

static void tags_become_escapes_or_nothing(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str text = STR(TAG_BOLD "a" TAG_FG(13) "b" TAG_RESET "<{%odd%}>c<{%");

    color_add(&out, text, COLOR_NEVER);
    assert_str_equal(strbuf_str(&out), STR("abc<{%"));
    strbuf_clear(&out);
    color_add(&out, text, COLOR_ALWAYS);
    assert_str_equal(strbuf_str(&out), STR("\x1b[1ma\x1b[38;5;13mb\x1b[0mc<{%"));
    assert_int_equal(color_width(STR(TAG_RED "h\xc3\xa9" TAG_RESET)), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diagnostic_has_prefix_and_no_escapes),
        cmocka_unit_test(a_step_carries_both_states),
        cmocka_unit_test(a_summary_counts_what_happened),
        cmocka_unit_test(secrets_are_masked_wherever_they_stand),
        cmocka_unit_test(tags_become_escapes_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
