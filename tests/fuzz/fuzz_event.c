/* fuzz_event.c — a line of an event log. What was read can be written, and reads as the same. */
#include "fuzz/fuzz_support.h"

#include "base/strbuf.h"
#include "display/event_json.h"
#include "display/event_read.h"

static str event_write(struct arena *arena, const struct event *event)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct event_json form = { .color = COLOR_NEVER };
    struct json_writer writer = { .out = &text };

    event_json_write(&writer, &form, event, 1, 2);
    return arena_copy(arena, strbuf_str(&text));
}

/* Paths have no escape for a backslash: not each can be written. */
static bool can_be_written(const struct resource *state)
{
    for (size_t i = 0; state && i < state->options.hide_diff.len; i++)
        if (str_find_char(state->options.hide_diff.items[i], '\\') != SIZE_MAX)
            return false;
    return true;
}

static bool has_odd_paths(const struct event *event)
{
    bool has_states = event->kind >= EVENT_RESOURCE_PRE && event->kind <= EVENT_RESOURCE_FAILED;

    return has_states
           && !(can_be_written(event->resource.step.old)
                && can_be_written(event->resource.step.new));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };
    struct event event, again;
    bool is_known;

    if (!fuzz_accepts(event_read(&arena, input, &event, &is_known)) || !is_known)
        return 0;
    str once = event_write(&arena, &event);
    REQUIRE(fuzz_accepts(event_read(&arena, once, &again, &is_known)));
    REQUIRE(is_known && again.kind == event.kind);
    REQUIRE(has_odd_paths(&event) || str_equal(event_write(&arena, &again), once));
    return 0;
}
