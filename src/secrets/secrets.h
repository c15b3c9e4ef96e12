/* secrets.h — managers of secrets: what seals and unseals the values of one stack, and from which
 * passphrase. */
#pragma once

#include "base/secret.h"
#include "model/crypter.h"

/* Where a passphrase may come from, in this order. Borrowed for the life of the keyring. */
struct passphrase_source {
    bool has_passphrase; /* PULUMI_CONFIG_PASSPHRASE is set, maybe to nothing */
    struct secret passphrase;
    str passphrase_file; /* PULUMI_CONFIG_PASSPHRASE_FILE; empty: not set */
    /* Asks the user without echo; NULL if not interactive. May block. The answer lives in the
     * arena and is cleared after use. */
    fallible (*ask)(void *context, str prompt, struct arena *arena, struct secret *answer);
    void *ask_context;
    bool forgets_ciphertexts; /* PULUMI_DISABLE_SECRET_CACHE: a secret that is sealed again gets a
                                 new ciphertext */
};

/* Keys that were derived, each at most once, and ciphertexts that were seen; one for a process. */
struct keyring;

struct keyring *keyring_open(const struct passphrase_source *source);
/* Clears what it held. Close the managers first. NULL is fine. */
void keyring_close(struct keyring *owned);

/* One manager: `type` and `state` of a checkpoint's secrets_providers. */
struct secrets;

/* From a checkpoint. Derives nothing yet: a wrong passphrase shows only when something is sealed or
 * unsealed, so that operations that need no secret work without one. Types that are not supported
 * fail. `state` is JSON; its bytes are kept. */
fallible secrets_open(struct keyring *keyring, str type, str state, struct secrets **out);

/* From a stack's config file. `provider` is its `secretsprovider` (empty, "default", "passphrase"
 * or a URL), `salt` its `encryptionsalt`. */
fallible secrets_open_config(struct keyring *keyring, str provider, str salt, struct secrets **out);

/* A new salt for the passphrase of the keyring's source; a person is asked twice. Blocks. */
fallible secrets_create(struct keyring *keyring, struct secrets **out);

/* The same for a passphrase that was chosen otherwise (`stack change-secrets-provider`). Blocks. */
fallible secrets_create_with(struct keyring *keyring, struct secret passphrase,
                             struct secrets **out);

void secrets_close(struct secrets *owned);

/* "passphrase" */
str secrets_type(const struct secrets *secrets);
/* {"salt":"…"}, byte by byte as it was read. */
str secrets_state(const struct secrets *secrets);
/* What belongs into `encryptionsalt`. */
str secrets_salt(const struct secrets *secrets);

/* Same type and same bytes of state: ciphertexts of one are good for the other. Either may be
 * NULL. */
bool secrets_is_same(const struct secrets *a, const struct secrets *b);

/* Lives as long as the manager. NULL for a NULL manager. */
struct crypter *secrets_crypter(struct secrets *secrets);

/* A person would be asked for the passphrase. */
bool secrets_asks(const struct secrets *secrets);

/* Derives the key and fails with "incorrect passphrase" if it is not the one. Blocks. */
fallible secrets_verify(struct secrets *secrets);

/* Refuses what `--secrets-provider` cannot be: an unknown kind, or one that is not supported
 * yet. */
fallible secrets_check_provider(str provider);
