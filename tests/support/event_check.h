/* event_check.h — what must hold of every event log. */
#pragma once

#include "base/map.h"
#include "support/json_value.h"

/* The zero value but for the arena is a log without events. */
struct event_check {
    struct arena *arena;
    double sequence, timestamp; /* of the event before */
    str last;                   /* kind of the event before; empty: none */
    struct map open;            /* by URN: struct open_steps */
};

/* Sequence numbers rise by one, time does not run backwards, what ends has begun. Faults are texts.
 */
void event_check_add(struct event_check *check, struct value event, struct values *faults);

/* Every step on a custom resource has ended as often as it began; the last event is the
 * cancelEvent. */
void event_check_finish(struct event_check *check, struct values *faults);
void event_check_release(struct event_check *check);

/* The member of an event that says what happened; NULL: there is none. */
const struct member *event_body(struct value event);
