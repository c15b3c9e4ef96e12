/* google_identity.c — the types of files of credentials, and how each becomes a token. */
#include "cloud/google_identity.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/vec.h"
#include "cloud/cloud_jwt.h"

#define SCOPE STR("https://www.googleapis.com/auth/cloud-platform")
#define TOKEN_URI STR("https://oauth2.googleapis.com/token")

enum { SUBJECT_FILE_MAX = 1 << 20, ASSERTION_S = 3600 };

/* --- reading --- */

static struct error *google_read_identity(struct json_reader *reader, void *out);

static struct error *google_read_source(struct json_reader *reader, void *member)
{
    struct google_identity *source = ARENA_NEW(reader->arena, struct google_identity);

    TRY(google_read_identity(reader, source));
    *(struct google_identity **)member = source;
    return NULL;
}

static struct error *google_read_format(struct json_reader *reader, void *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("type", struct google_identity, source_format, json_field_string),
        JSON_FIELD("subject_token_field_name", struct google_identity, source_field,
                   json_field_string),
        { 0 },
    };
    return json_read_fields(reader, fields, out);
}

static struct error *google_read_credential_source(struct json_reader *reader, void *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("file", struct google_identity, source_file, json_field_string),
        JSON_FIELD("url", struct google_identity, source_url, json_field_string),
        JSON_FIELD("headers", struct google_identity, source_headers, json_field_pairs),
        { "format", google_read_format, 0 },
        { 0 },
    };
    return json_read_fields(reader, fields, out);
}

static struct error *google_read_identity(struct json_reader *reader, void *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("type", struct google_identity, type, json_field_string),
        JSON_FIELD("token_uri", struct google_identity, token_uri, json_field_string),
        JSON_FIELD("quota_project_id", struct google_identity, quota_project_id, json_field_string),
        JSON_FIELD("universe_domain", struct google_identity, universe_domain, json_field_string),
        JSON_FIELD("client_email", struct google_identity, client_email, json_field_string),
        JSON_FIELD("private_key", struct google_identity, private_key, json_field_string),
        JSON_FIELD("private_key_id", struct google_identity, private_key_id, json_field_string),
        JSON_FIELD("client_id", struct google_identity, client_id, json_field_string),
        JSON_FIELD("client_secret", struct google_identity, client_secret, json_field_string),
        JSON_FIELD("refresh_token", struct google_identity, refresh_token, json_field_string),
        JSON_FIELD("service_account_impersonation_url", struct google_identity, impersonation_url,
                   json_field_string),
        JSON_FIELD("delegates", struct google_identity, delegates, json_field_raw),
        JSON_FIELD("source_credentials", struct google_identity, source, google_read_source),
        JSON_FIELD("audience", struct google_identity, audience, json_field_string),
        JSON_FIELD("subject_token_type", struct google_identity, subject_token_type,
                   json_field_string),
        JSON_FIELD("token_url", struct google_identity, token_url, json_field_string),
        { "credential_source", google_read_credential_source, 0 },
        { 0 },
    };
    return json_read_fields(reader, fields, out);
}

/* --- types --- */

typedef fallible google_token_by(struct http_client *http, const struct google_identity *identity,
                                 struct arena *arena, struct cloud_token_grant *out);

static fallible google_ask(struct http_client *http, str url, str body, struct arena *arena,
                           struct cloud_token_grant *out)
{
    const str headers[] = { CLOUD_FORM_TYPE };
    const struct cloud_call call = {
        .who = "Google's service of tokens",
        .method = STR("POST"),
        .url = url,
        .headers = headers,
        .header_count = 1,
        .body = body,
    };

    return cloud_token_ask(http, &call, arena, out);
}

static void google_add_member(struct json_writer *writer, const char *key, str value)
{
    json_key(writer, str_from(key));
    json_string(writer, value);
}

