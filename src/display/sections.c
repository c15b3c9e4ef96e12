/* sections.c — the parts of the output that come last. */
#include "display/sections.h"

#include "display/event_json.h"
#include "display/op_text.h"
#include "display/property_text.h"
#include "model/urn.h"

/* --- diagnostics --- */

static void sections_add_lines(struct strbuf *out, str text)
{
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        while (line.len
               && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\r'
                   || line.ptr[line.len - 1] == '\t'))
            line.len--;
        strbuf_add(out, STR("    "));
        strbuf_add(out, line);
        strbuf_add_char(out, '\n');
    }
}

/* Messages of one stream are parts of one text, which has the prefix of the first. */
static str stream_text(const struct rows *rows, const struct row *row, size_t first,
                       struct arena *arena)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    int32_t stream = row->diagnostics.items[first].stream_id;

    for (size_t i = first; i < row->diagnostics.len; i++) {
        const struct row_diagnostic *part = &row->diagnostics.items[i];
        if (part->stream_id == stream)
            strbuf_add(&text, str_slice(part->raw, 0, part->raw.len - 1)); /* its own newline */
    }
    str joined = strbuf_str(&text);
    while (joined.len && (joined.ptr[joined.len - 1] == '\n' || joined.ptr[joined.len - 1] == ' '))
        joined.len--;
    return arena_concat(arena,
                        joined.len ? diagnostic_prefix(row->diagnostics.items[first].severity,
                                                       rows->view->options->color)
                                   : STR(""),
                        joined);
}

static bool is_first_of_stream(const struct row *row, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (row->diagnostics.items[i].stream_id == row->diagnostics.items[index].stream_id)
            return false;
    }
    return true;
}

static void sections_add_header(struct strbuf *out, const struct rows *rows, const struct row *row)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    strbuf_add(out, STR("  " TAG_BRIGHT_BLUE));
    if (rows->view->options->shows_urns) {
        strbuf_add(out, row_urn(rows, row, &scratch));
        strbuf_add(out, STR(":"));
    } else {
        strbuf_add(out, row_type(rows, row, &scratch));
        strbuf_add(out, STR(" ("));
        strbuf_add(out, row_name(rows, row, &scratch));
        strbuf_add(out, STR("):"));
    }
    strbuf_add(out, STR(TAG_RESET "\n"));
}

/* The default stream line by line, then each other stream as one text; a blank line behind each. */
static void sections_add_row(struct strbuf *out, const struct rows *rows, const struct row *row)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };

    for (size_t i = 0; i < row->diagnostics.len; i++) {
        const struct row_diagnostic *diagnostic = &row->diagnostics.items[i];
        if (!diagnostic->is_ephemeral && diagnostic->stream_id == 0)
            sections_add_lines(&body, diagnostic->text);
    }
    if (body.len)
        strbuf_add_char(&body, '\n');
    for (size_t i = 0; i < row->diagnostics.len; i++) {
        const struct row_diagnostic *diagnostic = &row->diagnostics.items[i];
        if (diagnostic->is_ephemeral || diagnostic->stream_id == 0 || !is_first_of_stream(row, i))
            continue;
        str text = stream_text(rows, row, i, &scratch);
        sections_add_lines(&body, text);
        if (text.len)
            strbuf_add_char(&body, '\n');
    }
    if (!body.len)
        return;
    if (!out->len)
        strbuf_add(out, STR(TAG_HEADLINE "Diagnostics:" TAG_RESET "\n"));
    sections_add_header(out, rows, row);
    strbuf_add(out, strbuf_str(&body));
}

void section_diagnostics(struct strbuf *out, const struct rows *rows)
{
    CLEANUP(strbuf_release) struct strbuf section = { 0 };

    for (size_t i = 0; i < rows->list.len; i++)
        sections_add_row(&section, rows, rows->list.items[i]);
    strbuf_add(out, strbuf_str(&section));
}

/* --- outputs --- */

static bool is_stack(const struct event_step *step)
{
    return step->urn.len && str_equal(urn_qualified_type_of(step->urn), ROOT_STACK_TYPE);
}

/* In a preview only outcomes of reads are certain; the stack's outputs are always of interest. */
static bool has_certain_outputs(const struct display_options *options,
                                const struct event_step *step)
{
    return !options->is_preview || options->is_refresh || step_op_has(step->op, TRAIT_KNOWS_OUTPUTS)
           || is_stack(step);
}

struct output_lines {
    struct property_printer printer;
    struct value ins, outs, before;
    bool has_before; /* and they differ from the new */
    bool shows_sames;
    bool skips_unknown;
    bool is_refresh;
};

static void add_output(const struct output_lines *lines, str key, size_t width)
{
    const struct value *out = property_find(lines->outs, key), *in = property_find(lines->ins, key);
    const struct value *old = property_find(lines->before, key);

    if (property_key_is_internal(key) || (!lines->has_before && (!out || property_is_empty(*out))))
        return;
    if (in && out && !lines->is_refresh && value_equal(*in, *out))
        return;
    if (!lines->has_before) {
        property_print_member(&lines->printer, key, width, *out);
        return;
    }
    bool is_same = old && out && value_equal(*old, *out);
    if ((is_same && !lines->shows_sames) || (!old && !out))
        return;
    if (lines->skips_unknown && old && out && out->kind == VALUE_COMPUTED)
        return;
    property_print_member_change(&lines->printer, key, width, old, out);
}

