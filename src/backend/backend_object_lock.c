/* backend_object_lock.c — one small object for each holder of a stack's lock; a process that sees
 * another's withdraws its own. */
#include "backend/backend_object_ops.h"
#include "backend/backend_object_lock.h"

#include "backend/diy_lock.h"
#include "backend/object_lock_ops.h"
#include "base/log.h"
#include "base/strs.h"
#include "base/vec.h"
#include "fiber/parallel.h"

/* The protocol of the reference without its first look: write ours, then look. The look comes after
 * the other's write for at least one of two rivals, so both may lose but never both win. In the
 * same round trip as the look: what the stack is, now that it is ours, and whether the store obeys
 * conditions. A store whose requests keep their order (object_lock_ops.h) gets the write in that
 * round trip, too. */

str object_lock_key(const struct object_backend *object, struct arena *arena,
                    struct stack_ref stack)
{
    return arena_concat(arena, diy_lock_folder(object->layout, arena, stack), STR("/"),
                        object->lock_id, STR(".json"));
}

str object_guard(const struct object_backend *object, struct arena *arena, struct stack_ref stack)
{
    bool is_guarded = object->store->ops->locks && backend_holds_lock(&object->backend, stack);

    return is_guarded ? object_lock_key(object, arena, stack) : STR("");
}

fallible object_copy(struct object_backend *object, struct stack_ref stack, str from, str to)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str guard = object_guard(object, &scratch, stack);
    bool is_found;

    return guard.len > 0
               ? object->store->ops->locks->copy_guarded(object->store, from, to, guard, &is_found)
               : object_store_copy(object->store, from, to, &is_found);
}

/* --- others --- */

struct object_locks {
    struct strs keys; /* without ours */
    struct object *contents;
};

static fallible object_list_locks(struct object_backend *object, struct arena *arena,
                                  struct stack_ref stack, bool with_own, struct object_locks *out)
{
    str folder = arena_concat(arena, diy_lock_folder(object->layout, arena, stack), STR("/"));
    str own = object_lock_key(object, arena, stack);
    struct object_list list;
    size_t len = 0;

    TRY(object->store->ops->list(object->store, arena, folder, true, &list));
    str *keys = ARENA_ARRAY(arena, str, list.len);
    for (size_t i = 0; i < list.len; i++)
        if ((with_own || !str_equal(list.items[i].key, own))
            && !str_ends_with(list.items[i].key, STR(".attrs")))
            keys[len++] = list.items[i].key;
    out->keys = (struct strs){ keys, len };
    out->contents = ARENA_ARRAY(arena, struct object, len);
    return NULL;
}

/* Where the store can tell that the process of a lock has ended, the lock is removed. */
static fallible object_remove_left(struct object_backend *object, str key, str bytes,
                                   const struct lock_owner *owner, bool *was_left)
{
    *was_left = false;
    if (!owner->has_session || !object->store->ops->locks)
        return NULL;
    TRY(object->store->ops->locks->remove_left(object->store, key, bytes, was_left));
    if (*was_left)
        log_info("lock",
                 "removed the lock of " STR_FMT "@" STR_FMT " (pid %lld) of " STR_FMT
                 ", whose session has ended",
                 STR_ARG(owner->user), STR_ARG(owner->host), (long long)owner->pid,
                 STR_ARG(owner->time));
    return NULL;
}

/* Refuses if anybody but us has a lock. *was_left: a lock was removed whose process had ended. */
static fallible object_check_others(struct object_backend *object, struct object_locks *locks,
                                    bool *was_left)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf owners = { 0 };
    size_t count = 0;

    TRY(object_store_get_many(object->store, &scratch, locks->keys, locks->contents));
    for (size_t i = 0; i < locks->keys.len; i++) {
        str key = locks->keys.items[i];
        struct lock_owner owner;
        bool is_left;
        if (!locks->contents[i].exists)
            continue; /* gone meanwhile */
        lock_owner_parse(&scratch, locks->contents[i].bytes, &owner);
        TRY(object_remove_left(object, key, locks->contents[i].bytes, &owner, &is_left));
        *was_left = *was_left || is_left;
        if (is_left)
            continue;
        lock_owner_describe(&owners, &scratch, object_show(object, &scratch, key), &owner,
                            &object->backend.options);
        count++;
    }
    return lock_refused(count, strbuf_str(&owners));
}

/* --- ours --- */

struct object_locking {
    struct object_backend *object;
    struct arena *arena;
    struct stack_ref stack;
    str key;
    str text;
    bool is_late; /* what was asked for together with it may have been answered before */
    struct object_locks others;
    struct object_state state;
};

static fallible object_put_lock(struct object_locking *locking)
{
    struct object_store *store = locking->object->store;
    struct object_put_result result;
    struct error *failure =
        store->ops->locks
            ? store->ops->locks->put(store, locking->key, locking->text, &locking->is_late)
            : store->ops->put(store, locking->arena, locking->key, locking->text,
                              (struct object_condition){ 0 }, &result);

    return error_wrap(failure, "cannot lock the stack");
}

/* What is asked for at the same time, once our lock is there. */
static struct error *object_lock_ask(void *locking_, size_t index)
{
    enum { OTHERS, STATE };
    struct object_locking *locking = locking_;
    struct object_backend *object = locking->object;
    struct arena arena = { 0 };
    struct error *failure;

