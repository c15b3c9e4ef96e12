/* backend_object_move.c — the end of a stack, another name for it, and another layout. */
#include "backend/backend_object_ops.h"
#include "backend/backend_object_lock.h"

#include "backend/stack_errors.h"
#include "backend/stack_move.h"
#include "base/vec.h"
#include "fiber/parallel.h"

/* --- many objects --- */

struct object_moves {
    struct object_store *store;
    VEC(struct pair); /* from → to; an empty target: it is removed */
};

static struct error *object_copy_one(void *moves_, size_t index)
{
    struct object_moves *moves = moves_;
    struct pair move = moves->items[index];
    bool is_found;

    return move.value.len > 0 ? object_store_copy(moves->store, move.key, move.value, &is_found)
                              : NULL;
}

/* Copies all, then removes all: cut off anywhere, everything is still somewhere. */
static fallible object_move_all(struct object_moves *moves, struct arena *arena)
{
    str *keys = ARENA_ARRAY(arena, str, moves->len);

    for (size_t i = 0; i < moves->len; i++)
        keys[i] = moves->items[i].key;
    TRY(parallel_each(moves->len, OBJECT_STORE_PARALLEL, object_copy_one, moves));
    return object_store_remove_many(moves->store, (struct strs){ keys, moves->len });
}

/* Everything in the folder of a stack goes to that of another, or away if that is empty. */
static fallible object_add_folder(struct object_moves *moves, struct arena *arena, str from, str to,
                                  struct stack_ref stack, struct stack_ref renamed)
{
    str folder = arena_concat(arena, from, STR("/"));
    struct object_list list;

    TRY(moves->store->ops->list(moves->store, arena, folder, false, &list));
    for (size_t i = 0; i < list.len; i++) {
        str key = list.items[i].key, target = STR("");
        str name = str_slice(key, folder.len, key.len);
        if (to.len > 0)
            target = arena_concat(arena, to, STR("/"), diy_renamed(arena, name, stack, renamed));
        vec_add(moves, ((struct pair){ key, target }));
    }
    return NULL;
}

static fallible object_add_if_present(struct object_moves *moves, struct arena *arena, str from,
                                      str to)
{
    struct object found;

    TRY(moves->store->ops->get(moves->store, arena, from, &found));
    if (found.exists)
        vec_add(moves, ((struct pair){ from, to }));
    return NULL;
}

/* The current checkpoint becomes .bak. */
static fallible object_retire(struct object_backend *object, struct arena *arena,
                              struct stack_ref stack, const struct object_checkpoint *checkpoint,
                              bool keeps_backup)
{
    struct object_state none = { .checkpoint.key = checkpoint->key };
    bool is_found, is_lost, is_locked = object_is_locked(object, stack);

    if (!checkpoint->exists)
        return NULL;
    TRY(object_check_lock(object, stack, &is_lost)); /* a removal has no condition */
    TRY(object_check_owner(object, stack, checkpoint));
    if (keeps_backup)
        TRY(object_store_copy(object->store, checkpoint->key,
                              arena_concat(arena, checkpoint->key, STR(".bak")), &is_found));
    TRY(object->store->ops->remove(object->store, checkpoint->key));
    object_forget(object, stack);
    if (is_locked)
        object_remember(object, stack, &none, true);
    return NULL;
}

/* --- remove --- */

static fallible object_check_empty(struct object_backend *object, struct stack_ref stack,
                                   const struct object_state *state)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct snapshot snapshot;
    bool has_deployment, is_rescued;

    TRY(object_state_snapshot(object, &scratch, stack, state, &snapshot, &has_deployment,
                              &is_rescued));
    return stack_check_empty(stack, &snapshot);
}

static fallible object_add_backups(struct object_moves *moves, struct object_backend *object,
                                   struct arena *arena, struct stack_ref stack)
{
    str nowhere = STR("");

    for (enum compression format = COMPRESSION_NONE; format < COMPRESSIONS; format++)
        TRY(object_add_if_present(
            moves, arena,
            arena_concat(arena, diy_stack_path(object->layout, arena, stack, ".json"),
                         str_from(compression_extensions[format]), STR(".bak")),
            nowhere));
    return object_add_folder(moves, arena, diy_backup_folder(object->layout, arena, stack), nowhere,
                             stack, stack);
}

static fallible object_gather_rest(struct object_moves *moves, struct object_backend *object,
                                   struct arena *arena, struct stack_ref stack,
                                   bool removes_backups)
{
    str nowhere = STR("");

    TRY(object_add_if_present(
        moves, arena, diy_stack_path(object->layout, arena, stack, ".pulumi-tags"), nowhere));
    TRY(object_add_folder(moves, arena, diy_history_folder(object->layout, arena, stack), nowhere,
                          stack, stack));
    return removes_backups ? object_add_backups(moves, object, arena, stack) : NULL;
}

fallible object_remove_stack(struct backend *backend, struct stack_ref stack, bool force,
                             bool removes_backups)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_moves moves = { .store = object->store };
    struct object_state state;
    bool is_lost;

    TRY(object_look(object, &scratch, stack, &state));
    if (!state.checkpoint.exists)
        return stack_not_found(stack);
    if (!force)
        TRY(object_check_empty(object, stack, &state));
    TRY(object_check_lock(object, stack, &is_lost));
    /* The checkpoint comes last: cut off before that, the stack is there and can be removed. */
    struct error *failure = object_gather_rest(&moves, object, &scratch, stack, removes_backups);
    if (!failure)
        failure = object_move_all(&moves, &scratch);
    vec_release(&moves);
    TRY(failure);
    TRY(object_retire(object, &scratch, stack, &state.checkpoint, !removes_backups));
    /* With --force there may be a journal that knows of resources; it is put aside. */
    const struct object_state gone = { .journals = state.journals,
                                       .journal_count = state.journal_count };
    return object_end_journals(object, stack, force && !removes_backups ? &gone : &state);
}

