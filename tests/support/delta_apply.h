/* delta_apply.h — the new text out of the old one and a delta: what the service does. */
#pragma once

#include "backend/service_delta.h"
#include "base/strbuf.h"

static inline void delta_apply(const struct delta *delta, str old, struct strbuf *out)
{
    size_t at = 0;

    for (size_t i = 0; i < delta->len; i++) {
        strbuf_add(out, str_slice(old, at, delta->edits[i].start));
        strbuf_add(out, delta->edits[i].text);
        at = delta->edits[i].end;
    }
    strbuf_add(out, str_slice(old, at, old.len));
}
