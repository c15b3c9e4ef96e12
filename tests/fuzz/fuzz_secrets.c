/* fuzz_secrets.c — ciphertexts and the states of secrets managers: a text that was not sealed with
 * the key is refused, one that was comes back, and a state is kept byte by byte. */
#include "fuzz/fuzz_support.h"

#include "secrets/cipher.h"
#include "secrets/secrets.h"

static struct error *open_salt(struct keyring *keyring, str salt, struct secrets **out)
{
    const struct secrets_names names = { .provider = STR_INIT("passphrase"), .salt = salt };
    return secrets_open_config(keyring, &names, out);
}

static void try_cipher(struct arena *arena, str text)
{
    static const unsigned char key[CIPHER_KEY_SIZE] = { 1, 2, 3 };
    struct cipher cipher = { 0 };
    str plain;

    cipher_init(&cipher, key);
    fuzz_accepts(cipher_open(&cipher, arena, text, &plain));
    str sealed = cipher_seal(&cipher, arena, text);
    REQUIRE(fuzz_accepts(cipher_open(&cipher, arena, sealed, &plain)) && str_equal(plain, text));
    /* One letter of the tag changed. */
    char *bad = arena_cstr(arena, sealed);
    bad[sealed.len - 6] = bad[sealed.len - 6] == 'A' ? 'B' : 'A';
    REQUIRE(!fuzz_accepts(cipher_open(&cipher, arena, (str){ bad, sealed.len }, &plain)));
    cipher_release(&cipher);
}

static void try_state(struct arena *arena, str text)
{
    const struct passphrase_source source = { 0 };
    struct keyring *keyring = keyring_open(&source);
    struct secrets *secrets;

    (void)arena;
    if (fuzz_accepts(secrets_open(keyring, STR("passphrase"), text, &secrets))) {
        REQUIRE(str_equal(secrets_state(secrets), text));
        str salt = secrets_names(secrets).salt;
        struct secrets *again;
        REQUIRE(fuzz_accepts(open_salt(keyring, salt, &again)));
        REQUIRE(str_equal(secrets_names(again).salt, salt));
        secrets_close(again);
        secrets_close(secrets);
    }
    keyring_close(keyring);
}

static void try_provider(struct arena *arena, str text)
{
    (void)arena;
    fuzz_accepts(secrets_check_provider(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const parts[])(struct arena * arena, str text) = { try_cipher, try_state,
                                                                     try_provider };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    parts[fuzz_choice(&input, sizeof(parts) / sizeof(parts[0]))](&arena, input);
    return 0;
}
