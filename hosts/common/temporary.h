/* temporary.h — files and directories below $TMPDIR, for their maker to remove. */
#pragma once

#include "base/error.h"

/* The name is `prefix` and a random suffix. */
fallible temporary_file(struct arena *arena, const char *prefix, str *out);
fallible temporary_directory(struct arena *arena, const char *prefix, str *out);
