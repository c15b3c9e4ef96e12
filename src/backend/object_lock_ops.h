/* object_lock_ops.h — what a store of objects may have beyond its objects: locks that end with
 * their process, and writes that need one. A store that has sessions and transactions has all of
 * it. */
#pragma once

#include "backend/object_store.h"

/* Such a store looks at `guard` of an object_condition, too. Without it a lock that somebody
 * removed is noticed only when another operation has begun. */
struct object_lock_ops {
    /* put, and the session of this process holds the key from then on. A session keeps its order:
     * what is asked for after this call began is answered as it is after it, unless *is_late: the
     * connection was cut, and this was sent again. */
    fallible (*put)(struct object_store *store, str key, str bytes, bool *is_late);
    /* Ends both. */
    fallible (*remove)(struct object_store *store, str key);
    /* Removes a lock that is left over: no session holds the key, so its process has ended. It is
     * still what it was when it was read, `bytes`: a process that lives may have let it go and
     * taken it again. *was_left is false if it stays, or has gone meanwhile. */
    fallible (*remove_left)(struct object_store *store, str key, str bytes, bool *was_left);
    /* copy, on condition that the object `guard` is there at that moment. */
    fallible (*copy_guarded)(struct object_store *store, str from, str to, str guard,
                             bool *is_found);
};
