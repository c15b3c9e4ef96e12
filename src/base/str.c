/* str.c — a slice of bytes. */
#include "base/str.h"

#include <ctype.h>
#include <strings.h>

bool str_same_letters(str a, str b)
{
    return a.len == b.len && (a.len == 0 || strncasecmp(a.ptr, b.ptr, a.len) == 0);
}

int str_compare(str a, str b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.ptr, b.ptr, common) : 0;

    if (order != 0)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

bool str_starts_with(str text, str prefix)
{
    return text.len >= prefix.len && str_equal((str){ text.ptr, prefix.len }, prefix);
}

bool str_ends_with(str text, str suffix)
{
    return text.len >= suffix.len
           && str_equal((str){ text.ptr + (text.len - suffix.len), suffix.len }, suffix);
}

str str_slice(str text, size_t start, size_t end)
{
    if (end > text.len)
        end = text.len;
    if (start > end)
        start = end;
    return (str){ text.ptr ? text.ptr + start : NULL, end - start };
}

size_t str_find(str text, str needle)
{
    if (needle.len == 0)
        return 0;
    if (text.len < needle.len)
        return SIZE_MAX;
    const char *at = memmem(text.ptr, text.len, needle.ptr, needle.len);
    return at ? (size_t)(at - text.ptr) : SIZE_MAX;
}

size_t str_find_last(str text, str needle)
{
    for (size_t i = text.len - needle.len + 1; text.len >= needle.len && i-- > 0;)
        if (memcmp(text.ptr + i, needle.ptr, needle.len) == 0)
            return i;
    return SIZE_MAX;
}

size_t str_find_char(str text, char c)
{
    const char *at = text.len ? memchr(text.ptr, c, text.len) : NULL;
    return at ? (size_t)(at - text.ptr) : SIZE_MAX;
}

static bool cut_at(str text, size_t at, size_t width, str *head, str *tail)
{
    if (at == SIZE_MAX)
        return false;
    str before = str_slice(text, 0, at);
    str after = str_slice(text, at + width, text.len);
    *head = before;
    *tail = after;
    return true;
}

bool str_cut(str text, str separator, str *head, str *tail)
{
    return cut_at(text, str_find(text, separator), separator.len, head, tail);
}

bool str_cut_last(str text, str separator, str *head, str *tail)
{
    return cut_at(text, str_find_last(text, separator), separator.len, head, tail);
}

bool str_next(str *rest, str separator, str *part)
{
    if (rest->len == 0)
        return false;
    if (!str_cut(*rest, separator, part, rest)) {
        *part = *rest;
        *rest = STR("");
    }
    return true;
}

str str_trim(str text)
{
    while (text.len && isspace((unsigned char)text.ptr[0]))
        text = str_slice(text, 1, text.len);
    while (text.len && isspace((unsigned char)text.ptr[text.len - 1]))
        text.len--;
    return text;
}

size_t str_utf8_width(str text, size_t at)
{
    const unsigned char *p = (const unsigned char *)text.ptr + at;
    size_t left = text.len - at;
    unsigned lead = p[0];
    size_t width = lead < 0x80   ? 1
                   : lead < 0xc2 ? 0
                   : lead < 0xe0 ? 2
                   : lead < 0xf0 ? 3
                   : lead < 0xf5 ? 4
                                 : 0;

    if (width == 0 || width > left)
        return 0;
    for (size_t i = 1; i < width; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool is_overlong = (lead == 0xe0 && p[1] < 0xa0) || (lead == 0xf0 && p[1] < 0x90);
    bool is_outside = (lead == 0xed && p[1] > 0x9f) || (lead == 0xf4 && p[1] > 0x8f);
    return is_overlong || is_outside ? 0 : width;
}

static bool word_is_ascii(const char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof(word));
    return (word & UINT64_C(0x8080808080808080)) == 0;
}

bool str_is_utf8(str text)
{
    size_t i = 0;

    while (i < text.len) {
        size_t left = text.len - i;
        if (left >= 8 && word_is_ascii(text.ptr + i)) {
            /* The last eight may overlap these: then one look is enough for both. */
            i += left < 16 && word_is_ascii(text.ptr + text.len - 8) ? left : 8;
        } else if ((unsigned char)text.ptr[i] < 0x80) {
            i++;
        } else {
            size_t width = str_utf8_width(text, i);
            if (width == 0)
                return false;
            i += width;
        }
    }
    return true;
}

bool str_to_u64(str text, uint64_t *out)
{
    uint64_t total = 0;

    if (text.len == 0)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!char_is_digit(text.ptr[i]))
            return false;
        uint64_t digit = (uint64_t)(text.ptr[i] - '0');
        if (total > (UINT64_MAX - digit) / 10)
            return false;
        total = total * 10 + digit;
    }
    *out = total;
    return true;
}

bool str_to_bool(str text, bool *out)
{
    static const char *const yes[] = { "1", "t", "T", "true", "True", "TRUE" };
    static const char *const no[] = { "0", "f", "F", "false", "False", "FALSE" };

    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        bool is_yes = str_equal(text, str_from(yes[i]));
        if (is_yes || str_equal(text, str_from(no[i]))) {
            *out = is_yes;
            return true;
        }
    }
    return false;
}

uint64_t str_hash(str text)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15) ^ text.len;
    const char *p = text.ptr;
    size_t left = text.len;

    for (; left >= 8; p += 8, left -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    uint64_t tail = 0;
    if (left)
        memcpy(&tail, p, left);
    hash = (hash ^ tail) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ (hash >> 29);
}
