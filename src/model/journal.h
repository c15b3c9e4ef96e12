/* journal.h — how steps become state: entries, their text, and replay over a base snapshot. */
#pragma once

#include "base/json.h"
#include "model/snapshot.h"

enum journal_kind {
    JOURNAL_BEGIN = 0,
    JOURNAL_SUCCESS = 1,
    JOURNAL_FAILURE = 2,
    JOURNAL_REFRESH_SUCCESS = 3,
    JOURNAL_OUTPUTS = 4,
    JOURNAL_WRITE = 5,
    JOURNAL_SECRETS_MANAGER = 6,
    JOURNAL_REBUILT_BASE = 7, /* is_refresh: the program ran first, the base stays */
    JOURNAL_EXTENSION = 8,
    JOURNAL_SNIPPETS = 9,
};

enum { JOURNAL_NONE = -1 };

/* The fields of the reference's entry. The *_old are places in the base list, the *_new operation
 * ids; JOURNAL_NONE where unset. */
struct journal_entry {
    enum journal_kind kind;
    int64_t sequence_id;
    int64_t operation_id;
    int64_t remove_old, remove_new;
    int64_t pending_replacement_old, pending_replacement_new;
    int64_t delete_old, delete_new;
    struct resource *state; /* may be NULL */
    int64_t state_old; /* our extension: the state is the one at this place of the base; in the text
                          it stands for `state` */
    const struct pending_operation *operation; /* may be NULL */
    bool is_refresh;
    bool drops_pending_creates; /* our extension: the first entry of an operation that clears
                                   interrupted creates */
    bool requires_byte_string;  /* as read; writing finds out */
    str secrets_type;           /* JOURNAL_SECRETS_MANAGER */
    str secrets_state;          /* raw JSON */
    str snippets;               /* JOURNAL_SNIPPETS: raw JSON of the list; empty: none */
    const struct snapshot *new_snapshot; /* JOURNAL_WRITE */
    const struct extension *extension;   /* JOURNAL_EXTENSION */
};
#define JOURNAL_ENTRY_EMPTY                                                               \
    {                                                                                     \
        .remove_old = JOURNAL_NONE, .remove_new = JOURNAL_NONE,                           \
        .pending_replacement_old = JOURNAL_NONE, .pending_replacement_new = JOURNAL_NONE, \
        .delete_old = JOURNAL_NONE, .delete_new = JOURNAL_NONE, .state_old = JOURNAL_NONE \
    }

/* Secrets in `state`, `operation` and `new_snapshot` must be sealed. */
void journal_entry_write(struct json_writer *writer, const struct journal_entry *entry);
/* Texts are slices of `text` or in the arena. */
fallible journal_entry_read(struct arena *arena, str text, struct journal_entry *out);

/* The state that the entries leave on top of the base. Both are borrowed. */
struct replay;
struct replay *replay_new(struct arena *arena, const struct snapshot *base);
/* Is this very resource in the base, unchanged, at the place that it names? Readers of the journal
 * have it there, too. */
bool replay_has_in_base(const struct replay *replay, const struct resource *resource);
/* In the order of sequence ids; gaps are allowed, and the journal may end anywhere. What does not
 * fit is ERROR_INVALID and leaves the state as it was. */
fallible replay_apply(struct replay *replay, const struct journal_entry *entry);
/* What the snapshot is now: resources, pending operations, secrets manager; aliases normalised.
 * Manifest fields are the base's. What an operation marked is in copies; the rest are the resources
 * of base and entries themselves, numbered as they were. */
fallible replay_snapshot(struct replay *replay, struct snapshot *out);
