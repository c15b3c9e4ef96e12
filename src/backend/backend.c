/* backend.c — finds the kind of backend for a URL and carries every call to a helper thread. */
#include "backend/backend.h"

#include "backend/backend_ops.h"
#include "base/fault.h"
#include "base/memory.h"
#include "fiber/offload.h"
#include "fiber/signals.h"
#include "fiber/sync.h"

#include <stdlib.h>

#define BACKEND(id) extern const struct backend_ops backend_##id;
#include "backend/backends.def"
#undef BACKEND

static const struct backend_ops *const kinds[] = {
#define BACKEND(id) &backend_##id,
#include "backend/backends.def"
#undef BACKEND
};

/* --- calls on helper threads --- */

/* One call on its way. The helper has an arena of its own, because the caller's may serve other
 * fibers meanwhile. */
struct call {
    struct error *(*run)(struct call *call);
    struct backend *backend;
    struct stack_ref stack;
    struct arena arena;
    struct error *failure;
    /* what the operation at hand needs of these */
    const struct backend_options *options;
    const struct backend_ops *ops;
    const struct snapshot *snapshot;
    struct stack_ref renamed;
    str project;
    bool force;
    bool removes_backups;
    bool *flag;
    size_t *count;
    size_t page;
    size_t page_size;
    const struct history_entry *entry;
    const struct tags *tags;
    union {
        struct backend **backend;
        struct stack_summaries *summaries;
        struct layout_upgrade *upgrade;
        struct snapshot *snapshot;
        struct history *history;
        struct tags *tags;
        struct journal **journal;
    } out;
};

static void run_call(void *call_)
{
    struct call *call = call_;
    call->failure = call->run(call);
}

/* Runs it and hands what it allocated to the caller's arena (NULL: nothing is kept). */
static fallible make_call(struct call *call, struct arena *arena)
{
    offload(run_call, call);
    if (arena && !call->failure)
        arena_adopt(arena, &call->arena);
    arena_release(&call->arena);
    return call->failure;
}

/* --- open and close --- */

static struct error *run_open(struct call *call)
{
    return call->ops->open(call->options, call->out.backend);
}

fallible backend_open(const struct backend_options *options, struct backend **out)
{
    str scheme, rest;

    if (!str_cut(options->url, STR("://"), &scheme, &rest))
        return error_new(ERROR_INVALID,
                         "backend URL '" STR_FMT "' has no scheme; expected file://PATH",
                         STR_ARG(options->url));
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        struct call call = {
            .run = run_open, .options = options, .ops = kinds[i], .out.backend = out
        };
        if (str_equal(scheme, str_from(kinds[i]->scheme)))
            return make_call(&call, NULL);
    }
    return error_new(ERROR_INVALID,
                     "backend URL '" STR_FMT
                     "' is of a kind that is not supported; use file://PATH",
                     STR_ARG(options->url));
}

str backend_url(const struct backend *backend)
{
    return backend->options.url;
}

/* --- locks --- */

/* One for each stack that this process has locked; a second request shares it, so that an operation
 * that locks by itself can be part of a longer one. */
struct backend_lock {
    struct backend_lock *next;
    struct backend *backend;
    struct stack_ref stack;
    struct arena arena;
    size_t users;
};

static struct backend_lock *find_lock(struct backend *backend, struct stack_ref stack)
{
    for (struct backend_lock *lock = backend->locks; lock; lock = lock->next)
        if (str_equal(lock->stack.project, stack.project)
            && str_equal(lock->stack.name, stack.name))
            return lock;
    return NULL;
}

static struct backend_lock *add_lock(struct backend *backend, struct stack_ref stack)
{
    struct backend_lock *lock = memory_zalloc(sizeof(*lock));

    lock->backend = backend;
    lock->stack.project = arena_copy(&lock->arena, stack.project);
    lock->stack.name = arena_copy(&lock->arena, stack.name);
    lock->next = backend->locks;
    backend->locks = lock;
    return lock;
}

static void drop_lock(struct backend_lock *owned)
{
    struct backend_lock **link = &owned->backend->locks;

    while (*link != owned)
        link = &(*link)->next;
    *link = owned->next;
    arena_release(&owned->arena);
    free(owned);
}

