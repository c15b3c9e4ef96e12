/* key_awskms.c — awskms://KEY[?region=…]: a key of AWS's service of keys, by its id, its alias or
 * its ARN (awskms:///arn:…). context_NAME=VALUE is its encryption context. */
#include "secrets/key_service.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/settings.h"
#include "cloud/aws_identity.h"

static const char *const awskms_parameters[] = {
    "region",        "profile",
    "role",          "endpoint",
    "anonymous",     "disableSSL",
    "disable_https", "dualstack",
    "fips",          "hostname_immutable",
    "awssdk",        "rate_limiter_capacity",
    "context_*",     NULL,
};

static bool awskms_flag(const struct key_use *use, const char *name)
{
    bool is_set = false;

    str_to_bool(cloud_url_parameter(&use->url, name), &is_set);
    return is_set;
}

static fallible awskms_check(const struct key_use *use)
{
    static const char *const flags[] = { "anonymous", "disableSSL", "disable_https",
                                         "dualstack", "fips",       "hostname_immutable" };
    bool is_set;

    TRY(cloud_url_check(&use->url, awskms_parameters));
    for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
        str value = cloud_url_parameter(&use->url, flags[i]);
        if (value.len && !str_to_bool(value, &is_set))
            return error_new(ERROR_INVALID,
                             "query parameter \"%s\" is '" STR_FMT "': expected true or false",
                             flags[i], STR_ARG(value));
    }
    return NULL;
}

static str awskms_key(const struct key_use *use)
{
    str host = use->url.host, path = use->url.path;

    return host.len && path.len ? arena_concat(use->arena, host, STR("/"), path)
           : host.len           ? host
                                : path;
}

/* The fourth part of arn:aws:kms:REGION:…; empty if it is no ARN. */
static str awskms_region_of(str key)
{
    str part = STR("");

    if (!str_starts_with(key, STR("arn:")))
        return part;
    for (int i = 0; i < 4; i++)
        if (!str_cut(key, STR(":"), &part, &key))
            return STR("");
    return part;
}

static str awskms_origin(const struct key_use *use, str region)
{
    str endpoint = cloud_url_parameter(&use->url, "endpoint");
    bool is_open = awskms_flag(use, "disableSSL") || awskms_flag(use, "disable_https");
    const char *name = awskms_flag(use, "fips") ? "kms-fips" : "kms";

    while (str_ends_with(endpoint, STR("/")))
        endpoint.len--;
    if (endpoint.len && str_find(endpoint, STR("://")) != SIZE_MAX)
        return endpoint;
    if (endpoint.len)
        return arena_concat(use->arena, is_open ? STR("http://") : STR("https://"), endpoint);
    if (awskms_flag(use, "dualstack"))
        return arena_printf(use->arena, "https://%s." STR_FMT ".api.aws", name, STR_ARG(region));
    if (awskms_flag(use, "fips"))
        return arena_printf(use->arena, "https://%s." STR_FMT ".amazonaws.com", name,
                            STR_ARG(region));
    return aws_endpoint(use->arena, "kms", region);
}

/* {"EncryptionContext":…,"KeyId":…,"Plaintext":…}; no key for what says itself which it is. */
static str awskms_body(const struct key_use *use, const char *member, str bytes, bool names_key)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct pairs query = pairs_sorted(use->arena, use->url.query);
    str prefix = STR("context_");
    bool has_context = false;

    strbuf_reserve(&text, bytes.len * 2 + use->url.text.len * 6 + 256);
    json_begin_object(&writer);
    for (size_t i = 0; i < query.len; i++) {
        if (!str_starts_with(query.items[i].key, prefix))
            continue;
        if (!has_context) {
            json_key(&writer, STR("EncryptionContext"));
            json_begin_object(&writer);
            has_context = true;
        }
        json_key(&writer, str_slice(query.items[i].key, prefix.len, query.items[i].key.len));
        json_string(&writer, query.items[i].value);
    }
    if (has_context)
        json_end_object(&writer);
    if (names_key) {
        json_key(&writer, STR("KeyId"));
        json_string(&writer, awskms_key(use));
    }
    strbuf_printf(&text, "%s\"%s\":\"", has_context || names_key ? "," : "", member);
    base64_encode(&text, bytes);
    strbuf_add(&text, STR("\"}"));
    str body = arena_copy(use->arena, strbuf_str(&text));
    explicit_bzero(text.ptr, text.len);
    return body;
}

