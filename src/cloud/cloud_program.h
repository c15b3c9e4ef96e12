/* cloud_program.h — programs that print credentials. */
#pragma once

#include "base/error.h"

/* Runs argv[0], looked for in PATH, and takes what it prints on standard output, in the arena.
 * ERROR_NOT_FOUND: there is no such program; a bad end is ERROR_OTHER with its first words on
 * standard error. Blocks. */
fallible cloud_program_run(struct arena *arena, const char *const *argv, str *output);
