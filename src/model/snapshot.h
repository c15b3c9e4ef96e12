/* snapshot.h — everything a stack is known to have. */
#pragma once

#include "model/resource.h"

enum pending_kind {
    PENDING_CREATING,
    PENDING_UPDATING,
    PENDING_DELETING,
    PENDING_READING,
    PENDING_IMPORTING,
    PENDING_KINDS
};
extern const char *const pending_names[PENDING_KINDS]; /* "creating", … */

struct pending_operation {
    struct resource *resource;
    enum pending_kind kind;
};

struct extension {
    str ref;
    str name;
    str version;
    str value; /* base64 as in the file */
};

struct snapshot {
    /* manifest */
    str time;
    str magic;
    str version;
    /* secrets_providers: type and the raw JSON text of its state; empty type: none */
    str secrets_type;
    str secrets_state;
    struct resource **resources; /* in topological order */
    size_t resource_count;
    const struct pending_operation *pending;
    size_t pending_count;
    const struct extension *extensions;
    size_t extension_count;
    str metadata; /* raw JSON text, "{}" normally */
    str snippets; /* raw JSON text of the array; empty: none */
    /* The text it came from had byte strings; while secrets are sealed there is no other way to
     * know. */
    bool had_byte_strings;
};

/* Refuses what the reference refuses, with its messages (section 2.1 of the rules: manifest, order,
 * references, duplicates). */
fallible snapshot_verify(const struct snapshot *snapshot);

/* Rewrites references to aliased URNs and drops the aliases. Children are renamed with their
 * parents unless another has that name. Resources that change are copied, as below. */
fallible snapshot_normalize_aliases(struct arena *arena, struct snapshot *snapshot);

/* After a refresh: drops references to what is gone. A child of a vanished parent goes to the
 * nearest ancestor that is left; `base` still has the vanished parent, to find that ancestor;
 * without it the child has no parent. Properties without dependencies are forgotten but for those
 * of the first `untouched` resources that lose nothing. */
void snapshot_drop_dangling(struct arena *arena, struct snapshot *snapshot,
                            const struct snapshot *base, size_t untouched);

/* Numbers the resources as the base of a journal. A snapshot that was read is numbered. */
void snapshot_number(struct snapshot *snapshot);

/* What the manifest must have as magic for that version. */
str snapshot_magic(struct arena *arena, str version);

/* Live (not marked for deletion) resource of that URN; NULL if there is none. Linear: build a map
 * for more than a few. */
struct resource *snapshot_find(const struct snapshot *snapshot, str urn);

/* Seals or unseals every secret of every resource and pending operation. */
struct crypter;
fallible snapshot_seal(struct snapshot *snapshot, struct crypter *crypter, struct arena *arena);
fallible snapshot_unseal(struct snapshot *snapshot, struct crypter *crypter, struct arena *arena);
void snapshot_forget_seals(struct snapshot *snapshot);
bool snapshot_has_secrets(const struct snapshot *snapshot);
