/* diy_lock.h — the small file that each holder of a stack's lock writes, as the reference does: its
 * text, and what is said about those of others. No I/O. */
#pragma once

#include "backend/backend.h"
#include "base/strbuf.h"

struct lock_owner {
    int64_t pid;
    str user;
    str host;
    str time;
    bool has_session; /* its process also holds a lock of the store that ends with it */
};

/* Ours. */
void lock_owner_format(struct strbuf *out, struct arena *scratch,
                       const struct backend_options *options, bool has_session);
/* A lock that cannot be read is still a lock; its owner stays unknown. */
void lock_owner_parse(struct arena *arena, str text, struct lock_owner *out);
/* Whether its process ran on this host and has ended. */
bool lock_owner_is_gone(const struct lock_owner *owner, const struct backend_options *options);
/* A line about a lock of another. */
void lock_owner_describe(struct strbuf *out, struct arena *scratch, str url,
                         const struct lock_owner *owner, const struct backend_options *options);
/* "bob@h1 (pid 12), since 2026-11-16T01:43:49Z, 5 minutes ago", in the arena. */
str lock_owner_text(struct arena *arena, const struct lock_owner *owner);
/* NULL if the count is 0. */
fallible lock_refused(size_t count, str owners);
