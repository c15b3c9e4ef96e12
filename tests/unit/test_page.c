/* test_page.c — what pages are given: marks and links of resources, nothing secret, nothing that
 * could end the element that it is in. */
#include "unit/check.h"

#include "model/signatures.h"
#include "page/page.h"
#include "page/page_graph.h"
#include "page/page_report.h"
#include "page/page_value.h"

#define SECRET_MARK "{\"4dabf18193072939515e22adb298388d\":\"1b47061264138c4ac30d75fd1eb44270\"}"

static str graph_of(struct strbuf *out, const struct snapshot *snapshot)
{
    struct json_writer writer = { .out = out, .escapes_html = true };
    const struct page_graph_facts facts = { STR("dev"), STR("web") };

    strbuf_clear(out);
    page_graph_write_json(&writer, &facts, snapshot);
    str text = strbuf_str(out);
    size_t at = str_find(text, STR("\"resources\":"));
    assert_true(at != SIZE_MAX);
    return str_slice(text, at + strlen("\"resources\":"), text.len - 1);
}

#define URN_A "urn:pulumi:dev::web::pulumi:providers:a::a"
#define URN_B "urn:pulumi:dev::web::a:b:C::b"

static void links_are_numbers_of_live_resources(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const str to_a[] = { STR_INIT(URN_A), STR_INIT("urn:pulumi:dev::web::a:b:C::gone") };
    const struct property_dependency through[] = { { STR_INIT("name"), { to_a, 2 } } };
    struct resource a = { .urn = STR(URN_A), .type = STR("a:b:C"), .is_custom = true };
    struct resource old = { .urn = STR(URN_A), .type = STR("a:b:C"), .is_delete = true };
    struct resource b = {
        .urn = STR(URN_B),
        .type = STR("a:b:C"),
        .parent = STR(URN_A),
        .provider = STR(URN_A "::id"),
        .dependencies = { to_a, 2 },
        .property_dependencies = { through, 1 },
    };
    struct resource *resources[] = { &a, &old, &b };
    struct snapshot snapshot = { .resources = resources, .resource_count = 3 };

    assert_str_equal(graph_of(&out, &snapshot),
                     STR("[{\"urn\":\"" URN_A "\",\"type\":\"a:b:C\",\"custom\":true,\"marks\":[],"
                         "\"inputs\":null,\"outputs\":null},"
                         "{\"urn\":\"" URN_A "\",\"type\":\"a:b:C\",\"marks\":[\"to be deleted\"],"
                         "\"inputs\":null,\"outputs\":null},"
                         "{\"urn\":\"" URN_B "\",\"type\":\"a:b:C\",\"parent\":0,\"provider\":0,"
                         "\"dependencies\":[0],\"through\":{\"name\":[0]},\"marks\":[],"
                         "\"inputs\":null,\"outputs\":null}]"));
}

static void marks_and_pending_operations_are_told(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const str errors[] = { STR_INIT("half made") };
    struct resource a = {
        .urn = STR(URN_A),
        .type = STR("a:b:C"),
        .is_external = true,
        .is_tainted = true,
        .is_pending_replacement = true,
        .init_errors = { errors, 1 },
        .options = { .protect = true, .retain_on_delete = true },
    };
    struct resource b = { .urn = STR(URN_B), .type = STR("a:b:C") };
    struct resource *resources[] = { &a };
    const struct pending_operation pending[] = { { &a, PENDING_UPDATING },
                                                 { &b, PENDING_CREATING } };
    struct snapshot snapshot = {
        .resources = resources, .resource_count = 1, .pending = pending, .pending_count = 2
    };

    assert_str_equal(
        graph_of(&out, &snapshot),
        STR("[{\"urn\":\"" URN_A "\",\"type\":\"a:b:C\",\"marks\":[\"protected\",\"external\","
            "\"to be created again\",\"tainted\",\"not initialised\",\"retained on delete\","
            "\"pending\"],\"pending\":\"updating\",\"initErrors\":[\"half made\"],"
            "\"inputs\":null,\"outputs\":null},"
            "{\"urn\":\"" URN_B "\",\"type\":\"a:b:C\",\"marks\":[\"pending\"],"
            "\"pending\":\"creating\",\"inputs\":null,\"outputs\":null}]"));
}

