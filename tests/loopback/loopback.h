/* loopback.h — a kind of backend that keeps its stacks as blobs on a server: what its parts share.
 *
 * Its keys: stacks/P/S.json, tags/P/S.json, locks/P/S.json, history/P/S/TIME.json and
 * journal/P/S/ID/NUMBER. */
#pragma once

#include "backend/backend_ops.h"
#include "loopback/blob_client.h"
#include "backend/journal_format.h"

struct loopback {
    struct backend backend;
    struct blob_client blobs;
    str lock_id;
};

str loopback_key(struct arena *arena, const char *folder, struct stack_ref stack, const char *end);
/* The text of a checkpoint. */
str loopback_checkpoint(struct arena *arena, struct stack_ref stack,
                        const struct snapshot *snapshot);

/* The checkpoint and the journal on top of it, at one moment. */
struct loopback_state {
    struct blob_content checkpoint;
    struct journal_contents journal; /* without records if none is on top */
};
fallible loopback_read(const struct loopback *loopback, struct arena *arena, struct stack_ref stack,
                       struct loopback_state *out);
fallible loopback_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                       struct snapshot *out, bool *has_deployment);

/* --- journals (loopback_journal.c) --- */

/* The journal that is on top of this checkpoint. */
fallible loopback_find_journal(const struct loopback *loopback, struct arena *arena,
                               struct stack_ref stack, const struct blob_content *checkpoint,
                               struct journal_contents *out);
/* Closes all journals of a stack, so that their writers notice, and removes what they hold. */
fallible loopback_end_journals(const struct loopback *loopback, struct stack_ref stack);
struct error *loopback_open_journal(struct backend *backend, struct stack_ref stack,
                                    struct journal **out);

extern const struct backend_ops backend_loopback;
