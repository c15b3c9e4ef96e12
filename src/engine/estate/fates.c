/* fates.c — what becomes of each URN in this run. */
#include "engine/estate/fates.h"

#include "base/arena.h"

/* Fates that planning of another URN asks for before it asks a provider. */
enum { RESTED_ON = FATE_REPLACED | FATE_DELETED | FATE_NOT_CREATED };

struct fate_entry {
    unsigned what;
    const struct resource *deleted;
    bool has_reasons;
    struct strs reasons;
};

void fates_release(struct fates *fates)
{
    map_release(&fates->by_urn);
}

static struct fate_entry *fates_find(const struct fates *fates, str urn)
{
    return map_find(&fates->by_urn, urn);
}

static struct fate_entry *fates_find_or_add(struct fates *fates, str urn)
{
    struct fate_entry *entry = fates_find(fates, urn);

    if (!entry) {
        entry = ARENA_NEW(fates->arena, struct fate_entry);
        map_put(&fates->by_urn, urn, entry);
    }
    return entry;
}

void fates_note_change(struct fates *fates)
{
    fates->changes++;
}

void fates_add(struct fates *fates, str urn, enum fate fate)
{
    struct fate_entry *entry = fates_find_or_add(fates, urn);

    if ((unsigned)fate & RESTED_ON & ~entry->what)
        fates_note_change(fates);
    entry->what |= (unsigned)fate;
    fates->seen |= (unsigned)fate;
}

void fates_remove(struct fates *fates, str urn, enum fate fate)
{
    struct fate_entry *entry = fates_find(fates, urn);

    if (!entry)
        return;
    if ((unsigned)fate & RESTED_ON & entry->what)
        fates_note_change(fates);
    entry->what &= ~(unsigned)fate;
}

bool fates_have(const struct fates *fates, str urn, unsigned any_of)
{
    if (!(fates->seen & any_of))
        return false;
    const struct fate_entry *entry = fates_find(fates, urn);
    return entry && (entry->what & any_of);
}

struct strs fates_urns(const struct fates *fates, struct arena *arena, unsigned any_of)
{
    str *urns = ARENA_ARRAY(arena, str, fates->by_urn.len + 1);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t cursor = 0; map_next(&fates->by_urn, &cursor, &entry);)
        if (((const struct fate_entry *)entry->value)->what & any_of)
            urns[len++] = entry->key;
    return (struct strs){ urns, len };
}

void fates_delete(struct fates *fates, struct resource *state)
{
    fates_add(fates, state->urn, FATE_DELETED);
    fates_find(fates, state->urn)->deleted = state;
}

void fates_undelete(struct fates *fates, const struct resource *state)
{
    const struct fate_entry *entry = fates_find(fates, state->urn);

    if (entry && entry->deleted == state)
        fates_remove(fates, state->urn, FATE_DELETED);
}

void fates_set_reasons(struct fates *fates, str urn, struct strs keys)
{
    struct fate_entry *entry = fates_find_or_add(fates, urn);

    entry->has_reasons = true;
    entry->reasons = keys;
}

const struct strs *fates_reasons(const struct fates *fates, str urn)
{
    const struct fate_entry *entry = fates_find(fates, urn);

    return entry && entry->has_reasons ? &entry->reasons : NULL;
}
