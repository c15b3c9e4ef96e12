/* journal_file.h — the journal of one operation as a file beside the stack file; private to the
 * file backend. */
#pragma once

#include "backend/backend_file.h"
#include "backend/journal_format.h"

struct journal_on_disk {
    str path;
    bool exists;
    struct journal_contents contents; /* zero if it does not exist */
};

/* Blocks the thread, as all but the last two. A file that is no journal of ours is an error that
 * says what to do. */
fallible journal_file_read(const struct file_backend *file, struct arena *arena,
                           struct stack_ref stack, struct journal_on_disk *out);
fallible journal_file_damaged(const struct journal_on_disk *journal);

/* The same question about the stack as it is now. A journal that cannot be read is not on top of
 * anything. */
fallible journal_file_is_on_top(const struct file_backend *file, struct stack_ref stack, bool *out);
/* After the checkpoint was replaced: removes the journal if the new checkpoint includes it, else
 * puts it aside. */
fallible journal_file_discard(const struct file_backend *file, struct stack_ref stack,
                              bool is_included);
