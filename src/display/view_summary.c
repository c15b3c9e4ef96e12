/* view_summary.c — the display of --output json: one line when the operation is over. */
#include "display/rows.h"

#include "base/clock.h"
#include "base/json.h"
#include "model/urn.h"

#include <stdio.h>

struct line {
    struct view view;
    int64_t started;
    const char *result;
    int64_t changes[STEP_OP_COUNT];
    struct {
        VEC(const struct event_step *);
    } steps; /* those that began, in order */
};

static void view_summary_take_event(struct view *view, const struct event *event, int64_t sequence,
                                    int64_t timestamp)
{
    struct line *line = (struct line *)view;

    (void)sequence;
    (void)timestamp;
    if (!line->started)
        line->started = clock_monotonic();
    if (event->kind == EVENT_SUMMARY) {
        memcpy(line->changes, event->summary.changes, sizeof(line->changes));
        line->result = event->summary.result;
    }
    if (event->kind != EVENT_RESOURCE_PRE || event->is_internal)
        return;
    if (event->resource.step.op != OP_SAME || view->options->shows_sames)
        vec_add(&line->steps, step_copy(view->arena, &event->resource.step));
}

static void write_resource(struct json_writer *writer, const struct event_step *step)
{
    const struct resource *shown = step->new ? step->new : step->old;

    json_begin_object(writer);
    json_key(writer, STR("urn"));
    json_string(writer, step->urn);
    json_key(writer, STR("type"));
    json_string(writer, step->type);
    json_key(writer, STR("name"));
    json_string(writer, urn_name_of(step->urn));
    json_key(writer, STR("op"));
    json_string(writer, str_from(step_op_names[step->op]));
    if (shown && shown->parent.len) {
        json_key(writer, STR("parent"));
        json_string(writer, shown->parent);
    }
    json_end_object(writer);
}

/* An empty list or object is left out. */
static void summary_write_changes(struct json_writer *writer, const int64_t changes[STEP_OP_COUNT])
{
    bool is_begun = false;

    for (int op = 0; op < STEP_OP_COUNT; op++) {
        if (!changes[op])
            continue;
        if (!is_begun) {
            json_key(writer, STR("summary"));
            json_begin_object(writer);
        }
        is_begun = true;
        json_key(writer, str_from(step_op_names[op]));
        json_integer(writer, changes[op]);
    }
    if (is_begun)
        json_end_object(writer);
}

static void view_summary_finish(struct view *view)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct line *line = (struct line *)view;
    struct json_writer writer = { .out = &text };

    json_begin_object(&writer);
    json_key(&writer, STR("result"));
    json_string(&writer, str_from(line->result ? line->result : "failed"));
    json_key(&writer, STR("duration"));
    json_integer(&writer, clock_monotonic() - line->started);
    summary_write_changes(&writer, line->changes);
    if (line->steps.len) {
        json_key(&writer, STR("resources"));
        json_begin_array(&writer);
        for (size_t i = 0; i < line->steps.len; i++)
            write_resource(&writer, line->steps.items[i]);
        json_end_array(&writer);
    }
    json_end_object(&writer);
    strbuf_add_char(&text, '\n');
    fwrite(text.ptr, 1, text.len, view->options->out);
    fflush(view->options->out);
    vec_release(&line->steps);
}

static const struct view_ops ops = { .event = view_summary_take_event,
                                     .finish = view_summary_finish };

struct view *view_json_summary_new(struct arena *arena)
{
    struct line *line = ARENA_NEW(arena, struct line);

    line->view.ops = &ops;
    return &line->view;
}
