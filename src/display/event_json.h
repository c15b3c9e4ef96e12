/* event_json.h — events as JSON, in the form that SDKs and tools read. */
#pragma once

#include "base/json.h"
#include "display/color.h"
#include "display/mask.h"
#include "engine/event.h"

struct event_json {
    struct mask mask;
    enum color_mode color;
    bool shows_secrets;
};

/* One object on one line, without a newline. */
void event_json_write(struct json_writer *writer, const struct event_json *form,
                      const struct event *event, int64_t sequence, int64_t timestamp);

/* "error: " with its colour tags; empty for what is only information. */
str diagnostic_prefix(enum severity severity, enum color_mode color);
extern const char *const severity_names[];
