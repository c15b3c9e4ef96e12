/* width.c — columns of a terminal, by the table that is made from Unicode's data. */
#include "base/width.h"

#include "base/width_table.h"

enum {
    ESCAPE = 0x1b,
    JOINER = 0x200d,     /* what follows is drawn into the character before */
    EMOJI_STYLE = 0xfe0f /* the character before is drawn as an emoji, which is wide */
};

static bool width_is_among(const struct width_range *ranges, size_t count, uint32_t c)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c > ranges[middle].last)
            low = middle + 1;
        else if (c < ranges[middle].first)
            high = middle;
        else
            return true;
    }
    return false;
}

#define IS_AMONG(ranges, c) width_is_among(ranges, sizeof(ranges) / sizeof((ranges)[0]), c)

static size_t width_of_one(uint32_t c)
{
    if (c < ' ' || (c >= 0x7f && c < 0xa0))
        return 0;
    if (c < 0x300)
        return 1;
    if (IS_AMONG(width_none, c))
        return 0;
    return IS_AMONG(width_two, c) ? 2 : 1;
}

/* One of Unicode's characters and its bytes; a byte that belongs to none stands for itself. */
static uint32_t width_decode(str text, size_t at, size_t *len)
{
    size_t bytes = str_utf8_width(text, at);
    uint32_t c = (unsigned char)text.ptr[at];

    *len = bytes ? bytes : 1;
    if (bytes == 0)
        return 0xfffd;
    if (bytes > 1) {
        c &= 0xffu >> (bytes + 1);
        for (size_t i = 1; i < bytes; i++)
            c = c << 6 | ((unsigned char)text.ptr[at + i] & 0x3f);
    }
    return c;
}

/* ESC [ … letter, or ESC and one more. */
static size_t width_escape_len(str text, size_t at)
{
    size_t end = at + 1;

    if (end >= text.len || text.ptr[end] != '[')
        return end < text.len ? 2 : 1;
    for (end++; end < text.len; end++) {
        if (text.ptr[end] >= '@' && text.ptr[end] <= '~')
            return end + 1 - at;
    }
    return text.len - at;
}

static bool width_is_flag_half(uint32_t c)
{
    return c >= 0x1f1e6 && c <= 0x1f1ff;
}

static bool width_is_skin_tone(uint32_t c)
{
    return c >= 0x1f3fb && c <= 0x1f3ff;
}

/* Does `c` belong to the visible character that began with `base` and of which `before` was the
 * last part? */
static bool width_continues(uint32_t base, uint32_t before, size_t columns, uint32_t c)
{
    if (before == JOINER && columns == 2)
        return true;
    if (width_is_flag_half(base) && columns == 1)
        return width_is_flag_half(c) || width_of_one(c) == 0;
    return (width_of_one(c) == 0 && c >= 0x300) || (width_is_skin_tone(c) && columns == 2);
}

size_t width_next(str text, size_t at, size_t *columns)
{
    size_t len, more;
    uint32_t base, before, c;

    *columns = 0;
    if (text.ptr[at] == ESCAPE)
        return width_escape_len(text, at);
    base = before = width_decode(text, at, &len);
    *columns = width_of_one(base);
    if (*columns == 0 || (at + len < text.len && (unsigned char)text.ptr[at + len] < 0x80))
        return len;
    for (size_t end = at + len; end < text.len; end += more, len += more) {
        c = width_decode(text, end, &more);
        if (!width_continues(base, before, *columns, c))
            break;
        if (c == EMOJI_STYLE || (width_is_flag_half(base) && width_is_flag_half(c)))
            *columns = 2;
        before = c;
    }
    return len;
}

size_t width_of(str text)
{
    size_t total = 0, columns;

    for (size_t i = 0; i < text.len; total += columns)
        i += width_next(text, i, &columns);
    return total;
}

str width_fit(str text, size_t columns)
{
    size_t end = 0, used = 0, taken;

    while (end < text.len) {
        size_t len = width_next(text, end, &taken);
        if (used + taken > columns)
            break;
        used += taken;
        end += len;
    }
    return str_slice(text, 0, end);
}
