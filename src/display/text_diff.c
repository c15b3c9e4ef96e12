/* text_diff.c — the longest common subsequence of lines, between a common beginning and a common
 * end. */
#include "display/text_diff.h"

enum { MOST_CELLS = 4 * 1024 * 1024 };

struct lines {
    str *items;
    size_t len;
};

static struct lines lines_split(struct arena *arena, str text)
{
    struct lines lines = { 0 };
    size_t count = 1;

    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == '\n';
    lines.items = ARENA_ARRAY(arena, str, count);
    for (bool has_more = true; has_more;) {
        str line = text, rest = STR("");
        has_more = str_cut(text, STR("\n"), &line, &rest);
        lines.items[lines.len++] = line;
        text = rest;
    }
    return lines;
}

static void text_lines_add(struct text_lines *out, enum line_change change, str text)
{
    out->items[out->len++] = (struct text_line){ change, text };
}

/* Lengths of common subsequences of all ends; row by row, (new.len + 1) a row. */
static uint32_t *lines_measure(struct arena *arena, struct lines old, struct lines new)
{
    size_t width = new.len + 1;
    uint32_t *lengths = ARENA_ARRAY(arena, uint32_t, (old.len + 1) * width);

    for (size_t i = old.len; i-- > 0;) {
        for (size_t j = new.len; j-- > 0;) {
            uint32_t down = lengths[(i + 1) * width + j], right = lengths[i * width + j + 1];
            lengths[i * width + j] = str_equal(old.items[i], new.items[j])
                                         ? lengths[(i + 1) * width + j + 1] + 1
                                     : down > right ? down
                                                    : right;
        }
    }
    return lengths;
}

static void lines_compare(struct text_lines *out, struct lines old, struct lines new)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    size_t width = new.len + 1, i = 0, j = 0;
    bool is_small = old.len < MOST_CELLS / width;
    uint32_t *lengths = is_small ? lines_measure(&scratch, old, new) : NULL;

    while (i < old.len || j < new.len) {
        if (lengths && i < old.len && j < new.len &&str_equal(old.items[i], new.items[j])) {
            text_lines_add(out, LINE_SAME, old.items[i++]);
            j++;
        } else if (j == new.len
                   || (i < old.len
                       && (!lengths
                           || lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]))) {
            text_lines_add(out, LINE_DELETED, old.items[i++]);
        } else {
            text_lines_add(out, LINE_ADDED, new.items[j++]);
        }
    }
}

struct text_lines text_diff(struct arena *arena, str old_text, str new_text)
{
    struct lines old = lines_split(arena, old_text), new = lines_split(arena, new_text);
    struct text_lines out = { ARENA_ARRAY(arena, struct text_line, old.len + new.len), 0 };
    size_t head = 0, tail = 0;

    while (head < old.len && head < new.len &&str_equal(old.items[head], new.items[head]))
        text_lines_add(&out, LINE_SAME, old.items[head++]);
    while (tail < old.len - head
           && tail < new.len
                         - head &&str_equal(old.items[old.len - 1 - tail],
                                            new.items[new.len - 1 - tail]))
        tail++;
    lines_compare(&out, (struct lines){ old.items + head, old.len - head - tail },
                  (struct lines){ new.items + head, new.len - head - tail });
    for (size_t i = old.len - tail; i < old.len; i++)
        text_lines_add(&out, LINE_SAME, old.items[i]);
    return out;
}
