/* cipher.c — AES-256-GCM with a random nonce of twelve bytes, no additional data and a tag of
 * sixteen bytes behind the ciphertext. */
#include "secrets/cipher.h"

#include "base/base64.h"
#include "base/uuid.h"

#include <openssl/evp.h>

enum { NONCE_SIZE = 12, TAG_SIZE = 16 };

void cipher_init(struct cipher *cipher, const unsigned char key[CIPHER_KEY_SIZE])
{
    EVP_CIPHER_CTX *sealing = EVP_CIPHER_CTX_new(), *opening = EVP_CIPHER_CTX_new();

    BUG_IF(!sealing || !opening);
    BUG_IF(!EVP_EncryptInit_ex(sealing, EVP_aes_256_gcm(), NULL, key, NULL));
    BUG_IF(!EVP_DecryptInit_ex(opening, EVP_aes_256_gcm(), NULL, key, NULL));
    cipher->sealing = sealing;
    cipher->opening = opening;
}

void cipher_release(struct cipher *cipher)
{
    EVP_CIPHER_CTX_free(cipher->sealing);
    EVP_CIPHER_CTX_free(cipher->opening);
    *cipher = (struct cipher){ 0 };
}

/* libcrypto counts with int. */
static bool is_too_large(size_t len)
{
    return len > INT32_MAX - 64;
}

str cipher_seal(struct cipher *cipher, struct arena *arena, str plaintext)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    unsigned char nonce[NONCE_SIZE];
    EVP_CIPHER_CTX *context = cipher->sealing;
    int len = 0, rest = 0;

    BUG_IF(!context || is_too_large(plaintext.len));
    random_bytes(nonce, sizeof(nonce));
    unsigned char *sealed = arena_alloc_raw(arena, plaintext.len + TAG_SIZE);
    BUG_IF(!EVP_EncryptInit_ex(context, NULL, NULL, NULL, nonce));
    BUG_IF(plaintext.len
           && !EVP_EncryptUpdate(context, sealed, &len, (const unsigned char *)plaintext.ptr,
                                 (int)plaintext.len));
    BUG_IF(!EVP_EncryptFinal_ex(context, sealed + len, &rest));
    BUG_IF(!EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG_SIZE, sealed + plaintext.len));

    strbuf_add(&text, STR("v1:"));
    base64_encode(&text, (str){ (const char *)nonce, sizeof(nonce) });
    strbuf_add_char(&text, ':');
    base64_encode(&text, (str){ (const char *)sealed, plaintext.len + TAG_SIZE });
    return arena_copy(arena, strbuf_str(&text));
}

/* Splits v1:NONCE:CIPHERTEXT and decodes both. */
static fallible cipher_split(str text, struct strbuf *nonce, struct strbuf *sealed)
{
    str version, rest, nonce_text, sealed_text;

    if (!str_cut(text, STR(":"), &version, &rest)
        || !str_cut(rest, STR(":"), &nonce_text, &sealed_text)
        || str_find_char(sealed_text, ':') != SIZE_MAX)
        return error_new(ERROR_INVALID, "bad value");
    if (!str_equal(version, STR("v1")))
        return error_new(ERROR_INVALID, "unknown value version");
    if (!base64_decode(nonce, nonce_text) || !base64_decode(sealed, sealed_text))
        return error_new(ERROR_INVALID, "bad value: it is not base64");
    if (nonce->len != NONCE_SIZE)
        return error_new(ERROR_INVALID, "bad value: nonce size is incorrect");
    if (sealed->len < TAG_SIZE || is_too_large(sealed->len))
        return error_new(ERROR_INVALID, "bad value: its size is incorrect");
    return NULL;
}

fallible cipher_open(struct cipher *cipher, struct arena *arena, str ciphertext, str *plaintext)
{
    CLEANUP(strbuf_release) struct strbuf nonce = { 0 };
    CLEANUP(strbuf_release) struct strbuf sealed = { 0 };
    EVP_CIPHER_CTX *context = cipher->opening;
    int len = 0, rest = 0;

    BUG_IF(!context);
    TRY(cipher_split(ciphertext, &nonce, &sealed));
    size_t size = sealed.len - TAG_SIZE;
    unsigned char *opened = arena_alloc_raw(arena, size + TAG_SIZE);
    BUG_IF(!EVP_DecryptInit_ex(context, NULL, NULL, NULL, (const unsigned char *)nonce.ptr));
    bool is_authentic =
        (!size
         || EVP_DecryptUpdate(context, opened, &len, (const unsigned char *)sealed.ptr, (int)size))
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, TAG_SIZE, sealed.ptr + size)
        && EVP_DecryptFinal_ex(context, opened + len, &rest) > 0;
    if (!is_authentic) {
        explicit_bzero(opened, size);
        return error_new(ERROR_INVALID, "cipher: message authentication failed");
    }
    opened[size] = '\0';
    *plaintext = (str){ (const char *)opened, size };
    return NULL;
}
