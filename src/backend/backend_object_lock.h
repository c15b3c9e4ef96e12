/* backend_object_lock.h — our own lock on a stack in a store of objects, and what is written only
 * as long as it is there; for the other parts of that backend. */
#pragma once

#include "backend/backend_object.h"

str object_lock_key(const struct object_backend *object, struct arena *arena,
                    struct stack_ref stack);

/* The same store as it was before there were projects; object_forget_all ends it. */
struct object_backend object_of_old_layout(const struct object_backend *object);

/* The key that has to be there when something of the stack is written: of our lock, if we hold it
 * and the store looks at it (object_lock_ops.h); else empty. */
str object_guard(const struct object_backend *object, struct arena *arena, struct stack_ref stack);
/* Copies an object of the stack under that guard. Nothing to copy is fine. */
fallible object_copy(struct object_backend *object, struct stack_ref stack, str from, str to);
