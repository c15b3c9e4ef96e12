/* rows.c — follows events and keeps one row for each resource. */
#include "display/rows.h"

#include "display/diff_summary.h"

#include "base/clock.h"
#include "display/event_json.h"
#include "display/op_text.h"
#include "model/urn.h"

void rows_release(struct rows *rows)
{
    for (size_t i = 0; i < rows->list.len; i++)
        vec_release(&rows->list.items[i]->diagnostics);
    vec_release(&rows->list);
    vec_release(&rows->policies);
    vec_release(&rows->packs);
    map_release(&rows->by_urn);
}

/* Shared with the first that has the same text. */
static str own_text(struct arena *arena, str text, str former, str of_resource)
{
    if (str_equal(text, former))
        return former;
    return str_equal(text, of_resource) ? of_resource : arena_copy(arena, text);
}

static struct strs own_texts(struct arena *arena, struct strs texts, struct strs former)
{
    return strs_equal(texts, former) ? former : strs_copy(arena, texts);
}

static bool details_equal(struct property_diffs a, struct property_diffs b)
{
    bool is_equal = a.len == b.len;

    for (size_t i = 0; i < a.len && is_equal; i++)
        is_equal = a.items[i].kind == b.items[i].kind && a.items[i].is_input == b.items[i].is_input
                   && str_equal(a.items[i].path, b.items[i].path);
    return is_equal;
}

static struct property_diffs own_details(struct arena *arena, struct property_diffs details,
                                         struct property_diffs former)
{
    if (details_equal(details, former))
        return former;
    struct property_diff *own = ARENA_ARRAY(arena, struct property_diff, details.len);
    for (size_t i = 0; i < details.len; i++) {
        own[i] = details.items[i];
        own[i].path = arena_copy(arena, own[i].path);
    }
    return (struct property_diffs){ own, details.len };
}

void step_own(struct arena *arena, struct event_step *step, const struct event_step *former)
{
    static const struct resource none;
    const struct resource *resource = step->new ? step->new : step->old ? step->old : &none;

    step->urn = own_text(arena, step->urn, former->urn, resource->urn);
    step->type = own_text(arena, step->type, former->type, resource->type);
    step->provider = own_text(arena, step->provider, former->provider, resource->provider);
    step->keys = own_texts(arena, step->keys, former->keys);
    step->diffs = own_texts(arena, step->diffs, former->diffs);
    step->detailed_diff = own_details(arena, step->detailed_diff, former->detailed_diff);
}

struct event_step *step_copy(struct arena *arena, const struct event_step *step)
{
    static const struct event_step none;
    struct event_step *copy = arena_copy_bytes(arena, step, sizeof(*step));

    step_own(arena, copy, &none);
    return copy;
}

bool step_is_shown(const struct display_options *options, const struct event_step *step)
{
    bool is_diff = options->view == VIEW_DIFF || options->view == VIEW_JSON_PREVIEW
                   || options->view == VIEW_JSON_EVENTS;

    if (step->op == OP_SAME) {
        if (step->old && step->new && step->old->options.protect != step->new->options.protect)
            return true;
        return options->shows_sames;
    }
    return options->shows_replacement_steps || !is_diff || step->is_logical
           || !step_op_has(step->op, TRAIT_REPLACES);
}

static bool urn_is_root(str urn)
{
    return urn.len && str_equal(urn_qualified_type_of(urn), ROOT_STACK_TYPE);
}

static struct row *rows_add(struct rows *rows, str urn)
{
    struct row *row = ARENA_NEW(rows->view->arena, struct row);

    row->step.op = OP_SAME;
    row->step.urn = arena_copy(rows->view->arena, urn);
    row->is_hidden = true;
    row->index = rows->list.len;
    map_put(&rows->by_urn, row->step.urn, row);
    vec_add(&rows->list, row);
    return row;
}

/* The stack has a row from the start: what concerns no resource is shown there. */
static void ensure_stack_row(struct rows *rows)
{
    if (!map_has(&rows->by_urn, rows->stack_urn))
        rows_add(rows, rows->stack_urn)->is_hidden = false;
}

