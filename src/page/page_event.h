/* page_event.h — one event of an event log as its page has it: what is shown, without what is
 * secret or said twice. */
#pragma once

#include "base/json.h"
#include "base/strs.h"
#include "model/value.h"

struct page_event {
    int64_t sequence;
    int64_t timestamp;   /* seconds */
    double milliseconds; /* since its phase began */
    str kind;            /* "resourcePreEvent"; empty: none that is known */
    struct value body;   /* VALUE_OBJECT, slices of the line and in the arena */
    struct strs depends_on;
};

/* ERROR_INVALID if the line is no JSON object with a sequence and an event. */
fallible page_event_read(struct arena *arena, str line, struct page_event *out);
/* Nothing for a kind that is not shown. */
void page_event_write(struct json_writer *writer, const struct page_event *event);