/* What a service account claims, signed with its private key. */
static fallible google_assertion(struct arena *arena, const struct google_identity *identity,
                                 str *out)
{
    CLEANUP(strbuf_release) struct strbuf header = { 0 };
    CLEANUP(strbuf_release) struct strbuf claims = { 0 };
    struct json_writer writer = { .out = &header };
    int64_t now = clock_now() / NS_PER_S;

    json_begin_object(&writer);
    google_add_member(&writer, "alg", STR("RS256"));
    google_add_member(&writer, "typ", STR("JWT"));
    if (identity->private_key_id.len)
        google_add_member(&writer, "kid", identity->private_key_id);
    json_end_object(&writer);

    writer = (struct json_writer){ .out = &claims };
    json_begin_object(&writer);
    google_add_member(&writer, "iss", identity->client_email);
    google_add_member(&writer, "scope", SCOPE);
    google_add_member(&writer, "aud", identity->token_uri);
    json_key(&writer, STR("iat"));
    json_integer(&writer, now);
    json_key(&writer, STR("exp"));
    json_integer(&writer, now + ASSERTION_S);
    json_end_object(&writer);
    return cloud_jwt_sign(arena, strbuf_str(&header), strbuf_str(&claims), identity->private_key,
                          out);
}

static struct error *google_by_service_account(struct http_client *http,
                                               const struct google_identity *identity,
                                               struct arena *arena, struct cloud_token_grant *out)
{
    str assertion;

    TRY(google_assertion(arena, identity, &assertion));
    str form = CLOUD_FORM(
        arena, { STR_INIT("grant_type"), STR_INIT("urn:ietf:params:oauth:grant-type:jwt-bearer") },
        { STR_INIT("assertion"), assertion });
    return google_ask(http, identity->token_uri, form, arena, out);
}

static struct error *google_by_user(struct http_client *http,
                                    const struct google_identity *identity, struct arena *arena,
                                    struct cloud_token_grant *out)
{
    str form = CLOUD_FORM(arena, { STR_INIT("grant_type"), STR_INIT("refresh_token") },
                          { STR_INIT("client_id"), identity->client_id },
                          { STR_INIT("client_secret"), identity->client_secret },
                          { STR_INIT("refresh_token"), identity->refresh_token });

    return error_wrap(google_ask(http, identity->token_uri, form, arena, out),
                      "the refresh token does not serve; log in again with `gcloud auth "
                      "application-default login`");
}

/* A token of the service account that may be impersonated with this one. */
static fallible google_impersonate(struct http_client *http, const struct google_identity *identity,
                                   struct arena *arena, struct cloud_token_grant *grant)
{
    str delegates = identity->delegates.len ? identity->delegates : STR("[]");
    str body = arena_concat(arena, STR("{\"delegates\":"), delegates, STR(",\"scope\":[\""), SCOPE,
                            STR("\"],\"lifetime\":\"3600s\"}"));
    const str headers[] = { STR("Content-Type: application/json"),
                            arena_concat(arena, STR("Authorization: Bearer "), grant->text) };
    const struct cloud_call call = {
        .who = "Google's service of short-lived credentials",
        .method = STR("POST"),
        .url = identity->impersonation_url,
        .headers = headers,
        .header_count = 2,
        .body = body,
        .hint = "may the account create tokens for the service account?",
    };

    return cloud_token_ask(http, &call, arena, grant);
}

static struct error *google_by_impersonation(struct http_client *http,
                                             const struct google_identity *identity,
                                             struct arena *arena, struct cloud_token_grant *out)
{
    TRY(google_identity_token(http, identity->source, arena, out));
    return google_impersonate(http, identity, arena, out);
}

/* The token that another provider of identities gave, as a file or an answer has it. */
static fallible google_subject(const struct google_identity *identity, struct arena *arena,
                               str content, str *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    *out = str_trim(content);
    if (!str_equal(identity->source_format, STR("json")))
        return NULL;
    const char *field = arena_cstr(arena, identity->source_field);
    const struct json_field fields[] = { { field, json_field_string, 0 }, { 0 } };
    *out = STR("");
    json_reader_init(&reader, arena, content);
    TRY(json_read_fields(&reader, fields, out));
    return out->len ? NULL : error_new(ERROR_INVALID, "it has no '%s'", field);
}

static fallible google_load_subject(struct http_client *http,
                                    const struct google_identity *identity, struct arena *arena,
                                    str *out)
{
    struct http_response response;
    str content;

    if (identity->source_file.len) {
        TRY(fs_read(arena, identity->source_file, SUBJECT_FILE_MAX, &content));
        return error_wrap(google_subject(identity, arena, content, out), "'" STR_FMT "'",
                          STR_ARG(identity->source_file));
    }
    str *headers = ARENA_ARRAY(arena, str, identity->source_headers.len + 1);
    for (size_t i = 0; i < identity->source_headers.len; i++)
        headers[i] = arena_concat(arena, identity->source_headers.items[i].key, STR(": "),
                                  identity->source_headers.items[i].value);
    const struct cloud_call call = { .who = "the provider of identities",
                                     .method = STR("GET"),
                                     .url = identity->source_url,
                                     .headers = headers,
                                     .header_count = identity->source_headers.len };
    TRY(cloud_call_send(http, &call, arena, &response));
    if (!http_response_is_good(&response))
        return cloud_call_refusal(&call, &response);
    return error_wrap(google_subject(identity, arena, response.body, out),
                      "the answer of the provider of identities");
}

