/* frame.h — lines at the end of a terminal that are drawn again and again. Only lines that differ
 * from those of the last frame are written. */
#pragma once

#include "base/vec.h"
#include "display/color.h"

struct frame_lines {
    VEC(str); /* with tags, none wider than the terminal */
};

/* The last frame. The zero value: nothing was drawn. */
struct frame {
    struct arena arena;
    struct frame_lines drawn; /* rendered */
    struct {
        VEC(size_t);
    } widths;             /* of each line, in columns */
    size_t rows, columns; /* of the terminal when it was drawn */
    bool is_torn; /* parts of old frames are above the screen, and may come back into sight */
};

/* The bytes that make the last frame the next one. A terminal that can, shows all of it at once. */
void frame_draw(struct frame *frame, const struct frame_lines *lines, size_t rows, size_t columns,
                enum color_mode color, struct strbuf *out);
/* Other text is there now: go on below it. */
void frame_forget(struct frame *frame);
void frame_release(struct frame *frame);