static struct row *row_for(struct rows *rows, str urn)
{
    struct row *row = map_find(&rows->by_urn, urn);

    if (row)
        return row;
    if (urn_is_root(urn)) {
        rows->stack_urn = arena_copy(rows->view->arena, urn);
        row = map_remove(&rows->by_urn, STR(""));
        if (row) {
            row->step.urn = rows->stack_urn;
            map_put(&rows->by_urn, rows->stack_urn, row);
            return row;
        }
    }
    row = rows_add(rows, urn);
    ensure_stack_row(rows);
    return row;
}

/* --- diagnostics --- */

static str trim_end(str text)
{
    while (text.len
           && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == ' '
               || text.ptr[text.len - 1] == '\r' || text.ptr[text.len - 1] == '\t'))
        text.len--;
    return text;
}

static void row_count(struct row *row, enum severity severity)
{
    switch (severity) {
    case SEVERITY_DEBUG: row->debugs++; return;
    case SEVERITY_INFO:
    case SEVERITY_INFO_ERROR: row->messages++; return;
    case SEVERITY_WARNING: row->warnings++; return;
    case SEVERITY_ERROR: row->errors++; return;
    }
}

static struct row *rows_take_text(struct rows *rows, str urn, enum severity severity, str message,
                                  int32_t stream_id, bool is_ephemeral)
{
    struct arena *arena = rows->view->arena;
    str masked = color_said(arena, mask_text(rows->view->mask, arena, message));
    struct row_diagnostic diagnostic = {
        .severity = severity,
        .raw = arena_copy(arena, masked),
        .stream_id = stream_id,
        .is_ephemeral = is_ephemeral,
    };
    str prefix = diagnostic_prefix(severity, rows->view->options->color);

    diagnostic.text = trim_end(arena_concat(arena, prefix, masked));
    if (severity == SEVERITY_DEBUG && !rows->view->options->shows_debug)
        return NULL;
    struct row *row = row_for(rows, urn.len ? urn : rows->stack_urn);
    row->is_hidden = false;
    vec_add(&row->diagnostics, diagnostic);
    if (!is_ephemeral)
        row_count(row, severity);
    return row;
}

/* --- steps --- */

/* A resource that is only read is a passing remark on the stack, unless the user wants to see
 * reads. */
static bool is_read_remark(const struct rows *rows, enum step_op op)
{
    return !rows->view->options->shows_reads && step_op_has(op, TRAIT_READS);
}

static struct row *rows_take_read(struct rows *rows, const struct event_step *step)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (step->op != OP_READ)
        return NULL;
    str type = type_display_name(&scratch, urn_type_of(step->urn));
    str text = arena_concat(&scratch, STR("read "), type, STR(" "), urn_name_of(step->urn));
    return rows_take_text(rows, STR(""), SEVERITY_INFO, text, 0, true);
}

static struct row *rows_take_step(struct rows *rows, const struct event *event)
{
    const struct event_step *step = &event->resource.step;

    if (step_op_has(step->op, TRAIT_STATE_ONLY))
        return NULL; /* only the state changes */
    if (is_read_remark(rows, step->op))
        return rows_take_read(rows, step);
    /* A stack that nothing was said about yet is shown when there is something to say. */
    bool was_root = str_equal(step->urn, rows->stack_urn);
    struct row *row = row_for(rows, step->urn);
    struct event_step owned = *step;

    step_own(rows->view->arena, &owned, &row->step);
    if (step_is_shown(rows->view->options, step) || was_root)
        row->is_hidden = false;
    if (event->kind == EVENT_RESOURCE_PRE) {
        row->step = owned;
        row->started = clock_monotonic();
        row->ended = 0;
    } else if (event->kind == EVENT_RESOURCE_OUTPUTS) {
        row->step = owned;
        row->ended = clock_monotonic();
        row->outcomes |= 1u << step->op;
        if (step->op == OP_REPLACE)
            row->replacement = arena_copy_bytes(rows->view->arena, &owned, sizeof(owned));
    } else {
        row->is_failed = true;
        row->ended = clock_monotonic();
        rows->has_failed = true;
    }
    return row;
}

