/* input.h — whole texts from a file or from standard input, and to a file or standard output. */
#pragma once

#include "base/error.h"

/* For what may hold as much as a state, and for a value that goes into a file of the project. */
#define INPUT_STATE_LIMIT ((size_t)4 << 30)
#define INPUT_VALUE_LIMIT ((size_t)16 << 20)

/* An empty name is standard input. Without its end it would be read until memory is gone: more than
 * `limit` bytes are refused. */
fallible input_read(struct arena *arena, str file, size_t limit, str *out);

/* An empty name is standard output. A file is written in place: a process that has it open sees it,
 * and a link stays one. A new one is its owner's alone. */
fallible output_write(str file, str text);

/* "open NAME: no such file or directory", for a file the user named; from errno. */
fallible input_not_opened(const char *operation, str name);
