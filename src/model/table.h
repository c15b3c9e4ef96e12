/* table.h — a hash map that lives in an arena, so that what holds it needs no release. */
#pragma once

#include "base/arena.h"

struct table_entry {
    str key; /* borrowed */
    void *value;
};

struct table {
    struct arena *arena;
    struct table_entry *entries; /* in insertion order */
    size_t len;
    size_t capacity;
    uint32_t *slots; /* index + 1 into entries, 0: free */
    size_t slot_count;
};

static inline struct table table_in(struct arena *arena)
{
    return (struct table){ .arena = arena };
}
/* NULL if absent. */
void *table_find(const struct table *table, str key);
/* Adds or replaces. */
void table_put(struct table *table, str key, void *value);
