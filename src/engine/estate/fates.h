/* fates.h — what becomes of each URN in this run. */
#pragma once

#include "base/map.h"
#include "model/resource.h"

struct arena;

/* Several may hold of one URN. */
enum fate {
    FATE_NAMED = 1 << 0, /* registered, or recorded for the sake of something that was */
    FATE_READ = 1 << 1,
    FATE_CREATED = 1 << 2,
    FATE_SAME = 1 << 3,
    FATE_UPDATED = 1 << 4,
    FATE_REPLACED = 1 << 5,
    FATE_DELETED = 1 << 6,
    FATE_IMPORTED = 1 << 7,
    FATE_REFRESHED = 1 << 8,
    FATE_NOT_CREATED = 1 << 9,  /* it takes no part in this run, and there was none before */
    FATE_LEFT_ALONE = 1 << 10,  /* refresh: answered from the state, without a step */
    FATE_QUEUED_SAME = 1 << 11, /* untargeted: recorded before the next chain */
    FATE_SKIPPED = 1 << 12,     /* it depends on something that failed */
    FATE_ANSWERED = 1 << 13,    /* its registration is over */
    FATE_VIEW = 1 << 14,        /* a provider has described it as a view */
};

struct fates {
    struct arena *arena;
    struct map by_urn; /* URN → struct fate_entry * */
    unsigned seen;     /* every fate that any URN ever had */
    unsigned changes;  /* how often something changed that the plan of another may rest on */
};

void fates_release(struct fates *fates);
/* Something beside the fates changed that the plan of another registration may rest on. */
void fates_note_change(struct fates *fates);
/* The URN must last as long as the run. */
void fates_add(struct fates *fates, str urn, enum fate fate);
void fates_remove(struct fates *fates, str urn, enum fate fate);
/* One of several fates, given as a sum. */
bool fates_have(const struct fates *fates, str urn, unsigned any_of);

/* All URNs with one of these fates. */
struct strs fates_urns(const struct fates *fates, struct arena *arena, unsigned any_of);

/* FATE_DELETED of one state: a URN may have several that are to go. */
void fates_delete(struct fates *fates, struct resource *state);
/* It stays after all, if it was that state which was to go. */
void fates_undelete(struct fates *fates, const struct resource *state);

/* Why a dependent of something that is deleted first has to be replaced; NULL: it need not. */
void fates_set_reasons(struct fates *fates, str urn, struct strs keys);
const struct strs *fates_reasons(const struct fates *fates, str urn);
