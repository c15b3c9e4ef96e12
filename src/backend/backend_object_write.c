/* backend_object_write.c — replaces the checkpoint of a stack, if it is still the one that is
 * known. */
#include "backend/backend_object_ops.h"
#include "backend/backend_object_lock.h"

#include "backend/diy_checkpoint.h"
#include "backend/stack_errors.h"
#include "base/clock.h"
#include "base/fault.h"
#include "fiber/offload.h"
#include "fiber/parallel.h"

/* Invariants:
 * 1. At every moment at least one checkpoint object exists under its name and is whole.
 * 2. A checkpoint is replaced only on condition that it is the one that was read under our lock, so
 *    a process whose lock was broken, and whose stack was used by another since, changes nothing.
 */

/* --- bytes --- */

struct object_encoding {
    struct stack_ref stack;
    const struct snapshot *snapshot;
    enum compression compression;
    struct strbuf out;
    struct error *failure;
};

static void object_encode_on_thread(void *encoding_)
{
    struct object_encoding *encoding = encoding_;

    encoding->failure = diy_checkpoint_encode(&encoding->out, encoding->stack, encoding->snapshot,
                                              encoding->compression);
}

fallible object_encode(struct object_backend *object, struct arena *arena, struct stack_ref stack,
                       const struct snapshot *snapshot, str *out)
{
    struct object_encoding encoding = { .stack = stack,
                                        .snapshot = snapshot,
                                        .compression = object->compression };

    offload(object_encode_on_thread, &encoding);
    *out = arena_copy(arena, strbuf_str(&encoding.out));
    strbuf_release(&encoding.out);
    return encoding.failure;
}

/* --- where there is no condition to rely on --- */

fallible object_check_lock(struct object_backend *object, struct stack_ref stack, bool *is_lost)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object found;

    if (!object_is_locked(object, stack))
        return NULL;
    TRY(object->store->ops->get(object->store, &scratch, object_lock_key(object, &scratch, stack),
                                &found));
    *is_lost = !found.exists;
    return found.exists ? NULL : stack_replaced(stack);
}

struct object_owner_check {
    struct object_backend *object;
    struct stack_ref stack;
    const struct object_checkpoint *checkpoint;
};

static struct error *object_check_one(void *check_, size_t index)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_owner_check *check = check_;
    struct object_store *store = check->object->store;
    struct object found;
    bool is_lost;

    if (index == 1)
        return object_check_lock(check->object, check->stack, &is_lost);
    TRY(store->ops->get(store, &scratch, check->checkpoint->key, &found));
    return found.exists == check->checkpoint->exists
                   && str_equal(found.bytes, check->checkpoint->bytes)
               ? NULL
               : stack_replaced(check->stack);
}

static fallible object_look_for_owner(struct object_backend *object, struct stack_ref stack,
                                      const struct object_checkpoint *checkpoint)
{
    struct object_owner_check check = { object, stack, checkpoint };

    return parallel_each(2, 2, object_check_one, &check);
}

fallible object_check_owner(struct object_backend *object, struct stack_ref stack,
                            const struct object_checkpoint *checkpoint)
{
    return object->store->conditions == CONDITIONS_IGNORED
               ? object_look_for_owner(object, stack, checkpoint)
               : NULL;
}

/* --- the checkpoint --- */

static fallible object_back_up(struct object_backend *object, struct arena *arena,
                               const struct object_writing *writing)
{
    if (!writing->former->exists || !writing->keeps_backup)
        return NULL;
    return object_copy(object, writing->stack, writing->former->key,
                       arena_concat(arena, writing->former->key, STR(".bak")));
}

static fallible object_retain(struct object_backend *object, struct arena *arena,
                              struct stack_ref stack, str key)
{
    if (!object->backend.options.diy.retains_checkpoints)
        return NULL;
    return object_copy(object, stack, key,
                       arena_printf(arena, "%s.%lld", key.ptr, (long long)clock_now()));
}

static fallible object_replace(struct object_backend *object, struct arena *arena,
                               const struct object_writing *writing, str key,
                               struct object_put_result *result)
{
    const struct object_checkpoint *former = writing->former;
    bool is_same_key = former->exists && str_equal(former->key, key);
    struct object_condition condition = { .is_absent = !former->exists };

    if (is_same_key)
        condition.version = former->version;
    if (object->store->conditions == CONDITIONS_IGNORED)
        condition = (struct object_condition){ 0 };
    condition.guard = object_guard(object, arena, writing->stack);
    /* In another format it goes to another key; what is there, if anything, was left behind. */
    bool changes_format = former->exists && !is_same_key;
    TRY(changes_format ? object_look_for_owner(object, writing->stack, former)
                       : object_check_owner(object, writing->stack, former));
    TRY(object_back_up(object, arena, writing));
    fault_point("checkpoint.before-rename");
    TRY(object->store->ops->put(object->store, arena, key, writing->bytes, condition, result));
    fault_point("checkpoint.after-rename");
    return NULL;
}

fallible object_put_checkpoint(struct object_backend *object, struct arena *arena,
                               const struct object_writing *writing,
                               struct object_checkpoint *written)
{
    const struct object_checkpoint *former = writing->former;
    const char *extension =
        arena_printf(arena, ".json%s", compression_extensions[object->compression]).ptr;
    str key = diy_stack_path(object->layout, arena, writing->stack, extension);
    struct object_put_result result;

    TRY(error_wrap(object_replace(object, arena, writing, key, &result),
                   "cannot save the state to '" STR_FMT "' (the former state is untouched)",
                   STR_ARG(object_show(object, arena, key))));
    if (!result.is_met)
        return stack_replaced(writing->stack);
    *written = (struct object_checkpoint){
        .exists = true,
        .format = object->compression,
        .key = key,
        .bytes = writing->bytes,
        .version = result.version,
        .has_backup = former->exists,
    };
    if (former->exists && !str_equal(former->key, key))
        TRY(object->store->ops->remove(object->store, former->key));
    object_remember_checkpoint(object, writing->stack, written);
    return object_retain(object, arena, writing->stack, key);
}

/* --- operations --- */

fallible object_create(struct backend *backend, struct stack_ref stack,
                       const struct snapshot *initial)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_checkpoint written;
    struct object_state state;
    str bytes;

    TRY(object_look(object, &scratch, stack, &state));
    if (state.checkpoint.exists)
        return stack_exists_already(stack);
    TRY(object_encode(object, &scratch, stack, initial, &bytes));
    return object_put_checkpoint(
        object, &scratch,
        &(struct object_writing){ .stack = stack, .former = &state.checkpoint, .bytes = bytes },
        &written);
}

fallible object_save(struct backend *backend, struct stack_ref stack,
                     const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_checkpoint written;
    struct object_state state;
    str bytes;

    TRY(object_look(object, &scratch, stack, &state));
    TRY(object_encode(object, &scratch, stack, snapshot, &bytes));
    TRY(object_put_checkpoint(
        object, &scratch,
        &(struct object_writing){
            .stack = stack, .former = &state.checkpoint, .bytes = bytes, .keeps_backup = true },
        &written));
    return object_end_journals(object, stack, &state);
}
