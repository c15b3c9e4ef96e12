/* event.c — the names and traits of what steps do. */
#include "engine/event.h"

const char *const step_op_names[STEP_OP_COUNT] = {
#define STEP_OP(id, name, ...) [OP_##id] = name,
#include "engine/step_ops.def"
#undef STEP_OP
};

static const unsigned step_op_traits[STEP_OP_COUNT] = {
#define STEP_OP(id, name, traits, ...) [OP_##id] = (traits),
#include "engine/step_ops.def"
#undef STEP_OP
};

bool step_op_has(enum step_op op, unsigned traits)
{
    return (step_op_traits[op] & traits) != 0;
}
