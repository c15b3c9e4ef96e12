/* width.h — how many columns of a terminal a text takes. A character that a reader sees may be
 * several of Unicode's: a letter and its accents, an emoji with its skin tone, a flag. */
#pragma once

#include "base/str.h"

/* The bytes of the visible character at `at`, at least 1, and the columns it takes: 0, 1 or 2.
 * Escape sequences are one character without width. */
size_t width_next(str text, size_t at, size_t *columns);

size_t width_of(str text);

/* The longest beginning that takes at most so many columns. */
str width_fit(str text, size_t columns);
