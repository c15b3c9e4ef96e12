/* fuzz_event_log.c — whatever an event log holds, its page has JSON in which nothing can end the
 * element that it is put into. */
#include "page/page_report.h"

#include "fuzz/fuzz_page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(page_report_release) struct page_report report = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out, .escapes_html = true };
    const struct page_report_facts facts = { .source = STR("log") };
    bool is_cut;

    if (fuzz_accepts(page_report_read(&report, (str){ (const char *)data, size }, &is_cut))) {
        page_report_write_json(&writer, &facts, &report);
        fuzz_check_page(strbuf_str(&out));
    }
    return 0;
}
