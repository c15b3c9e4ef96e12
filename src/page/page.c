/* page.c — puts data into an embedded page. */
#include "page/page.h"

/* Made by tools/embed-page.c: what stands before and behind the data. */
#define PAGE(name)                                                \
    extern const char page_##name##_head[], page_##name##_tail[]; \
    extern const size_t page_##name##_head_len, page_##name##_tail_len;
PAGE(graph)
PAGE(report)
PAGE(trace)
#undef PAGE

struct page_text {
    str head, tail;
};

static struct page_text page_text(enum page_kind kind)
{
#define PAGE(name)                                      \
    (struct page_text)                                  \
    {                                                   \
        { page_##name##_head, page_##name##_head_len }, \
        {                                               \
            page_##name##_tail, page_##name##_tail_len  \
        }                                               \
    }
    switch (kind) {
    case PAGE_GRAPH: return PAGE(graph);
    case PAGE_REPORT: return PAGE(report);
    case PAGE_TRACE: return PAGE(trace);
    }
#undef PAGE
    return (struct page_text){ 0 };
}

void page_write(struct strbuf *out, enum page_kind kind, str json)
{
    struct page_text text = page_text(kind);

    strbuf_add(out, text.head);
    strbuf_add(out, json);
    strbuf_add(out, text.tail);
}