static struct error *google_by_external_account(struct http_client *http,
                                                const struct google_identity *identity,
                                                struct arena *arena, struct cloud_token_grant *out)
{
    str subject;

    TRY(google_load_subject(http, identity, arena, &subject));
    str form = CLOUD_FORM(
        arena,
        { STR_INIT("grant_type"), STR_INIT("urn:ietf:params:oauth:grant-type:token-exchange") },
        { STR_INIT("audience"), identity->audience }, { STR_INIT("scope"), SCOPE },
        { STR_INIT("requested_token_type"),
          STR_INIT("urn:ietf:params:oauth:token-type:access_token") },
        { STR_INIT("subject_token"), subject },
        { STR_INIT("subject_token_type"), identity->subject_token_type },
        { STR_INIT("client_id"), identity->client_id },
        { STR_INIT("client_secret"), identity->client_secret });
    TRY(google_ask(http, identity->token_url, form, arena, out));
    return identity->impersonation_url.len ? google_impersonate(http, identity, arena, out) : NULL;
}

/* What each type must have. */
static const struct google_type {
    const char *name;
    google_token_by *token;
    size_t needed[4]; /* members of the struct; 0 ends them: the type itself is the first */
} google_types[] = {
    { "service_account",
      google_by_service_account,
      { offsetof(struct google_identity, client_email),
        offsetof(struct google_identity, private_key) } },
    { "authorized_user",
      google_by_user,
      { offsetof(struct google_identity, client_id),
        offsetof(struct google_identity, client_secret),
        offsetof(struct google_identity, refresh_token) } },
    { "impersonated_service_account",
      google_by_impersonation,
      { offsetof(struct google_identity, impersonation_url) } },
    { "external_account",
      google_by_external_account,
      { offsetof(struct google_identity, audience),
        offsetof(struct google_identity, subject_token_type),
        offsetof(struct google_identity, token_url) } },
};

static const struct google_type *google_type_find(str name)
{
    for (size_t i = 0; i < sizeof(google_types) / sizeof(*google_types); i++)
        if (str_equal(name, str_from(google_types[i].name)))
            return &google_types[i];
    return NULL;
}

static fallible google_identity_check(struct google_identity *identity)
{
    const struct google_type *type = google_type_find(identity->type);

    if (!type)
        return error_new(ERROR_INVALID,
                         "its type is '" STR_FMT "': expected service_account, authorized_user, "
                         "impersonated_service_account or external_account",
                         STR_ARG(identity->type));
    for (size_t i = 0; i < 4 && type->needed[i]; i++)
        if (((const str *)(const void *)((const char *)identity + type->needed[i]))->len == 0)
            return error_new(ERROR_INVALID, "a member that '%s' must have is missing", type->name);
    if (type->token == google_by_external_account && !identity->source_file.len
        && !identity->source_url.len)
        return error_new(ERROR_INVALID,
                         "its credential_source has neither a file nor a url; other sources are "
                         "not supported");
    if (type->token != google_by_impersonation)
        return NULL;
    if (!identity->source)
        return error_new(ERROR_INVALID, "it has no source_credentials");
    if (google_type_find(identity->source->type) == type)
        return error_new(ERROR_INVALID, "its source_credentials impersonate, too");
    return google_identity_check(identity->source);
}

fallible google_identity_parse(struct arena *arena, str json, struct google_identity *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    *out = (struct google_identity){ 0 };
    json_reader_init(&reader, arena, json);
    TRY(google_read_identity(&reader, out));
    for (struct google_identity *each = out; each; each = each->source)
        if (!each->token_uri.len)
            each->token_uri = TOKEN_URI;
    return google_identity_check(out);
}

fallible google_identity_token(struct http_client *http, const struct google_identity *identity,
                               struct arena *arena, struct cloud_token_grant *out)
{
    return google_type_find(identity->type)->token(http, identity, arena, out);
}