void outputs_text(struct strbuf *out, const struct view *view, const struct event_step *step,
                  unsigned indent)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct display_options *options = view->options;
    const struct resource *old = step->old, *new = step->new;
    struct output_lines lines = {
        .printer = { .out = out,
                     .op = step->op,
                     .indent = indent,
                     .shows_secrets = options->shows_secrets,
                     .truncates = !options->shows_full_output,
                     .matches_lists = true },
        .ins = mask_value(view->mask, &scratch, new ? new->inputs : VALUE_EMPTY_OBJECT),
        .outs = mask_value(view->mask, &scratch, new ? new->outputs : VALUE_EMPTY_OBJECT),
        .before = mask_value(view->mask, &scratch, old ? old->outputs : VALUE_EMPTY_OBJECT),
        .shows_sames = options->shows_sames || (!options->is_preview && is_stack(step)),
        .skips_unknown = options->is_preview && is_stack(step),
        .is_refresh = options->is_refresh,
    };

    if (!has_certain_outputs(options, step) || (old && old->init_errors.len))
        return;
    lines.has_before = old && !value_equal(lines.before, lines.outs);
    if (old && !lines.has_before && !lines.shows_sames)
        return;
    struct value keys =
        lines.has_before ? value_merge(&scratch, lines.before, lines.outs) : lines.outs;
    size_t width = 0;
    for (size_t i = 0; i < keys.len; i++)
        width = keys.members[i].key.len > width ? keys.members[i].key.len : width;
    for (size_t i = 0; i < keys.len; i++)
        add_output(&lines, keys.members[i].key, width);
}

void section_outputs(struct strbuf *out, const struct rows *rows)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct row *stack = rows->stack_urn.len ? map_find(&rows->by_urn, rows->stack_urn) : NULL;

    if (!stack || stack->step.op == OP_DELETE || rows->view->options->suppresses_outputs)
        return;
    outputs_text(&text, rows->view, &stack->step, 1);
    if (!text.len)
        return;
    strbuf_add(out, STR(TAG_HEADLINE "Outputs:" TAG_RESET "\n"));
    strbuf_add(out, strbuf_str(&text));
    strbuf_add_char(out, '\n');
}

/* --- configuration --- */

void section_config(struct strbuf *out, const struct event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    strbuf_add(out, STR(TAG_UNIMPORTANT "Configuration:" TAG_RESET "\n"));
    for (size_t i = 0; i < event->prelude.config.len; i++) {
        const struct pair *item = &event->prelude.config.items[i];
        str line = arena_concat(&scratch, STR("    "), item->key, STR(": "), item->value);
        strbuf_add(out, color_quote(&scratch, line));
        strbuf_add_char(out, '\n');
    }
}

/* --- counts --- */

void summary_take(struct summary *summary, const struct event *event)
{
    summary->is_known = true;
    summary->is_preview = event->summary.is_preview;
    summary->duration_seconds = event->summary.duration_seconds;
    memcpy(summary->changes, event->summary.changes, sizeof(summary->changes));
}

static bool is_counted(enum step_op op)
{
    return op != OP_SAME && !step_op_has(op, TRAIT_READS);
}

static void add_duration(struct strbuf *out, int64_t seconds)
{
    long long hours = seconds / 3600, minutes = seconds / 60 % 60, rest = seconds % 60;

    if (hours)
        strbuf_printf(out, "%lldh", hours);
    if (hours || minutes)
        strbuf_printf(out, "%lldm", minutes);
    strbuf_printf(out, "%llds", rest);
}

void section_summary(struct strbuf *out, const struct summary *summary, size_t errored)
{
    long long total = 0, kinds = 0, sames = summary->changes[OP_SAME];

    strbuf_add(out, STR(TAG_HEADLINE "Resources:" TAG_RESET "\n"));
    for (int op = 0; op < STEP_OP_COUNT; op++) {
        if (!is_counted((enum step_op)op) || !summary->changes[op])
            continue;
        kinds++;
        total += summary->changes[op];
        strbuf_add(out, STR("    "));
        strbuf_add(out, str_from(op_texts[op].tag));
        strbuf_add(out, str_from(op_texts[op].mark));
        strbuf_printf(out, "%lld %s%s", (long long)summary->changes[op],
                      summary->is_preview ? "to " : "",
                      summary->is_preview ? step_op_names[op] : op_texts[op].past);
        strbuf_add(out, STR(TAG_RESET "\n"));
    }
    if (kinds >= 2 || sames)
        strbuf_add(out, STR("    "));
    if (kinds >= 2) {
        strbuf_add(out, STR(TAG_BOLD));
        strbuf_printf(out, "%lld change%s", total, total == 1 ? "" : "s");
        strbuf_add(out, STR(TAG_RESET));
    }
    if (sames)
        strbuf_printf(out, "%s%lld unchanged", kinds >= 2 ? ". " : "", sames);
    if (kinds >= 2 || sames)
        strbuf_add_char(out, '\n');
    if (errored) {
        strbuf_add(out, STR("    " TAG_RED));
        strbuf_printf(out, "%zu errored", errored);
        strbuf_add(out, STR(TAG_RESET "\n"));
    }
    if (!summary->is_preview) {
        strbuf_add(out, STR("\n" TAG_HEADLINE "Duration:" TAG_RESET " "));
        add_duration(out, summary->duration_seconds);
        strbuf_add_char(out, '\n');
    }
}
