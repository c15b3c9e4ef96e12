/* test_secrets.c — passphrases, keys and ciphertexts, with vectors of the reference. */
#include "unit/check.h"

#include "base/fs.h"
#include "base/hex.h"
#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "secrets/cipher.h"
#include "secrets/pbkdf2.h"
#include "secrets/secrets.h"

#include <openssl/evp.h>
#include <stdlib.h>

#define SALT_A "v1:/sdX+R5vCRg=:v1:mH3mN/BltrKiKFii:yiPwnG8dYrGvZ3BgBdKyUGOxL+Dfrg=="
#define SALT_B "v1:/GBYh41pWyA=:v1:YbkrwgLDZiRKDvsv:KyGEbr4LtKz0S5qiGRqaEWOPXcWlOw=="
#define SALT_C "v1:Yx9Qsz0wA5Y=:v1:CI8nxs8HOKIrOZd/:jd/+1XUY3tpTI05h2ksUIIPeEbaRbA=="

static struct keyring *ring(str passphrase)
{
    struct passphrase_source source = { .has_passphrase = true,
                                        .passphrase = secret_hide(passphrase) };
    return keyring_open(&source);
}

static struct error *open_salt(struct keyring *keyring, str salt, struct secrets **out)
{
    const struct secrets_names names = { .provider = STR_INIT("passphrase"), .salt = salt };
    return secrets_open_config(keyring, &names, out);
}

static void assert_key(str passphrase, str salt, str wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    unsigned char key[PBKDF2_KEY_SIZE];
    str salt_bytes;

    assert_true(hex_decode(&arena, salt, &salt_bytes));
    pbkdf2_sha256(passphrase, salt_bytes, 1000000, key);
    assert_str_equal(hex_encode(&arena, (str){ (const char *)key, sizeof(key) }), wanted);
}

static void keys_are_those_of_the_reference(void **state)
{
    (void)state;
    assert_key(STR("x"), STR("fec757f91e6f0918"),
               STR("4baa4d176b01fcc4093dc24b360bef111fcb4ef7c782eef97ebb06cd0f95aaec"));
    assert_key(STR(""), STR("fc6058878d695b20"),
               STR("eac13cdc711a4fc27fad7b176f30bcdb3af12344456365ce17b4c6dbb458e437"));
    assert_key(STR("p\xc3\xa4ssw\xc3\xb6rd \xe2\x9a\x99"), STR("631f50b33d300396"),
               STR("96751bcf4a249ba3ad9bc47c4959c224a0509bbcbdaa1ebf833563ad5bbac379"));
}

static void derivation_agrees_with_libcrypto_for_every_length(void **state)
{
    (void)state;
    char text[200];
    memset(text, 'k', sizeof(text));
    for (size_t len = 0; len <= 200; len += 7) {
        unsigned char ours[PBKDF2_KEY_SIZE], theirs[PBKDF2_KEY_SIZE];
        uint32_t iterations = (uint32_t)(1 + len % 5);
        pbkdf2_sha256((str){ text, len }, (str){ text, len / 3 }, iterations, ours);
        assert_int_equal(PKCS5_PBKDF2_HMAC(text, (int)len, (const unsigned char *)text,
                                           (int)(len / 3), (int)iterations, EVP_sha256(),
                                           sizeof(theirs), theirs),
                         1);
        assert_memory_equal(ours, theirs, sizeof(ours));
    }
}

static void assert_opens(struct secrets *secrets, str ciphertext, str wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct crypter *crypter = secrets_crypter(secrets);
    str plaintext, again;

    assert_ok(crypter->unseal(crypter, ciphertext, &arena, &plaintext));
    assert_str_equal(plaintext, wanted);
    /* Primed by unsealing: what has not changed keeps its ciphertext. */
    assert_ok(crypter->seal(crypter, plaintext, &arena, &again));
    assert_str_equal(again, ciphertext);
}

