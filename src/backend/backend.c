/* backend.c — finds the kind of backend for a URL, and carries every call to where it works. */
#include "backend/backend.h"

#include "backend/backend_ops.h"
#include "base/fault.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/offload.h"
#include "fiber/signals.h"
#include "fiber/sync.h"
#include "pq/pq_url.h"

#include <stdlib.h>

/* --- calls --- */

/* One call on its way. It has an arena of its own, because the caller's may serve other fibers
 * meanwhile. */
struct call {
    fallible (*run)(struct call *call);
    struct backend *backend;
    struct arena arena;
    struct error *failure;
};

/* Describes the calls of an operation: its arguments as members, and how they are handed over,
 * where `c` is the call. */
#define CARRIED(op, members, ...)                                  \
    struct op##_call {                                             \
        struct call call;                                          \
        members                                                    \
    };                                                             \
    static struct error *run_##op(struct call *call)               \
    {                                                              \
        struct op##_call *c = (struct op##_call *)call;            \
        return call->backend->ops->op(call->backend, __VA_ARGS__); \
    }

/* clang-format off */ /* it takes the stars of these members for products */
CARRIED(create, struct stack_ref stack; const struct snapshot *initial;, c->stack, c->initial)
CARRIED(exists, struct stack_ref stack; bool *out;, c->stack, c->out)
CARRIED(list, str project; struct stack_summaries *out;, &call->arena, c->project, c->out)
CARRIED(remove, struct stack_ref stack; bool force; bool removes_backups;,
        c->stack, c->force, c->removes_backups)
CARRIED(rename, struct stack_ref stack; struct stack_ref renamed; const struct snapshot *snapshot;,
        c->stack, c->renamed, c->snapshot)
CARRIED(upgrade, struct layout_upgrade *out;, &call->arena, c->out)
CARRIED(load, struct stack_ref stack; struct snapshot *out; bool *has_deployment;,
        c->stack, &call->arena, c->out, c->has_deployment)
CARRIED(load_version, struct stack_ref stack; str version; struct snapshot *out;
        bool *has_deployment;, c->stack, c->version, &call->arena, c->out, c->has_deployment)
CARRIED(config_location, struct stack_ref stack; struct config_location *out;,
        c->stack, &call->arena, c->out)
CARRIED(save, struct stack_ref stack; const struct snapshot *snapshot;, c->stack, c->snapshot)
CARRIED(lock, struct stack_ref stack;, c->stack)
CARRIED(unlock, struct stack_ref stack;, c->stack)
CARRIED(describe_locks, struct stack_ref stack; struct strs *out;, c->stack, &call->arena, c->out)
CARRIED(break_locks, struct stack_ref stack; size_t *count;, c->stack, c->count)
CARRIED(add_history, struct stack_ref stack; const struct history_entry *entry;, c->stack, c->entry)
CARRIED(history, struct stack_ref stack; size_t page; size_t page_size; struct history *out;,
        c->stack, &call->arena, c->page, c->page_size, c->out)
CARRIED(tags, struct stack_ref stack; struct tags *out;, c->stack, &call->arena, c->out)
CARRIED(change_tag, struct stack_ref stack; str name; const str *value;,
        c->stack, c->name, c->value)
CARRIED(open_journal, struct stack_ref stack; struct journal **out;, c->stack, c->out)
/* clang-format on */

