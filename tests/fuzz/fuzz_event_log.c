/* fuzz_event_log.c — whatever an event log holds, its page has JSON in which nothing can end the
 * element that it is put into. */
#include "page/page_report.h"

#include "fuzz/fuzz_support.h"

static void check_page_json(str json)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_token token;

    for (size_t i = 0; i < json.len; i++)
        REQUIRE(!strchr("<>&", json.ptr[i]));
    REQUIRE(str_is_utf8(json));
    json_reader_init(&reader, &arena, json);
    REQUIRE(json_skip(&reader, NULL) == NULL);
    REQUIRE(json_next(&reader, &token) == NULL && token.kind == JSON_END);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(page_report_release) struct page_report report = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out, .escapes_html = true };
    const struct page_report_facts facts = { .source = STR("log") };
    bool is_cut;

    if (fuzz_accepts(page_report_read(&report, (str){ (const char *)data, size }, &is_cut))) {
        page_report_write_json(&writer, &facts, &report);
        check_page_json(strbuf_str(&out));
    }
    return 0;
}
