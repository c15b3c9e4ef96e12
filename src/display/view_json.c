/* view_json.c — displays for programs: events as lines, a preview as one document, an operation in
 * one line. */
#include "display/rows.h"

#include "base/clock.h"
#include "base/json.h"
#include "display/event_json.h"
#include "model/checkpoint.h"
#include "model/urn.h"

#include <stdio.h>

static void view_json_print(const struct view *view, str text)
{
    fwrite(text.ptr, 1, text.len, view->options->out);
    fputc('\n', view->options->out);
    fflush(view->options->out);
}

/* --- events as lines --- */

static void print_event(struct view *view, const struct event *event, int64_t sequence,
                        int64_t timestamp)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    struct json_writer writer = { .out = &line };
    struct event_json form = { view->mask, view->options->color, view->options->shows_secrets };

    event_json_write(&writer, &form, event, sequence, timestamp);
    view_json_print(view, strbuf_str(&line));
}

static const struct view_ops events_ops = { .event = print_event };

struct view *view_json_events_new(struct arena *arena)
{
    struct view *view = ARENA_NEW(arena, struct view);

    view->ops = &events_ops;
    return view;
}

/* --- a preview as one document --- */

struct document_diagnostic {
    str urn;
    str message;
    enum severity severity;
};

struct document {
    struct view view;
    struct pairs config;
    struct {
        VEC(const struct event_step *);
    } steps;
    struct {
        VEC(struct document_diagnostic);
    } diagnostics;
    bool has_summary;
    bool maybe_corrupt;
    int64_t started;
    int64_t changes[STEP_OP_COUNT];
};

static void add_diagnostic(struct document *document, str urn, str message, enum severity severity)
{
    struct arena *arena = document->view.arena;
    str text = arena_concat(arena, diagnostic_prefix(severity, COLOR_NEVER),
                            mask_text(document->view.mask, arena, message));

    vec_add(&document->diagnostics,
            ((struct document_diagnostic){ arena_copy(arena, urn), color_strip(arena, text),
                                           severity }));
}

/* A resource as it is now: what the step makes of it does not belong to the intention. */
static const struct resource *freeze(struct arena *arena, const struct resource *state)
{
    struct resource *frozen = state ? ARENA_NEW(arena, struct resource) : NULL;

    if (frozen)
        *frozen = *state;
    return frozen;
}

static struct event_step *document_keep(struct document *document, const struct event_step *step)
{
    struct event_step *kept = step_copy(document->view.arena, step);

    kept->old = freeze(document->view.arena, step->old);
    kept->new = freeze(document->view.arena, step->new);
    return kept;
}

/* A refresh that found something is shown as what it found. */
static void document_take_refreshed(struct document *document, const struct event_step *step)
{
    bool found = (step->op == OP_UPDATE && step->has_detailed_diff) || step->op == OP_DELETE;

    for (size_t i = document->steps.len; found && i-- > 0;) {
        if (!str_equal(document->steps.items[i]->urn, step->urn))
            continue;
        if (document->steps.items[i]->op == OP_REFRESH)
            document->steps.items[i] = document_keep(document, step);
        return;
    }
}

/* What is intended, as it is before anything is done. */
static void document_add_step(struct document *document, const struct event *event)
{
    const struct event_step *step = &event->resource.step;
    bool is_root = str_equal(urn_qualified_type_of(step->urn), ROOT_STACK_TYPE);

    if (event->kind == EVENT_RESOURCE_FAILED
        || !(is_root || step_is_shown(document->view.options, step)))
        return;
    if (event->kind == EVENT_RESOURCE_OUTPUTS)
        document_take_refreshed(document, step);
    else
        vec_add(&document->steps, document_keep(document, step));
}

static void take_preview_event(struct view *view, const struct event *event, int64_t sequence,
                               int64_t timestamp)
{
    struct document *document = (struct document *)view;
    struct arena *arena = view->arena;

    (void)sequence;
    (void)timestamp;
    if (!document->started)
        document->started = clock_monotonic();
    switch (event->kind) {
    case EVENT_PRELUDE: document->config = pairs_copy(arena, event->prelude.config); break;
    case EVENT_RESOURCE_PRE:
    case EVENT_RESOURCE_OUTPUTS:
    case EVENT_RESOURCE_FAILED: document_add_step(document, event); break;
    case EVENT_DIAGNOSTIC:
        if (!event->diagnostic.is_ephemeral && event->diagnostic.severity != SEVERITY_DEBUG)
            add_diagnostic(document, event->diagnostic.urn, event->diagnostic.message,
                           event->diagnostic.severity);
        break;
    case EVENT_STDOUT: add_diagnostic(document, STR(""), event->stdout_text, SEVERITY_INFO); break;
    case EVENT_SUMMARY:
        document->has_summary = true;
        document->maybe_corrupt = event->summary.maybe_corrupt;
        memcpy(document->changes, event->summary.changes, sizeof(document->changes));
        break;
    case EVENT_POLICY_LOAD:
    case EVENT_POLICY:
    case EVENT_POLICY_REMEDIATION:
    case EVENT_POLICY_ANALYZE_SUMMARY:
    case EVENT_POLICY_REMEDIATE_SUMMARY:
    case EVENT_POLICY_STACK_SUMMARY:
    case EVENT_PROGRESS:
    case EVENT_START_DEBUGGING:
    case EVENT_CANCEL: break;
    }
}

