/* shell_words.h — text that means words: blanks, quotes and backslashes as in a shell. */
#pragma once

#include "base/error.h"
#include "base/strs.h"

/* Nothing is expanded. A quote that is not closed is an error. */
fallible shell_words_split(struct arena *arena, str text, struct strs *out);
