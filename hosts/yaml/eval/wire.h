/* wire.h — values on their way to the engine and back. */
#pragma once

#include "proto/marshal.h"
#include "yaml/eval/eval.h"

/* Of what the engine answers: everything that requests say is understood. */
extern const struct unmarshal_options answer_options;

/* Properties for a request to the engine. Text that is not UTF-8 goes out as a byte string; the
 * engine is asked whether it takes them when there is one. Blocks. */
fallible engine_marshal(struct engine_link *engine, struct arena *arena, struct value properties,
                        struct marshal_options options, str *bytes);
/* The same for one value. */
fallible engine_marshal_value(struct engine_link *engine, struct arena *arena, struct value value,
                              struct marshal_options options, str *bytes);

/* With unknowns, secrets and references to resources. */
#define ENGINE_VALUES          \
    ((struct marshal_options){ \
        .keep_unknowns = true, .keep_secrets = true, .keep_resources = true })
