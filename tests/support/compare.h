/* compare.h — what happened beside what should have happened. */
#pragma once

#include "base/strbuf.h"
#include "model/resource.h"

struct scenario;

struct comparison_options {
    struct strs sections; /* only these; none: what each operation says, or all */
    bool is_verbose;      /* whole differences */
};

/* `wanted` and `got`: one object of sections for each operation. Differences go to the log.
 * Blocks. */
fallible compare_results(struct arena *arena, const struct scenario *scenario, struct value wanted,
                         struct value got, const struct comparison_options *options,
                         struct strbuf *log, bool *is_same);
