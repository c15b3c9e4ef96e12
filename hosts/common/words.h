/* words.h — lists of C strings for the system: arguments and environments. */
#pragma once

#include "base/error.h"
#include "base/vec.h"

/* The strings live in an arena, the list does not. */
struct words {
    VEC(const char *);
};

void words_release(struct words *words);
/* A copy of the text. */
void words_add(struct words *words, struct arena *arena, str text);
void words_add_all(struct words *words, const char *const *more);
/* Two words, unless the value is empty. */
void words_add_option(struct words *words, struct arena *arena, str name, str value);
/* The list as the system wants it: a NULL behind the last. Valid until something is added. */
const char *const *words_end(struct words *words);

/* --- environments: "NAME=VALUE" --- */

/* Our own. */
void words_add_environment(struct words *words);
/* Replaces an older value in its place: most programs take the first of two. */
void words_set(struct words *words, struct arena *arena, str name, str value);
void words_unset(struct words *words, str name);
/* Sets what is written as "NAME=VALUE". */
void words_set_line(struct words *words, struct arena *arena, str line);
/* Empty if it is not set. */
str words_get(const struct words *words, str name);

/* --- text that means words --- */

/* Splits as a shell does: blanks, quotes and backslashes; nothing is expanded. */
fallible words_split(struct words *words, struct arena *arena, str text);
