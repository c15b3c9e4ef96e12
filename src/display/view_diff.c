/* view_diff.c — the display of --diff: each step with the properties it changes. */
#include "display/detailed_diff.h"
#include "display/diff_summary.h"
#include "display/event_json.h"
#include "display/op_text.h"
#include "display/sections.h"
#include "model/urn.h"

#include <stdio.h>

struct diff {
    struct view view;
    struct map seen; /* URN → struct event_step *, how each step began */
    struct summary summary;
    size_t errored;
    struct pairs packs; /* of policies, that ran: name → version */
};

static bool step_is_root(const struct event_step *step)
{
    return step->urn.len && str_equal(urn_qualified_type_of(step->urn), ROOT_STACK_TYPE);
}

static const struct resource *subject(const struct event_step *step)
{
    return step->new ? step->new : step->old;
}

/* One level for each ancestor that was shown. */
static unsigned indent_of(const struct diff *diff, const struct event_step *step)
{
    const struct resource *resource = subject(step);
    unsigned indent = 0;

    while (resource && resource->parent.len) {
        const struct event_step *parent = map_find(&diff->seen, resource->parent);
        if (!parent)
            break;
        indent += step_is_root(parent) || step_is_shown(diff->view.options, parent);
        resource = subject(parent);
    }
    return indent;
}

/* --- the head of a block --- */

static str lock_mark(const struct event_step *step)
{
    bool was = step->old && step->old->options.protect,
         is = step->new && step->new->options.protect;

    if (step->new && !is && was)
        return STR(" 🔓");
    return is || was ? STR(" 🔒") : STR("");
}

/* Facts that only matter where a resource comes or goes take its colour. */
static enum step_op fact_op(enum step_op op)
{
    return step_op_has(op, TRAIT_WHOLE) ? op : OP_SAME;
}

static void add_fact(struct strbuf *out, unsigned indent, enum step_op op, const char *name,
                     str value)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct property_printer printer = { .out = out, .op = op, .indent = indent };

    if (!value.len)
        return;
    strbuf_printf(&text, "[%s=", name);
    strbuf_add(&text, value);
    strbuf_add_char(&text, ']');
    property_print_line(&printer, strbuf_str(&text));
}

static void diff_add_provider(struct strbuf *out, const struct event_step *step, unsigned indent)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct property_printer printer = { .out = out, .op = OP_UPDATE, .indent = indent };
    str urn, id;

    if (!step->provider.len)
        return;
    if (step->old && step->new && !str_equal(step->old->provider, step->new->provider)) {
        strbuf_add(&text, STR("[provider: "));
        strbuf_add(&text, step->old->provider);
        strbuf_add(&text, STR(" => "));
        strbuf_add(&text, step->new->provider);
        strbuf_add_char(&text, ']');
        property_print_line(&printer, strbuf_str(&text));
        return;
    }
    struct error *failure = provider_ref_parse(step->provider, &urn, &id);
    if (!failure && !str_equal(urn_name_of(urn), STR("default")))
        add_fact(out, indent, fact_op(step->op), "provider", step->provider);
    error_ignore(failure, "a provider without a name is not shown");
}

/* What makes a replacement of it. */
static void diff_add_reason(struct strbuf *out, const struct event_step *step, unsigned indent)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct property_printer printer = { .out = out, .op = step->op, .indent = indent };
    str reason = replacement_reason(&scratch, step);

    if (reason.len)
        property_print_line(&printer, arena_concat(&scratch, STR("["), reason, STR("]")));
}

static void diff_add_head(struct strbuf *out, const struct diff *diff,
                          const struct event_step *step, unsigned indent)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct op_text *text = &op_texts[step->op];
    bool shows_urns = diff->view.options->shows_urns;
    bool is_retained =
        step->old && step->old->options.retain_on_delete && step_op_has(step->op, TRAIT_ENDS_OLD);

    strbuf_add_repeated(out, ' ', 4 * (size_t)indent);
    strbuf_add(out, str_from(text->tag));
    strbuf_add(out, str_from(text->mark));
    strbuf_add(out, color_quote(&scratch, shows_urns ? step->urn : step->type));
    strbuf_printf(out, ": (%s%s)", step_op_names[step->op], is_retained ? "[retain]" : "");
    strbuf_add(out, lock_mark(step));
    strbuf_add_char(out, '\n');
    add_fact(out, indent + 1, fact_op(step->op), "id", step->old ? step->old->id : STR(""));
    if (!shows_urns)
        add_fact(out, indent + 1, fact_op(step->op), "urn", step->urn);
    diff_add_provider(out, step, indent + 1);
    diff_add_reason(out, step, indent + 1);
}

