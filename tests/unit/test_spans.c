/* test_spans.c — traces of commands: what is read from the two formats, and what is made of it. */
#include "unit/check.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "page/page_trace.h"
#include "spans/gob.h"
#include "spans/spans.h"

#include <stdio.h>
#include <zlib.h>

#define CORPUS "tests/fuzz/corpus/spans/"
#define MS INT64_C(1000000)

enum { LIMIT = 1 << 20 };

static struct spans read_trace(struct arena *arena, const char *path)
{
    struct spans spans = { 0 };
    str bytes;

    assert_ok(fs_read(arena, str_from(path), LIMIT, &bytes));
    assert_ok(spans_read(arena, bytes, &spans));
    return spans;
}

static struct spans parse_trace(struct arena *arena, const char *text)
{
    struct spans spans = { 0 };

    assert_ok(spans_read(arena, str_from(text), &spans));
    return spans;
}

static void spans_of_otlp_are_a_tree(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct spans spans = read_trace(&arena, CORPUS "otlp");

    assert_int_equal(spans.len, 2);
    const struct spans_span *root = &spans.items[0], *part = &spans.items[1];
    assert_str_equal(root->name, STR("pulumi up"));
    assert_int_equal(root->parent, 0);
    assert_int_equal(root->end - root->start, 1000);
    assert_false(root->has_failed);
    assert_str_equal(*pairs_find(root->attributes, STR("n")), STR("4"));
    assert_str_equal(*pairs_find(root->attributes, STR("l")),
                     STR("{\"values\":[{\"boolValue\":true}]}"));
    assert_str_equal(spans_label(&arena, part), STR("create(a:b:C)"));
    assert_int_equal(part->parent, 1);
    assert_true(part->has_failed);
    assert_str_equal(*pairs_find(part->attributes, STR("service.name")), STR("culumi"));
}

static void spans_in_a_circle_and_a_line_that_is_cut_are_read(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct spans spans = read_trace(&arena, CORPUS "round");

    assert_int_equal(spans.len, 3);
    assert_str_equal(spans.items[0].name, STR("a"));
    assert_int_equal(spans.items[0].parent, 0);
    assert_int_equal(spans.items[1].parent, 1);
    assert_int_equal(spans_without_logs(&arena, &spans).len, 2);
}

static void the_reference_writes_gob(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct spans spans = read_trace(&arena, CORPUS "gob");
    int64_t *own = spans_own_times(&arena, &spans);

    assert_int_equal(spans.len, 4);
    assert_str_equal(spans.items[0].name, STR("pulumi up"));
    assert_int_equal(spans.items[0].end - spans.items[0].start, 2000 * MS);
    assert_str_equal(spans_label(&arena, &spans.items[1]),
                     STR("/pulumirpc.ResourceProvider/Create(a:b:C)"));
    assert_true(spans.items[1].has_failed);
    assert_int_equal(spans.items[1].start - spans.start, 500 * MS);
    assert_null(pairs_find(spans.items[1].attributes, STR("Span.Start")));
    /* Without times of its own it has those of its part. */
    assert_str_equal(spans.items[2].name, STR("waiting"));
    assert_int_equal(spans.items[2].end - spans.items[2].start, 100 * MS);
    assert_int_equal(spans.items[3].parent, 3);
    assert_int_equal(own[0], 650 * MS);
    assert_int_equal(own[2], 0);
}

static void what_is_no_trace_is_refused_with_the_reason(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf deep = { 0 };
    struct spans spans;

    assert_fails(spans_read(&arena, STR(""), &spans), ERROR_INVALID, "it is empty");
    assert_fails(spans_read(&arena, STR("hello"), &spans), ERROR_INVALID, "it is cut off");
    assert_fails(spans_read(&arena, STR("{\"a\":1}\n"), &spans), ERROR_INVALID,
                 "line 1: it has no 'resourceSpans'");
    assert_fails(spans_read(&arena, STR("{\"resourceSpans\":[]}\n"), &spans), ERROR_INVALID,
                 "it has no spans");
    assert_fails(spans_read(&arena, STR("{\"resourceSpans\":[]}\n{"), &spans), ERROR_INVALID,
                 "line 2");
    strbuf_printf(&deep, "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[");
    for (int i = 1; i <= SPANS_MAX_DEPTH + 1; i++)
        strbuf_printf(&deep,
                      "%s{\"traceId\":\"a\",\"spanId\":\"%d\",\"parentSpanId\":\"%d\",\"name\":"
                      "\"x\",\"startTimeUnixNano\":\"1\",\"endTimeUnixNano\":\"2\"}",
                      i > 1 ? "," : "", i, i - 1);
    strbuf_printf(&deep, "]}]}]}");
    assert_fails(spans_read(&arena, strbuf_str(&deep), &spans), ERROR_INVALID, "too deeply");
}

static void gob_that_lies_is_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct gob_value value;
    str bytes;

    assert_ok(fs_read(&arena, STR(CORPUS "gob"), LIMIT, &bytes));
    assert_fails(gob_read(&arena, bytes, "Nothing", &value), ERROR_INVALID, "it has no 'Nothing'");
    for (size_t len = 0; len < 500; len += 7)
        assert_fails(gob_read(&arena, str_slice(bytes, 0, len), "Trace", &value), ERROR_INVALID,
                     "it");
}

/* --- profiles --- */

static str inflate_all(struct arena *arena, str bytes)
{
    enum { ROOM = 1 << 16 };
    char *into = arena_alloc(arena, ROOM);
    z_stream stream = { .next_in = (unsigned char *)bytes.ptr,
                        .avail_in = (unsigned)bytes.len,
                        .next_out = (unsigned char *)into,
                        .avail_out = ROOM };

    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    inflateEnd(&stream);
    return (str){ into, stream.total_out };
}

