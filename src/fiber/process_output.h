/* process_output.h — a child that is run to its end, and what it prints. */
#pragma once

#include "base/strbuf.h"
#include "fiber/sync.h"

struct process;
struct stream;

/* What came out of one of its streams. */
struct process_output {
    size_t limit; /* set by the caller: at most so many bytes are kept */
    struct strbuf text;
    bool is_cut; /* there was more */

    struct stream *from;
    struct latch done;
};
/* Leaves nothing of it in memory. */
void process_output_release(struct process_output *output);

/* Reads both streams to their end, waits for the end of the process (`longest_ms`; 0: as long as it
 * takes) and frees it. *status as of wait(2). If the wait is canceled or takes too long the process
 * is ended. Blocks. */
fallible process_collect(struct process *owned, uint64_t longest_ms, struct process_output *out,
                         struct process_output *err, int *status);
