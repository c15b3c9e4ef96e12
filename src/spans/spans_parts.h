/* spans_parts.h — spans while they are read; private to this directory. */
#pragma once

#include "base/vec.h"
#include "spans/spans.h"

/* As they stand in the file; `parent` may be the number of any. */
struct spans_draft {
    VEC(struct spans_span);
};

/* `start` of a span whose times are not known. */
#define SPANS_NO_TIME INT64_MIN

fallible spans_read_otlp(struct arena *arena, str text, struct spans_draft *draft);
fallible spans_read_gob(struct arena *arena, str bytes, struct spans_draft *draft);
