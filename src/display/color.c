/* color.c — what tags in text become on a terminal. */
#include "display/color.h"

#include "base/console.h"
#include "base/width.h"

static const str opening = STR_INIT("<{%");
static const str closing = STR_INIT("%}>");

static bool is_less(str name)
{
    return str_equal(name, STR("<"));
}

/* The escape sequence for the name in a tag; nothing for an unknown name. */
static void color_add_escape(struct strbuf *out, str name)
{
    uint64_t number = 0;

    if (str_equal(name, STR("reset")))
        strbuf_add(out, STR("\x1b[0m"));
    else if (str_equal(name, STR("bold")))
        strbuf_add(out, STR("\x1b[1m"));
    else if (str_equal(name, STR("underline")))
        strbuf_add(out, STR("\x1b[4m"));
    else if (str_starts_with(name, STR("fg ")) && str_to_u64(str_slice(name, 3, name.len), &number)
             && number < 256)
        strbuf_printf(out, "\x1b[38;5;%um", (unsigned)number);
    else if (str_starts_with(name, STR("bg ")) && str_to_u64(str_slice(name, 3, name.len), &number)
             && number < 256)
        strbuf_printf(out, "\x1b[48;5;%um", (unsigned)number);
}

/* Finds the next tag: what is before it, its inside, and what follows. */
static bool next_tag(str text, str *before, str *name, str *after)
{
    str rest;

    return str_cut(text, opening, before, &rest) && str_cut(rest, closing, name, after);
}

static void color_add_tag(struct strbuf *out, str name)
{
    strbuf_add(out, opening);
    strbuf_add(out, name);
    strbuf_add(out, closing);
}

void color_add(struct strbuf *out, str text, enum color_mode mode)
{
    str before, name, after;

    while (next_tag(text, &before, &name, &after)) {
        strbuf_add(out, before);
        if (is_less(name))
            strbuf_add_char(out, '<');
        else if (mode == COLOR_ALWAYS)
            color_add_escape(out, name);
        else if (mode == COLOR_RAW)
            color_add_tag(out, name);
        text = after;
    }
    strbuf_add(out, text);
}

void color_print(FILE *out, str text, enum color_mode mode)
{
    CLEANUP(strbuf_release) struct strbuf shown = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    color_add(&shown, console_is(out) ? console_plain(&scratch, text) : text, mode);
    console_write(out, strbuf_str(&shown));
}

str color_quote(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str before, after;

    if (str_find(text, opening) == SIZE_MAX)
        return text;
    while (str_cut(text, opening, &before, &after)) {
        strbuf_add(&out, before);
        strbuf_add(&out, STR(TAG_LESS));
        text = str_slice(text, before.len + 1, text.len);
    }
    strbuf_add(&out, text);
    return arena_copy(arena, strbuf_str(&out));
}

size_t color_width(str text)
{
    size_t width = 0;
    str before, name, after;

    while (next_tag(text, &before, &name, &after)) {
        width += width_of(before) + is_less(name);
        text = after;
    }
    return width + width_of(text);
}

str color_clip(struct arena *arena, str text, size_t columns)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str before, name, after;
    bool is_full = false;

    if (color_width(text) <= columns)
        return text;
    while (next_tag(text, &before, &name, &after)) {
        str piece = is_full ? STR("") : width_fit(before, columns);
        is_full = is_full || piece.len < before.len;
        columns -= width_of(piece);
        strbuf_add(&out, piece);
        is_full = is_full || (is_less(name) && columns == 0);
        if (!is_less(name) || !is_full)
            color_add_tag(&out, name);
        columns -= is_less(name) && !is_full;
        text = after;
    }
    strbuf_add(&out, is_full ? STR("") : width_fit(text, columns));
    return arena_copy(arena, strbuf_str(&out));
}

str color_fit(struct arena *arena, str text, size_t columns)
{
    if (color_width(text) <= columns || columns == 0)
        return color_clip(arena, text, columns);
    return arena_concat(arena, color_clip(arena, text, columns - 1), STR("…"));
}

/* What is left of a text without so many columns at its beginning. Tags all stay. */
static str color_clip_start(struct arena *arena, str text, size_t columns)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    size_t skipped = 0;
    str before, name, after;

    for (bool is_tag = true; is_tag; text = after) {
        is_tag = next_tag(text, &before, &name, &after);
        if (!is_tag) {
            before = text;
            after = STR("");
        }
        for (size_t at = 0, wide; at < before.len && skipped < columns;
             before = str_slice(before, at, before.len), at = 0) {
            at = width_next(before, 0, &wide);
            skipped += wide;
        }
        strbuf_add(&out, before);
        if (is_tag && is_less(name) && skipped < columns)
            skipped++;
        else if (is_tag)
            color_add_tag(&out, name);
    }
    return arena_copy(arena, strbuf_str(&out));
}

str color_fit_middle(struct arena *arena, str text, size_t columns)
{
    size_t width = color_width(text);

    if (width <= columns || columns < 3)
        return color_fit(arena, text, columns);
    size_t tail = (columns - 1) / 2, head = columns - 1 - tail;
    return arena_concat(arena, color_clip(arena, text, head), STR("…"),
                        color_clip_start(arena, text, width - tail));
}

str color_strip(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (str_find(text, opening) == SIZE_MAX)
        return text;
    color_add(&out, text, COLOR_NEVER);
    return arena_copy(arena, strbuf_str(&out));
}

str color_said(struct arena *arena, str text)
{
    return color_quote(arena, color_strip(arena, text));
}
