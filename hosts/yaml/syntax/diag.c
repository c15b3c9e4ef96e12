/* diag.c — complaints about a program, each with its place in the text. */
#include "yaml/syntax/diag.h"

#include "base/strbuf.h"
#include "base/yaml.h"

#include <stdarg.h>
#include <stdio.h>

void diags_release(struct diags *diags)
{
    vec_release(diags);
    diags->errors = 0;
}

/* --- places --- */

static void scalar_end(const struct yaml_node *node, struct range *range)
{
    str rest = node->text;
    str line;

    range->end_line = node->line;
    if (node->style == YAML_LITERAL)
        while (str_cut(rest, STR("\n"), &line, &rest))
            range->end_line++;
    range->end_column = node->column + rest.len;
}

struct range node_range(const struct source *source, const struct yaml_node *node)
{
    struct range range = { .source = source };
    const struct yaml_node *last = node;

    if (!node || node->line == 0)
        return range;
    range.line = node->line;
    range.column = node->column;
    while (last->kind != YAML_SCALAR && last->len && !last->is_alias)
        last = last->kind == YAML_SEQUENCE ? last->items[last->len - 1]
                                           : last->pairs[last->len - 1].value;
    if (last->kind == YAML_SCALAR && last->line)
        scalar_end(last, &range);
    else
        range.end_line = last->line ? last->line : node->line,
        range.end_column = last->line ? last->column : node->column;
    return range;
}

/* --- collecting --- */

struct diag *diags_add(struct diags *diags, enum diag_severity severity, struct range range,
                       str summary, str detail)
{
    vec_add(diags,
            ((struct diag){
                .severity = severity, .range = range, .summary = summary, .detail = detail }));
    if (severity == DIAG_ERROR)
        diags->errors++;
    return &diags->items[diags->len - 1];
}

static str format_text(struct arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int len = vsnprintf(NULL, 0, format, again);
    va_end(again);
    BUG_IF(len < 0);
    char *text = arena_alloc(arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, arguments);
    return (str){ text, (size_t)len };
}

struct diag *diags_error(struct diags *diags, struct range range, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    str summary = format_text(diags->arena, format, arguments);
    va_end(arguments);
    return diags_add(diags, DIAG_ERROR, range, summary, STR(""));
}

struct diag *diags_warn(struct diags *diags, struct range range, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    str summary = format_text(diags->arena, format, arguments);
    va_end(arguments);
    return diags_add(diags, DIAG_WARNING, range, summary, STR(""));
}

/* --- writing --- */

/* Only the engine knows whether there is a terminal and whether the user wants colour. It turns
 * these tags into escapes or into nothing. */
#define TAG_BOLD "<{%bold%}>"
#define TAG_UNDERLINE "<{%underline%}>"
#define TAG_RED "<{%fg 1%}>"
#define TAG_YELLOW "<{%fg 3%}>"
#define TAG_RESET "<{%reset%}>"

/* Bytes of a line up to a column; columns count characters. */
static size_t column_offset(str line, size_t column)
{
    size_t at = 0;

    for (size_t i = 1; i < column && at < line.len; i++) {
        size_t width = str_utf8_width(line, at);
        at += width ? width : 1;
    }
    return at;
}

static void write_line(struct strbuf *out, str line, size_t number, const struct range *range,
                       bool is_colored)
{
    size_t start = number == range->line ? column_offset(line, range->column) : 0;
    size_t end = number == range->end_line ? column_offset(line, range->end_column) : line.len;

    if (end <= start)
        end = start < line.len ? start + 1 : line.len;
    strbuf_printf(out, "%4zu: ", number);
    if (!is_colored || end <= start) {
        strbuf_add(out, line);
    } else {
        strbuf_add(out, str_slice(line, 0, start));
        strbuf_add(out, STR(TAG_BOLD TAG_UNDERLINE));
        strbuf_add(out, str_slice(line, start, end));
        strbuf_add(out, STR(TAG_RESET));
        strbuf_add(out, str_slice(line, end, line.len));
    }
    strbuf_add_char(out, '\n');
}

static void write_snippet(struct strbuf *out, const struct range *range, bool is_colored)
{
    str rest = range->source->text;
    size_t last = range->end_line > range->line && range->end_column <= 1 ? range->end_line - 1
                                                                          : range->end_line;

    strbuf_printf(out, "  on " STR_FMT " line %zu:\n", STR_ARG(range->source->name), range->line);
    for (size_t number = 1; number <= last && rest.len; number++) {
        str line = rest;
        if (!str_cut(rest, STR("\n"), &line, &rest))
            rest = (str){ 0 };
        if (str_ends_with(line, STR("\r")))
            line.len--;
        if (number >= range->line)
            write_line(out, line, number, range, is_colored);
    }
    strbuf_add_char(out, '\n');
}

void diag_write(struct strbuf *out, const struct diag *diag, bool is_colored)
{
    const char *word = diag->severity == DIAG_ERROR ? "Error" : "Warning";
    const char *color = diag->severity == DIAG_ERROR ? TAG_RED : TAG_YELLOW;

    strbuf_printf(out, "%s%s%s: ", is_colored ? color : "", word, is_colored ? TAG_RESET : "");
    strbuf_add(out, diag->summary);
    strbuf_add(out, STR("\n\n"));
    if (diag->range.line)
        write_snippet(out, &diag->range, is_colored);
    if (diag->detail.len) {
        strbuf_add(out, diag->detail);
        strbuf_add(out, STR("\n\n"));
    }
}

void diag_write_short(struct strbuf *out, const struct diag *diag)
{
    const struct range *range = &diag->range;

    if (range->line && range->line == range->end_line)
        strbuf_printf(out, STR_FMT ":%zu,%zu-%zu: ", STR_ARG(range->source->name), range->line,
                      range->column, range->end_column);
    else if (range->line)
        strbuf_printf(out, STR_FMT ":%zu,%zu-%zu,%zu: ", STR_ARG(range->source->name), range->line,
                      range->column, range->end_line, range->end_column);
    strbuf_add(out, diag->summary);
    strbuf_add(out, STR("; "));
    strbuf_add(out, diag->detail);
}

str diags_text(struct arena *arena, const struct diags *diags)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (diags->len == 0)
        return STR("no diagnostics");
    if (diags->len == 1) {
        diag_write_short(&text, &diags->items[0]);
        return arena_copy(arena, strbuf_str(&text));
    }
    for (int severity = DIAG_ERROR; severity <= DIAG_WARNING; severity++) {
        for (size_t i = 0; i < diags->len; i++) {
            if ((int)diags->items[i].severity != severity)
                continue;
            strbuf_add(&text, severity == DIAG_ERROR ? STR("\n-error: ") : STR("\n-warning: "));
            diag_write_short(&text, &diags->items[i]);
        }
    }
    return arena_copy(arena, strbuf_str(&text));
}
