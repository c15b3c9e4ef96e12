/* hex.h — bytes as hexadecimal digits, also behind a percent sign. */
#pragma once

#include "base/pairs.h"

/* What a digit of either case stands for, or -1. */
static inline int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Lower case. */
str hex_encode(struct arena *arena, str bytes);
/* Either case; false if it is not hexadecimal. */
bool hex_decode(struct arena *arena, str text, str *out);

/* The byte of an escape `%XX` at `at`, or -1 if there is none. */
int percent_value(str text, size_t at);
/* Replaces each escape by its byte; false if one is malformed. */
bool percent_decode(struct arena *arena, str text, str *out);
/* The same of a name or value in the query of a URL, where a + is a blank. */
bool query_decode(struct arena *arena, str text, str *out);
/* All parameters of a query, NAME=VALUE&…, decoded. False if an escape is malformed or stands for a
 * NUL byte. */
bool query_parse(struct arena *arena, str query, struct pairs *out);
/* Escapes, in upper case, all but letters, digits, "-._~" and the characters of `kept`. */
str percent_encode(struct arena *arena, str text, const char *kept);
