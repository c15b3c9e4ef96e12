/* aws_sign.c — the canonical form of a request, and its HMAC under a key of the day. */
#include "cloud/aws_sign.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/strbuf.h"

#include <string.h>
#include <time.h>

#define ALGORITHM "AWS4-HMAC-SHA256"

/* A signature in the making. */
struct aws_signature {
    struct arena *arena;
    const struct aws_request *request;
    const struct aws_signing *signing;
    str time; /* 20260102T030405Z */
    str date; /* 20260102 */
    str body_hash;
    str path;             /* escaped */
    str query;            /* sorted and escaped */
    struct pairs headers; /* sorted, all of them */
    str names;            /* of the headers, with ; between them */
};

static str aws_time(struct arena *arena, int64_t time)
{
    time_t seconds = (time_t)(time / NS_PER_S);
    struct tm parts;
    char text[32];

    gmtime_r(&seconds, &parts);
    size_t len = strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts);
    return arena_copy(arena, (str){ text, len });
}

static str aws_query(struct arena *arena, struct pairs query)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct pair *escaped = ARENA_ARRAY(arena, struct pair, query.len);

    for (size_t i = 0; i < query.len; i++)
        escaped[i] = (struct pair){ percent_encode(arena, query.items[i].key, ""),
                                    percent_encode(arena, query.items[i].value, "") };
    struct pairs sorted = pairs_sorted(arena, (struct pairs){ escaped, query.len });
    for (size_t i = 0; i < sorted.len; i++)
        strbuf_printf(&text, "%s" STR_FMT "=" STR_FMT, i ? "&" : "", STR_ARG(sorted.items[i].key),
                      STR_ARG(sorted.items[i].value));
    return arena_copy(arena, strbuf_str(&text));
}

/* As libcurl sends it: without the port if it is that of the scheme. */
static str aws_host(str origin)
{
    bool is_https = str_starts_with(origin, STR("https://"));
    str scheme, host = origin, default_port = is_https ? STR(":443") : STR(":80");

    str_cut(origin, STR("://"), &scheme, &host);
    return str_ends_with(host, default_port) ? str_slice(host, 0, host.len - default_port.len)
                                             : host;
}

static void aws_collect_headers(struct aws_signature *signature)
{
    enum { OWN_HEADERS = 4 };
    const struct aws_request *request = signature->request;
    struct secret token = signature->signing->credentials->session_token;
    CLEANUP(strbuf_release) struct strbuf names = { 0 };
    struct pair *all =
        ARENA_ARRAY(signature->arena, struct pair, request->headers.len + OWN_HEADERS);
    size_t len = 0;

    for (size_t i = 0; i < request->headers.len; i++)
        all[len++] = request->headers.items[i];
    all[len++] = (struct pair){ STR("host"), aws_host(request->origin) };
    all[len++] = (struct pair){ STR("x-amz-date"), signature->time };
    if (request->hashes_body)
        all[len++] = (struct pair){ STR("x-amz-content-sha256"), signature->body_hash };
    if (token.hidden_len > 0)
        all[len++] = (struct pair){ STR("x-amz-security-token"), secret_reveal(token) };
    signature->headers = pairs_sorted(signature->arena, (struct pairs){ all, len });
    for (size_t i = 0; i < len; i++)
        strbuf_printf(&names, "%s" STR_FMT, i ? ";" : "", STR_ARG(signature->headers.items[i].key));
    signature->names = arena_copy(signature->arena, strbuf_str(&names));
}

/* Blanks around a value do not count, and several are one. */
static void aws_add_value(struct strbuf *out, str value)
{
    bool was_blank = false;

    value = str_trim(value);
    for (size_t i = 0; i < value.len; i++) {
        bool is_blank = value.ptr[i] == ' ';
        if (!is_blank || !was_blank)
            strbuf_add_char(out, value.ptr[i]);
        was_blank = is_blank;
    }
}

static str aws_canonical(const struct aws_signature *signature)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_printf(&text, STR_FMT "\n" STR_FMT "\n" STR_FMT "\n",
                  STR_ARG(signature->request->method), STR_ARG(signature->path),
                  STR_ARG(signature->query));
    for (size_t i = 0; i < signature->headers.len; i++) {
        strbuf_add(&text, signature->headers.items[i].key);
        strbuf_add_char(&text, ':');
        aws_add_value(&text, signature->headers.items[i].value);
        strbuf_add_char(&text, '\n');
    }
    strbuf_printf(&text, "\n" STR_FMT "\n" STR_FMT, STR_ARG(signature->names),
                  STR_ARG(signature->body_hash));
    return arena_copy(signature->arena, strbuf_str(&text));
}

/* The key of a day, a region and a service. */
static void aws_signing_key(const struct aws_signature *signature, unsigned char key[SHA256_SIZE])
{
    const struct aws_signing *signing = signature->signing;
    const str steps[] = { signature->date, signing->region, signing->service, STR("aws4_request") };
    str secret = arena_concat(signature->arena, STR("AWS4"),
                              secret_reveal(signing->credentials->secret_key));
    struct secret hidden = secret_hide(secret);

    hash_hmac_sha256(secret, steps[0], key);
    for (size_t i = 1; i < sizeof(steps) / sizeof(*steps); i++)
        hash_hmac_sha256((str){ (const char *)key, SHA256_SIZE }, steps[i], key);
    secret_clear(&hidden);
}

static str aws_authorization(const struct aws_signature *signature)
{
    struct arena *arena = signature->arena;
    const struct aws_signing *signing = signature->signing;
    unsigned char key[SHA256_SIZE], digest[SHA256_SIZE];
    str scope = arena_concat(arena, signature->date, STR("/"), signing->region, STR("/"),
                             signing->service, STR("/aws4_request"));
    str text = arena_concat(arena, STR(ALGORITHM "\n"), signature->time, STR("\n"), scope,
                            STR("\n"), hash_sha256_hex(arena, aws_canonical(signature)));

    aws_signing_key(signature, key);
    hash_hmac_sha256((str){ (const char *)key, SHA256_SIZE }, text, digest);
    return arena_concat(arena, STR("authorization: " ALGORITHM " Credential="),
                        signing->credentials->access_key, STR("/"), scope, STR(", SignedHeaders="),
                        signature->names, STR(", Signature="),
                        hex_encode(arena, (str){ (const char *)digest, SHA256_SIZE }));
}

void aws_sign(struct arena *arena, const struct aws_request *request,
              const struct aws_signing *signing, struct aws_signed *out)
{
    struct aws_signature signature = {
        .arena = arena,
        .request = request,
        .signing = signing,
        .time = aws_time(arena, signing->time),
        .body_hash = hash_sha256_hex(arena, request->body),
        .path = percent_encode(arena, request->path, "/"),
        .query = aws_query(arena, request->query),
    };
    bool is_anonymous = signing->credentials->access_key.len == 0;
    size_t len = 0;

    signature.date = str_slice(signature.time, 0, 8);
    aws_collect_headers(&signature);
    str *headers = ARENA_ARRAY(arena, str, signature.headers.len + 1);
    for (size_t i = 0; i < signature.headers.len; i++)
        if (!str_equal(signature.headers.items[i].key, STR("host")))
            headers[len++] = arena_concat(arena, signature.headers.items[i].key, STR(": "),
                                          signature.headers.items[i].value);
    if (!is_anonymous)
        headers[len++] = aws_authorization(&signature);
    out->headers = (struct strs){ headers, len };
    out->url = arena_concat(arena, request->origin, signature.path,
                            signature.query.len ? STR("?") : STR(""), signature.query);
}
