/* map.h — a hash map keyed by text; iterates in insertion order. Wrap it in typed functions where
 * it crosses a module. */
#pragma once

#include "base/str.h"

struct map_entry {
    str key; /* borrowed: must live as long as the map */
    void *value;
    uint64_t hash;
    bool is_live;
};

/* The zero value is empty. */
struct map {
    struct map_entry *entries; /* in insertion order, with gaps where something was removed */
    size_t used;               /* entries, gaps included */
    size_t capacity;
    uint32_t *slots; /* index + 1 into entries, 0 = free */
    size_t slot_count;
    size_t len; /* live entries */
};

void map_release(struct map *map);

/* NULL if absent. */
void *map_find(const struct map *map, str key);
bool map_has(const struct map *map, str key);

/* Adds or replaces; a replaced entry keeps its place. */
void map_put(struct map *map, str key, void *value);

/* Returns what was there, or NULL. */
void *map_remove(struct map *map, str key);

/* for (size_t i = 0; map_next(&map, &i, &entry);) … */
bool map_next(const struct map *map, size_t *cursor, const struct map_entry **out);
