/* backend_object.h — stacks in a store of objects (object_store.h): what the parts of this backend
 * share. The keys and bytes are those of the file backend; only journals differ. */
#pragma once

#include "backend/backend_ops.h"
#include "backend/diy_layout.h"
#include "backend/journal_format.h"
#include "backend/object_store.h"

struct object_known;

struct object_backend {
    struct backend backend;
    struct object_store *store;
    struct diy_layout layout;
    enum compression compression; /* of what we write */
    str lock_id;                  /* names our lock objects, and begins the names of our journals */
    unsigned journal_count;       /* that were opened */
    struct object_known *known;   /* what need not be asked for again */
    struct object_leftover *leftovers;
};

/* --- what the store has of a stack (backend_object_read.c) --- */

/* The current one among .json, .json.gz and .json.zst. */
struct object_checkpoint {
    bool exists;
    enum compression format; /* by name */
    str key;                 /* if there is none: where it would be */
    str bytes;
    str version;
    bool has_backup;
};

/* The objects of one journal: `.pulumi/journals/P/S/ID/NUMBER`. */
struct object_journal_found {
    str id;
    struct strs keys; /* of all its objects, by number */
    str bytes;        /* of those from number 1 on without a gap, one behind the other */
    unsigned last;    /* number of the last of them; a seal counts */
    bool is_sealed;
    str seal;         /* its key, if it was there when it was read */
    bool has_gap;     /* there are more behind a number that is not there */
    bool lacks_first; /* there is something, but no number 1 */
    int64_t modified; /* of the newest */
};

struct object_state {
    struct object_checkpoint checkpoint;
    struct object_journal_found *journals;
    size_t journal_count;
};

/* What is known while we hold the lock, or has just been read; else reads. In the arena. Blocks. */
fallible object_look(struct object_backend *object, struct arena *arena, struct stack_ref stack,
                     struct object_state *out);
/* Reads in any case. */
fallible object_read(struct object_backend *object, struct arena *arena, struct stack_ref stack,
                     struct object_state *out);
/* Keeps a state that was read: until object_forget if `is_locked`, else for the next look, soon. */
void object_remember(struct object_backend *object, struct stack_ref stack,
                     const struct object_state *state, bool is_locked);
void object_forget(struct object_backend *object, struct stack_ref stack);
void object_forget_all(struct object_backend *object);
/* The checkpoint was replaced by us, and no journal is on top any more. */
void object_remember_checkpoint(struct object_backend *object, struct stack_ref stack,
                                const struct object_checkpoint *checkpoint);
bool object_is_locked(const struct object_backend *object, struct stack_ref stack);

/* The snapshot of a state; *is_rescued: with something that only a journal knows which is not on
 * top. Which of the journals is on top: NULL if none is. */
fallible object_state_snapshot(struct object_backend *object, struct arena *arena,
                               struct stack_ref stack, const struct object_state *state,
                               struct snapshot *out, bool *has_deployment, bool *is_rescued);
fallible object_state_journal(struct object_backend *object, struct arena *arena,
                              const struct object_state *state,
                              const struct object_journal_found **found,
                              struct journal_contents *out);

/* A key as it is shown to users: the URL of the object. */
str object_show(const struct object_backend *object, struct arena *arena, str key);

/* --- writing checkpoints (backend_object_write.c) --- */

/* Replaces the checkpoint of this state by these bytes, if it is still that one: else
 * stack_replaced. *written is what is there now; its bytes are borrowed. */
struct object_writing {
    struct stack_ref stack;
    const struct object_checkpoint *former;
    str bytes;
    bool keeps_backup; /* copies the former to .bak first */
};
fallible object_put_checkpoint(struct object_backend *object, struct arena *arena,
                               const struct object_writing *writing,
                               struct object_checkpoint *written);
fallible object_encode(struct object_backend *object, struct arena *arena, struct stack_ref stack,
                       const struct snapshot *snapshot, str *out);
/* Whether our lock, if we have one, is still there: else stack_replaced, and *is_lost. */
fallible object_check_lock(struct object_backend *object, struct stack_ref stack, bool *is_lost);
/* Where conditions are ignored: whether our lock and this checkpoint are still there. */
fallible object_check_owner(struct object_backend *object, struct stack_ref stack,
                            const struct object_checkpoint *checkpoint);

/* --- journals (journal_object.c, journal_object_take.c) --- */

str object_journal_key(const struct object_backend *object, struct arena *arena,
                       struct stack_ref stack, str id, unsigned number);
/* ….pulumi/journals/P/S/ID/N → ….pulumi/journals-stale/P/S/ID/N */
str object_aside_key(struct arena *arena, str key);
/* Makes sure that no other operation on the stack goes on: seals its journal, folds what it
 * recorded, and replaces the checkpoint by other bytes, so that its fold fails. *inout is the state
 * afterwards. `always`: also without any journal. */
fallible object_take_over(struct object_backend *object, struct arena *arena,
                          struct stack_ref stack, bool always, struct object_state *inout);
/* Seals the journals that processes with these locks have begun. */
fallible object_stop_owners(struct object_backend *object, struct stack_ref stack,
                            struct strs locks);
/* After the checkpoint was replaced for good: journals are sealed and removed. What was recorded in
 * one that was not on top of `state` is put aside. */
fallible object_end_journals(struct object_backend *object, struct stack_ref stack,
                             const struct object_state *state);

/* What is to be removed together with the next requests. First the records of a journal, then its
 * beginning: cut off in between, it still says which checkpoint it was on top of. */
void object_leave(struct object_backend *object, struct stack_ref stack, str id, unsigned count);
fallible object_sweep(struct object_backend *object, bool with_beginnings);
