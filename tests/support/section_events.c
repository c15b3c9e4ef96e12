/* section_events.c — the event log as a section. */
#include "support/collect.h"
#include "support/event_check.h"
#include "support/section.h"

struct value section_event(struct arena *arena, struct value event)
{
    static const str duration = STR_INIT("durationSeconds");
    const struct member *body = event_body(event);

    if (body && value_has(body->value, duration))
        event = value_with(arena, event, body->key,
                           value_with(arena, body->value, duration, value_string(STR("<dur>"))));
    event = value_without(arena, event, STR("sequence"));
    return value_without(arena, event, STR("timestamp"));
}

bool section_is_noise(str message)
{
    return str_find(message, STR("from $PATH")) != SIZE_MAX;
}

static bool is_noise(struct value event)
{
    const struct member *body = event_body(event);

    return body && section_is_noise(object_text(body->value, STR("message")));
}

fallible section_events(struct workdir *workdir, bool is_unordered, struct value *out)
{
    CLEANUP(values_release) struct values lines = { 0 };
    CLEANUP(values_release) struct values events = { 0 };
    CLEANUP(event_check_release) struct event_check check = { .arena = workdir->arena };
    struct arena *arena = workdir->arena;

    TRY(collect_lines(workdir, "run/events.json", &lines));
    for (size_t i = 0; i < lines.len; i++)
        if (!is_noise(lines.items[i]))
            vec_add(&events, section_event(arena, lines.items[i]));
    if (is_unordered) {
        struct value sorted = collect_sorted(arena, values_array(arena, &events));
        for (size_t i = 0; i < sorted.len; i++)
            events.items[i] = sorted.items[i];
    }
    for (size_t i = 0; i < lines.len; i++)
        event_check_add(&check, lines.items[i], &events);
    event_check_finish(&check, &events);
    *out = values_array(arena, &events);
    return NULL;
}
