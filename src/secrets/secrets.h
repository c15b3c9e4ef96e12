/* secrets.h — managers of secrets: what seals and unseals the values of one stack, and by which
 * key: of a passphrase, or of a key service. */
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

/* From a checkpoint. Unlocks nothing yet: a wrong passphrase, or a key service that says no, shows
 * only when something is sealed or unsealed, so that operations that need no secret work without
 * one. Types that are not supported fail. `state` is JSON; its bytes are kept. */
fallible secrets_open(struct keyring *keyring, str type, str state, struct secrets **out);

/* What a stack's config file says of its manager. Empty: the file does not say it. */
struct secrets_names {
    str provider;      /* secretsprovider: "default", "passphrase" or the URL of a key */
    str encrypted_key; /* encryptedkey, with a URL */
    str salt;          /* encryptionsalt, with a passphrase */
};
fallible secrets_open_config(struct keyring *keyring, const struct secrets_names *names,
                             struct secrets **out);

/* A new manager: a salt for the passphrase of the keyring's source (a person is asked twice), or a
 * data key that the service of the URL has sealed. Blocks. */
fallible secrets_create(struct keyring *keyring, str provider, struct secrets **out);

/* The same for a passphrase that was chosen otherwise (`stack change-secrets-provider`). Blocks. */
fallible secrets_create_with(struct keyring *keyring, struct secret passphrase,
                             struct secrets **out);

/* A manager that works elsewhere: a service that seals and unseals by itself. The crypter lives as
 * long as the manager, which calls `close` with it. */
struct secrets *secrets_adopt(str type, str state, struct crypter *owned,
                              void (*close)(struct crypter *owned));

void secrets_close(struct secrets *owned);

/* "passphrase", "cloud", or that of an adopted one */
str secrets_type(const struct secrets *secrets);
/* {"salt":"…"} or {"url":"…","encryptedkey":"…"}, byte by byte as it was read. */
str secrets_state(const struct secrets *secrets);
/* What belongs into a stack's file; nothing of an adopted one. Lives as long as the keyring. */
struct secrets_names secrets_names(const struct secrets *secrets);

/* Same type and same bytes of state: ciphertexts of one are good for the other. Either may be
 * NULL. */
bool secrets_is_same(const struct secrets *a, const struct secrets *b);

/* Lives as long as the manager. NULL for a NULL manager. */
struct crypter *secrets_crypter(struct secrets *secrets);

/* The passphrase is not at hand: a person is asked for it, or it is refused at once. */
bool secrets_asks(const struct secrets *secrets);

/* Unlocks the key: fails with "incorrect passphrase", or with what the key service says. Blocks. */
fallible secrets_verify(struct secrets *secrets);

/* Unlocks the key if it is one of that passphrase; otherwise the next use goes its usual way.
 * Blocks. */
void secrets_try(struct secrets *secrets, struct secret passphrase);

/* Refuses what `--secrets-provider` cannot be. */
fallible secrets_check_provider(str provider);
/* Whether it is the URL of a key in a key service. */
bool secrets_is_key_service(str provider);
