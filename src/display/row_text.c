/* row_text.c — the columns of a row. */
#include "display/rows.h"

#include "base/clock.h"
#include "display/diff_summary.h"
#include "display/op_text.h"
#include "model/urn.h"

/* A replacement is one thing, before and after. Lines are about what was done: there each of its
 * steps is shown when it has ended. */
static enum step_op shown_op(const struct rows *rows, const struct row *row)
{
    const struct display_options *options = rows->view->options;
    enum step_op op = row->step.op;
    bool shows_parts = !options->is_preview || options->shows_replacement_steps;

    if (!options->is_interactive && shows_parts)
        return op;
    if (rows->has_failed || (!options->is_preview && !rows->is_over))
        return op;
    return step_op_has(op, TRAIT_ENDS_AS_REPLACE) ? OP_REPLACE : op;
}

static str row_whole_urn(const struct rows *rows, const struct row *row, struct arena *arena)
{
    const struct display_options *options = rows->view->options;

    if (row->step.urn.len)
        return row->step.urn;
    str name = arena_concat(arena, options->project, STR("-"), options->stack_name);
    return urn_make(arena, options->stack_name, options->project, STR(""), ROOT_STACK_TYPE, name);
}

str row_urn(const struct rows *rows, const struct row *row, struct arena *arena)
{
    return color_quote(arena, row_whole_urn(rows, row, arena));
}

str row_type(const struct rows *rows, const struct row *row, struct arena *arena)
{
    return color_quote(arena,
                       type_display_name(arena, urn_type_of(row_whole_urn(rows, row, arena))));
}

str row_name(const struct rows *rows, const struct row *row, struct arena *arena)
{
    return color_quote(arena, urn_name_of(row_whole_urn(rows, row, arena)));
}

str row_mark(const struct rows *rows, const struct row *row, struct arena *arena)
{
    const struct op_text *text = &op_texts[shown_op(rows, row)];

    return arena_concat(arena, row_is_done(rows, row) ? STR("") : STR(TAG_BOLD),
                        str_from(text->tag), str_from(text->mark), STR(TAG_RESET));
}

static bool is_root_row(const struct row *row)
{
    return row->step.urn.len && str_equal(urn_qualified_type_of(row->step.urn), ROOT_STACK_TYPE);
}

/* Its work had begun when everything ended. Components may end without an event, so only other
 * resources can be recognised. */
static bool is_interrupted(const struct rows *rows, const struct row *row)
{
    const struct resource *shown = row->step.new ? row->step.new : row->step.old;
    enum step_op op = shown_op(rows, row);

    if (!rows->is_over || row->is_failed || row->errors || !shown || !shown->is_custom)
        return false;
    return op != OP_SAME && op != OP_REMOVE_PENDING_REPLACE && !row_has_outcome(row, row->step.op);
}

static str seconds_since(struct arena *arena, int64_t started)
{
    return arena_printf(arena, " (%llds)", (long long)((clock_monotonic() - started) / NS_PER_S));
}

static str seconds_taken(struct arena *arena, int64_t taken)
{
    if (taken < NS_PER_S)
        return arena_printf(arena, " (%.2fs)", (double)taken / NS_PER_S);
    return arena_printf(arena, " (%llds)", (long long)(taken / NS_PER_S));
}

static str status_in_progress(const struct rows *rows, const struct row *row, struct arena *arena)
{
    enum step_op op = shown_op(rows, row);
    const struct op_text *text = &op_texts[op];
    bool is_preview = rows->view->options->is_preview;

    if (is_root_row(row) && op == OP_SAME)
        return STR("running");
    str words = str_from(is_preview ? text->planned : text->doing);
    if (!words.len)
        return words;
    bool has_time = !is_preview && op != OP_SAME && row->started;
    return arena_concat(arena, STR(TAG_BOLD), str_from(text->tag), words,
                        has_time ? seconds_since(arena, row->started) : STR(""), STR(TAG_RESET));
}

static str status_done(const struct rows *rows, const struct row *row, struct arena *arena)
{
    enum step_op op = shown_op(rows, row);
    const struct op_text *text = &op_texts[op];
    bool is_preview = rows->view->options->is_preview;
    bool is_failed = !is_preview && (row->is_failed || row->errors > 0);
    bool has_time = !is_preview && op != OP_SAME && row->started && row->ended;
    const char *planned = step_op_has(op, TRAIT_ENDS_AS_REPLACE) ? text->planned : text->will;
    str words = str_from(is_preview ? planned : is_failed ? text->failed : text->done);
    str time = has_time ? seconds_taken(arena, row->ended - row->started) : STR("");

    if (is_failed)
        return arena_concat(arena, STR(TAG_ERROR "**"), words, STR("**"), time, STR(TAG_RESET));
    return words.len ? arena_concat(arena, str_from(text->tag), words, time, STR(TAG_RESET))
                     : words;
}

