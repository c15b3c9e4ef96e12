/* update.h — one operation, for backends that keep track of operations themselves: announced before
 * it begins, followed by its events, ended. Others are content with the lock and the history. */
#pragma once

#include "backend/backend.h"

struct update_facts {
    str kind; /* update, preview, refresh, destroy */
    bool is_preview;
    str project;
    str runtime;
    str entry_point;
    str description;
    str message;
    str config; /* raw JSON as in the history */
    struct pairs environment;
    struct pairs tags; /* of the project; empty: those of the stack stay as they are */
    bool changes_key;  /* what is in the state gets other ciphertexts, which entries do not say */
    int32_t parallel;
    bool is_debug;
};

struct update_message {
    str severity; /* error, warning, info */
    str text;
};

/* A policy pack that has to check the operation. */
struct required_pack {
    str organization;
    str name;
    str version;
    str location; /* of its archive: whoever has this URL may read it */
    str config;   /* JSON: policy → settings; empty: none */
    struct strs environments;
};

/* What a kind has to tell of one that has begun. Kinds embed it first. */
struct update {
    struct backend *backend;               /* set by backend.c */
    str permalink;                         /* where people can look at it; empty: nowhere */
    const struct update_message *messages; /* for the user */
    size_t message_count;
    const struct required_pack *packs;
    size_t pack_count;
};

/* Whether begin makes a difference; if not, the facts need not be gathered. */
bool backend_tracks_updates(const struct backend *backend);
/* Between begin and end nobody else changes the stack, unless it is a preview. NULL in kinds that
 * keep no track. Blocks. */
fallible backend_begin_update(struct backend *backend, struct stack_ref stack,
                              const struct update_facts *facts, struct update **out);
/* One event as JSON, borrowed. Does not block; what cannot be delivered is lost. NULL is fine. */
void update_add_event(struct update *update, str event);
/* NULL is fine. Blocks. */
fallible update_end(struct update *owned, bool has_succeeded);