static uint64_t take_varint(str *rest)
{
    uint64_t number = 0;
    unsigned shift = 0, byte;

    do {
        assert_true(rest->len > 0);
        byte = (unsigned char)rest->ptr[0];
        *rest = str_slice(*rest, 1, rest->len);
        number |= (uint64_t)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128);
    return number;
}

/* The next member of a message; its number, or its bytes. */
static unsigned take_member(str *rest, uint64_t *number, str *bytes)
{
    uint64_t tag = take_varint(rest);

    *number = take_varint(rest);
    *bytes = STR("");
    if ((tag & 7) == 2) {
        assert_true(*number <= rest->len);
        *bytes = str_slice(*rest, 0, *number);
        *rest = str_slice(*rest, *number, rest->len);
    }
    return (unsigned)(tag >> 3);
}

/* "a<b 2 650000000" for each sample: the stack, the last step first, and its values. */
static str describe_profile(struct arena *arena, str profile)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str strings[32], bytes;
    uint64_t number;
    size_t count = 0;

    for (str rest = profile; rest.len;)
        if (take_member(&rest, &number, &bytes) == 6)
            strings[count++] = bytes;
    assert_int_equal(strings[0].len, 0);
    for (str rest = profile; rest.len;) {
        if (take_member(&rest, &number, &bytes) != 2)
            continue;
        for (str sample = bytes; sample.len;) {
            unsigned member = take_member(&sample, &number, &bytes);
            while (bytes.len) {
                number = take_varint(&bytes);
                if (member == 1)
                    strbuf_printf(&out, "%s" STR_FMT,
                                  out.len && out.ptr[out.len - 1] != '\n' ? "<" : "",
                                  STR_ARG(strings[number]));
                else
                    strbuf_printf(&out, " %llu", (unsigned long long)number);
            }
        }
        strbuf_add_char(&out, '\n');
    }
    return arena_copy(arena, strbuf_str(&out));
}

static void a_profile_has_own_times_by_stack(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct spans spans = read_trace(&arena, CORPUS "gob");
    str profile;

    assert_ok(spans_to_pprof(&arena, &spans, 500 * MS, &profile));
    assert_str_equal(describe_profile(&arena, inflate_all(&arena, profile)),
                     STR("pulumi up 2 650000000\n"
                         "/pulumirpc.ResourceProvider/Create(a:b:C)<pulumi up 3 1250000000\n"
                         "/pulumirpc.Engine/Log<waiting<pulumi up 1 100000000\n"));
}

static void parts_that_overlap_are_counted_once(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct spans spans = parse_trace(
        &arena, "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":["
                "{\"traceId\":\"a\",\"spanId\":\"1\",\"name\":\"r\",\"startTimeUnixNano\":\"100\","
                "\"endTimeUnixNano\":\"200\"},"
                "{\"traceId\":\"a\",\"spanId\":\"2\",\"parentSpanId\":\"1\",\"name\":\"p\","
                "\"startTimeUnixNano\":\"110\",\"endTimeUnixNano\":\"150\"},"
                "{\"traceId\":\"a\",\"spanId\":\"3\",\"parentSpanId\":\"1\",\"name\":\"q\","
                "\"startTimeUnixNano\":\"120\",\"endTimeUnixNano\":\"170\"},"
                "{\"traceId\":\"a\",\"spanId\":\"4\",\"parentSpanId\":\"1\",\"name\":\"p\","
                "\"startTimeUnixNano\":\"190\",\"endTimeUnixNano\":\"250\"}]}]}]}");
    int64_t *own = spans_own_times(&arena, &spans);
    str profile;

    assert_int_equal(own[0], 30);
    assert_int_equal(own[3], 60);
    assert_ok(spans_to_pprof(&arena, &spans, 1000, &profile));
    assert_str_equal(describe_profile(&arena, inflate_all(&arena, profile)),
                     STR("r 1 30\np<r 2 100\nq<r 1 50\n"));
}

/* --- pages --- */

static void a_page_has_each_span_in_microseconds(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out, .escapes_html = true };
    struct spans spans = read_trace(&arena, CORPUS "otlp");

    page_trace_write_json(&writer, &spans, STR("</script>"));
    str text = strbuf_str(&out);
    assert_int_equal(str_find(text, STR("</script>")), SIZE_MAX);
    size_t at = str_find(text, STR("\"spans\":"));
    assert_str_equal(str_slice(text, at, text.len),
                     STR("\"spans\":[[0,0,1,0,\"pulumi up\",[\"n\",\"4\",\"l\",\"{\\\"values\\\":"
                         "[{\\\"boolValue\\\":true}]}\"]],"
                         "[1,0.1,0.8,1,\"create(a:b:C)\",[\"urn\",\"urn:pulumi:dev::p::a:b:C::x\","
                         "\"service.name\",\"culumi\"]]]}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_of_otlp_are_a_tree),
        cmocka_unit_test(spans_in_a_circle_and_a_line_that_is_cut_are_read),
        cmocka_unit_test(the_reference_writes_gob),
        cmocka_unit_test(what_is_no_trace_is_refused_with_the_reason),
        cmocka_unit_test(gob_that_lies_is_refused),
        cmocka_unit_test(a_profile_has_own_times_by_stack),
        cmocka_unit_test(parts_that_overlap_are_counted_once),
        cmocka_unit_test(a_page_has_each_span_in_microseconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
