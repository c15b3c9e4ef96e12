/* page_trace.h — what the page of a trace shows: its spans, with their attributes. */
#pragma once

#include "base/json.h"
#include "spans/spans.h"

/* `source`: the file that it was read from. */
void page_trace_write_json(struct json_writer *writer, const struct spans *spans, str source);
