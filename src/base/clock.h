/* clock.h — the time, and times as text: RFC 3339 with nanoseconds. */
#pragma once

#include "base/arena.h"

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

/* Nanoseconds since 1970. */
int64_t clock_now(void);
/* Nanoseconds since some point; never jumps. */
int64_t clock_monotonic(void);

/* Seconds since 1970 that somebody else has written down; what is before, or after 2261, is the
 * nearest that is neither. */
int64_t clock_of_seconds(int64_t seconds);

/* For tests: both clocks stand still at this time until it is set again; 0 lets them run. */
void clock_fake(int64_t now);

/* 2026-11-16T01:43:49.428Z: up to nine digits of fraction, trailing zeros trimmed. */
str clock_format(struct arena *arena, int64_t time);
/* The same in the local zone: 2026-11-16T10:43:49.428+09:00, or Z where the zone has no offset. */
str clock_format_local(struct arena *arena, int64_t time);
/* Always three digits of fraction: 2026-11-16T01:43:49.000Z. */
str clock_format_ms(struct arena *arena, int64_t time);

/* Any zone, any number of fraction digits. False if it is no time of the years 1678 to 2261. */
bool clock_parse(str text, int64_t *out);

/* As HTTP has it, in whole seconds: "Sun, 06 Nov 1994 08:49:37 GMT". */
str clock_format_http(struct arena *arena, int64_t time);
bool clock_parse_http(str text, int64_t *out);