/* A call of one of them. */
#define CALL(op, backend, ...) \
    (&(struct op##_call){ { .run = run_##op, .backend = (backend) }, __VA_ARGS__ }.call)

static void backend_run_call(void *call_)
{
    struct call *call = call_;
    call->failure = call->run(call);
}

static void place_call(const struct backend_ops *ops, struct call *call)
{
    switch (ops->place) {
    case BACKEND_ON_THREADS: offload(backend_run_call, call); return;
    case BACKEND_ON_FIBERS: backend_run_call(call); return;
    }
}

/* Makes it and hands what it allocated to the caller's arena (NULL: nothing is kept). */
static fallible make_call(struct call *call, struct arena *arena)
{
    place_call(call->backend->ops, call);
    if (arena && !call->failure)
        arena_adopt(arena, &call->arena);
    arena_release(&call->arena);
    return call->failure;
}

/* Until unshield, cancellation does not reach the fiber. */
static struct cancel *shield(const struct backend *backend)
{
    return fiber_self() ? cancel_enter(backend->shield) : NULL;
}

static void unshield(struct cancel *former)
{
    if (former)
        cancel_enter(former);
}

/* For what changes something: half of it would be worse than the wait for the rest. */
static fallible make_whole_call_for(struct call *call, struct arena *arena)
{
    struct cancel *former = shield(call->backend);
    struct error *failure = make_call(call, arena);

    unshield(former);
    return failure;
}

static fallible make_whole_call(struct call *call)
{
    return make_whole_call_for(call, NULL);
}

/* --- open and close --- */

void backend_init(struct backend *backend, const struct backend_ops *ops,
                  const struct backend_options *options)
{
    struct arena *arena = &backend->arena;

    backend->ops = ops;
    backend->options = (struct backend_options){
        .url = arena_copy(arena, options->url),
        .home = arena_copy(arena, options->home),
        .user = arena_copy(arena, options->user),
        .host = arena_copy(arena, options->host),
        .diy = options->diy,
        .organization = arena_copy(arena, options->organization),
        .project_tags = pairs_copy(arena, options->project_tags),
        .warn = options->warn,
        .warn_context = options->warn_context,
    };
    backend->url = ops->public_url ? ops->public_url(arena, options->url) : backend->options.url;
    backend->lock_turn.available = 1;
}

void backend_release(struct backend *backend)
{
    free(backend->note);
    vec_release(&backend->reported);
    arena_release(&backend->arena);
}

struct open_call {
    struct call call;
    const struct backend_ops *ops;
    const struct backend_options *options;
    struct backend **out;
};

static struct error *run_open(struct call *call)
{
    struct open_call *c = (struct open_call *)call;
    return c->ops->open(c->options, c->out);
}

/* "file://PATH", "file://PATH or s3://BUCKET", … */
static str known_forms(struct arena *arena)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (const struct backend_ops *const *kind = backend_kinds; *kind; kind++) {
        if (kind != backend_kinds)
            strbuf_add(&text, kind[1] ? STR(", ") : STR(" or "));
        strbuf_add(&text, str_from((*kind)->form));
    }
    return arena_copy(arena, strbuf_str(&text));
}

const struct backend_ops *backend_kind(str url)
{
    str scheme = STR(""), rest;

    str_cut(url, STR("://"), &scheme, &rest);
    for (const struct backend_ops *const *kind = backend_kinds; *kind; kind++)
        if (str_equal(scheme, str_from((*kind)->scheme))
            || ((*kind)->other_scheme && str_equal(scheme, str_from((*kind)->other_scheme))))
            return *kind;
    return NULL;
}

/* Of a URL of no kind nobody knows what in it is secret: the usual places. */
str backend_url_public(struct arena *arena, str url)
{
    const struct backend_ops *kind = backend_kind(url);

    if (kind && !kind->public_url)
        return url;
    return kind ? kind->public_url(arena, url) : pq_url_without_password(arena, url);
}

fallible backend_open(const struct backend_options *options, struct backend **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct backend_ops *kind = backend_kind(options->url);

    if (!kind) {
        str shown = backend_url_public(&scratch, options->url);
        return error_new(ERROR_INVALID, "unsupported backend URL '" STR_FMT "': expected " STR_FMT,
                         STR_ARG(shown), STR_ARG(known_forms(&scratch)));
    }
    struct open_call c = { { .run = run_open }, kind, options, out };
    place_call(kind, &c.call);
    if (!c.call.failure)
        (*out)->shield = cancel_open(NULL);
    return c.call.failure;
}

str backend_url(const struct backend *backend)
{
    return backend->url;
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

static struct backend_lock *find_lock(const struct backend *backend, struct stack_ref stack)
{
    for (struct backend_lock *lock = backend->locks; lock; lock = lock->next)
        if (stack_ref_equal(lock->stack, stack))
            return lock;
    return NULL;
}

bool backend_holds_lock(const struct backend *backend, struct stack_ref stack)
{
    return find_lock(backend, stack) != NULL;
}

static struct backend_lock *add_lock(struct backend *backend, struct stack_ref stack)
{
    struct backend_lock *lock = memory_zalloc(sizeof(*lock));

    lock->backend = backend;
    lock->stack.project = arena_copy(&lock->arena, stack.project);
    lock->stack.name = arena_copy(&lock->arena, stack.name);
    lock->stack.organization = arena_copy(&lock->arena, stack.organization);
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

fallible backend_lock(struct backend *backend, struct stack_ref stack, struct backend_lock **out)
{
    struct error *failure = NULL;

    signals_hold(); /* a process that a signal ends while it has the lock leaves it behind */
    semaphore_wait_uncancelable(&backend->lock_turn);
    struct backend_lock *lock = find_lock(backend, stack);
    if (!lock) {
        failure = make_whole_call(CALL(lock, backend, stack));
        log_info("lock", "%s the lock of stack " STR_FMT, failure ? "did not get" : "took",
                 STR_ARG(stack.name));
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

fallible backend_unlock(struct backend_lock *owned)
{
    struct backend *backend = owned->backend;
    struct error *failure = NULL;

    semaphore_wait_uncancelable(&backend->lock_turn);
    if (--owned->users == 0) {
        fault_point("lock.before-release");
        failure = make_whole_call(CALL(unlock, backend, owned->stack));
        log_info("lock", "%s the lock of stack " STR_FMT, failure ? "did not release" : "released",
                 STR_ARG(owned->stack.name));
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
    struct cancel *shield = owned->shield;
    owned->ops->close(owned);
    cancel_close(shield);
}

fallible backend_describe_locks(struct backend *backend, struct stack_ref stack,
                                struct arena *arena, struct strs *out)
{
    *out = (struct strs){ 0 };
    return backend->ops->describe_locks
               ? make_call(CALL(describe_locks, backend, stack, out), arena)
               : NULL;
}

fallible backend_break_locks(struct backend *backend, struct stack_ref stack, size_t *count)
{
    return make_whole_call(CALL(break_locks, backend, stack, count));
}

/* The call with the stack locked around it. */
static fallible make_locked_call(struct call *call, struct stack_ref stack)
{
    struct backend_lock *lock;

    TRY(backend_lock(call->backend, stack, &lock));
    struct error *failure = make_whole_call(call);
    return error_join(failure, backend_unlock(lock));
}

/* --- stacks --- */

fallible backend_create_stack(struct backend *backend, struct stack_ref stack,
                              const struct snapshot *initial)
{
    return make_locked_call(CALL(create, backend, stack, initial), stack);
}

fallible backend_stack_exists(struct backend *backend, struct stack_ref stack, bool *out)
{
    return make_call(CALL(exists, backend, stack, out), NULL);
}

fallible backend_list_stacks(struct backend *backend, struct arena *arena, str project,
                             struct stack_summaries *out)
{
    return make_call(CALL(list, backend, project, out), arena);
}

fallible backend_remove_stack(struct backend *backend, struct stack_ref stack, bool force,
                              bool removes_backups)
{
    return make_locked_call(CALL(remove, backend, stack, force, removes_backups), stack);
}

fallible backend_rename_stack(struct backend *backend, struct stack_ref stack,
                              struct stack_ref renamed, const struct snapshot *snapshot)
{
    struct backend_lock *target;

    TRY(backend_lock(backend, renamed, &target));
    struct error *failure =
        make_locked_call(CALL(rename, backend, stack, renamed, snapshot), stack);
    return error_join(failure, backend_unlock(target));
}

fallible backend_upgrade(struct backend *backend, struct arena *arena, struct layout_upgrade *out)
{
    *out = (struct layout_upgrade){ 0 };
    return backend->ops->upgrade ? make_whole_call_for(CALL(upgrade, backend, out), arena) : NULL;
}

/* --- state --- */

void backend_note(struct backend *backend, str text)
{
    char *copy = memory_alloc(text.len + 1);

    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    free(atomic_exchange(&backend->note, copy));
}

static void tell_note(struct backend *backend)
{
    char *note = atomic_exchange(&backend->note, NULL);
    str text = note ? arena_copy(&backend->arena, str_from(note)) : STR("");

    free(note);
    if (!text.len || !backend->options.warn
        || strs_has((struct strs){ backend->reported.items, backend->reported.len }, text))
        return;
    vec_add(&backend->reported, text);
    backend->options.warn(backend->options.warn_context, text);
}

fallible backend_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                      struct snapshot *out, bool *has_deployment)
{
    TRY(make_call(CALL(load, backend, stack, out, has_deployment), arena));
    tell_note(backend);
    return NULL;
}

fallible backend_load_version(struct backend *backend, struct stack_ref stack, str version,
                              struct arena *arena, struct snapshot *out, bool *has_deployment)
{
    if (!backend->ops->load_version)
        return error_new(ERROR_INVALID,
                         "the current backend (" STR_FMT
                         ") does not provide the ability to export previous deployments",
                         STR_ARG(backend->options.host));
    return make_call(CALL(load_version, backend, stack, version, out, has_deployment), arena);
}

fallible backend_save(struct backend *backend, struct stack_ref stack,
                      const struct snapshot *snapshot)
{
    return make_whole_call(CALL(save, backend, stack, snapshot));
}

fallible backend_config_location(struct backend *backend, struct stack_ref stack,
                                 struct arena *arena, struct config_location *out)
{
    *out = (struct config_location){ 0 };
    return backend->ops->config_location
               ? make_call(CALL(config_location, backend, stack, out), arena)
               : NULL;
}

/* --- journal --- */

fallible journal_open(struct backend *backend, struct stack_ref stack, struct journal **out)
{
    TRY(make_whole_call(CALL(open_journal, backend, stack, out)));
    (*out)->backend = backend;
    return NULL;
}

bool journal_is_far(const struct journal *journal)
{
    return journal && journal->ops->is_far;
}

bool journal_knows_base(const struct journal *journal)
{
    return journal && journal->ops->knows_base;
}

fallible journal_append(struct journal *journal, str record, bool waits)
{
    struct cancel *former = shield(journal->backend);
    struct error *failure = journal->ops->append(journal, record, waits);

    unshield(former);
    return failure;
}

fallible journal_fold(struct journal *journal, const struct snapshot *snapshot)
{
    struct cancel *former = shield(journal->backend);
    struct error *failure = journal->ops->fold(journal, snapshot);

    unshield(former);
    return failure;
}

void journal_close(struct journal *owned)
{
    if (!owned)
        return;
    struct cancel *former = shield(owned->backend);
    owned->ops->close(owned);
    unshield(former);
}

/* --- operations that a kind keeps track of --- */

bool backend_tracks_updates(const struct backend *backend)
{
    return backend->ops->begin_update != NULL;
}

fallible backend_begin_update(struct backend *backend, struct stack_ref stack,
                              const struct update_facts *facts, struct update **out)
{
    *out = NULL;
    if (!backend->ops->begin_update)
        return NULL;
    struct cancel *former = shield(backend);
    struct error *failure = backend->ops->begin_update(backend, stack, facts, out);
    unshield(former);
    if (!failure)
        (*out)->backend = backend;
    return failure;
}

void update_add_event(struct update *update, str event)
{
    if (update)
        update->backend->ops->add_event(update, event);
}

fallible update_end(struct update *owned, bool has_succeeded)
{
    if (!owned)
        return NULL;
    struct backend *backend = owned->backend;
    struct cancel *former = shield(backend);
    struct error *failure = backend->ops->end_update(owned, has_succeeded);
    unshield(former);
    return failure;
}

/* --- history and tags --- */

fallible backend_add_history(struct backend *backend, struct stack_ref stack,
                             const struct history_entry *entry)
{
    return make_whole_call(CALL(add_history, backend, stack, entry));
}

fallible backend_history(struct backend *backend, struct stack_ref stack, struct arena *arena,
                         size_t page, size_t page_size, struct history *out)
{
    return make_call(CALL(history, backend, stack, page, page_size, out), arena);
}

fallible backend_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                      struct tags *out)
{
    return make_call(CALL(tags, backend, stack, out), arena);
}

fallible backend_change_tag(struct backend *backend, struct stack_ref stack, str name,
                            const str *value)
{
    return make_whole_call(CALL(change_tag, backend, stack, name, value));
}
