/* journal_replay.h — the records of a journal on top of a checkpoint; for every kind of backend. */
#pragma once

#include "backend/journal_format.h"
#include "model/snapshot.h"

/* Texts of the snapshot may point into the records. */
fallible journal_contents_replay(struct arena *arena, const struct journal_contents *contents,
                                 struct snapshot *inout);