/* --- rename --- */

static fallible object_gather_moves(struct object_moves *moves, struct object_backend *from,
                                    struct stack_ref stack, struct object_backend *to,
                                    struct stack_ref renamed, struct arena *arena)
{
    TRY(object_add_if_present(moves, arena,
                              diy_stack_path(from->layout, arena, stack, ".pulumi-tags"),
                              diy_stack_path(to->layout, arena, renamed, ".pulumi-tags")));
    TRY(object_add_folder(moves, arena, diy_history_folder(from->layout, arena, stack),
                          diy_history_folder(to->layout, arena, renamed), stack, renamed));
    return object_add_folder(moves, arena, diy_backup_folder(from->layout, arena, stack),
                             diy_backup_folder(to->layout, arena, renamed), stack, renamed);
}

/* The new one first, the old one last: cut off anywhere, both names lead to a whole state, and the
 * same move goes on from there. */
static fallible object_move_stack(struct object_backend *from, struct stack_ref stack,
                                  struct object_backend *to, struct stack_ref renamed,
                                  const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_moves moves = { .store = to->store };
    struct object_state state;
    bool is_lost;

    TRY(object_look(from, &scratch, stack, &state));
    if (!state.checkpoint.exists)
        return stack_not_found(stack);
    if (str_equal(diy_stack_path(from->layout, &scratch, stack, ""),
                  diy_stack_path(to->layout, &scratch, renamed, "")))
        return stack_exists_already(renamed);
    TRY(object_check_lock(from, stack, &is_lost));
    TRY(stack_move_begin(&to->backend, renamed, snapshot));
    struct error *failure = object_gather_moves(&moves, from, stack, to, renamed, &scratch);
    if (!failure)
        failure = object_move_all(&moves, &scratch);
    vec_release(&moves);
    TRY(failure);
    TRY(object_retire(from, &scratch, stack, &state.checkpoint, true));
    return object_end_journals(from, stack, &state);
}

fallible object_rename_stack(struct backend *backend, struct stack_ref stack,
                             struct stack_ref renamed, const struct snapshot *snapshot)
{
    struct object_backend *object = (struct object_backend *)backend;

    return object_move_stack(object, stack, object, renamed, snapshot);
}

/* --- upgrade --- */

struct skipped_stacks {
    VEC(struct pair);
    size_t failed;
};

/* The stack is locked: until then another operation may change it. */
static fallible object_upgrade_locked(struct object_backend *old, struct object_backend *new,
                                      struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stack_ref moved = { .name = stack.name };
    struct snapshot snapshot;
    bool has_deployment;

    TRY(object_load(&old->backend, stack, &scratch, &snapshot, &has_deployment));
    TRY(diy_guess_project(&snapshot, &moved.project));
    TRY(object_lock(&new->backend, moved));
    struct error *failure = object_move_stack(old, stack, new, moved, &snapshot);
    return error_join(failure, object_unlock(&new->backend, moved));
}

static fallible object_upgrade_stack(struct object_backend *old, struct object_backend *new,
                                     struct stack_ref stack)
{
    TRY(object_lock(&old->backend, stack));
    struct error *failure = object_upgrade_locked(old, new, stack);
    return error_join(failure, object_unlock(&old->backend, stack));
}

static void object_upgrade_all(struct object_backend *old, struct object_backend *new,
                               struct arena *arena, const struct stack_summaries *stacks,
                               struct skipped_stacks *skipped)
{
    for (size_t i = 0; i < stacks->len; i++) {
        struct stack_ref stack = stacks->items[i].stack;
        struct error *failure = object_upgrade_stack(old, new, stack);
        if (!failure)
            continue;
        skipped->failed += error_kind(failure) != ERROR_NOT_FOUND;
        vec_add(skipped, ((struct pair){ stack.name, arena_copy(arena, error_message(failure)) }));
        error_free(failure);
    }
}

fallible object_upgrade(struct backend *backend, struct arena *arena, struct layout_upgrade *out)
{
    struct object_backend *object = (struct object_backend *)backend;
    struct object_backend old = object_of_old_layout(object);
    struct skipped_stacks skipped = { 0 };
    struct stack_summaries stacks;
    struct object_list keys;

    TRY(object_find_stacks(&old, arena, STR(""), &keys, &stacks));
    /* The new layout comes first: cut off later, the rest can be moved by another upgrade. */
    TRY(object_write_meta(object));
    object->layout.is_legacy = false;
    object_upgrade_all(&old, object, arena, &stacks, &skipped);
    object_forget_all(&old);
    *out = (struct layout_upgrade){
        .upgraded = stacks.len - skipped.len,
        .skipped = arena_copy_bytes(arena, skipped.items, skipped.len * sizeof(*skipped.items)),
        .skipped_count = skipped.len,
        .failed_count = skipped.failed,
    };
    vec_release(&skipped);
    return NULL;
}