static struct error *run_lock(struct call *call)
{
    return call->backend->ops->lock(call->backend, call->stack);
}

fallible backend_lock(struct backend *backend, struct stack_ref stack, struct backend_lock **out)
{
    struct error *failure = NULL;

    signals_hold(); /* who is ended by a signal while it has the lock leaves the lock behind */
    semaphore_wait_uncancelable(&backend->lock_turn);
    struct backend_lock *lock = find_lock(backend, stack);
    if (!lock) {
        struct call call = { .run = run_lock, .backend = backend, .stack = stack };
        failure = make_call(&call, NULL);
    }
    if (!failure) {
        *out = lock ? lock : add_lock(backend, stack);
        (*out)->users++;
    }
    semaphore_post(&backend->lock_turn);
    if (failure)
        signals_let();
    else
        fault_point("lock.taken");
    return failure;
}

static struct error *run_unlock(struct call *call)
{
    return call->backend->ops->unlock(call->backend, call->stack);
}

fallible backend_unlock(struct backend_lock *owned)
{
    struct backend *backend = owned->backend;
    struct error *failure = NULL;

    semaphore_wait_uncancelable(&backend->lock_turn);
    if (--owned->users == 0) {
        fault_point("lock.before-release");
        struct call call = { .run = run_unlock, .backend = backend, .stack = owned->stack };
        failure = make_call(&call, NULL);
        drop_lock(owned);
        fault_point("lock.after-release");
    }
    semaphore_post(&backend->lock_turn);
    signals_let();
    return failure;
}

void backend_close(struct backend *owned)
{
    if (!owned)
        return;
    while (owned->locks) {
        owned->locks->users = 1;
        error_ignore(backend_unlock(owned->locks), "`pulumi cancel` removes what stays");
    }
    owned->ops->close(owned);
}

static struct error *run_break_locks(struct call *call)
{
    return call->backend->ops->break_locks(call->backend, call->stack, call->count);
}

fallible backend_break_locks(struct backend *backend, struct stack_ref stack, size_t *count)
{
    struct call call = {
        .run = run_break_locks, .backend = backend, .stack = stack, .count = count
    };
    return make_call(&call, NULL);
}

/* The call with the stack locked around it. */
static fallible make_locked_call(struct call *call)
{
    struct backend_lock *lock;

    TRY(backend_lock(call->backend, call->stack, &lock));
    struct error *failure = make_call(call, NULL);
    return error_join(failure, backend_unlock(lock));
}

/* --- stacks --- */

static struct error *run_create(struct call *call)
{
    return call->backend->ops->create(call->backend, call->stack, call->snapshot);
}

fallible backend_create_stack(struct backend *backend, struct stack_ref stack,
                              const struct snapshot *initial)
{
    struct call call = {
        .run = run_create, .backend = backend, .stack = stack, .snapshot = initial
    };
    return make_locked_call(&call);
}

static struct error *run_exists(struct call *call)
{
    return call->backend->ops->exists(call->backend, call->stack, call->flag);
}

fallible backend_stack_exists(struct backend *backend, struct stack_ref stack, bool *out)
{
    struct call call = { .run = run_exists, .backend = backend, .stack = stack, .flag = out };
    return make_call(&call, NULL);
}

static struct error *run_list(struct call *call)
{
    return call->backend->ops->list(call->backend, &call->arena, call->project,
                                    call->out.summaries);
}

fallible backend_list_stacks(struct backend *backend, struct arena *arena, str project,
                             struct stack_summaries *out)
{
    struct call call = {
        .run = run_list, .backend = backend, .project = project, .out.summaries = out
    };
    return make_call(&call, arena);
}

static struct error *run_remove(struct call *call)
{
    return call->backend->ops->remove(call->backend, call->stack, call->force,
                                      call->removes_backups);
}

fallible backend_remove_stack(struct backend *backend, struct stack_ref stack, bool force,
                              bool removes_backups)
{
    struct call call = {
        .run = run_remove,
        .backend = backend,
        .stack = stack,
        .force = force,
        .removes_backups = removes_backups,
    };
    return make_locked_call(&call);
}

static struct error *run_rename(struct call *call)
{
    return call->backend->ops->rename(call->backend, call->stack, call->renamed, call->snapshot);
}

