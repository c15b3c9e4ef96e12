/* journal_rescue.h — what a journal still tells when its checkpoint was replaced by another
 * program: operations that were begun and not ended, and what was created and nobody else knows.
 * Pure. */
#pragma once

#include "backend/journal_format.h"
#include "model/snapshot.h"

struct journal_rescue {
    struct pending_operation *items; /* what was created is a create that is pending */
    size_t len;
    bool is_sealed_by_another; /* its secrets cannot be opened by whoever opens the snapshot's */
    bool is_damaged;           /* there was more in it */
};

/* What the snapshot does not know of these records. A fold that was completed leaves nothing. */
fallible journal_rescue_find(struct arena *arena, const struct journal_contents *contents,
                             const struct snapshot *snapshot, struct journal_rescue *out);
/* Whether there is something to tell the user. */
bool journal_rescue_has_news(const struct journal_rescue *rescue);
/* Adds them as pending operations, unless another has sealed them; true if it does. */
bool journal_rescue_add(struct arena *arena, const struct journal_rescue *rescue,
                        struct snapshot *inout);
/* For the user: what it is about, where the journal is and where it will be kept. */
str journal_rescue_text(struct arena *arena, const struct journal_rescue *rescue, str stack,
                        str place, str kept);
