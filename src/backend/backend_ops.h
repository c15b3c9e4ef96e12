/* backend_ops.h — what a kind of backend implements; private to this directory. */
#pragma once

#include "backend/history.h"
#include "backend/update.h"

#include "fiber/sync.h"

#include <stdatomic.h>

/* Every kind embeds this as its first member. Immutable after open but for the locks, which only
 * fibers touch. */
struct backend {
    const struct backend_ops *ops;
    struct arena arena;             /* everything that lives as long as the backend */
    struct backend_options options; /* texts are in the arena; the URL may have a password */
    str url;                        /* without it */
    struct backend_lock *locks;     /* held by this process */
    bool has_no_projects;           /* a store of the old layout: a name is all there is */
    struct semaphore lock_turn;     /* one fiber at a time takes or gives up a lock */
    struct cancel *shield;          /* a scope that nobody fires, for what must not be cut short */
    _Atomic(char *) note;           /* found by a load, not reported yet; NULL: nothing */
    struct str_list reported;       /* notes, in the arena */
};
/* The first thing that `open` does with it, and the last that `close` does. */
void backend_init(struct backend *backend, const struct backend_ops *ops,
                  const struct backend_options *options);
void backend_release(struct backend *backend);
/* For the user. It is reported when the load that found it returns. From any thread. */
void backend_note(struct backend *backend, str text);
/* Whether this process has locked the stack. */
bool backend_holds_lock(const struct backend *backend, struct stack_ref stack);

/* Where the operations of a kind run. */
enum backend_place {
    /* On a helper thread, which they may block. They touch only their arguments and what of the
     * backend never changes. For files. */
    BACKEND_ON_THREADS,
    /* On the fiber of the caller, which they block only as fibers do: http, sockets, latches.
     * Others may call the same backend at each wait. For networks. */
    BACKEND_ON_FIBERS,
};

/* The arena is for what is handed out, and the operation's alone during the call; after a failure
 * it is thrown away. The caller has looked after locks: create, remove, rename, save and
 * add_history come with the stack's lock held, change_tag with it or without, the others without.
 * Cancellation does not reach what changes something.
 *
 * A lock may be taken away at any time by break_locks of another process. From then on a journal
 * fails to append and to fold, and `save` fails: stack_replaced. */
struct backend_ops {
    const char *scheme;       /* what comes before :// in its URLs */
    const char *other_scheme; /* another that it takes; NULL: none */
    const char *form;         /* of its URLs, for messages */
    enum backend_place place;
    /* The URL without its password. NULL: its URLs have none. */
    str (*public_url)(struct arena *arena, str url);
    bool has_organizations; /* stacks belong to one, and names may say to which */

    fallible (*open)(const struct backend_options *options, struct backend **out);
    void (*close)(struct backend *owned);

    fallible (*create)(struct backend *backend, struct stack_ref stack,
                       const struct snapshot *initial);
    fallible (*exists)(struct backend *backend, struct stack_ref stack, bool *out);
    fallible (*list)(struct backend *backend, struct arena *arena, str project,
                     struct stack_summaries *out);
    fallible (*remove)(struct backend *backend, struct stack_ref stack, bool force,
                       bool removes_backups);
    fallible (*rename)(struct backend *backend, struct stack_ref stack, struct stack_ref renamed,
                       const struct snapshot *snapshot);

    /* NULL: there is one layout only. */
    fallible (*upgrade)(struct backend *backend, struct arena *arena, struct layout_upgrade *out);

    fallible (*load)(struct backend *backend, struct stack_ref stack, struct arena *arena,
                     struct snapshot *out, bool *has_deployment);
    fallible (*save)(struct backend *backend, struct stack_ref stack,
                     const struct snapshot *snapshot);

    fallible (*lock)(struct backend *backend, struct stack_ref stack);
    fallible (*unlock)(struct backend *backend, struct stack_ref stack);
    /* NULL: nobody can tell. */
    fallible (*describe_locks)(struct backend *backend, struct stack_ref stack, struct arena *arena,
                               struct strs *out);
    fallible (*break_locks)(struct backend *backend, struct stack_ref stack, size_t *count);

    fallible (*add_history)(struct backend *backend, struct stack_ref stack,
                            const struct history_entry *entry);
    fallible (*history)(struct backend *backend, struct stack_ref stack, struct arena *arena,
                        size_t page, size_t page_size, struct history *out);

    fallible (*tags)(struct backend *backend, struct stack_ref stack, struct arena *arena,
                     struct tags *out);
    fallible (*change_tag)(struct backend *backend, struct stack_ref stack, str name,
                           const str *value);

    fallible (*open_journal)(struct backend *backend, struct stack_ref stack, struct journal **out);

    /* --- for kinds that keep track of operations themselves; all NULL in the others --- */

    fallible (*begin_update)(struct backend *backend, struct stack_ref stack,
                             const struct update_facts *facts, struct update **out);
    /* Does not block. The text is borrowed. */
    void (*add_event)(struct update *update, str event);
    fallible (*end_update)(struct update *owned, bool has_succeeded);

    /* NULL: configuration is always in files. */
    fallible (*config_location)(struct backend *backend, struct stack_ref stack,
                                struct arena *arena, struct config_location *out);

    /* NULL: only the last state is kept. */
    fallible (*load_version)(struct backend *backend, struct stack_ref stack, str version,
                             struct arena *arena, struct snapshot *out, bool *has_deployment);
};

/* Every kind keeps its journal as it likes, but what `append` promised is in the next `load`, even
 * if the process is killed. The operations run on the fiber of the caller, whatever the place of
 * the kind, many at a time; none is cut short by cancellation. Each kind embeds `struct journal`
 * first.
 */
struct journal_ops {
    fallible (*append)(struct journal *journal, str record, bool waits);
    fallible (*fold)(struct journal *journal, const struct snapshot *snapshot);
    void (*close)(struct journal *owned);
    bool knows_base; /* see journal_knows_base */
    bool is_far;     /* see journal_is_far */
};

struct journal {
    const struct journal_ops *ops;
    struct backend *backend; /* set by backend.c */
};

/* The kinds there are, up to NULL. Of its own file, so that a test program can have more. */
extern const struct backend_ops *const backend_kinds[];
/* The one whose URLs have this scheme; NULL: none. */
const struct backend_ops *backend_kind(str url);
