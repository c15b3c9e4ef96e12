/* page.c — puts data into an embedded page. */
#include "page/page.h"

/* Made by tools/embed-page.c: what stands before and behind the data. */
extern const char page_graph_head[], page_graph_tail[], page_report_head[], page_report_tail[];
extern const size_t page_graph_head_len, page_graph_tail_len, page_report_head_len,
    page_report_tail_len;

void page_write(struct strbuf *out, enum page_kind kind, str json)
{
    bool is_graph = kind == PAGE_GRAPH;

    strbuf_add(out, is_graph ? (str){ page_graph_head, page_graph_head_len }
                             : (str){ page_report_head, page_report_head_len });
    strbuf_add(out, json);
    strbuf_add(out, is_graph ? (str){ page_graph_tail, page_graph_tail_len }
                             : (str){ page_report_tail, page_report_tail_len });
}
