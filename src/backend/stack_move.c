/* stack_move.c — creates the stack that another moves to, or finds it where an earlier move was cut
 * off. */
#include "backend/stack_move.h"

#include "backend/diy_checkpoint.h"
#include "base/fault.h"

/* Byte by byte: two stacks that came about in different ways differ in the time of their last
 * change, and in the ciphertexts of their secrets. */
static fallible is_same_state(struct stack_ref stack, const struct snapshot *a,
                              const struct snapshot *b, bool *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(strbuf_release) struct strbuf other = { 0 };

    TRY(diy_checkpoint_encode(&text, stack, a, COMPRESSION_NONE));
    TRY(diy_checkpoint_encode(&other, stack, b, COMPRESSION_NONE));
    *out = str_equal(strbuf_str(&text), strbuf_str(&other));
    return NULL;
}

static fallible is_begun(struct backend *backend, struct stack_ref stack,
                         const struct snapshot *snapshot, bool *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct snapshot found;
    bool has_deployment;

    *out = false;
    TRY(backend->ops->load(backend, stack, &scratch, &found, &has_deployment));
    return has_deployment && found.time.len ? is_same_state(stack, &found, snapshot, out) : NULL;
}

fallible stack_move_begin(struct backend *backend, struct stack_ref stack,
                          const struct snapshot *snapshot)
{
    bool goes_on = false;
    struct error *failure = backend->ops->create(backend, stack, snapshot);

    if (!failure)
        fault_point("stack.move-begun");
    if (!failure || error_kind(failure) != ERROR_EXISTS)
        return failure;
    error_ignore(is_begun(backend, stack, snapshot, &goes_on), "then it is another stack");
    if (!goes_on)
        return failure;
    error_ignore(failure, "an earlier move was cut off after this step");
    return NULL;
}
