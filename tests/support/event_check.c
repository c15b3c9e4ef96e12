/* event_check.c — what must hold of every event log. */
#include "support/event_check.h"

#include <math.h>

/* Steps of one URN, one after the other. */
struct open_steps {
    int begun, ended;
    bool is_custom; /* components end when the program says so, or never */
};

const struct member *event_body(struct value event)
{
    for (size_t i = 0; i < event.len; i++)
        if (event.members[i].value.kind == VALUE_OBJECT)
            return &event.members[i];
    return NULL;
}

static void add_fault(struct event_check *check, struct values *faults, const char *what, str whose)
{
    vec_add(faults,
            value_string(arena_printf(check->arena, "fault: %s: " STR_FMT, what, STR_ARG(whose))));
}

static void check_order(struct event_check *check, struct value event, str kind,
                        struct values *faults)
{
    double sequence = object_number(event, STR("sequence"), NAN);
    double timestamp = object_number(event, STR("timestamp"), NAN);

    if (check->last.len && sequence != check->sequence + 1)
        add_fault(check, faults, "the sequence does not rise by one", kind);
    if (check->last.len && !(timestamp >= check->timestamp))
        add_fault(check, faults, "the time runs backwards", kind);
    check->sequence = sequence;
    check->timestamp = timestamp;
}

static struct open_steps *find_steps(struct event_check *check, struct value metadata)
{
    str urn = object_text(metadata, STR("urn"));
    struct open_steps *steps = map_find(&check->open, urn);

    if (!steps) {
        steps = ARENA_NEW(check->arena, struct open_steps);
        map_put(&check->open, urn, steps);
    }
    steps->is_custom = object_flag(object_get(metadata, STR("new")), STR("custom"))
                       || object_flag(object_get(metadata, STR("old")), STR("custom"));
    return steps;
}

static void check_step(struct event_check *check, str kind, struct value metadata,
                       struct values *faults)
{
    struct open_steps *steps = find_steps(check, metadata);

    if (str_equal(kind, STR("resourcePreEvent"))) {
        steps->begun++;
        return;
    }
    steps->ended++;
    if (steps->begun == 0 || (steps->is_custom && steps->ended > steps->begun))
        add_fault(check, faults, "a step ends that did not begin",
                  object_text(metadata, STR("urn")));
}

void event_check_add(struct event_check *check, struct value event, struct values *faults)
{
    const struct member *body = event_body(event);
    str kind = body ? body->key : STR("nothing");
    struct value metadata = body ? object_get(body->value, STR("metadata")) : value_null();

    check_order(check, event, kind, faults);
    check->last = kind;
    if (metadata.kind == VALUE_OBJECT)
        check_step(check, kind, metadata, faults);
}

void event_check_finish(struct event_check *check, struct values *faults)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&check->open, &i, &entry);) {
        const struct open_steps *steps = entry->value;
        if (steps->is_custom && steps->ended < steps->begun)
            add_fault(check, faults, "a step does not end", entry->key);
    }
    if (check->last.len && !str_equal(check->last, STR("cancelEvent")))
        add_fault(check, faults, "the last event is another", check->last);
}

void event_check_release(struct event_check *check)
{
    map_release(&check->open);
}
