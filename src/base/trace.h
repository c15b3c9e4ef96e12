/* trace.h — what happened, for machines: one JSON line for each fact, when CULUMI_TRACE names a
 * file. Tests compare it. */
#pragma once

#include "base/error.h"

enum trace_type { TRACE_TYPE_TEXT, TRACE_TYPE_NUMBER, TRACE_TYPE_BOOL };

struct trace_field {
    const char *key;
    enum trace_type type;
    str text;
    int64_t number;
};
#define TRACE_TEXT(name, value)                                 \
    {                                                           \
        .key = (name), .type = TRACE_TYPE_TEXT, .text = (value) \
    }
#define TRACE_NUMBER(name, value)                                   \
    {                                                               \
        .key = (name), .type = TRACE_TYPE_NUMBER, .number = (value) \
    }
#define TRACE_BOOL(name, value)                                   \
    {                                                             \
        .key = (name), .type = TRACE_TYPE_BOOL, .number = (value) \
    }

/* Private: read by the macros only. */
extern bool trace_is_on;
void trace_write(const char *name, const struct trace_field *fields, size_t len);

/* The process calls it once at start; an empty path disables tracing. Appends. */
fallible trace_open(str path);
void trace_close(void);

/* trace_fact("registered", TRACE_TEXT("urn", urn)); the fields are not evaluated when tracing is
 * off. */
#define trace_fact(name, ...)                                                \
    do {                                                                     \
        if (__builtin_expect(trace_is_on, 0))                                \
            trace_write((name), (const struct trace_field[]){ __VA_ARGS__ }, \
                        sizeof((const struct trace_field[]){ __VA_ARGS__ })  \
                            / sizeof(struct trace_field));                   \
    } while (0)
