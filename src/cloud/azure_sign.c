/* azure_sign.c — the text that is signed: the method, eleven headers, those of Azure, the resource.
 */
#include "cloud/azure_sign.h"

#include "base/base64.h"
#include "base/hash.h"

static void azure_add_standard(struct strbuf *text, const struct azure_request *request)
{
    static const char *const names[] = { "content-encoding",
                                         "content-language",
                                         "content-length",
                                         "content-md5",
                                         "content-type",
                                         "date",
                                         "if-modified-since",
                                         "if-match",
                                         "if-none-match",
                                         "if-unmodified-since",
                                         "range" };

    strbuf_add(text, request->method);
    strbuf_add_char(text, '\n');
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        const str *value = pairs_find(request->headers, str_from(names[i]));
        if (strcmp(names[i], "content-length") == 0 && request->length > 0)
            strbuf_printf(text, "%llu", (unsigned long long)request->length);
        else if (value)
            strbuf_add(text, *value);
        strbuf_add_char(text, '\n');
    }
}

static void azure_add_own(struct arena *arena, struct strbuf *text,
                          const struct azure_request *request)
{
    struct pairs headers = pairs_sorted(arena, request->headers);

    for (size_t i = 0; i < headers.len; i++) {
        if (!str_starts_with(headers.items[i].key, STR("x-ms-")))
            continue;
        strbuf_add(text, headers.items[i].key);
        strbuf_add_char(text, ':');
        strbuf_add(text, headers.items[i].value);
        strbuf_add_char(text, '\n');
    }
}

static void azure_add_resource(struct arena *arena, struct strbuf *text,
                               const struct azure_request *request, str account)
{
    struct pairs query = pairs_sorted(arena, request->query);

    strbuf_add_char(text, '/');
    strbuf_add(text, account);
    strbuf_add(text, request->path);
    for (size_t i = 0; i < query.len; i++) {
        strbuf_add_char(text, '\n');
        strbuf_add(text, query.items[i].key);
        strbuf_add_char(text, ':');
        strbuf_add(text, query.items[i].value);
    }
}

fallible azure_sign(struct arena *arena, const struct azure_request *request, str account,
                    struct secret key, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    CLEANUP(strbuf_release) struct strbuf signature = { 0 };
    unsigned char digest[SHA256_SIZE];

    if (!base64_decode(&bytes, secret_reveal(key)) || bytes.len == 0)
        return error_new(ERROR_INVALID, "the key of the storage account is not base64");
    azure_add_standard(&text, request);
    azure_add_own(arena, &text, request);
    azure_add_resource(arena, &text, request, account);
    hash_hmac_sha256(strbuf_str(&bytes), strbuf_str(&text), digest);
    explicit_bzero(bytes.ptr, bytes.len);
    base64_encode(&signature, (str){ (const char *)digest, sizeof(digest) });
    *out = arena_concat(arena, STR("Authorization: SharedKey "), account, STR(":"),
                        strbuf_str(&signature));
    return NULL;
}