static const struct json_field awskms_answer[] = {
    JSON_FIELD("CiphertextBlob", struct key_answer, ciphertext, json_field_string),
    JSON_FIELD("Plaintext", struct key_answer, plaintext, json_field_string),
    { 0 },
};

static fallible awskms_send(const struct key_use *use, struct aws_identity *identity,
                            const char *target, str body, struct key_answer *out)
{
    const struct pair headers[] = {
        { STR_INIT("content-type"), STR_INIT("application/x-amz-json-1.1") },
        { STR_INIT("x-amz-target"), str_from(target) },
    };
    str region = aws_identity_region(identity);
    struct aws_credentials credentials;
    struct aws_signed message;

    if (!region.len && !cloud_url_parameter(&use->url, "endpoint").len)
        return error_new(ERROR_INVALID,
                         "no region is known: add ?region=REGION to the URL, or set AWS_REGION");
    TRY(aws_identity_get(identity, use->arena, &credentials));
    const struct aws_request request = { .method = STR("POST"),
                                         .origin = awskms_origin(use, region),
                                         .path = STR("/"),
                                         .headers = { headers, 2 },
                                         .body = body };
    const struct aws_signing signing = { &credentials, region, STR("kms"), clock_now() };
    aws_sign(use->arena, &request, &signing, &message);
    const struct cloud_call call = {
        .who = "AWS KMS",
        .method = STR("POST"),
        .url = message.url,
        .headers = message.headers.items,
        .header_count = message.headers.len,
        .body = body,
        .hint = "may the credentials use the key (kms:Encrypt, kms:Decrypt)?",
    };
    return cloud_call_json(use->http, &call, use->arena, awskms_answer, out);
}

static fallible awskms_call(const struct key_use *use, const char *target, str body,
                            struct key_answer *out)
{
    const struct aws_options options = {
        .profile = cloud_url_parameter(&use->url, "profile"),
        .role = cloud_url_parameter(&use->url, "role"),
        .region = cloud_url_parameter(&use->url, "region").len
                      ? cloud_url_parameter(&use->url, "region")
                      : awskms_region_of(awskms_key(use)),
        .is_anonymous = awskms_flag(use, "anonymous"),
        .home = settings_text("HOME"),
    };
    struct aws_identity *identity;

    *out = (struct key_answer){ 0 };
    TRY(awskms_check(use));
    if (!awskms_key(use).len)
        return error_new(ERROR_INVALID, "the URL names no key: expected awskms://KEY, "
                                        "awskms://alias/NAME or awskms:///ARN");
    TRY(aws_identity_new(&options, use->http, &identity));
    struct error *failure = awskms_send(use, identity, target, body, out);
    aws_identity_free(identity);
    return failure;
}

static struct error *awskms_seal(const struct key_use *use, struct secret plain, str *sealed)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    struct secret body = secret_hide(awskms_body(use, "Plaintext", secret_reveal(plain), true));
    struct key_answer answer;
    struct error *failure = awskms_call(use, "TrentService.Encrypt", secret_reveal(body), &answer);

    secret_clear(&body);
    TRY(failure);
    if (!base64_decode(&bytes, answer.ciphertext) || bytes.len == 0)
        return error_new(ERROR_INVALID, "AWS KMS answered without a ciphertext");
    *sealed = arena_copy(use->arena, strbuf_str(&bytes));
    return NULL;
}

static struct error *awskms_unseal(const struct key_use *use, str sealed, struct secret *plain)
{
    struct key_answer answer;

    TRY(awskms_call(use, "TrentService.Decrypt", awskms_body(use, "CiphertextBlob", sealed, false),
                    &answer));
    return key_service_plain(use->arena, answer.plaintext, plain);
}

const struct key_service key_service_awskms = {
    .scheme = "awskms",
    .answer = awskms_answer,
    .seal = awskms_seal,
    .unseal = awskms_unseal,
};
