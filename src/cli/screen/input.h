/* input.h — whole texts from a file or from standard input, and to a file or standard output. */
#pragma once

#include "base/error.h"

/* An empty name is standard input. */
fallible input_read(struct arena *arena, str file, str *out);

/* An empty name is standard output. A file is written in place: a process that has it open sees it,
 * and a link stays one. A new one is its owner's alone. */
fallible output_write(str file, str text);

/* "open NAME: no such file or directory", for a file the user named; from errno. */
fallible input_not_opened(const char *operation, str name);
