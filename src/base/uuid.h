/* uuid.h — random identifiers. */
#pragma once

#include "base/arena.h"

/* Version 4: xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx. */
str uuid_new(struct arena *arena);

/* Bytes that nobody can guess. */
void random_bytes(void *out, size_t size);
