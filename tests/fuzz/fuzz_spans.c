/* fuzz_spans.c — whatever a trace holds, its spans are trees in order, no part takes more than its
 * whole has, what is written of them can be read again and says the same, and its page has JSON. */
#include "spans/spans.h"

#include "base/strbuf.h"
#include "fuzz/fuzz_page.h"
#include "page/page_trace.h"

static void check_tree(const struct spans *spans)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    int64_t *own = spans_own_times(&arena, spans);

    REQUIRE(spans->len > 0);
    for (size_t i = 0; i < spans->len; i++) {
        const struct spans_span *span = &spans->items[i];
        REQUIRE(span->parent <= i);
        REQUIRE(span->start <= span->end && span->name.len > 0);
        REQUIRE(spans->start <= span->start && span->end <= spans->end);
        REQUIRE(own[i] >= 0 && own[i] <= span->end - span->start);
    }
}

static void check_rewritten(const struct spans *spans)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct spans again;

    spans_to_otlp(&writer, spans, 0, spans->len, STR("0123456789abcdef0123456789abcdef"));
    REQUIRE(spans_read(&arena, strbuf_str(&text), &again) == NULL);
    REQUIRE(again.len == spans->len && again.start == spans->start && again.end == spans->end);
}

static void check_page(const struct spans *spans)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .escapes_html = true };

    page_trace_write_json(&writer, spans, STR("trace"));
    fuzz_check_page(strbuf_str(&text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct spans spans;
    str profile;

    if (fuzz_accepts(spans_read(&arena, (str){ (const char *)data, size }, &spans))) {
        check_tree(&spans);
        check_rewritten(&spans);
        check_page(&spans);
        REQUIRE(fuzz_accepts(spans_to_pprof(&arena, &spans, 1000, &profile)) && profile.len > 0);
        struct spans fewer = spans_without_logs(&arena, &spans);
        REQUIRE(fewer.len <= spans.len);
    }
    return 0;
}
