/* page.h — pages that show something in a browser: one HTML file each, with everything in it. Their
 * sources are in pages/, and are embedded by the build. */
#pragma once

#include "base/strbuf.h"

enum page_kind { PAGE_GRAPH, PAGE_REPORT, PAGE_TRACE };

/* The whole file. `json` is what the page shows, written with escapes_html: nothing in it can end
 * the element that it is put into. */
void page_write(struct strbuf *out, enum page_kind kind, str json);
