/* otlp.h — messages with spans, as the JSON form of OTLP has them. */
#pragma once

#include "base/json.h"
#include "base/pairs.h"

enum { OTLP_STATUS_ERROR = 2 };

struct otlp_span {
    str trace, id; /* in hex digits: 32 and 16 */
    str parent;    /* empty: none */
    str name;
    int64_t start, end; /* nanoseconds since 1970 */
    struct pairs attributes;
    bool has_failed;
};

/* A whole ExportTraceServiceRequest: its beginning, any number of spans, its end. */
void otlp_begin(struct json_writer *writer);
void otlp_add(struct json_writer *writer, const struct otlp_span *span);
void otlp_end(struct json_writer *writer);
