/* str.h — a slice of bytes: pointer and length, never owned, NUL bytes allowed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct str {
    const char *ptr;
    size_t len;
} str;

/* A literal as a slice; usable as an initialiser. */
#define STR(literal) ((str){ "" literal, sizeof(literal) - 1 })
#define STR_INIT(literal)               \
    {                                   \
        "" literal, sizeof(literal) - 1 \
    }

/* For messages only: printf stops at a NUL byte. */
#define STR_FMT "%.*s"
#define STR_ARG(text) (int)(text).len, (text).ptr

static inline bool char_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline str str_from(const char *text)
{
    return (str){ text, text ? strlen(text) : 0 };
}

static inline bool str_equal(str a, str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* The same but for the case of ASCII letters. */
bool str_same_letters(str a, str b);

/* Orders by bytes, shorter first on a common prefix. */
int str_compare(str a, str b);

bool str_starts_with(str text, str prefix);
bool str_ends_with(str text, str suffix);

/* The part from `start` to before `end`; both are clamped to the text. */
str str_slice(str text, size_t start, size_t end);

/* Index of the first or last occurrence, or SIZE_MAX. */
size_t str_find(str text, str needle);
size_t str_find_last(str text, str needle);
size_t str_find_char(str text, char c);

/* Splits at the first occurrence: `head` before it, `tail` after. False, and both untouched, if
 * absent. */
bool str_cut(str text, str separator, str *head, str *tail);
bool str_cut_last(str text, str separator, str *head, str *tail);
/* Takes the next part off the front of *rest: all up to the separator, or what is left. False:
 * there is nothing left. A separator at the end is followed by no part. */
bool str_next(str *rest, str separator, str *part);

/* Without leading and trailing white space. */
str str_trim(str text);

bool str_is_utf8(str text);

/* How many bytes the character at `at` takes, or 0 if that is not valid UTF-8. */
size_t str_utf8_width(str text, size_t at);

/* A decimal number without sign or blanks that fits; false leaves `out` untouched. */
bool str_to_u64(str text, uint64_t *out);

/* The words for true and false that flags and settings allow: 1, t, T, true, True, TRUE and
 * their opposites. False leaves `out` untouched. */
bool str_to_bool(str text, bool *out);

uint64_t str_hash(str text);
