/* cloud_jwt.c — signs with libcrypto. */
#include "cloud/cloud_jwt.h"

#include "base/base64.h"
#include "base/hash.h"

#include <openssl/evp.h>
#include <openssl/pem.h>

static void pem_close(BIO **owned)
{
    BIO_free(*owned);
}

static void private_key_close(EVP_PKEY **owned)
{
    EVP_PKEY_free(*owned);
}

static void certificate_close(X509 **owned)
{
    X509_free(*owned);
}

static void digest_close(EVP_MD_CTX **owned)
{
    EVP_MD_CTX_free(*owned);
}

static int no_password(char *buffer, int size, int writes, void *context)
{
    (void)buffer, (void)size, (void)writes, (void)context;
    return -1;
}

static BIO *pem_open(str pem)
{
    BIO *bytes = BIO_new_mem_buf(pem.ptr, (int)pem.len);

    BUG_IF(!bytes);
    return bytes;
}

static fallible jwt_sign(struct strbuf *text, str pem)
{
    CLEANUP(pem_close) BIO *bytes = pem_open(pem);
    CLEANUP(private_key_close)
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bytes, NULL, no_password, NULL);
    if (!key || EVP_PKEY_base_id(key) != EVP_PKEY_RSA)
        return error_new(ERROR_INVALID, "its private key is no RSA key in PEM");

    CLEANUP(digest_close) EVP_MD_CTX *digest = EVP_MD_CTX_new();
    size_t size = (size_t)EVP_PKEY_size(key);
    CLEANUP(strbuf_release) struct strbuf signature = { 0 };
    BUG_IF(!digest);
    strbuf_reserve(&signature, size);
    bool is_signed = EVP_DigestSignInit(digest, NULL, EVP_sha256(), NULL, key) > 0
                     && EVP_DigestSign(digest, (unsigned char *)signature.ptr, &size,
                                       (const unsigned char *)text->ptr, text->len)
                            > 0;
    if (!is_signed)
        return error_new(ERROR_INVALID, "its private key cannot sign");
    strbuf_add_char(text, '.');
    base64_encode_url(text, (str){ signature.ptr, size });
    return NULL;
}

fallible cloud_jwt_sign(struct arena *arena, str header, str claims, str private_key, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (private_key.len > INT32_MAX)
        return error_new(ERROR_INVALID, "its private key is too long");
    base64_encode_url(&text, header);
    strbuf_add_char(&text, '.');
    base64_encode_url(&text, claims);
    TRY(jwt_sign(&text, private_key));
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}

fallible cloud_jwt_thumbprint(struct arena *arena, str pem, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    unsigned char digest[SHA1_SIZE], *der = NULL;

    if (pem.len > INT32_MAX)
        return error_new(ERROR_INVALID, "the certificate is too long");
    CLEANUP(pem_close) BIO *bytes = pem_open(pem);
    CLEANUP(certificate_close)
    X509 *certificate = PEM_read_bio_X509(bytes, NULL, no_password, NULL);
    int len = certificate ? i2d_X509(certificate, &der) : 0;
    if (len <= 0)
        return error_new(ERROR_INVALID, "there is no certificate in PEM");
    hash_sha1((str){ (const char *)der, (size_t)len }, digest);
    OPENSSL_free(der);
    base64_encode_url(&text, (str){ (const char *)digest, sizeof(digest) });
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}