fallible backend_rename_stack(struct backend *backend, struct stack_ref stack,
                              struct stack_ref renamed, const struct snapshot *snapshot)
{
    struct call call = {
        .run = run_rename,
        .backend = backend,
        .stack = stack,
        .renamed = renamed,
        .snapshot = snapshot,
    };
    struct backend_lock *target;

    TRY(backend_lock(backend, renamed, &target));
    struct error *failure = make_locked_call(&call);
    return error_join(failure, backend_unlock(target));
}

static struct error *run_upgrade(struct call *call)
{
    return call->backend->ops->upgrade(call->backend, &call->arena, call->out.upgrade);
}

fallible backend_upgrade(struct backend *backend, struct arena *arena, struct layout_upgrade *out)
{
    struct call call = { .run = run_upgrade, .backend = backend, .out.upgrade = out };
    return make_call(&call, arena);
}

/* --- state --- */

static struct error *run_load(struct call *call)
{
    return call->backend->ops->load(call->backend, call->stack, &call->arena, call->out.snapshot,
                                    call->flag);
}

fallible backend_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                      struct snapshot *out, bool *has_deployment)
{
    struct call call = {
        .run = run_load,
        .backend = backend,
        .stack = stack,
        .out.snapshot = out,
        .flag = has_deployment,
    };
    return make_call(&call, arena);
}

static struct error *run_save(struct call *call)
{
    return call->backend->ops->save(call->backend, call->stack, call->snapshot);
}

fallible backend_save(struct backend *backend, struct stack_ref stack,
                      const struct snapshot *snapshot)
{
    struct call call = {
        .run = run_save, .backend = backend, .stack = stack, .snapshot = snapshot
    };
    return make_call(&call, NULL);
}

/* --- journal --- */

static struct error *run_open_journal(struct call *call)
{
    return call->backend->ops->open_journal(call->backend, call->stack, call->out.journal);
}

fallible journal_open(struct backend *backend, struct stack_ref stack, struct journal **out)
{
    struct call call = {
        .run = run_open_journal, .backend = backend, .stack = stack, .out.journal = out
    };
    return make_call(&call, NULL);
}

fallible journal_append(struct journal *journal, str record, bool waits)
{
    return journal->ops->append(journal, record, waits);
}

fallible journal_fold(struct journal *journal, const struct snapshot *snapshot)
{
    return journal->ops->fold(journal, snapshot);
}

void journal_close(struct journal *owned)
{
    if (owned)
        owned->ops->close(owned);
}

/* --- history and tags --- */

static struct error *run_add_history(struct call *call)
{
    return call->backend->ops->add_history(call->backend, call->stack, call->entry);
}

fallible backend_add_history(struct backend *backend, struct stack_ref stack,
                             const struct history_entry *entry)
{
    struct call call = {
        .run = run_add_history, .backend = backend, .stack = stack, .entry = entry
    };
    return make_call(&call, NULL);
}

static struct error *run_history(struct call *call)
{
    return call->backend->ops->history(call->backend, call->stack, &call->arena, call->page,
                                       call->page_size, call->out.history);
}

fallible backend_history(struct backend *backend, struct stack_ref stack, struct arena *arena,
                         size_t page, size_t page_size, struct history *out)
{
    struct call call = {
        .run = run_history,
        .backend = backend,
        .stack = stack,
        .page = page,
        .page_size = page_size,
        .out.history = out,
    };
    return make_call(&call, arena);
}

static struct error *run_tags(struct call *call)
{
    return call->backend->ops->tags(call->backend, call->stack, &call->arena, call->out.tags);
}

fallible backend_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                      struct tags *out)
{
    struct call call = { .run = run_tags, .backend = backend, .stack = stack, .out.tags = out };
    return make_call(&call, arena);
}

static struct error *run_set_tags(struct call *call)
{
    return call->backend->ops->set_tags(call->backend, call->stack, call->tags);
}

fallible backend_set_tags(struct backend *backend, struct stack_ref stack, const struct tags *tags)
{
    struct call call = { .run = run_set_tags, .backend = backend, .stack = stack, .tags = tags };
    return make_call(&call, NULL);
}