/* --- its properties --- */

static struct value masked(const struct diff *diff, struct arena *arena, struct value value)
{
    return value.kind == VALUE_OBJECT ? mask_value(diff->view.mask, arena, value)
                                      : VALUE_EMPTY_OBJECT;
}

static void diff_add_change(const struct property_printer *printer, struct value old,
                            struct value new, const struct strs *only)
{
    struct property_printer same = *printer;

    same.op = OP_SAME;
    same.has_mark = true;
    if (value_equal(old, new))
        property_print_object(&same, new);
    else
        property_print_change(printer, old, new, only);
}

static void add_details(struct strbuf *out, const struct diff *diff, const struct event_step *step,
                        unsigned indent, bool is_refresh)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct display_options *options = diff->view.options;
    const struct resource *old = step->old, *new = step->new;
    struct property_printer printer = {
        .out = out,
        .op = step->op,
        .indent = indent + 1,
        .shows_secrets = options->shows_secrets,
        .truncates = !options->shows_full_output,
        .hides_sames = options->is_details,
        .matches_lists = true,
    };

    if (step->op == OP_SAME)
        return;
    if (step->has_detailed_diff && old && new) {
        detailed_diff_print(&printer,
                            detailed_diff_build(&scratch, diff->view.mask, step, is_refresh));
    } else if (new && !old) {
        bool has_outputs = new->outputs.kind == VALUE_OBJECT &&new->outputs.len;
        property_print_object(&printer,
                              masked(diff, &scratch, has_outputs ? new->outputs : new->inputs));
    } else if (old && !new) {
        if (!options->is_details)
            property_print_object(&printer, masked(diff, &scratch, old->inputs));
    } else if (old && new) {
        bool uses_outputs = new->outputs.kind == VALUE_OBJECT &&new->outputs.len
                            && !step_op_has(step->op, TRAIT_IMPORTS);
        diff_add_change(&printer, masked(diff, &scratch, uses_outputs ? old->outputs : old->inputs),
                        masked(diff, &scratch, uses_outputs ? new->outputs : new->inputs),
                        uses_outputs || !step->diffs.len ? NULL : &step->diffs);
    }
}

static void print_block(struct diff *diff, const struct event_step *step, bool is_refresh)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    unsigned indent = indent_of(diff, step);

    diff_add_head(&out, diff, step, indent);
    add_details(&out, diff, step, indent, is_refresh);
    strbuf_add(&out, STR(TAG_RESET));
    view_print(&diff->view, strbuf_str(&out));
}

/* --- events --- */

/* Steps that change the state and nothing else. */
static bool is_silent(const struct event_step *step)
{
    return step_op_has(step->op, TRAIT_STATE_ONLY);
}

static void begin_step(struct diff *diff, const struct event_step *step)
{
    struct event_step *kept = step_copy(diff->view.arena, step);

    if (is_silent(step))
        return;
    map_put(&diff->seen, kept->urn, kept);
    if (step->op == OP_REFRESH || step->op == OP_IMPORT)
        return;
    if (step_is_shown(diff->view.options, step) || step_is_root(step))
        print_block(diff, step, false);
}

