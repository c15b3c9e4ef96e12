/* color.c — what tags in text become on a terminal. */
#include "display/color.h"

#include "base/width.h"

static const str opening = STR_INIT("<{%");
static const str closing = STR_INIT("%}>");

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

void color_add(struct strbuf *out, str text, enum color_mode mode)
{
    str before, name, after;

    if (mode == COLOR_RAW) {
        strbuf_add(out, text);
        return;
    }
    while (next_tag(text, &before, &name, &after)) {
        strbuf_add(out, before);
        if (mode == COLOR_ALWAYS)
            color_add_escape(out, name);
        text = after;
    }
    strbuf_add(out, text);
}

size_t color_width(str text)
{
    size_t width = 0;
    str before, name, after;

    while (next_tag(text, &before, &name, &after)) {
        width += width_of(before);
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
        strbuf_add(&out, opening);
        strbuf_add(&out, name);
        strbuf_add(&out, closing);
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

str color_strip(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (str_find(text, opening) == SIZE_MAX)
        return text;
    color_add(&out, text, COLOR_NEVER);
    return arena_copy(arena, strbuf_str(&out));
}
