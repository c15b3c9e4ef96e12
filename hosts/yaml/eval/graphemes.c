/* graphemes.c — how many characters a reader sees in a text. */
#include "yaml/eval/graphemes.h"

struct span {
    uint32_t first;
    uint32_t last;
};

/* What continues the character before it: marks of the common scripts, joiners, variation
 * selectors, skin tones, tags. */
static const struct span extending[] = {
    { 0x0300, 0x036f },   { 0x0483, 0x0489 },   { 0x0591, 0x05bd },   { 0x05bf, 0x05bf },
    { 0x05c1, 0x05c2 },   { 0x0610, 0x061a },   { 0x064b, 0x065f },   { 0x0670, 0x0670 },
    { 0x06d6, 0x06dc },   { 0x06df, 0x06e4 },   { 0x0900, 0x0903 },   { 0x093a, 0x093c },
    { 0x093e, 0x094f },   { 0x0962, 0x0963 },   { 0x0981, 0x0983 },   { 0x09bc, 0x09bc },
    { 0x09be, 0x09cd },   { 0x0a01, 0x0a03 },   { 0x0a3c, 0x0a4d },   { 0x0b3c, 0x0b3c },
    { 0x0b3e, 0x0b4d },   { 0x0bbe, 0x0bcd },   { 0x0c3e, 0x0c4d },   { 0x0cbe, 0x0ccd },
    { 0x0d3e, 0x0d4d },   { 0x0e31, 0x0e31 },   { 0x0e33, 0x0e3a },   { 0x0e47, 0x0e4e },
    { 0x0eb1, 0x0eb1 },   { 0x0eb3, 0x0ebc },   { 0x1160, 0x11ff },   { 0x135d, 0x135f },
    { 0x1ab0, 0x1aff },   { 0x1dc0, 0x1dff },   { 0x200c, 0x200d },   { 0x20d0, 0x20f0 },
    { 0x302a, 0x302f },   { 0x3099, 0x309a },   { 0xfe00, 0xfe0f },   { 0xfe20, 0xfe2f },
    { 0x1f3fb, 0x1f3ff }, { 0xe0020, 0xe007f }, { 0xe0100, 0xe01ef },
};

static bool is_extending(uint32_t c)
{
    for (size_t i = 0; i < sizeof(extending) / sizeof(extending[0]); i++)
        if (c >= extending[i].first && c <= extending[i].last)
            return true;
    return false;
}

static bool is_flag_half(uint32_t c)
{
    return c >= 0x1f1e6 && c <= 0x1f1ff;
}

static bool is_pictograph(uint32_t c)
{
    return (c >= 0x1f300 && c <= 0x1faff && !is_extending(c)) || (c >= 0x2190 && c <= 0x2bff);
}

static uint32_t next_character(str text, size_t *at)
{
    size_t width = str_utf8_width(text, *at);
    uint32_t c = (unsigned char)text.ptr[*at];

    if (width > 1) {
        c &= 0xffu >> (width + 1);
        for (size_t i = 1; i < width; i++)
            c = c << 6 | ((unsigned char)text.ptr[*at + i] & 0x3f);
    }
    *at += width ? width : 1;
    return c;
}

size_t graphemes_count(str text)
{
    size_t count = 0, flag_halves = 0;
    uint32_t before = 0, base = 0;

    for (size_t at = 0; at < text.len;) {
        uint32_t c = next_character(text, &at);
        flag_halves = is_flag_half(c) ? flag_halves + 1 : 0;
        bool is_joined = (before == '\r' && c == '\n')
                         || (count && before != '\r' && before != '\n' && is_extending(c))
                         || (before == 0x200d && is_pictograph(c) && is_pictograph(base))
                         || (flag_halves && flag_halves % 2 == 0);
        if (!is_joined) {
            count++;
            base = c;
        }
        before = c;
    }
    return count;
}
