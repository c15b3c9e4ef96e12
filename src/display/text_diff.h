/* text_diff.h — which lines of a text went and came. */
#pragma once

#include "base/arena.h"

enum line_change { LINE_SAME, LINE_DELETED, LINE_ADDED };

struct text_line {
    enum line_change change;
    str text; /* without its newline */
};
struct text_lines {
    struct text_line *items;
    size_t len;
};

/* Lines of both texts in order. Texts too long to compare are shown as deleted and added. */
struct text_lines text_diff(struct arena *arena, str old, str new);