    if (index == OTHERS)
        failure = object_list_locks(object, &arena, locking->stack, false, &locking->others);
    else if (index == STATE)
        failure = object_read(object, &arena, locking->stack, &locking->state);
    else
        failure = object_store_probe(object->store, locking->key, locking->text);
    arena_adopt(locking->arena, &arena);
    return failure;
}

enum { LOCK_QUESTIONS = 3 };

static struct error *object_lock_put_and_ask(void *locking, size_t index)
{
    return index == 0 ? object_put_lock(locking) : object_lock_ask(locking, index - 1);
}

static fallible object_take_lock(struct object_locking *locking)
{
    struct object_backend *object = locking->object;
    bool keeps_order = object->store->ops->locks != NULL, was_left = false;

    if (keeps_order)
        TRY(parallel_each(1 + LOCK_QUESTIONS, 1 + LOCK_QUESTIONS, object_lock_put_and_ask,
                          locking));
    else
        TRY(object_put_lock(locking));
    if (!keeps_order || locking->is_late)
        TRY(parallel_each(LOCK_QUESTIONS, LOCK_QUESTIONS, object_lock_ask, locking));
    TRY(object_check_others(object, &locking->others, &was_left));
    /* It may have written until its lock was removed. */
    if (was_left)
        TRY(object_read(object, locking->arena, locking->stack, &locking->state));
    object_remember(object, locking->stack, &locking->state, true);
    return NULL;
}

static fallible object_remove_lock(struct object_backend *object, str key)
{
    return object->store->ops->locks ? object->store->ops->locks->remove(object->store, key)
                                     : object->store->ops->remove(object->store, key);
}

fallible object_lock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_locking locking = { .object = object, .arena = &scratch, .stack = stack };

    lock_owner_format(&text, &scratch, &backend->options, object->store->ops->locks != NULL);
    locking.key = object_lock_key(object, &scratch, stack);
    locking.text = strbuf_str(&text);
    struct error *failure = object_take_lock(&locking);
    return failure ? error_join(failure, object_remove_lock(object, locking.key)) : NULL;
}

struct object_unlocking {
    struct object_backend *object;
    str key;
};

static struct error *object_unlock_part(void *unlocking_, size_t index)
{
    struct object_unlocking *unlocking = unlocking_;

    return index == 0 ? object_remove_lock(unlocking->object, unlocking->key)
                      : object_sweep(unlocking->object, true);
}

fallible object_unlock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_unlocking unlocking = { object, object_lock_key(object, &scratch, stack) };

    object_forget(object, stack);
    return error_wrap(parallel_each(2, 2, object_unlock_part, &unlocking),
                      "there was a problem deleting the lock at " STR_FMT
                      ", manual clean up may be required",
                      STR_ARG(object_show(object, &scratch, unlocking.key)));
}

/* --- all of a stack --- */

/* An upgrade of the layout that was cut off has left locks of the old one. */
struct object_backend object_of_old_layout(const struct object_backend *object)
{
    struct object_backend old = *object;

    old.layout.is_legacy = true;
    old.known = NULL;
    old.leftovers = NULL;
    return old;
}

static fallible object_describe_at(struct object_backend *object, struct arena *arena,
                                   struct stack_ref stack, struct str_list *lines)
{
    struct object_locks locks;

    TRY(object_list_locks(object, arena, stack, true, &locks));
    TRY(object_store_get_many(object->store, arena, locks.keys, locks.contents));
    for (size_t i = 0; i < locks.keys.len; i++) {
        struct lock_owner owner;
        if (!locks.contents[i].exists)
            continue;
        lock_owner_parse(arena, locks.contents[i].bytes, &owner);
        vec_add(lines, lock_owner_text(arena, &owner));
    }
    return NULL;
}

fallible object_describe_locks(struct backend *backend, struct stack_ref stack, struct arena *arena,
                               struct strs *out)
{
    struct object_backend *object = (struct object_backend *)backend;
    struct object_backend old = object_of_old_layout(object);
    struct str_list lines = { 0 };

    struct error *failure = object_describe_at(object, arena, stack, &lines);
    if (!failure && !object->layout.is_legacy)
        failure = object_describe_at(&old, arena, stack, &lines);
    *out = str_list_keep(arena, &lines);
    str_list_release(&lines);
    return failure;
}

static fallible object_break_at(struct object_backend *object, struct stack_ref stack,
                                size_t *count)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_state state;
    struct object_locks locks;

    TRY(object_list_locks(object, &scratch, stack, true, &locks));
    *count += locks.keys.len;
    if (locks.keys.len == 0)
        return NULL;
    /* Without its lock the owner cannot write. */
    if (object->store->ops->locks) {
        object_forget(object, stack);
        return object_store_remove_many(object->store, locks.keys);
    }
    /* First its owner is kept from writing, then the next one may come. */
    TRY(object_read(object, &scratch, stack, &state));
    struct error *failure = object_take_over(object, &scratch, stack, true, &state);
    object_forget(object, stack);
    failure = error_join(failure, object_store_remove_many(object->store, locks.keys));
    /* Who had just begun when we looked is found now. */
    return error_join(failure, object_stop_owners(object, stack, locks.keys));
}

fallible object_break_locks(struct backend *backend, struct stack_ref stack, size_t *count)
{
    struct object_backend *object = (struct object_backend *)backend;
    struct object_backend old = object_of_old_layout(object);

    *count = 0;
    TRY(object_break_at(object, stack, count));
    if (object->layout.is_legacy)
        return NULL;
    struct error *failure = object_break_at(&old, stack, count);
    object_forget_all(&old);
    return failure;
}
