/* crypter.c — gives the secrets below a value their other half. */
#include "model/crypter.h"

#include "model/value_json.h"

typedef fallible treat_secret(struct secret_value *secret, unsigned depth, struct crypter *crypter,
                              struct arena *arena);

/* Treats every secret that is not inside another. */
static fallible crypter_walk(struct value value, unsigned depth, treat_secret *treat,
                             struct crypter *crypter, struct arena *arena)
{
    const struct value *child;

    if (value.kind == VALUE_SECRET)
        return treat(value.secret, depth, crypter, arena);
    depth += value.kind != VALUE_OUTPUT;
    for (size_t i = 0; (child = value_child(&value, i)); i++)
        TRY(crypter_walk(*child, depth, treat, crypter, arena));
    return NULL;
}

/* Its text is a slice of what the crypter gives. */
static fallible open_secret(struct secret_value *secret, unsigned depth, struct crypter *crypter,
                            struct arena *arena)
{
    str plaintext;

    if (!secret->is_opaque)
        return crypter_walk(secret->element, depth, open_secret, crypter, arena);
    if (!crypter)
        return error_new(ERROR_OTHER,
                         "a secret cannot be decrypted: the stack has no secrets provider");
    TRY(error_wrap(crypter->unseal(crypter, secret->ciphertext, arena, &plaintext),
                   "decrypting secret value"));
    TRY(value_from_secret_text(arena, plaintext, depth, &secret->element));
    secret->is_opaque = false;
    return NULL;
}

/* The outermost secret seals those inside it with its own text, so they must be open. */
static fallible seal_secret(struct secret_value *secret, unsigned depth, struct crypter *crypter,
                            struct arena *arena)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (secret->ciphertext.len)
        return NULL;
    BUG_IF(secret->is_opaque);
    if (!crypter)
        return error_new(ERROR_OTHER,
                         "a secret cannot be encrypted: the stack has no secrets provider");
    TRY(crypter_walk(secret->element, depth, open_secret, crypter, arena));
    str text = value_secret_text(&scratch, secret->element);
    return error_wrap(crypter->seal(crypter, text, arena, &secret->ciphertext),
                      "failed to encrypt secret value");
}

fallible value_seal(struct value value, struct crypter *crypter, struct arena *arena)
{
    return crypter_walk(value, 0, seal_secret, crypter, arena);
}

fallible value_unseal(struct value value, struct crypter *crypter, struct arena *arena)
{
    return crypter_walk(value, 0, open_secret, crypter, arena);
}

static fallible forget_seal(struct secret_value *secret, unsigned depth, struct crypter *crypter,
                            struct arena *arena)
{
    (void)depth;
    (void)crypter;
    (void)arena;
    if (!secret->is_opaque)
        secret->ciphertext = STR("");
    return NULL;
}

void value_forget_seals(struct value value)
{
    error_ignore(crypter_walk(value, 0, forget_seal, NULL, NULL), "forgetting cannot fail");
}

/* --- many at once --- */

/* The walk carries a crypter along; here it is where the texts are noted. */
struct noting {
    struct crypter crypter;
    struct foresight *foresight;
};

static fallible note_sealed(struct secret_value *secret, unsigned depth, struct crypter *crypter,
                            struct arena *arena)
{
    const struct noting *noting = (const struct noting *)crypter;

    if (!secret->is_opaque)
        return crypter_walk(secret->element, depth, note_sealed, crypter, arena);
    vec_add(noting->foresight, secret->ciphertext);
    return NULL;
}

/* One that has to be opened first is left to its own call. */
static fallible note_open(struct secret_value *secret, unsigned depth, struct crypter *crypter,
                          struct arena *arena)
{
    const struct noting *noting = (const struct noting *)crypter;

    (void)depth;
    if (!secret->ciphertext.len && !secret->is_opaque && !value_contains_sealed(secret->element))
        vec_add(noting->foresight, value_secret_text(arena, secret->element));
    return NULL;
}

void value_foresee_seal(struct value value, struct foresight *foresight, struct arena *arena)
{
    struct noting noting = { .foresight = foresight };

    error_ignore(crypter_walk(value, 0, note_open, &noting.crypter, arena), "noting cannot fail");
}

void value_foresee_unseal(struct value value, struct foresight *foresight)
{
    struct noting noting = { .foresight = foresight };

    error_ignore(crypter_walk(value, 0, note_sealed, &noting.crypter, NULL), "noting cannot fail");
}

static fallible foresight_use(struct crypter *crypter, struct foresight *foresight,
                              fallible (*ahead)(struct crypter *crypter, struct strs texts))
{
    struct error *failure = NULL;

    if (foresight->len > 1)
        failure = ahead(crypter, (struct strs){ foresight->items, foresight->len });
    vec_release(foresight);
    return failure;
}

fallible crypter_seal_ahead(struct crypter *crypter, struct foresight *foresight)
{
    return foresight_use(crypter, foresight, crypter->seal_ahead);
}

fallible crypter_unseal_ahead(struct crypter *crypter, struct foresight *foresight)
{
    return foresight_use(crypter, foresight, crypter->unseal_ahead);
}