static void end_step(struct diff *diff, const struct event_step *step)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    CLEANUP(strbuf_release) struct strbuf outputs = { 0 };
    const struct event_step *began = map_find(&diff->seen, step->urn);
    bool is_refresh = began && began->op == OP_REFRESH;
    unsigned indent = indent_of(diff, step);

    if (is_silent(step) || (!step_is_shown(diff->view.options, step) && !step_is_root(step)))
        return;
    if (step->op == OP_IMPORT || (is_refresh && step->op == OP_UPDATE)) {
        print_block(diff, step, is_refresh);
        return;
    }
    outputs_text(&outputs, &diff->view, step, indent + 1);
    if (is_refresh && (step->op != OP_REFRESH || outputs.len || step_is_root(step)))
        diff_add_head(&out, diff, step, indent);
    if (outputs.len && !diff->view.options->suppresses_outputs) {
        struct property_printer printer = { .out = &out, .op = step->op, .indent = indent + 1 };
        property_print_line(&printer, STR("--outputs:--"));
        strbuf_add(&out, strbuf_str(&outputs));
    }
    view_print(&diff->view, strbuf_str(&out));
}

/* Diagnostics go to the other stream, so that the diff can be kept apart. */
static void print_diagnostic(struct diff *diff, const struct event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct display_options *options = diff->view.options;

    if ((event->diagnostic.severity == SEVERITY_DEBUG && !options->shows_debug)
        || options->is_details)
        return;
    str said =
        color_said(&scratch, mask_text(diff->view.mask, &scratch, event->diagnostic.message));
    fflush(options->out);
    color_print(
        stderr,
        arena_concat(&scratch, diagnostic_prefix(event->diagnostic.severity, options->color), said),
        options->color);
}

static void print_policy(struct diff *diff, const struct event *event)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct row_policy policy = row_policy_of(&scratch, diff->view.mask, event);

    if (policy.is_remediation
        && (policy.change.len == 0 || !diff->view.options->shows_policy_remediations))
        return;
    strbuf_printf(&out, "    %s" STR_FMT "%s ", TAG_INFO, STR_ARG(policy.pack), TAG_RESET);
    policy_add(&out, &policy, STR("        "));
    view_print(&diff->view, strbuf_str(&out));
}

static void print_config(struct diff *diff, const struct event *event)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (!diff->view.options->shows_config)
        return;
    section_config(&text, event);
    view_print(&diff->view, strbuf_str(&text));
}

static void view_diff_take_event(struct view *view, const struct event *event, int64_t sequence,
                                 int64_t timestamp)
{
    struct diff *diff = (struct diff *)view;

    (void)sequence;
    (void)timestamp;
    switch (event->kind) {
    case EVENT_PRELUDE: print_config(diff, event); break;
    case EVENT_RESOURCE_PRE: begin_step(diff, &event->resource.step); break;
    case EVENT_RESOURCE_OUTPUTS: end_step(diff, &event->resource.step); break;
    case EVENT_RESOURCE_FAILED: diff->errored++; break;
    case EVENT_DIAGNOSTIC: print_diagnostic(diff, event); break;
    case EVENT_STDOUT: view_print(view, color_said(view->arena, event->stdout_text)); break;
    case EVENT_SUMMARY:
        summary_take(&diff->summary, event);
        diff->packs = pairs_copy(view->arena, event->summary.packs);
        break;
    case EVENT_POLICY:
    case EVENT_POLICY_REMEDIATION: print_policy(diff, event); break;
    case EVENT_PROGRESS:
    case EVENT_START_DEBUGGING:
    case EVENT_POLICY_LOAD:
    case EVENT_POLICY_ANALYZE_SUMMARY:
    case EVENT_POLICY_REMEDIATE_SUMMARY:
    case EVENT_POLICY_STACK_SUMMARY:
    case EVENT_CANCEL: break;
    }
}

static void view_diff_finish(struct view *view)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct diff *diff = (struct diff *)view;

    if (diff->summary.is_known && !view->options->is_details) {
        section_packs_run(&text, diff->packs);
        section_summary(&text, &diff->summary, diff->errored);
    }
    view_print(view, strbuf_str(&text));
    map_release(&diff->seen);
}

static const struct view_ops ops = { .event = view_diff_take_event, .finish = view_diff_finish };

struct view *view_diff_new(struct arena *arena)
{
    struct diff *diff = ARENA_NEW(arena, struct diff);

    diff->view.ops = &ops;
    return &diff->view;
}
