/* hex.h — bytes as hexadecimal digits. */
#pragma once

#include "base/arena.h"

/* Lower case. */
str hex_encode(struct arena *arena, str bytes);
/* Either case; false if it is not hexadecimal. */
bool hex_decode(struct arena *arena, str text, str *out);
