/* report.h — what an operation says while it works: events and diagnostics, and the counts of its
 * summary. */
#pragma once

#include "engine/event.h"

#include "base/error.h"

struct arena;
struct engine_options;

struct report {
    const struct engine_options *options;
    struct arena *arena; /* of the operation */
    int64_t changes[STEP_OP_COUNT];
    int64_t step_count;
    bool is_corrupt; /* a provider left a resource in an unknown state */
};

void report_emit(const struct report *report, const struct event *event);
/* A message to the user; `urn` is empty where it is about the stack as a whole. */
void report_diagnose(const struct report *report, enum severity severity, str urn,
                     const char *format, ...) PRINTF(4, 5);
/* Shown beside the resource while work on it goes on, and not kept. */
void report_status(const struct report *report, str urn, const char *text);
bool report_is_preview(const struct report *report);
