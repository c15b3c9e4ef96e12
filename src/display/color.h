/* color.h — colour as tags in text, "<{%fg 1%}>", turned into escapes or nothing when it is
 * written. */
#pragma once

#include "base/strbuf.h"

#include <stdio.h>

enum color_mode { COLOR_NEVER, COLOR_ALWAYS, COLOR_RAW };

#define TAG_RESET "<{%reset%}>"
#define TAG_BOLD "<{%bold%}>"
#define TAG_UNDERLINE "<{%underline%}>"
#define TAG_FG(number) "<{%fg " #number "%}>"

#define TAG_RED TAG_FG(1)
#define TAG_GREEN TAG_FG(2)
#define TAG_YELLOW TAG_FG(3)
#define TAG_BRIGHT_BLUE TAG_FG(12)
#define TAG_BRIGHT_MAGENTA TAG_FG(13)
#define TAG_ERROR TAG_RED
#define TAG_WARNING TAG_YELLOW
#define TAG_INFO TAG_FG(5)
#define TAG_DEBUG TAG_FG(7)
#define TAG_HEADLINE TAG_BRIGHT_MAGENTA TAG_BOLD
#define TAG_PROMPT TAG_FG(6) TAG_BOLD
#define TAG_ATTENTION TAG_FG(9)
#define TAG_UNIMPORTANT TAG_FG(8)

/* A tag that stands for "<": it keeps what looks like a tag in somebody's text from being one. */
#define TAG_LESS "<{%<%}>"

/* Text of others that is to be seen as it is, whatever looks like a tag in it. The same slice if
 * nothing does. */
str color_quote(struct arena *arena, str text);

/* Prints text with tags: on a terminal nothing but our own tags becomes an escape sequence. */
void color_print(FILE *out, str text, enum color_mode mode);

/* Adds text with its tags as the mode wants them. */
void color_add(struct strbuf *out, str text, enum color_mode mode);

/* Columns of a terminal that the text takes, tags not counted. */
size_t color_width(str text);

/* What fits into so many columns. Tags all stay. */
str color_clip(struct arena *arena, str text, size_t columns);
/* The text if it fits into so many columns; else what fits, and "…" for the rest. */
str color_fit(struct arena *arena, str text, size_t columns);

/* So that both ends of a text that is too long are seen: "long-na…-blue-7". */
str color_fit_middle(struct arena *arena, str text, size_t columns);

/* The same text without tags, for those who do not know them. */
str color_strip(struct arena *arena, str text);
/* A message of others: hosts and engines use tags in theirs, which are dropped; what is left is no
 * tag, either. */
str color_said(struct arena *arena, str text);