static void a_secret_is_its_mark_and_an_asset_has_no_contents(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out };
    struct value open = value_secret(&arena, value_string(STR("plain")));
    struct value sealed = value_secret(&arena, value_null());
    sealed.secret->ciphertext = STR("v1:cipher");
    sealed.secret->is_opaque = true;
    const struct output output = { .element = value_string(STR("plain")),
                                   .is_known = true,
                                   .is_secret = true };
    const struct asset asset = { .hash = STR("abc"), .text = STR("plain"), .has_text = true };
    const struct value items[] = { open,
                                   sealed,
                                   { .kind = VALUE_OUTPUT, .output = &output },
                                   { .kind = VALUE_ASSET, .asset = &asset } };

    page_value_write_state(&writer, value_array(&arena, items, 4));
    assert_str_equal(strbuf_str(&out),
                     STR("[" SECRET_MARK "," SECRET_MARK "," SECRET_MARK
                         ",{\"4dabf18193072939515e22adb298388d\":"
                         "\"c44067f5952c0a294b673a41bacd8c17\",\"hash\":\"abc\"}]"));
}

static void a_secret_of_an_event_is_its_mark_however_it_was_written(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out };
    const struct member secret[] = { { SIGNATURE_KEY, value_string(SIGNATURE_SECRET) },
                                     { STR("plaintext"), value_string(STR("\"plain\"")) } };
    const struct member asset[] = { { SIGNATURE_KEY, value_string(SIGNATURE_ASSET) },
                                    { STR("text"), value_string(STR("plain")) } };
    const struct value items[] = { value_object(&arena, secret, 2),
                                   value_object(&arena, asset, 2) };

    page_value_write_plain(&writer, value_array(&arena, items, 2));
    assert_str_equal(strbuf_str(&out), STR("[" SECRET_MARK ",{\"4dabf18193072939515e22adb298388d\":"
                                           "\"c44067f5952c0a294b673a41bacd8c17\"}]"));
}

static void names_cannot_end_the_element_of_the_data(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    CLEANUP(arena_release) struct arena arena = { 0 };
    const str hostile = STR("</script><script>alert(1)</script><!--&\xff\xe2\x80\xa8");
    const struct member inputs[] = { { hostile, value_string(hostile) } };
    const str errors[] = { hostile };
    struct resource a = {
        .urn = hostile,
        .type = hostile,
        .id = hostile,
        .created = hostile,
        .inputs = value_object(&arena, inputs, 1),
        .init_errors = { errors, 1 },
    };
    struct resource *resources[] = { &a };
    struct snapshot snapshot = { .resources = resources, .resource_count = 1 };
    str json = graph_of(&out, &snapshot);

    for (size_t i = 0; i < json.len; i++)
        assert_null(strchr("<>&", json.ptr[i]));
    assert_true(str_is_utf8(json));
    assert_true(str_find(json, STR("\\u003c/script\\u003e")) != SIZE_MAX);
}

static void count_of(str text, str part, size_t wanted)
{
    size_t count = 0;

    for (size_t at; (at = str_find(text, part)) != SIZE_MAX; count++)
        text = str_slice(text, at + part.len, text.len);
    assert_int_equal(count, wanted);
}

static void a_page_is_one_file_that_loads_nothing(void **state)
{
    (void)state;
    static const enum page_kind kinds[] = { PAGE_GRAPH, PAGE_REPORT };

    for (size_t i = 0; i < 2; i++) {
        CLEANUP(strbuf_release) struct strbuf out = { 0 };
        page_write(&out, kinds[i], STR("{\"x\":1}"));
        str text = strbuf_str(&out);
        assert_true(str_starts_with(text, STR("<!doctype html>")));
        count_of(text, STR("default-src 'none'; style-src 'sha256-"), 1);
        count_of(text, STR("; script-src 'sha256-"), 1);
        count_of(text, STR("unsafe"), 0);
        count_of(text, STR(" src="), 0);
        count_of(text, STR("innerHTML"), 0);
        count_of(text, STR("://"), 0);
        count_of(text, STR("@import"), 0);
        count_of(text, STR("<script"), 2);
        count_of(text, STR("id=\"data\">{\"x\":1}</script>"), 1);
    }
}

