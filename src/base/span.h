/* span.h — how long things took: for tools that read OpenTelemetry as one line of OTLP JSON for
 * each span, in the files that --otel-traces and --tracing name, and for one listener in the
 * process. All spans belong to one trace and are below its root, the command. */
#pragma once

#include "base/error.h"

/* Private: read by span_begin only. */
extern bool span_is_on;

struct span {
    const char *name; /* NULL: nothing is recorded */
    const char *key;  /* of the one attribute */
    str value;        /* borrowed until the end */
    str subject;      /* the URN that a call is about, for the listener; borrowed, may be empty */
    int64_t start;
    bool has_failed;
    bool is_part;
    str outcome; /* for the log; may be empty */
};

/* Truncates the file. `command` names the root; borrowed until the end. A second call adds a second
 * file, which gets the same. */
fallible span_open(str path, str command);
/* Ends the root. An error if the file could not be written. */
fallible span_close(bool has_failed);

/* Called for every span when it ends; NULL: nobody any more. */
typedef void span_listener(void *context, const struct span *span, int64_t end);
void span_listen(span_listener *listener, void *context);

/* CLEANUP(span_end) struct span span = span_begin("create", "urn", urn); */
struct span span_begin(const char *name, const char *key, str value);
/* A part of what another span is about: for the listener only. */
struct span span_begin_part(const char *name, const char *key, str value);
void span_end(struct span *span);
