/* input.h — whole texts from a file or from standard input, and to a file or standard output. */
#pragma once

#include "base/error.h"

/* An empty name is standard input. */
fallible input_read(struct arena *arena, str file, str *out);

/* An empty name is standard output. */
fallible output_write(str file, str text);
