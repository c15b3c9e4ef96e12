/* map.c — open addressing over an array of entries in insertion order. */
#include "base/map.h"

#include "base/memory.h"

#include <stdlib.h>

void map_release(struct map *map)
{
    free(map->entries);
    free(map->slots);
    *map = (struct map){ 0 };
}

/* The slot that holds the key, or the free one where it belongs. Removed entries keep their slot,
 * so a probe goes past them. */
static size_t map_probe(const struct map *map, str key, uint64_t hash)
{
    size_t mask = map->slot_count - 1;
    size_t at = (size_t)hash & mask;

    for (;; at = (at + 1) & mask) {
        uint32_t slot = map->slots[at];
        if (slot == 0)
            return at;
        const struct map_entry *entry = &map->entries[slot - 1];
        if (entry->is_live && entry->hash == hash && str_equal(entry->key, key))
            return at;
    }
}

static struct map_entry *find_entry(const struct map *map, str key)
{
    if (map->len == 0)
        return NULL;
    uint32_t slot = map->slots[map_probe(map, key, str_hash(key))];
    return slot ? &map->entries[slot - 1] : NULL;
}

void *map_find(const struct map *map, str key)
{
    const struct map_entry *entry = find_entry(map, key);
    return entry ? entry->value : NULL;
}

bool map_has(const struct map *map, str key)
{
    return find_entry(map, key) != NULL;
}

/* Rebuilds the slots without the gaps, with room for twice the live entries. */
static void rehash(struct map *map)
{
    size_t live = 0;
    for (size_t i = 0; i < map->used; i++)
        if (map->entries[i].is_live)
            map->entries[live++] = map->entries[i];
    map->used = live;

    size_t wanted = 16;
    while (wanted < live * 4)
        wanted *= 2;
    free(map->slots);
    map->slots = memory_zalloc(wanted * sizeof(*map->slots));
    map->slot_count = wanted;
    for (size_t i = 0; i < live; i++)
        map->slots[map_probe(map, map->entries[i].key, map->entries[i].hash)] = (uint32_t)(i + 1);
}

void map_put(struct map *map, str key, void *value)
{
    struct map_entry *entry = find_entry(map, key);
    if (entry) {
        entry->value = value;
        return;
    }
    if ((map->used + 1) * 2 > map->slot_count)
        rehash(map);
    uint64_t hash = str_hash(key);
    map->entries = memory_grow(map->entries, &map->capacity, map->used + 1, sizeof(*map->entries));
    size_t slot = map_probe(map, key, hash);
    map->entries[map->used] = (struct map_entry){ key, value, hash, true };
    map->slots[slot] = (uint32_t)++map->used;
    map->len++;
}

void *map_remove(struct map *map, str key)
{
    struct map_entry *entry = find_entry(map, key);
    if (!entry)
        return NULL;
    void *value = entry->value;
    entry->is_live = false;
    map->len--;
    return value;
}

bool map_next(const struct map *map, size_t *cursor, const struct map_entry **out)
{
    while (*cursor < map->used) {
        const struct map_entry *entry = &map->entries[(*cursor)++];
        if (entry->is_live) {
            *out = entry;
            return true;
        }
    }
    return false;
}
