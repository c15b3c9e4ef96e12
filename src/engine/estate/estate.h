/* estate.h — the states before this run, those that the run has recorded so far, and what is to
 * become of each. */
#pragma once

#include "engine/estate/fates.h"
#include "model/graph.h"
#include "plugin/provider.h"

struct estate {
    struct arena *arena; /* of the operation */
    struct resources base;
    struct graph *graph;       /* of `base` */
    struct map olds;           /* URN → live struct resource * of `base` */
    struct map all_olds;       /* URN → any, also those marked for deletion */
    struct map views;          /* owner's URN → struct resources * */
    struct map replaced_views; /* likewise, to be deleted with an instance that was replaced */
    struct map news;     /* URN → struct resource * that this run has created, changed or kept */
    struct map reads;    /* URN → struct resource * that this run has looked up */
    struct map imported; /* type, provider and ID → one of `news` that was imported by that ID */
    struct map old_companions; /* URN → struct resources * of `base` that name it in deletedWith
                                * or replaceWith */
    struct map new_companions; /* likewise, of all that was in `news` */
    struct fates fates;
};

void estate_init(struct estate *estate, struct arena *arena);
void estate_release(struct estate *estate);

/* The state that everything is compared with; a refresh sets it anew. */
void estate_set_base(struct estate *estate, struct resource **resources, size_t count);

/* This run has created, changed or kept it. */
void estate_add_new(struct estate *estate, struct resource *state);

/* NULL if there is none. */
struct resource *estate_old(const struct estate *estate, str urn);
struct resource *estate_new(const struct estate *estate, str urn);
/* What a refresh within this run left in place of a state of `base`; without one, that itself. */
struct resource *estate_refreshed(struct resource *old);
/* Made, kept or looked up by this run. */
struct resource *estate_current(const struct estate *estate, str urn);
/* One of `news` was imported by its ID. */
void estate_note_import(struct estate *estate, struct resource *state);
/* Another resource of `news` was imported by the ID of this one: it exists for that now. */
bool estate_is_taken_over(const struct estate *estate, const struct resource *old);
/* Also if all that is left of it is to be deleted. */
bool estate_had(const struct estate *estate, str urn);
/* The views of a state of before, or of what this run has made of it, be it under another name. */
struct provider_views estate_views(const struct estate *estate, const struct resource *owner);
struct provider_views estate_replaced_views(const struct estate *estate,
                                            const struct resource *owner);
/* What a replacement of `urn` takes along, by deletedWith or replaceWith: of what was there before,
 * and of what this run has made. One state may be there twice. */
struct resources estate_old_companions(const struct estate *estate, struct arena *arena, str urn);
struct resources estate_new_companions(const struct estate *estate, struct arena *arena, str urn);
/* Whether anything is to be read before it is updated. */
bool estate_refreshes_before_update(const struct estate *estate);