struct row_policy row_policy_of(struct arena *arena, struct mask mask, const struct event *event)
{
    bool is_remediation = event->kind == EVENT_POLICY_REMEDIATION;

    return (struct row_policy){
        .urn = arena_copy(arena, event->policy.urn),
        .pack = color_quote(arena,
                            arena_printf(arena, STR_FMT "@v" STR_FMT, STR_ARG(event->policy.pack),
                                         STR_ARG(event->policy.pack_version))),
        .policy = color_quote(arena, arena_copy(arena, event->policy.policy)),
        .message = color_said(
            arena, arena_copy(arena, mask_text(mask, arena, str_trim(event->policy.message)))),
        .level = event->policy.level,
        .severity = event->policy.severity,
        .is_remediation = is_remediation,
        .change = is_remediation
                      ? diff_summary_values(arena, event->policy.before, event->policy.after)
                      : STR(""),
    };
}

static void take_packs(struct rows *rows, const struct event *event)
{
    struct arena *arena = rows->view->arena;

    for (size_t i = 0; i < event->summary.packs.len; i++) {
        const struct pair *ran = &event->summary.packs.items[i];
        str name = ran->key, path = STR("");
        str_cut(ran->key, STR("|local|"), &name, &path);
        const struct row_pack pack = {
            .pack = color_quote(arena, arena_concat(arena, name, STR("@v"), ran->value)),
            .path = color_quote(arena, arena_copy(arena, path)),
        };
        vec_add(&rows->packs, pack);
    }
}

struct row *rows_take(struct rows *rows, const struct event *event)
{
    switch (event->kind) {
    case EVENT_RESOURCE_PRE:
    case EVENT_RESOURCE_OUTPUTS:
    case EVENT_RESOURCE_FAILED: return rows_take_step(rows, event);
    case EVENT_DIAGNOSTIC:
        return rows_take_text(rows, event->diagnostic.urn, event->diagnostic.severity,
                              event->diagnostic.message, event->diagnostic.stream_id,
                              event->diagnostic.is_ephemeral);
    case EVENT_STDOUT: ensure_stack_row(rows); return NULL;
    case EVENT_POLICY:
    case EVENT_POLICY_REMEDIATION: {
        const struct row_policy policy = row_policy_of(rows->view->arena, rows->view->mask, event);
        vec_add(&rows->policies, policy);
        return NULL;
    }
    case EVENT_SUMMARY: take_packs(rows, event); return NULL;
    case EVENT_PRELUDE:
    case EVENT_POLICY_LOAD:
    case EVENT_POLICY_ANALYZE_SUMMARY:
    case EVENT_POLICY_REMEDIATE_SUMMARY:
    case EVENT_POLICY_STACK_SUMMARY:
    case EVENT_PROGRESS:
    case EVENT_START_DEBUGGING:
    case EVENT_CANCEL: return NULL;
    }
    return NULL;
}

bool row_has_outcome(const struct row *row, enum step_op op)
{
    return row->outcomes & 1u << op;
}

bool row_is_root(const struct row *row)
{
    return !row->step.urn.len || urn_is_root(row->step.urn);
}

bool row_is_begun(const struct rows *rows, const struct row *row)
{
    return row->started && !row_is_done(rows, row);
}

bool row_is_at_work(const struct rows *rows, const struct row *row)
{
    const struct resource *shown = row->step.new ? row->step.new : row->step.old;

    return shown && shown->is_custom && row->step.op != OP_SAME && !row->is_hidden
           && row_is_begun(rows, row);
}

bool row_is_done(const struct rows *rows, const struct row *row)
{
    if (row->is_failed || rows->is_over)
        return true;
    return !urn_is_root(row->step.urn) && row_has_outcome(row, row->step.op);
}
