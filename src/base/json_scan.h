/* json_scan.h — private to json_*.c: finds the next byte of a string that needs attention, sixteen
 * at a time where the machine can. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* A quote, a backslash or a control byte: what ends a plain run inside a string literal. */
static inline bool json_is_special(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\';
}

/* Length of the run of bytes at `p` that are not special. `has_high` is set if one of them (or one
 * shortly behind) is not ASCII. */
static inline size_t json_scan_literal(const char *p, size_t len, bool *has_high)
{
    size_t i = 0;
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'),
                  control = _mm_set1_epi8(0x1f);
    for (; len - i >= 16; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i special =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
        special = _mm_or_si128(special, _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes));
        unsigned found = (unsigned)_mm_movemask_epi8(special);
        if (_mm_movemask_epi8(bytes))
            *has_high = true;
        if (found)
            return i + (size_t)__builtin_ctz(found);
    }
#endif
    for (; i < len && !json_is_special((unsigned char)p[i]); i++)
        if ((unsigned char)p[i] >= 0x80)
            *has_high = true;
    return i;
}

/* Not to be written inside quotes as it is. */
static inline bool json_needs_care(unsigned char c, bool escapes_html)
{
    return json_is_special(c) || c >= 0x80 || (escapes_html && (c == '<' || c == '>' || c == '&'));
}

/* Has one of eight bytes the value of `c` (below 0x80)? May say yes for a byte behind one that
 * has. */
static inline uint64_t json_word_has(uint64_t word, unsigned char c)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t other = word ^ (ones * c);
    return (other - ones) & ~other & (ones * 0x80);
}

/* Does one of eight bytes need care? Too careful for < > & when they do not matter. */
static inline bool json_word_needs_care(const char *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t word;

    memcpy(&word, p, sizeof(word));
    uint64_t found = (word & (ones * 0x80)) | ((word - ones * 0x20) & ~word & (ones * 0x80));
    found |= json_word_has(word, '"') | json_word_has(word, '\\');
    found |= json_word_has(word, '<') | json_word_has(word, '>') | json_word_has(word, '&');
    return found != 0;
}

/* Length of the run of ASCII bytes at `p` that can be written inside quotes as they are. */
static inline size_t json_scan_printable(const char *p, size_t len, bool escapes_html)
{
    size_t i = 0;
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'),
                  space = _mm_set1_epi8(0x20);
    const __m128i less = _mm_set1_epi8('<'), greater = _mm_set1_epi8('>'),
                  ampersand = _mm_set1_epi8('&');
    while (len >= 16 && i < len) {
        if (i > len - 16)
            i = len
                - 16; /* the last sixteen once more: nothing is found in what was passed already */
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i special =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
        /* Signed: bytes from 0x80 are below the space as well. */
        special = _mm_or_si128(special, _mm_cmplt_epi8(bytes, space));
        if (escapes_html) {
            special = _mm_or_si128(special, _mm_cmpeq_epi8(bytes, less));
            special = _mm_or_si128(special, _mm_cmpeq_epi8(bytes, greater));
            special = _mm_or_si128(special, _mm_cmpeq_epi8(bytes, ampersand));
        }
        unsigned found = (unsigned)_mm_movemask_epi8(special);
        if (found)
            return i + (size_t)__builtin_ctz(found);
        i += 16;
    }
#endif
    if (len - i >= 8 && !json_word_needs_care(p + i))
        i = json_word_needs_care(p + len - 8) ? i + 8 : len;
    while (i < len && !json_needs_care((unsigned char)p[i], escapes_html))
        i++;
    return i;
}

/* Length of the run of JSON white space at `p`: mostly none or one byte, but long where the text is
 * indented. */
static inline size_t json_scan_blanks(const char *p, size_t len)
{
    size_t i = 0;

    if (len == 0 || (unsigned char)p[0] > ' ')
        return 0;
#if defined(__SSE2__)
    const __m128i space = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t');
    const __m128i feed = _mm_set1_epi8('\n'), carriage = _mm_set1_epi8('\r');
    for (; len - i >= 16; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(bytes, space), _mm_cmpeq_epi8(bytes, feed));
        blank = _mm_or_si128(
            blank, _mm_or_si128(_mm_cmpeq_epi8(bytes, tab), _mm_cmpeq_epi8(bytes, carriage)));
        unsigned other = (unsigned)_mm_movemask_epi8(blank) ^ 0xffffu;
        if (other)
            return i + (size_t)__builtin_ctz(other);
    }
#endif
    while (i < len && (p[i] == ' ' || p[i] == '\n' || p[i] == '\t' || p[i] == '\r'))
        i++;
    return i;
}
