/* span.h — how long things took, for tools that read OpenTelemetry: one line of OTLP JSON for each
 * span, in the file that --otel-traces names. All spans belong to one trace and are below its root,
 * the command. */
#pragma once

#include "base/error.h"

/* Private: read by span_begin only. */
extern bool span_is_on;

struct span {
    const char *name; /* NULL: nothing is recorded */
    const char *key;  /* of the one attribute */
    str value;        /* borrowed until the end */
    int64_t start;
    bool has_failed;
    str outcome; /* for the log; may be empty */
};

/* Truncates the file. `command` names the root; borrowed until the end. */
fallible span_open(str path, str command);
/* Ends the root. An error if the file could not be written. */
fallible span_close(bool has_failed);

/* CLEANUP(span_end) struct span span = span_begin("create", "urn", urn); */
struct span span_begin(const char *name, const char *key, str value);
void span_end(struct span *span);