/* --- reports --- */

static str phases_of(struct strbuf *out, struct page_report *report)
{
    struct json_writer writer = { .out = out, .escapes_html = true };
    const struct page_report_facts facts = { .stack = STR("dev") };

    strbuf_clear(out);
    page_report_write_json(&writer, &facts, report);
    str text = strbuf_str(out);
    size_t at = str_find(text, STR("\"phases\":"));
    assert_true(at != SIZE_MAX);
    return str_slice(text, at + strlen("\"phases\":"), text.len - 1);
}

#define LINE(sequence, time, rest) "{\"sequence\":" #sequence ",\"timestamp\":" #time "," rest "}\n"
#define MESSAGE "\"diagnosticEvent\":{\"message\":\"a\",\"color\":\"never\",\"severity\":\"info\"}"

static void a_log_is_read_phase_by_phase(void **state)
{
    (void)state;
    CLEANUP(page_report_release) struct page_report report = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    bool is_cut;

    assert_ok(page_report_read(&report,
                               STR(LINE(0, 100, MESSAGE) "\n" LINE(1, 102, "\"newEvent\":{}")
                                       LINE(2, 103, MESSAGE) LINE(0, 200, MESSAGE)),
                               &is_cut));
    assert_false(is_cut);
    assert_str_equal(
        phases_of(&out, &report),
        STR("[{\"start\":100000,\"events\":["
            "{\"e\":\"diagnostic\",\"t\":0,\"message\":\"a\",\"severity\":\"info\"},"
            "{\"e\":\"diagnostic\",\"t\":3000,\"message\":\"a\",\"severity\":\"info\"}],"
            "\"spans\":[]},{\"start\":200000,\"events\":["
            "{\"e\":\"diagnostic\",\"t\":0,\"message\":\"a\",\"severity\":\"info\"}],"
            "\"spans\":[]}]"));
}

static void a_line_that_is_no_event_is_named(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "[]",
        "{}",
        "{\"sequence\":1}",
        "{\"sequence\":-1,\"timestamp\":1}",
        "not JSON",
        "{\"sequence\":1,\"timestamp\":1e300}",
        "{\"sequence\":1,\"timestamp\":1} {}",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        CLEANUP(page_report_release) struct page_report report = { 0 };
        CLEANUP(strbuf_release) struct strbuf log = { 0 };
        bool is_cut;
        strbuf_printf(&log, LINE(0, 1, MESSAGE) "%s\n", lines[i]);
        assert_fails(page_report_read(&report, strbuf_str(&log), &is_cut), ERROR_INVALID, "line 2");
    }
    struct page_report none = { 0 };
    bool is_cut;
    assert_fails(page_report_read(&none, STR("\n\n"), &is_cut), ERROR_INVALID, "it has no events");
}

static void a_last_line_that_was_cut_off_is_left_out(void **state)
{
    (void)state;
    CLEANUP(page_report_release) struct page_report report = { 0 };
    bool is_cut;

    assert_ok(
        page_report_read(&report, STR(LINE(0, 100, MESSAGE) "{\"sequence\":1,\"time"), &is_cut));
    assert_true(is_cut);
    assert_int_equal(report.event_count, 1);
}