static void write_strings(struct json_writer *writer, str key, struct strs list)
{
    if (!list.len)
        return;
    json_key(writer, key);
    json_strings(writer, list.items, list.len);
}

static void view_json_write_state(const struct view *view, struct json_writer *writer, str key,
                                  const struct resource *state)
{
    if (!state)
        return;
    struct resource *masked = resource_clone_shallow(view->arena, state);
    masked->inputs = mask_value(view->mask, view->arena, state->inputs);
    masked->outputs = mask_value(view->mask, view->arena, state->outputs);
    json_key(writer, key);
    resource_write(writer, masked, view->options->shows_secrets ? SECRET_BARE : SECRET_MASKED);
}

static void view_json_write_step(const struct view *view, struct json_writer *writer,
                                 const struct event_step *step)
{
    json_begin_object(writer);
    json_key(writer, STR("op"));
    json_string(writer, str_from(step_op_names[step->op]));
    json_key(writer, STR("urn"));
    json_string(writer, step->urn);
    if (step->provider.len) {
        json_key(writer, STR("provider"));
        json_string(writer, step->provider);
    }
    view_json_write_state(view, writer, STR("oldState"), step->old);
    view_json_write_state(view, writer, STR("newState"), step->new);
    write_strings(writer, STR("diffReasons"), step->diffs);
    write_strings(writer, STR("replaceReasons"), step->keys);
    json_key(writer, STR("detailedDiff"));
    if (!step->has_detailed_diff) {
        json_null(writer);
    } else {
        json_begin_object(writer);
        for (size_t i = 0; i < step->detailed_diff.len; i++) {
            json_key(writer, step->detailed_diff.items[i].path);
            json_begin_object(writer);
            json_key(writer, STR("kind"));
            json_string(writer, str_from(diff_kind_names[step->detailed_diff.items[i].kind]));
            json_key(writer, STR("inputDiff"));
            json_bool(writer, step->detailed_diff.items[i].is_input);
            json_end_object(writer);
        }
        json_end_object(writer);
    }
    json_end_object(writer);
}

static void view_json_write_changes(struct json_writer *writer, const int64_t *changes)
{
    json_begin_object(writer);
    for (int op = 0; op < STEP_OP_COUNT; op++) {
        if (changes[op]) {
            json_key(writer, str_from(step_op_names[op]));
            json_integer(writer, changes[op]);
        }
    }
    json_end_object(writer);
}

static void write_diagnostics(struct json_writer *writer, const struct document *document)
{
    json_key(writer, STR("diagnostics"));
    json_begin_array(writer);
    for (size_t i = 0; i < document->diagnostics.len; i++) {
        const struct document_diagnostic *diagnostic = &document->diagnostics.items[i];
        json_begin_object(writer);
        if (diagnostic->urn.len) {
            json_key(writer, STR("urn"));
            json_string(writer, diagnostic->urn);
        }
        json_key(writer, STR("message"));
        json_string(writer, diagnostic->message);
        json_key(writer, STR("severity"));
        json_string(writer, str_from(severity_names[diagnostic->severity]));
        json_end_object(writer);
    }
    json_end_array(writer);
}

static void document_write(struct json_writer *writer, const struct document *document)
{
    json_begin_object(writer);
    if (document->config.len) {
        json_key(writer, STR("config"));
        json_begin_object(writer);
        for (size_t i = 0; i < document->config.len; i++) {
            json_key(writer, document->config.items[i].key);
            json_string(writer, document->config.items[i].value);
        }
        json_end_object(writer);
    }
    if (document->steps.len) {
        json_key(writer, STR("steps"));
        json_begin_array(writer);
        for (size_t i = 0; i < document->steps.len; i++)
            view_json_write_step(&document->view, writer, document->steps.items[i]);
        json_end_array(writer);
    }
    if (document->diagnostics.len)
        write_diagnostics(writer, document);
    if (document->has_summary) {
        json_key(writer, STR("duration"));
        json_integer(writer, clock_monotonic() - document->started);
        json_key(writer, STR("changeSummary"));
        view_json_write_changes(writer, document->changes);
    }
    if (document->maybe_corrupt) {
        json_key(writer, STR("maybeCorrupt"));
        json_bool(writer, true);
    }
    json_end_object(writer);
}

static void finish_preview(struct view *view)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct document *document = (struct document *)view;
    struct json_writer writer = { .out = &text, .indent = 4, .escapes_html = true };

    document_write(&writer, document);
    view_json_print(view, strbuf_str(&text));
    vec_release(&document->steps);
    vec_release(&document->diagnostics);
}

static const struct view_ops preview_ops = { .event = take_preview_event,
                                             .finish = finish_preview };

struct view *view_json_preview_new(struct arena *arena)
{
    struct document *document = ARENA_NEW(arena, struct document);

    document->view.ops = &preview_ops;
    return &document->view;
}
