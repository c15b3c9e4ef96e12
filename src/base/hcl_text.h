/* hcl_text.h — the characters of HCL, in which programs of PCL are written: a place in a text, and
 * the blanks, comments, names and numbers that stand there. What they make up is for its readers:
 * the check of a whole program and the language hosts, which read a part of the language. */
#pragma once

#include "base/error.h"

enum { HCL_MAX_DEPTH = 200 };

struct hcl_text {
    str text;
    size_t at;
    size_t line; /* from 1 */
    unsigned depth;
};

struct hcl_text hcl_begin(str text);

/* ERROR_INVALID, with the line before it. */
fallible hcl_fail(const struct hcl_text *in, const char *format, ...) PRINTF(2, 3);

bool hcl_ends(const struct hcl_text *in);
/* NUL behind the end. */
char hcl_peek(const struct hcl_text *in, size_t ahead);
bool hcl_starts(const struct hcl_text *in, str prefix);
void hcl_advance(struct hcl_text *in);

/* Takes it, if it stands here. */
bool hcl_accept(struct hcl_text *in, str what);
fallible hcl_expect(struct hcl_text *in, str what);
/* Blanks and comments; ends of lines too, if they do not matter here. */
void hcl_skip(struct hcl_text *in, bool with_lines);

bool hcl_is_name(char c, bool is_first);
/* Empty: there is none. */
str hcl_name(struct hcl_text *in);
/* The same; without a sign. */
str hcl_number(struct hcl_text *in);

/* One level deeper; whoever leaves it counts `depth` down. */
fallible hcl_enter(struct hcl_text *in);