static void ciphertexts_of_the_reference_open(void **state)
{
    (void)state;
    struct keyring *keyring = ring(STR("x"));
    struct secrets *secrets;

    assert_ok(secrets_open(keyring, STR("passphrase"), STR("{\"salt\":\"" SALT_A "\"}"), &secrets));
    assert_opens(secrets, STR("v1:ZJx48sbIXlVtUOd0:NGQKh+sP0whthApNMw6fsRJkD1mzlvM="),
                 STR("hunter2"));
    assert_opens(secrets, STR("v1:bOLEnqMR1uEqq0iL:jElP7OI7/5hRAQhjdJwSm2yk6BPHFlYV"),
                 STR("\"s3cret\""));
    assert_opens(secrets, STR("v1:pfaGVo+94cl06B+N:izozKRa9jJbcmnFSWJ5KljCQkLFbKwPIhfcp6jWEW3fP"),
                 STR("{\"a\":1,\"b\":[\"x\"]}"));
    assert_opens(secrets, STR("v1:toqrginrSl3a96gI:3N7fYxwlv//UvWr26MOdfgCf"), STR("42"));
    assert_opens(secrets, STR("v1:CUgmkkeVehzEBYar:beH8UnZ0tYtQsxkow9BTWaEuCW4="), STR("true"));
    secrets_close(secrets);
    keyring_close(keyring);
}

static void an_empty_or_wide_passphrase_is_one_too(void **state)
{
    (void)state;
    struct keyring *empty = ring(STR("")), *wide = ring(STR("p\xc3\xa4ssw\xc3\xb6rd \xe2\x9a\x99"));
    struct secrets *b, *c;

    assert_ok(open_salt(empty, STR(SALT_B), &b));
    assert_opens(b, STR("v1:cD1tUFfpCrMvp0Ry:N+1+VDgxv93QONolS4XMPQ=="), STR(""));
    assert_opens(b, STR("v1:rtwV0VOYcb0qlE6x:CWgehHgZSJu6Wv4o3gOIkweLE6zUIFT/h/k="),
                 STR("multi\nline"));
    assert_ok(open_salt(wide, STR(SALT_C), &c));
    assert_opens(c, STR("v1:01VcsQz/GaGxhL76:0vgSr5YRl6YdFAUPpTRUAr3AlfWYKAULy7RIuGzg"),
                 STR("h\xc3\xa9llo <&> \"q\""));
    secrets_close(b);
    secrets_close(c);
    keyring_close(empty);
    keyring_close(wide);
}

static void a_wrong_passphrase_locks_the_state_but_keeps_its_bytes(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct keyring *keyring = ring(STR("y"));
    struct secrets *from_state, *from_config;
    str text, spaced = STR("{ \"salt\" : \"" SALT_A "\" }");

    assert_ok(secrets_open(keyring, STR("passphrase"), spaced, &from_state));
    assert_str_equal(secrets_state(from_state), spaced);
    struct crypter *crypter = secrets_crypter(from_state);
    assert_fails(crypter->unseal(crypter,
                                 STR("v1:ZJx48sbIXlVtUOd0:NGQKh+sP0whthApNMw6fsRJkD1mzlvM="),
                                 &arena, &text),
                 ERROR_INVALID,
                 "failed to decrypt: incorrect passphrase, please set PULUMI_CONFIG_PASSPHRASE to "
                 "the correct passphrase or set "
                 "PULUMI_CONFIG_PASSPHRASE_FILE to a file containing the passphrase");
    assert_fails(crypter->seal(crypter, STR("a"), &arena, &text), ERROR_INVALID,
                 "failed to encrypt: incorrect passphrase, please");
    assert_ok(open_salt(keyring, STR(SALT_A), &from_config));
    assert_fails(secrets_verify(from_config), ERROR_INVALID, "incorrect passphrase");
    assert_str_equal(secrets_state(from_config), STR("{\"salt\":\"" SALT_A "\"}"));
    assert_false(secrets_is_same(from_state, from_config));
    secrets_close(from_state);
    secrets_close(from_config);
    keyring_close(keyring);
}

