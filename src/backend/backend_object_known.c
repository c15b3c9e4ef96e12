/* backend_object_known.c — what of a stack need not be asked for again: everything while we hold
 * its lock, and what was read a moment ago. */
#include "backend/backend_object_ops.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdlib.h>

/* What was read without a lock is as good as read now, for a moment. */
#define FRESH_NS ((int64_t)2 * NS_PER_S)

struct object_known {
    struct object_known *next;
    struct arena arena;
    struct stack_ref stack;
    struct object_state state;
    bool is_locked;
    int64_t read_at;
};

static struct object_known **object_find_known(struct object_backend *object,
                                               struct stack_ref stack)
{
    struct object_known **link = &object->known;

    while (*link
           && !(str_equal((*link)->stack.name, stack.name)
                && str_equal((*link)->stack.project, stack.project)))
        link = &(*link)->next;
    return link;
}

void object_forget(struct object_backend *object, struct stack_ref stack)
{
    struct object_known **link = object_find_known(object, stack), *known = *link;

    if (!known)
        return;
    *link = known->next;
    arena_release(&known->arena);
    free(known);
}

void object_forget_all(struct object_backend *object)
{
    while (object->known)
        object_forget(object, object->known->stack);
}

static struct object_checkpoint object_checkpoint_copy(struct arena *arena,
                                                       const struct object_checkpoint *from)
{
    struct object_checkpoint copy = *from;

    copy.key = arena_copy(arena, from->key);
    copy.bytes = arena_copy(arena, from->bytes);
    copy.version = arena_copy(arena, from->version);
    return copy;
}

static void object_state_copy(struct arena *arena, const struct object_state *from,
                              struct object_state *out)
{
    *out = (struct object_state){
        .checkpoint = object_checkpoint_copy(arena, &from->checkpoint),
        .journals = ARENA_ARRAY(arena, struct object_journal_found, from->journal_count),
        .journal_count = from->journal_count,
    };
    for (size_t i = 0; i < from->journal_count; i++) {
        out->journals[i] = from->journals[i];
        out->journals[i].id = arena_copy(arena, from->journals[i].id);
        out->journals[i].bytes = arena_copy(arena, from->journals[i].bytes);
        out->journals[i].keys = strs_copy(arena, from->journals[i].keys);
        out->journals[i].seal = arena_copy(arena, from->journals[i].seal);
    }
}

void object_remember(struct object_backend *object, struct stack_ref stack,
                     const struct object_state *state, bool is_locked)
{
    struct object_known *known = memory_zalloc(sizeof(*known));

    known->stack.project = arena_copy(&known->arena, stack.project);
    known->stack.name = arena_copy(&known->arena, stack.name);
    known->is_locked = is_locked;
    known->read_at = clock_monotonic();
    object_state_copy(&known->arena, state, &known->state);
    object_forget(object, stack);
    known->next = object->known;
    object->known = known;
}

bool object_is_locked(const struct object_backend *object, struct stack_ref stack)
{
    const struct object_known *known =
        *object_find_known((struct object_backend *)(uintptr_t)object, stack);

    return known && known->is_locked;
}

void object_remember_checkpoint(struct object_backend *object, struct stack_ref stack,
                                const struct object_checkpoint *checkpoint)
{
    struct object_state state = { .checkpoint = *checkpoint };

    if (object_is_locked(object, stack))
        object_remember(object, stack, &state, true);
    else
        object_forget(object, stack);
}

fallible object_look(struct object_backend *object, struct arena *arena, struct stack_ref stack,
                     struct object_state *out)
{
    const struct object_known *known = *object_find_known(object, stack);

    if (known && (known->is_locked || clock_monotonic() - known->read_at < FRESH_NS)) {
        object_state_copy(arena, &known->state, out);
        if (!known->is_locked)
            object_forget(object, stack);
        return NULL;
    }
    return object_read(object, arena, stack, out);
}
