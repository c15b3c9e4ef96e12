/* view_watch.c — the display of `watch`: a line with the time and the resource for each thing that
 * happens. */
#include "display/sections.h"

#include "base/clock.h"
#include "display/op_text.h"
#include "model/urn.h"

#include <time.h>

/* "   10:43:49.428[ my-bucket            ] " */
static void watch_add_prefix(struct strbuf *out, str name)
{
    enum { NAME_WIDTH = 20, COLOURS = 11 };
    static const char *const colours[COLOURS] = {
        TAG_FG(1), TAG_FG(2),  TAG_FG(3),  TAG_FG(4),  TAG_FG(5),  TAG_FG(6),
        TAG_FG(9), TAG_FG(10), TAG_FG(12), TAG_FG(13), TAG_FG(14),
    };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    int64_t now = clock_now();
    time_t seconds = (time_t)(now / NS_PER_S);
    str shown = color_clip(&scratch, color_quote(&scratch, name), NAME_WIDTH);
    struct tm parts;
    char clock[16];

    strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&seconds, &parts));
    strbuf_add(out, STR(TAG_UNIMPORTANT));
    strbuf_printf(out, "   %s.%03d[ ", clock, (int)(now % NS_PER_S / NS_PER_MS));
    strbuf_add(out, name.len ? str_from(colours[str_hash(name) % COLOURS]) : STR(""));
    strbuf_add(out, STR(TAG_BOLD));
    strbuf_add(out, shown);
    strbuf_add_repeated(out, ' ', NAME_WIDTH - color_width(shown));
    strbuf_add(out, STR(TAG_RESET TAG_UNIMPORTANT " ]" TAG_RESET " "));
}

/* Every line of the text that is not blank, without its indent. */
static void watch_print(const struct view *view, str name, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        line = str_trim(line);
        if (!line.len)
            continue;
        watch_add_prefix(&out, name);
        strbuf_add(&out, line);
        strbuf_add_char(&out, '\n');
    }
    view_print(view, strbuf_str(&out));
}

static void watch_take_step(const struct view *view, const struct event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct event_step *step = &event->resource.step;
    str type = color_quote(&scratch, type_display_name(&scratch, step->type));
    str name = urn_name_of(step->urn);
    str op = str_from(step_op_names[step->op]);

    if (!step_is_shown(view->options, step))
        return;
    if (event->kind == EVENT_RESOURCE_FAILED)
        watch_print(view, name, arena_concat(&scratch, STR("failed "), op, STR(" "), type));
    else
        watch_print(view, name,
                    arena_concat(&scratch, STR(TAG_BOLD), type, STR(TAG_RESET ": "), op, STR("..."),
                                 event->kind == EVENT_RESOURCE_OUTPUTS ? STR(" ✅") : STR("")));
}

static void watch_take_outputs(const struct view *view, const struct event_step *step)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!str_equal(step->type, ROOT_STACK_TYPE))
        return;
    outputs_text(&text, view, step, 1);
    if (!text.len)
        return;
    watch_print(view, STR(""), STR(TAG_INFO "--- Outputs ---" TAG_RESET));
    /* without tags, so that the indent can be seen and left out */
    watch_print(view, STR(""), color_said(&scratch, strbuf_str(&text)));
}

static void watch_take_diagnostic(const struct view *view, const struct event *event)
{
    static const char *const prefixes[] = {
        [SEVERITY_DEBUG] = TAG_DEBUG "debug: " TAG_RESET,
        [SEVERITY_WARNING] = TAG_WARNING "warning: " TAG_RESET,
        [SEVERITY_ERROR] = TAG_ERROR "error: " TAG_RESET,
    };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    enum severity severity = event->diagnostic.severity;
    size_t known = sizeof(prefixes) / sizeof(*prefixes);

    if (event->diagnostic.is_ephemeral
        || (severity == SEVERITY_DEBUG && !view->options->shows_debug))
        return;
    str prefix = str_from((size_t)severity < known && prefixes[severity] ? prefixes[severity] : "");
    watch_print(view, urn_name_of(event->diagnostic.urn),
                arena_concat(&scratch, prefix,
                             color_said(&scratch, mask_text(view->mask, &scratch,
                                                            event->diagnostic.message))));
}

static void watch_take_policy(const struct view *view, const struct event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    watch_print(view, urn_name_of(event->policy.urn),
                color_said(&scratch, mask_text(view->mask, &scratch, event->policy.message)));
}

static void watch_take_text(const struct view *view, str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    watch_print(view, STR(""), color_said(&scratch, text));
}

/* "2 create, 1 update" */
static str watch_changes(struct arena *arena, const int64_t *changes)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < STEP_OP_COUNT; i++)
        if (i != OP_SAME && changes[i] > 0)
            strbuf_printf(&text, "%s%lld %s", text.len ? ", " : "", (long long)changes[i],
                          step_op_names[i]);
    return text.len ? arena_copy(arena, strbuf_str(&text)) : STR("None");
}

static void watch_take_summary(const struct view *view, const struct event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool is_good = strcmp(event->summary.result, "succeeded") == 0;

    watch_print(view, STR(""),
                arena_concat(&scratch,
                             is_good
                                 ? STR(TAG_FG(10) TAG_BOLD "🎉 Update complete; " TAG_RESET TAG_GREEN
                                                           "changes made: ")
                                 : STR(TAG_FG(9) TAG_BOLD "❌ Update failed; " TAG_RESET TAG_RED
                                                          "changes made: "),
                             watch_changes(&scratch, event->summary.changes), STR("." TAG_RESET)));
}

static void view_watch_take_event(struct view *view, const struct event *event, int64_t sequence,
                                  int64_t timestamp)
{
    (void)sequence;
    (void)timestamp;
    switch (event->kind) {
    case EVENT_RESOURCE_PRE:
    case EVENT_RESOURCE_FAILED: watch_take_step(view, event); break;
    case EVENT_RESOURCE_OUTPUTS:
        watch_take_step(view, event);
        watch_take_outputs(view, &event->resource.step);
        break;
    case EVENT_DIAGNOSTIC: watch_take_diagnostic(view, event); break;
    case EVENT_STDOUT: watch_take_text(view, event->stdout_text); break;
    case EVENT_SUMMARY: watch_take_summary(view, event); break;
    case EVENT_POLICY: watch_take_policy(view, event); break;
    case EVENT_PRELUDE:
    case EVENT_POLICY_LOAD:
    case EVENT_POLICY_REMEDIATION:
    case EVENT_POLICY_ANALYZE_SUMMARY:
    case EVENT_POLICY_REMEDIATE_SUMMARY:
    case EVENT_POLICY_STACK_SUMMARY:
    case EVENT_PROGRESS:
    case EVENT_START_DEBUGGING:
    case EVENT_CANCEL: break;
    }
}

static const struct view_ops view_watch_ops = { .event = view_watch_take_event };

struct view *view_watch_new(struct arena *arena)
{
    struct view *view = ARENA_NEW(arena, struct view);

    view->ops = &view_watch_ops;
    return view;
}
