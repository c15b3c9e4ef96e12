/* state.c — edits of the state without running anything. */
#include "cli/stack/state.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/program.h"
#include "base/version.h"

#include <stdio.h>

fallible state_verify(struct cli *cli, const struct snapshot *snapshot)
{
    if (cli->globals.skips_integrity_check)
        return NULL;
    struct error *failure = snapshot_verify(snapshot);
    if (!failure)
        return NULL;
    str why = arena_copy(cli->arena, error_message(failure));
    error_free(failure);
    return error_new(ERROR_INVALID,
                     "snapshot integrity failure; refusing to use it: " STR_FMT
                     "\n`%s state repair` may put it right; --disable-integrity-checking uses it "
                     "as it is",
                     STR_ARG(why), program_name());
}

void state_stamp(struct cli *cli, struct snapshot *snapshot)
{
    snapshot->time = clock_format_local(cli->arena, clock_now());
    snapshot->version = STR(PULUMI_VERSION);
    snapshot->magic = hash_sha256_hex(cli->arena, snapshot->version);
}

fallible state_locked(struct cli *cli, struct stack_ref stack,
                      fallible (*work)(struct cli *cli, void *context), void *context)
{
    struct backend_lock *lock;

    TRY(backend_lock(cli->backend, stack, &lock));
    struct error *failure = work(cli, context);
    fflush(stdout); /* a signal that came meanwhile ends us when the lock is gone */
    return error_join(failure, backend_unlock(lock));
}

struct edit {
    struct stack_ref stack;
    state_edit_function *function;
    void *context;
};

static struct error *edit_locked(struct cli *cli, void *edit_)
{
    const struct edit *edit = edit_;
    struct snapshot snapshot;
    bool has_deployment;

    TRY(backend_load(cli->backend, edit->stack, cli->arena, &snapshot, &has_deployment));
    TRY(edit->function(cli, &snapshot, edit->context));
    state_stamp(cli, &snapshot);
    TRY(state_verify(cli, &snapshot));
    return backend_save(cli->backend, edit->stack, &snapshot);
}

fallible state_edit(struct cli *cli, struct stack_ref stack, state_edit_function *function,
                    void *context)
{
    struct edit edit = { stack, function, context };

    return state_locked(cli, stack, edit_locked, &edit);
}

struct resource *state_replace(struct cli *cli, struct snapshot *snapshot, size_t index)
{
    struct resource *copy = resource_clone_shallow(cli->arena, snapshot->resources[index]);

    snapshot->resources[index] = copy;
    return copy;
}
