/* graphemes.c — how many characters a reader sees in a text. */
#include "yaml/eval/graphemes.h"

#include "yaml/eval/grapheme_table.h"

static bool is_extending(uint32_t c)
{
    size_t low = 0, high = sizeof(grapheme_extending) / sizeof(grapheme_extending[0]);

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c > grapheme_extending[middle].last)
            low = middle + 1;
        else if (c < grapheme_extending[middle].first)
            high = middle;
        else
            return true;
    }
    return false;
}

/* Letters of Korean that are written as one syllable: leading consonants, vowels, final consonants;
 * and syllables that have a number of their own. */
enum hangul { HANGUL_NONE, HANGUL_LEADING, HANGUL_VOWEL, HANGUL_FINAL, HANGUL_OPEN, HANGUL_CLOSED };

static enum hangul hangul_of(uint32_t c)
{
    enum { FINALS = 28 };

    if ((c >= 0x1100 && c <= 0x115f) || (c >= 0xa960 && c <= 0xa97c))
        return HANGUL_LEADING;
    if ((c >= 0x1160 && c <= 0x11a7) || (c >= 0xd7b0 && c <= 0xd7c6))
        return HANGUL_VOWEL;
    if ((c >= 0x11a8 && c <= 0x11ff) || (c >= 0xd7cb && c <= 0xd7fb))
        return HANGUL_FINAL;
    if (c >= 0xac00 && c <= 0xd7a3)
        return (c - 0xac00) % FINALS == 0 ? HANGUL_OPEN : HANGUL_CLOSED;
    return HANGUL_NONE;
}

static bool is_same_syllable(uint32_t before, uint32_t c)
{
    enum hangul first = hangul_of(before), second = hangul_of(c);

    switch (first) {
    case HANGUL_LEADING: return second != HANGUL_NONE && second != HANGUL_FINAL;
    case HANGUL_VOWEL:
    case HANGUL_OPEN: return second == HANGUL_VOWEL || second == HANGUL_FINAL;
    case HANGUL_FINAL:
    case HANGUL_CLOSED: return second == HANGUL_FINAL;
    case HANGUL_NONE: break;
    }
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
                         || is_same_syllable(before, c)
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