str row_status(const struct rows *rows, const struct row *row, struct arena *arena)
{
    const struct resource *old = row->step.old;
    enum step_op op = row->step.op;
    bool is_retained = old && old->options.retain_on_delete && step_op_has(op, TRAIT_ENDS_OLD);
    str status;

    if (is_interrupted(rows, row))
        status =
            arena_concat(arena, STR(TAG_WARNING), str_from(op_texts[shown_op(rows, row)].doing),
                         STR(" (interrupted)" TAG_RESET));
    else if (row_is_done(rows, row))
        status = status_done(rows, row, arena);
    else
        status = status_in_progress(rows, row, arena);
    return is_retained ? arena_concat(arena, status, STR("[retain]")) : status;
}

static void add_part(struct strbuf *out, str part)
{
    if (out->len)
        strbuf_add(out, STR("; "));
    strbuf_add(out, part);
}

static void add_count(struct strbuf *out, size_t number, const char *tag, const char *noun)
{
    CLEANUP(strbuf_release) struct strbuf part = { 0 };

    if (!number)
        return;
    strbuf_printf(&part, "%zu ", number);
    strbuf_add(&part, str_from(tag));
    strbuf_printf(&part, "%s%s", noun, number == 1 ? "" : "s");
    strbuf_add(&part, STR(TAG_RESET));
    add_part(out, strbuf_str(&part));
}

/* The step that knows what changed: for the halves of a replacement, the replacement itself. */
static const struct event_step *telling_step(const struct row *row)
{
    enum step_op op = row->step.op;

    bool is_half = op == OP_CREATE_REPLACEMENT || op == OP_DELETE_REPLACED;
    return is_half && row->replacement ? row->replacement : &row->step;
}

/* The diagnostic to show while things go on: the last error if there was one, else the last. Of
 * others than errors, lines show only what passes: the rest is said at the end. NULL: none. */
static const struct row_diagnostic *telling_diagnostic(const struct rows *rows,
                                                       const struct row *row)
{
    const struct row_diagnostic *last = NULL;

    for (size_t i = row->diagnostics.len; i-- > 0;) {
        const struct row_diagnostic *diagnostic = &row->diagnostics.items[i];
        if (diagnostic->severity == SEVERITY_ERROR)
            return diagnostic;
        if (!last && (rows->view->options->is_interactive || diagnostic->is_ephemeral))
            last = diagnostic;
    }
    return last;
}

/* Its first line; one that only announces what follows, "1 error occurred:", takes that along. */
static str first_words(struct arena *arena, str text)
{
    str line, rest;

    if (!str_cut(text, STR("\n"), &line, &rest))
        return text;
    line = str_trim(line);
    if (!line.len || line.ptr[line.len - 1] != ':')
        return line;
    rest = str_trim(rest);
    if (str_starts_with(rest, STR("* ")))
        rest = str_slice(rest, 2, rest.len);
    rest = str_slice(rest, 0, str_find_char(rest, '\n'));
    return rest.len ? arena_concat(arena, line, STR(" "), rest) : line;
}

static void add_counts(struct strbuf *out, const struct row *row)
{
    add_count(out, row->errors, TAG_ERROR, "error");
    add_count(out, row->warnings, TAG_WARNING, "warning");
    add_count(out, row->messages, TAG_INFO, "message");
    add_count(out, row->debugs, TAG_DEBUG, "debug");
}

str row_info(const struct rows *rows, const struct row *row, struct arena *arena)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str changes = diff_summary(arena, telling_step(row));

    if (changes.len)
        add_part(&out, arena_concat(arena, STR("["), changes, STR("]")));
    str reason = color_quote(arena, replacement_reason(arena, telling_step(row)));
    if (reason.len)
        add_part(&out, arena_concat(arena, STR(TAG_BRIGHT_MAGENTA), reason, STR(TAG_RESET)));
    const struct row_diagnostic *said = rows->is_over ? NULL : telling_diagnostic(rows, row);
    bool is_error = said && said->severity == SEVERITY_ERROR;
    if (rows->is_over || (!rows->view->options->is_interactive && !is_error))
        add_counts(&out, row);
    if (said)
        add_part(&out, first_words(arena, said->text));
    str text = strbuf_str(&out);
    return arena_copy(arena, str_slice(text, 0, str_find_char(text, '\n')));
}