static void a_new_salt_opens_with_its_passphrase_only(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct keyring *maker = ring(STR("secret")), *user = ring(STR("secret"));
    struct secrets *made, *used;
    str ciphertext, plaintext;

    assert_ok(secrets_create(maker, STR(""), &made));
    assert_true(str_starts_with(secrets_names(made).salt, STR("v1:")));
    struct crypter *crypter = secrets_crypter(made);
    assert_ok(crypter->seal(crypter, STR("a\0b"), &arena, &ciphertext));

    assert_ok(secrets_open(user, secrets_type(made), secrets_state(made), &used));
    assert_true(secrets_is_same(made, used));
    crypter = secrets_crypter(used);
    assert_ok(crypter->unseal(crypter, ciphertext, &arena, &plaintext));
    assert_str_equal(plaintext, STR("a\0b"));
    secrets_close(made);
    secrets_close(used);
    keyring_close(maker);
    keyring_close(user);
}

static void a_damaged_ciphertext_is_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    static const unsigned char key[CIPHER_KEY_SIZE] = { 1 };
    struct cipher cipher = { 0 };
    str text;

    cipher_init(&cipher, key);
    char *sealed = arena_cstr(&arena, cipher_seal(&cipher, &arena, STR("plain")));
    assert_ok(cipher_open(&cipher, &arena, str_from(sealed), &text));
    assert_str_equal(text, STR("plain"));
    sealed[25] = sealed[25] == 'A' ? 'B' : 'A';
    assert_fails(cipher_open(&cipher, &arena, str_from(sealed), &text), ERROR_INVALID,
                 "message authentication failed");
    assert_fails(cipher_open(&cipher, &arena, STR("v1:abc"), &text), ERROR_INVALID, "bad value");
    assert_fails(cipher_open(&cipher, &arena, STR("v1:a:b:c"), &text), ERROR_INVALID, "bad value");
    assert_fails(cipher_open(&cipher, &arena, STR("v2:AAAA:AAAA"), &text), ERROR_INVALID,
                 "unknown value version");
    assert_fails(cipher_open(&cipher, &arena, STR("v1:AAAA:AAAA"), &text), ERROR_INVALID,
                 "bad value: nonce size is incorrect");
    assert_fails(cipher_open(&cipher, &arena, STR("v1:AAAAAAAAAAAAAAAA:AAAA"), &text),
                 ERROR_INVALID, "its size is incorrect");
    assert_fails(cipher_open(&cipher, &arena, STR("v1:AAAAAAAAAAAAAAAA:!"), &text), ERROR_INVALID,
                 "not base64");
    cipher_release(&cipher);
}

static void what_cannot_be_opened_is_refused_with_a_reason(void **state)
{
    (void)state;
    struct keyring *keyring = ring(STR("x"));
    struct secrets *secrets;

    assert_fails(secrets_open(keyring, STR("b64"), STR("{}"), &secrets), ERROR_INVALID,
                 "no known secrets provider for type \"b64\"");
    assert_fails(secrets_open(keyring, STR("service"), STR("{}"), &secrets), ERROR_INVALID,
                 "no known secrets provider for type \"service\"");
    assert_fails(secrets_open(keyring, STR("passphrase"), STR("{"), &secrets), ERROR_INVALID,
                 "unmarshalling state");
    assert_fails(secrets_open(keyring, STR("passphrase"), STR("{\"salt\":\"v1:x\"}"), &secrets),
                 ERROR_INVALID, "malformed state value");
    assert_fails(secrets_open(keyring, STR("passphrase"), STR("{\"salt\":\"v2:x:y\"}"), &secrets),
                 ERROR_INVALID, "unknown state version");
    const struct secrets_names lost = { .provider = STR_INIT("hashivault://k") };
    assert_fails(secrets_open_config(keyring, &lost, &secrets), ERROR_INVALID,
                 "the encryptedkey of the secrets provider is not base64");
    assert_fails(secrets_open(keyring, STR("cloud"), STR("{\"encryptedkey\":\"AA==\"}"), &secrets),
                 ERROR_INVALID, "unknown secrets provider type '(none)'");
    assert_fails(secrets_check_provider(STR("bogus")), ERROR_INVALID,
                 "unknown secrets provider type 'bogus' (supported values: "
                 "default,passphrase,awskms,azurekeyvault,gcpkms,hashivault)");
    keyring_close(keyring);
}

