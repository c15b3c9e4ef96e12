/* event_log.h — every event as it happens, one JSON object a line, in a file or over a
 * connection. */
#pragma once

#include "display/display.h"

struct event_log;

fallible event_log_open(const struct display_options *options, struct arena *arena,
                        struct event_log **out);
/* Does not block; a failure is reported when the log is closed. */
void event_log_add(struct event_log *log, const struct event *event, int64_t sequence,
                   int64_t timestamp);
/* Blocks. */
fallible event_log_close(struct event_log *log);
