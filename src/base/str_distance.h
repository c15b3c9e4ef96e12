/* str_distance.h — how far two strings are apart, for "did you mean". */
#pragma once

#include "base/str.h"

enum str_letters { STR_LETTERS_EXACT, STR_LETTERS_ANY_CASE };

/* How many bytes must be inserted, deleted or replaced to turn one into the other. What is more
 * than `limit` is `limit` + 1, without the time that the exact number would take: a word from
 * outside may be long. STR_DISTANCE_UNLIMITED: always exact. */
enum { STR_DISTANCE_UNLIMITED = 1 << 24 };
size_t str_distance(str a, str b, enum str_letters letters, size_t limit);