static struct error *seal_elsewhere(struct crypter *crypter, str plaintext, struct arena *arena,
                                    str *ciphertext)
{
    (void)crypter;
    *ciphertext = arena_concat(arena, STR("sealed "), plaintext);
    return NULL;
}

static void close_elsewhere(struct crypter *owned)
{
    owned->seal = NULL;
}

static void a_manager_may_work_elsewhere(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct crypter crypter = { .seal = seal_elsewhere };
    struct secrets *secrets =
        secrets_adopt(STR("service"), STR("{\"url\":\"u\"}"), &crypter, close_elsewhere);
    str sealed;

    assert_str_equal(secrets_type(secrets), STR("service"));
    assert_str_equal(secrets_state(secrets), STR("{\"url\":\"u\"}"));
    assert_int_equal(secrets_names(secrets).provider.len, 0);
    assert_false(secrets_asks(secrets));
    assert_ok(secrets_verify(secrets));
    assert_ok(secrets_crypter(secrets)->seal(secrets_crypter(secrets), STR("x"), &arena, &sealed));
    assert_str_equal(sealed, STR("sealed x"));
    secrets_close(secrets);
    assert_null(crypter.seal);
}

static void without_a_passphrase_only_what_needs_one_fails(void **state)
{
    (void)state;
    struct passphrase_source nothing = { 0 };
    struct keyring *keyring = keyring_open(&nothing);
    struct secrets *secrets;

    assert_ok(secrets_open(keyring, STR("passphrase"), STR("{\"salt\":\"" SALT_A "\"}"), &secrets));
    assert_fails(secrets_verify(secrets), ERROR_INVALID,
                 "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or "
                 "PULUMI_CONFIG_PASSPHRASE_FILE environment variables");
    secrets_close(secrets);
    keyring_close(keyring);
}

static void the_passphrase_may_lie_in_a_file(void **state)
{
    (void)state;
    char name[] = "/tmp/test_secrets.XXXXXX";
    assert_true(mkstemp(name) >= 0);
    assert_ok(fs_replace(str_from(name), STR(" \nx\n"), 0600));
    struct passphrase_source source = { .passphrase_file = str_from(name) },
                             missing = { .passphrase_file = STR_INIT("/nope") };
    struct keyring *keyring = keyring_open(&source), *other = keyring_open(&missing);
    struct secrets *secrets, *unreadable;

    assert_ok(open_salt(keyring, STR(SALT_A), &secrets));
    assert_ok(secrets_verify(secrets));
    assert_ok(open_salt(other, STR(SALT_A), &unreadable));
    assert_fails(secrets_verify(unreadable), ERROR_NOT_FOUND,
                 "unable to read PULUMI_CONFIG_PASSPHRASE_FILE: open '/nope'");
    secrets_close(secrets);
    secrets_close(unreadable);
    keyring_close(keyring);
    keyring_close(other);
    assert_ok(fs_remove(str_from(name)));
}

struct person {
    const char *const *answers;
    struct strbuf prompts;
};

static struct error *answer(void *context, str prompt, struct arena *arena, struct secret *out)
{
    struct person *person = context;
    strbuf_add(&person->prompts, prompt);
    strbuf_add_char(&person->prompts, '|');
    *out = secret_hide(arena_copy(arena, str_from(*person->answers++)));
    return NULL;
}

static void a_person_is_asked_until_the_answer_fits(void **state)
{
    (void)state;
    static const char *const answers[] = { "wrong", "x", "a", "b", "c", "c" };
    struct person person = { .answers = answers };
    struct passphrase_source source = { .ask = answer, .ask_context = &person };
    struct keyring *keyring = keyring_open(&source);
    struct secrets *secrets, *made;

    assert_ok(open_salt(keyring, STR(SALT_A), &secrets));
    assert_ok(secrets_verify(secrets));
    assert_ok(secrets_verify(secrets));
    assert_ok(secrets_create(keyring, STR("default"), &made));
    assert_str_equal(
        strbuf_str(&person.prompts),
        STR("Enter your passphrase to unlock config/secrets\n"
            "    (set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to remember)|"
            "incorrect passphrase\nEnter your passphrase to unlock config/secrets\n"
            "    (set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to remember)|"
            "Enter your passphrase to protect config/secrets|Re-enter your passphrase to confirm|"
            "passphrases do not match\nEnter your passphrase to protect config/secrets|"
            "Re-enter your passphrase to confirm|"));
    strbuf_release(&person.prompts);
    secrets_close(secrets);
    secrets_close(made);
    keyring_close(keyring);
}

