/* journal_replay.c — applies the records of a journal, one after the other. */
#include "backend/journal_replay.h"

#include "model/journal.h"

fallible journal_contents_replay(struct arena *arena, const struct journal_contents *contents,
                                 struct snapshot *inout)
{
    struct snapshot base = *inout;
    struct replay *replay = replay_new(arena, &base);

    for (size_t i = 0; i < contents->count; i++) {
        struct journal_entry entry = JOURNAL_ENTRY_EMPTY;
        TRY(error_wrap(journal_entry_read(arena, contents->records[i], &entry), "record %zu",
                       i + 1));
        TRY(error_wrap(replay_apply(replay, &entry), "record %zu", i + 1));
    }
    return replay_snapshot(replay, inout);
}
