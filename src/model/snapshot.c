/* snapshot.c — what a stack is known to have: looking up, numbering, sealing. */
#include "model/snapshot.h"

#include "base/hash.h"
#include "model/crypter.h"

const char *const pending_names[PENDING_KINDS] = {
    [PENDING_CREATING] = "creating",   [PENDING_UPDATING] = "updating",
    [PENDING_DELETING] = "deleting",   [PENDING_READING] = "reading",
    [PENDING_IMPORTING] = "importing",
};

str snapshot_magic(struct arena *arena, str version)
{
    return version.len ? hash_sha256_hex(arena, version) : STR("");
}

void snapshot_number(struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        snapshot->resources[i]->base_index_plus_one = i + 1;
        snapshot->resources[i]->operation_id = 0;
    }
}

struct resource *snapshot_find(const struct snapshot *snapshot, str urn)
{
    for (size_t i = 0; i < snapshot->resource_count; i++)
        if (!snapshot->resources[i]->is_delete && str_equal(snapshot->resources[i]->urn, urn))
            return snapshot->resources[i];
    return NULL;
}

/* --- secrets --- */

typedef fallible treat_value(struct value value, struct crypter *crypter, struct arena *arena);

static fallible treat_resource(const struct resource *resource, treat_value *treat,
                               struct crypter *crypter, struct arena *arena)
{
    const struct value *value;

    for (size_t cursor = 0; (value = resource_next_value(resource, &cursor));)
        TRY(error_wrap(treat(*value, crypter, arena), STR_FMT, STR_ARG(resource->urn)));
    return NULL;
}

static fallible treat_all(const struct snapshot *snapshot, treat_value *treat,
                          struct crypter *crypter, struct arena *arena)
{
    for (size_t i = 0; i < snapshot->resource_count; i++)
        TRY(treat_resource(snapshot->resources[i], treat, crypter, arena));
    for (size_t i = 0; i < snapshot->pending_count; i++)
        TRY(treat_resource(snapshot->pending[i].resource, treat, crypter, arena));
    return NULL;
}

static fallible forget_value(struct value value, struct crypter *crypter, struct arena *arena)
{
    (void)crypter;
    (void)arena;
    value_forget_seals(value);
    return NULL;
}

void snapshot_forget_seals(struct snapshot *snapshot)
{
    error_ignore(treat_all(snapshot, forget_value, NULL, NULL), "forgetting cannot fail");
}

/* Every value of a snapshot in one list, for a crypter that can do many at once. */
static void foresee_resource(const struct resource *resource, bool seals,
                             struct foresight *foresight, struct arena *scratch)
{
    const struct value *value;

    for (size_t cursor = 0; (value = resource_next_value(resource, &cursor));) {
        if (seals)
            value_foresee_seal(*value, foresight, scratch);
        else
            value_foresee_unseal(*value, foresight);
    }
}

static void foresee_all(const struct snapshot *snapshot, bool seals, struct foresight *foresight,
                        struct arena *scratch)
{
    for (size_t i = 0; i < snapshot->resource_count; i++)
        foresee_resource(snapshot->resources[i], seals, foresight, scratch);
    for (size_t i = 0; i < snapshot->pending_count; i++)
        foresee_resource(snapshot->pending[i].resource, seals, foresight, scratch);
}

fallible snapshot_seal(struct snapshot *snapshot, struct crypter *crypter, struct arena *arena)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct foresight foresight = { 0 };

    if (crypter && crypter->seal_ahead) {
        foresee_all(snapshot, true, &foresight, &scratch);
        TRY(crypter_seal_ahead(crypter, &foresight));
    }
    return treat_all(snapshot, value_seal, crypter, arena);
}

fallible snapshot_unseal(struct snapshot *snapshot, struct crypter *crypter, struct arena *arena)
{
    struct foresight foresight = { 0 };

    if (crypter && crypter->unseal_ahead) {
        foresee_all(snapshot, false, &foresight, NULL);
        TRY(crypter_unseal_ahead(crypter, &foresight));
    }
    return treat_all(snapshot, value_unseal, crypter, arena);
}

bool snapshot_has_secrets(const struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->resource_count; i++)
        if (resource_contains(snapshot->resources[i], value_contains_secret))
            return true;
    for (size_t i = 0; i < snapshot->pending_count; i++)
        if (resource_contains(snapshot->pending[i].resource, value_contains_secret))
            return true;
    return false;
}
