/* names.h — names as languages write them. Which words a language keeps for itself it knows
 * alone. */
#pragma once

#include "base/arena.h"

/* A letter, a digit or an underscore. */
bool name_is_part(char c);
/* Letters, digits and underscores; a digit at the start gets one before it. */
str name_identifier(struct arena *arena, str name);
/* some_name of someName; an abbreviation is one word. */
str name_snake(struct arena *arena, str name);
/* The first letter is a capital. */
str name_title(struct arena *arena, str name);
/* someName of some-name. */
str name_join_hyphens(struct arena *arena, str name);
/* httpServer of http-server and of HttpServer, but httpserver of HTTPServer: all capitals before
 * the first small letter become small. */
str name_camel(struct arena *arena, str name);
/* SomeName of some-name and of someName. */
str name_pascal(struct arena *arena, str name);
bool name_is_one_of(const char *const *words, str name); /* `words` ends with NULL */