static void ciphertexts_may_be_forgotten(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct passphrase_source source = { .has_passphrase = true,
                                        .passphrase = { "x", 1 },
                                        .forgets_ciphertexts = true };
    struct keyring *keyring = keyring_open(&source);
    struct secrets *secrets;
    str first, second;

    assert_ok(open_salt(keyring, STR(SALT_A), &secrets));
    struct crypter *crypter = secrets_crypter(secrets);
    assert_ok(crypter->seal(crypter, STR("a"), &arena, &first));
    assert_ok(crypter->seal(crypter, STR("a"), &arena, &second));
    assert_false(str_equal(first, second));
    secrets_close(secrets);
    keyring_close(keyring);
}

struct crowd {
    struct secrets *secrets;
    struct work_group group;
    int opened;
};

static void open_one(void *argument)
{
    struct crowd *crowd = argument;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct crypter *crypter = secrets_crypter(crowd->secrets);
    str plaintext;

    assert_ok(crypter->unseal(crypter, STR("v1:ZJx48sbIXlVtUOd0:NGQKh+sP0whthApNMw6fsRJkD1mzlvM="),
                              &arena, &plaintext));
    assert_str_equal(plaintext, STR("hunter2"));
    crowd->opened++;
    work_group_done(&crowd->group);
}

/* In a scope that is canceled while the key is derived: what seals a journal entry must not fail
 * for that. */
static void run_crowd(void *argument)
{
    struct crowd *crowd = argument;
    struct cancel *scope = cancel_open(NULL);

    work_group_add(&crowd->group, 5);
    for (int i = 0; i < 5; i++)
        fiber_spawn_in(scope, open_one, crowd);
    fiber_yield();
    cancel_fire(scope);
    work_group_wait_uncancelable(&crowd->group);
    fiber_yield();
    cancel_close(scope);
}

static void many_fibers_share_one_derivation(void **state)
{
    (void)state;
    static const char *const answers[] = { "x", "never asked for" };
    struct person person = { .answers = answers };
    struct passphrase_source source = { .ask = answer, .ask_context = &person };
    struct keyring *keyring = keyring_open(&source);
    struct crowd crowd = { 0 };

    assert_ok(open_salt(keyring, STR(SALT_A), &crowd.secrets));
    assert_ok(scheduler_run(run_crowd, &crowd));
    assert_int_equal(crowd.opened, 5);
    assert_ptr_equal(person.answers, answers + 1);
    strbuf_release(&person.prompts);
    secrets_close(crowd.secrets);
    keyring_close(keyring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_those_of_the_reference),
        cmocka_unit_test(derivation_agrees_with_libcrypto_for_every_length),
        cmocka_unit_test(ciphertexts_of_the_reference_open),
        cmocka_unit_test(an_empty_or_wide_passphrase_is_one_too),
        cmocka_unit_test(a_wrong_passphrase_locks_the_state_but_keeps_its_bytes),
        cmocka_unit_test(a_new_salt_opens_with_its_passphrase_only),
        cmocka_unit_test(a_damaged_ciphertext_is_refused),
        cmocka_unit_test(what_cannot_be_opened_is_refused_with_a_reason),
        cmocka_unit_test(a_manager_may_work_elsewhere),
        cmocka_unit_test(without_a_passphrase_only_what_needs_one_fails),
        cmocka_unit_test(the_passphrase_may_lie_in_a_file),
        cmocka_unit_test(a_person_is_asked_until_the_answer_fits),
        cmocka_unit_test(ciphertexts_may_be_forgotten),
        cmocka_unit_test(many_fibers_share_one_derivation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
