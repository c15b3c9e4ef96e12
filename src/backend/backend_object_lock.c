/* backend_object_lock.c — one small object for each holder of a stack's lock; a process that sees
 * another's withdraws its own. */
#include "backend/backend_object_ops.h"

#include "backend/diy_lock.h"
#include "base/log.h"
#include "base/vec.h"
#include "fiber/parallel.h"

/* The protocol of the reference without its first look: write ours, then look. The look comes after
 * the other's write for at least one of two rivals, so both may lose but never both win. In the
 * same round trip as the look: what the stack is, now that it is ours, and whether the store obeys
 * conditions. */

static str object_lock_key(const struct object_backend *object, struct arena *arena,
                           struct stack_ref stack)
{
    return arena_concat(arena, diy_lock_folder(object->layout, arena, stack), STR("/"),
                        object->lock_id, STR(".json"));
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

static str object_session_name(const struct object_backend *object, struct arena *arena,
                               struct stack_ref stack)
{
    return diy_lock_folder(object->layout, arena, stack);
}

/* Refuses if anybody but us has a lock. `is_alone`: the store says that no process lives which
 * holds the session lock, so the lock objects of those that had one are left over. */
static fallible object_check_others(struct object_backend *object, struct object_locks *locks,
                                    bool is_alone)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf owners = { 0 };
    size_t count = 0;

    TRY(object_store_get_many(object->store, &scratch, locks->keys, locks->contents));
    for (size_t i = 0; i < locks->keys.len; i++) {
        str key = locks->keys.items[i];
        struct lock_owner owner;
        if (!locks->contents[i].exists)
            continue; /* gone meanwhile */
        lock_owner_parse(&scratch, locks->contents[i].bytes, &owner);
        if (is_alone && owner.has_session) {
            log_info("lock", "removed the lock of pid %lld on " STR_FMT ", which is gone",
                     (long long)owner.pid, STR_ARG(owner.host));
            TRY(object->store->ops->remove(object->store, key));
            continue;
        }
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
    struct object_locks others;
    struct object_state state;
};

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

static fallible object_take_lock(struct object_locking *locking, bool is_alone)
{
    struct object_backend *object = locking->object;

    TRY(parallel_each(LOCK_QUESTIONS, LOCK_QUESTIONS, object_lock_ask, locking));
    TRY(object_check_others(object, &locking->others, is_alone));
    object_remember(object, locking->stack, &locking->state, true);
    return NULL;
}

static fallible object_session_unlock(struct object_backend *object, struct arena *arena,
                                      struct stack_ref stack)
{
    if (!object->store->ops->session_unlock)
        return NULL;
    return object->store->ops->session_unlock(object->store,
                                              object_session_name(object, arena, stack));
}

fallible object_lock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_locking locking = { .object = object, .arena = &scratch, .stack = stack };
    bool has_session = object->store->ops->session_lock != NULL, is_alone = false;
    struct object_put_result result;

    lock_owner_format(&text, &scratch, &backend->options, has_session);
    locking.key = object_lock_key(object, &scratch, stack);
    locking.text = strbuf_str(&text);
    if (has_session)
        TRY(object->store->ops->session_lock(
            object->store, object_session_name(object, &scratch, stack), &is_alone));
    struct error *failure =
        object->store->ops->put(object->store, &scratch, locking.key, locking.text,
                                (struct object_condition){ 0 }, &result);
    failure = error_wrap(failure, "cannot lock the stack");
    if (!failure)
        failure = object_take_lock(&locking, is_alone);
    if (!failure)
        return NULL;
    failure = error_join(failure, object->store->ops->remove(object->store, locking.key));
    return error_join(failure, object_session_unlock(object, &scratch, stack));
}

struct object_unlocking {
    struct object_backend *object;
    str key;
};

static struct error *object_unlock_part(void *unlocking_, size_t index)
{
    struct object_unlocking *unlocking = unlocking_;

    return index == 0
               ? unlocking->object->store->ops->remove(unlocking->object->store, unlocking->key)
               : object_sweep(unlocking->object, true);
}

fallible object_unlock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_unlocking unlocking = { object, object_lock_key(object, &scratch, stack) };

    object_forget(object, stack);
    struct error *failure = parallel_each(2, 2, object_unlock_part, &unlocking);
    failure = error_join(failure, object_session_unlock(object, &scratch, stack));
    return error_wrap(failure,
                      "there was a problem deleting the lock at " STR_FMT
                      ", manual clean up may be required",
                      STR_ARG(object_show(object, &scratch, unlocking.key)));
}

fallible object_break_locks(struct backend *backend, struct stack_ref stack, size_t *count)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_state state;
    struct object_locks locks;

    TRY(object_list_locks(object, &scratch, stack, true, &locks));
    *count = locks.keys.len;
    if (locks.keys.len == 0)
        return NULL;
    /* First its owner is kept from writing, then the next one may come. */
    TRY(object_read(object, &scratch, stack, &state));
    struct error *failure = object_take_over(object, &scratch, stack, true, &state);
    object_forget(object, stack);
    failure = error_join(failure, object_store_remove_many(object->store, locks.keys));
    /* Who had just begun when we looked is found now. */
    return error_join(failure, object_stop_owners(object, stack, locks.keys));
}
