/* spans.h — the trace of a command, read from a file: what took how long, and as a part of what.
 * The face of this directory. */
#pragma once

#include "base/error.h"
#include "base/json.h"
#include "base/pairs.h"

enum { SPANS_MAX_DEPTH = 200 };

struct spans_span {
    str name;
    size_t parent;      /* its number plus 1, less than our own; 0: none */
    int64_t start, end; /* nanoseconds since 1970; the end is not before the start */
    bool has_failed;
    struct pairs attributes; /* in the order of the file */
};

/* Each span stands before those that are parts of it; parts of one are in the order of their
 * starts. */
struct spans {
    struct spans_span *items;
    size_t len;
    int64_t start, end; /* of all */
};

/* OTLP as JSON, one message a line, which --otel-traces writes, and the format of Go's appdash,
 * which --tracing of the reference writes. Everything is in the arena; texts may be slices of
 * `bytes`. ERROR_INVALID if it is neither, or has no spans. */
fallible spans_read(struct arena *arena, str bytes, struct spans *out);

/* Without calls that only say something. */
struct spans spans_without_logs(struct arena *arena, const struct spans *spans);

/* "create(random:index/randomPet:RandomPet)": with the type, function or plugin that it is about,
 * if the span tells. */
str spans_label(struct arena *arena, const struct spans_span *span);

/* How long each took without its parts, in nanoseconds. */
int64_t *spans_own_times(struct arena *arena, const struct spans *spans);

/* A profile as `pprof` reads it, compressed: a stack for each way from a root to a span, with the
 * time spent there and the number of samples of that granularity (nanoseconds) that it makes. */
fallible spans_to_pprof(struct arena *arena, const struct spans *spans, int64_t granularity,
                        str *out);

/* One OTLP message with the spans from `first` on, at most `count`. `trace` is an ID of 32 hex
 * digits. */
void spans_to_otlp(struct json_writer *writer, const struct spans *spans, size_t first,
                   size_t count, str trace);
