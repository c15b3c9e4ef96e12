/* source_error.c — refuses: an operation that only reads the world must never ask for a program. */
#include "engine/run/source.h"

static fallible source_error_start(struct deployment *deployment)
{
    (void)deployment;
    return error_new(ERROR_OTHER, "this operation does not run a program; this is a bug");
}

const struct source source_error = { source_error_start };
