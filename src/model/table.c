/* table.c — open addressing in arena memory; growing leaves the smaller storage behind. */
#include "model/table.h"

/* The slot that holds the key, or the free one where it belongs. */
static size_t table_probe(const struct table *table, str key)
{
    size_t mask = table->slot_count - 1;
    size_t at = (size_t)str_hash(key) & mask;

    while (table->slots[at] && !str_equal(table->entries[table->slots[at] - 1].key, key))
        at = (at + 1) & mask;
    return at;
}

void *table_find(const struct table *table, str key)
{
    if (table->len == 0)
        return NULL;
    uint32_t slot = table->slots[table_probe(table, key)];
    return slot ? table->entries[slot - 1].value : NULL;
}

static void table_enlarge(struct table *table)
{
    size_t capacity = table->capacity ? table->capacity * 2 : 16;
    struct table_entry *entries = ARENA_ARRAY(table->arena, struct table_entry, capacity);

    if (table->len)
        memcpy(entries, table->entries, table->len * sizeof(*entries));
    table->entries = entries;
    table->capacity = capacity;
    table->slot_count = capacity * 2;
    table->slots = ARENA_ARRAY(table->arena, uint32_t, table->slot_count);
    for (size_t i = 0; i < table->len; i++)
        table->slots[table_probe(table, entries[i].key)] = (uint32_t)(i + 1);
}

void table_put(struct table *table, str key, void *value)
{
    if (table->len == table->capacity)
        table_enlarge(table);
    size_t at = table_probe(table, key);
    if (table->slots[at]) {
        table->entries[table->slots[at] - 1].value = value;
        return;
    }
    table->entries[table->len] = (struct table_entry){ key, value };
    table->slots[at] = (uint32_t)++table->len;
}
