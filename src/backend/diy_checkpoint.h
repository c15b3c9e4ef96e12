/* diy_checkpoint.h — the checkpoint of a stack as the bytes of its file. No I/O. */
#pragma once

#include "backend/backend.h"
#include "backend/compression.h"
#include "base/strbuf.h"

fallible diy_checkpoint_encode(struct strbuf *out, struct stack_ref stack,
                               const struct snapshot *snapshot, enum compression compression);
/* Text, compressed. */
fallible diy_encode(struct strbuf *out, str text, enum compression compression);

/* Without bytes (`has_file` is false): an empty state. `place` names the file in messages, `backup`
 * the version before, if there is one. */
struct diy_checkpoint {
    bool has_file;
    str bytes;
    str place;
    str backup;
};
fallible diy_checkpoint_decode(struct arena *arena, const struct diy_checkpoint *checkpoint,
                               struct snapshot *out, bool *has_deployment);
/* Distinguishes a damaged checkpoint from one that is complete but cannot be used. */
fallible diy_checkpoint_explain(struct error *owned, const struct diy_checkpoint *checkpoint,
                                bool is_whole);
