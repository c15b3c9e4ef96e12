/* frame.c — moves from one frame to the next. The cursor rests below the last line. */
#include "display/frame.h"

/* Terminals that know this mode show what is between the two at once. */
#define SYNC_BEGIN "\x1b[?2026h"
#define SYNC_END "\x1b[?2026l"

void frame_forget(struct frame *frame)
{
    frame->drawn.len = 0;
    frame->widths.len = 0;
}

void frame_release(struct frame *frame)
{
    vec_release(&frame->drawn);
    vec_release(&frame->widths);
    arena_release(&frame->arena);
    *frame = (struct frame){ 0 };
}

/* Rows of the last frame on a terminal of this width: lines that have become too long are wrapped.
 */
static size_t frame_height(const struct frame *frame, size_t columns)
{
    size_t rows = 0;

    for (size_t i = 0; i < frame->widths.len; i++)
        rows +=
            frame->widths.items[i] > columns ? (frame->widths.items[i] + columns - 1) / columns : 1;
    return rows;
}

/* On a terminal of another size, to the beginning of the last frame. One that has filled the screen
 * while the size changed may be anywhere, and nothing else was in sight: then the screen is
 * cleared. */
static void frame_rewind(struct frame *frame, size_t rows, size_t columns, struct strbuf *out)
{
    size_t height = frame_height(frame, columns);
    bool was_full = frame->drawn.len + 1 >= frame->rows || height + 1 >= rows;

    frame->is_torn = frame->is_torn || (frame->drawn.len > 0 && was_full);
    if (frame->is_torn)
        strbuf_add(out, STR("\x1b[H"));
    else if (height > 0)
        strbuf_printf(out, "\x1b[%zuA", height);
    strbuf_add(out, STR("\r\x1b[J"));
    frame_forget(frame);
}

/* From the beginning of one line, or from within it, to the beginning of another. */
static void frame_move(struct strbuf *out, size_t from, size_t to)
{
    strbuf_add_char(out, '\r');
    if (to < from)
        strbuf_printf(out, "\x1b[%zuA", from - to);
    else
        strbuf_add_repeated(out, '\n', to - from);
}

void frame_draw(struct frame *frame, const struct frame_lines *lines, size_t rows, size_t columns,
                enum color_mode color, struct strbuf *out)
{
    struct frame next = { .rows = rows, .columns = columns };

    strbuf_add(out, STR(SYNC_BEGIN "\x1b[?25l"));
    if (frame->rows && (frame->rows != rows || frame->columns != columns))
        frame_rewind(frame, rows, columns, out);
    size_t at = frame->drawn.len;
    for (size_t i = 0; i < lines->len; i++) {
        CLEANUP(strbuf_release) struct strbuf text = { 0 };
        color_add(&text, lines->items[i], color);
        vec_add(&next.drawn, arena_copy(&next.arena, strbuf_str(&text)));
        vec_add(&next.widths, color_width(lines->items[i]));
        if (i < frame->drawn.len && str_equal(frame->drawn.items[i], next.drawn.items[i]))
            continue;
        frame_move(out, at, i);
        strbuf_add(out, next.drawn.items[i]);
        strbuf_add(out, STR("\x1b[K"));
        at = i;
    }
    frame_move(out, at, lines->len);
    if (frame->drawn.len > lines->len)
        strbuf_add(out, STR("\x1b[J"));
    strbuf_add(out, STR(SYNC_END));
    next.is_torn = frame->is_torn;
    frame_release(frame);
    *frame = next;
}
