/* source.h — what drives a deployment. */
#pragma once

#include "base/error.h"

struct deployment;

/* Starts it; deployment->course.stopped opens when nothing more will come. Blocks until it is under
 * way. */
struct source {
    fallible (*start)(struct deployment *deployment);
};

extern const struct source source_eval;  /* runs the program */
extern const struct source source_none;  /* registers nothing: everything is deleted */
extern const struct source source_error; /* must not be asked: a refresh has no program */

/* Asks the language host which packages the program uses. Blocks. */
fallible source_find_packages(struct deployment *deployment);

/* By operation and --run-program. */
const struct source *source_for(const struct deployment *deployment);