/* One step of that op: the inputs and outputs that the page is given. */
static str step_of(struct strbuf *out, const char *kind, const char *op)
{
    CLEANUP(page_report_release) struct page_report report = { 0 };
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    const str urns[] = { STR_INIT(URN_A) };

    strbuf_printf(&line,
                  "{\"sequence\":1,\"timestamp\":9,\"%s\":{\"metadata\":{\"op\":\"%s\","
                  "\"urn\":\"" URN_B
                  "\",\"type\":\"a:b:C\",\"old\":null,\"new\":{\"type\":\"a:b:C\","
                  "\"urn\":\"" URN_B
                  "\",\"id\":\"i\",\"inputs\":{\"p\":{\"4dabf18193072939515e22adb298388d\":"
                  "\"1b47061264138c4ac30d75fd1eb44270\",\"ciphertext\":\"hidden\"}},\"outputs\":{"
                  "\"o\":\"<\"}},"
                  "\"detailedDiff\":null,\"provider\":\"\"}}}",
                  kind, op);
    page_report_begin(&report, 8 * INT64_C(1000000000));
    assert_ok(page_report_add(&report, strbuf_str(&line), 8 * INT64_C(1000000000) + 1500000,
                              (struct strs){ urns, 1 }));
    page_report_end(&report);
    return phases_of(out, &report);
}

#define STEP_START                                 \
    "\"t\":1.5,\"op\":\"create\",\"urn\":\"" URN_B \
    "\",\"type\":\"a:b:C\",\"new\":{\"id\":\"i\",\"inputs\":{\"p\":" SECRET_MARK "}"

static void a_step_has_what_it_changes_and_what_it_waited_for(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    assert_str_equal(step_of(&out, "resourcePreEvent", "create"),
                     STR("[{\"start\":8000,\"events\":[{\"e\":\"pre\"," STEP_START
                         "},\"dependsOn\":[\"" URN_A "\"]}],\"spans\":[]}]"));
    assert_str_equal(step_of(&out, "resOutputsEvent", "create"),
                     STR("[{\"start\":8000,\"events\":[{\"e\":\"outputs\"," STEP_START
                         ",\"outputs\":{\"o\":\"\\u003c\"}},\"dependsOn\":[\"" URN_A
                         "\"]}],\"spans\":[]}]"));
    str same = step_of(&out, "resOutputsEvent", "same");
    assert_true(str_find(same, STR("inputs")) == SIZE_MAX);
    assert_true(str_find(same, STR("\"new\":{\"id\":\"i\"}")) != SIZE_MAX);
}

static void spans_are_rows_of_their_phase(void **state)
{
    (void)state;
    CLEANUP(page_report_release) struct page_report report = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const struct page_span call = {
        .name = STR("Create"),
        .plugin = STR("<aws>"),
        .urn = STR(URN_A),
        .start = 1000000,
        .end = 3500000,
        .has_failed = true,
    };

    page_report_add_span(&report, &call); /* between phases: of none */
    page_report_begin(&report, 0);
    page_report_add_span(&report, &call);
    page_report_end(&report);
    assert_str_equal(
        phases_of(&out, &report),
        STR("[{\"start\":0,\"events\":[],\"spans\":[[\"Create\",\"\\u003caws\\u003e\",\"" URN_A
            "\",1,3.5,1]]}]"));
}

static void a_report_of_nothing_has_no_phases(void **state)
{
    (void)state;
    struct page_report report = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    assert_str_equal(phases_of(&out, &report), STR("[]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_numbers_of_live_resources),
        cmocka_unit_test(marks_and_pending_operations_are_told),
        cmocka_unit_test(a_secret_is_its_mark_and_an_asset_has_no_contents),
        cmocka_unit_test(a_secret_of_an_event_is_its_mark_however_it_was_written),
        cmocka_unit_test(names_cannot_end_the_element_of_the_data),
        cmocka_unit_test(a_page_is_one_file_that_loads_nothing),
        cmocka_unit_test(a_log_is_read_phase_by_phase),
        cmocka_unit_test(a_line_that_is_no_event_is_named),
        cmocka_unit_test(a_last_line_that_was_cut_off_is_left_out),
        cmocka_unit_test(a_step_has_what_it_changes_and_what_it_waited_for),
        cmocka_unit_test(spans_are_rows_of_their_phase),
        cmocka_unit_test(a_report_of_nothing_has_no_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
