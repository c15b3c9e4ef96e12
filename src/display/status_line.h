/* status_line.h — how far an operation is, in a line below the table; and, when nothing moves, what
 * is awaited. */
#pragma once

#include "base/awaited.h"
#include "display/rows.h"

struct status_wait {
    str plugin; /* who was asked; may be empty */
    str call;   /* "Create" */
    str urn;    /* what for; may be empty */
    int64_t since;
};

struct status {
    size_t done, total;
    size_t running, failed;
    int64_t elapsed;         /* nanoseconds */
    int64_t quiet;           /* since something was last heard */
    struct status_wait wait; /* what has been awaited longest; no call: not known */
    size_t others;           /* that are awaited as well */
};

/* Counts the rows, and looks for what is awaited longest: a call to a provider, else a resource
 * that is worked on by ourselves, else the program. `expected`: resources that a preview has seen;
 * 0: not known. */
void status_take(struct status *status, const struct rows *rows, size_t expected,
                 const struct awaited *calls);

/* "12/340 done, 3 running, 1 failed, 1m5s", with tags. */
str status_text(struct arena *arena, const struct status *status);
/* "waiting for aws: Create of bucket (aws:s3:Bucket) since 10:31:05, 25s, and 3 more", without
 * tags; empty unless nothing was heard for ten seconds. `now` is that of clock_now. */
str status_waiting_text(struct arena *arena, const struct status *status, int64_t now);
