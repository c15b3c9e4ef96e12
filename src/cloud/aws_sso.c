/* aws_sso.c — credentials of a profile that logs in by SSO: the token that `aws sso login` left in
 * ~/.aws/sso/cache, in exchange for those of a role. */
#include "cloud/aws_sources.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "cloud/cloud_call.h"

enum { SSO_FILE_MAX = 1 << 20 };
/* So long before its end a token is renewed. */
#define SSO_RENEWAL_NS ((int64_t)5 * 60 * NS_PER_S)

/* What the profile says, and the section of its session. */
struct aws_sso {
    const struct aws_source *source;
    str profile;
    str start_url;
    str region;
    str account;
    str role;
    str file;       /* of the token */
    bool may_renew; /* a session: tokens of the older form cannot be renewed */
};

/* --- the token --- */

fallible aws_sso_token_parse(struct arena *arena, str text, struct aws_sso_token *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("accessToken", struct aws_sso_token, access, json_field_string),
        JSON_FIELD("expiresAt", struct aws_sso_token, expires_at, json_field_string),
        JSON_FIELD("refreshToken", struct aws_sso_token, refresh, json_field_string),
        JSON_FIELD("clientId", struct aws_sso_token, client, json_field_string),
        JSON_FIELD("clientSecret", struct aws_sso_token, client_secret, json_field_string),
        JSON_FIELD("registrationExpiresAt", struct aws_sso_token, registered_until,
                   json_field_string),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    *out = (struct aws_sso_token){ 0 };
    json_reader_init(&reader, arena, text);
    /* The message of the reader would show a part of the text. */
    struct error *failure = json_read_fields(&reader, fields, out);
    if (failure || out->access.len == 0 || !clock_parse(out->expires_at, &out->expires)) {
        error_free(failure);
        return error_new(ERROR_INVALID, "it holds no token");
    }
    return NULL;
}

static fallible aws_sso_log_in(const struct aws_sso *sso, const char *why)
{
    return error_new(ERROR_INVALID, "%s; run `aws sso login --profile " STR_FMT "`", why,
                     STR_ARG(sso->profile));
}

static fallible aws_sso_read_token(const struct aws_sso *sso, struct aws_sso_token *out)
{
    struct arena *arena = sso->source->arena;
    str text;

    struct error *failure = fs_read(arena, sso->file, SSO_FILE_MAX, &text);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "nobody has logged in yet");
        return aws_sso_log_in(sso, "nobody is logged in by SSO");
    }
    TRY(error_wrap(failure, "the token of SSO"));
    return error_wrap(aws_sso_token_parse(arena, text, out), "the token of SSO in '" STR_FMT "'",
                      STR_ARG(sso->file));
}

static void aws_sso_write_text(struct json_writer *writer, const char *key, str text)
{
    if (text.len == 0)
        return;
    json_key(writer, str_from(key));
    json_string(writer, text);
}

/* Where the AWS tools find it, too: a refresh token counts only once. */
static fallible aws_sso_keep_token(const struct aws_sso *sso, const struct aws_sso_token *token)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    json_begin_object(&writer);
    aws_sso_write_text(&writer, "startUrl", sso->start_url);
    aws_sso_write_text(&writer, "region", sso->region);
    aws_sso_write_text(&writer, "accessToken", token->access);
    aws_sso_write_text(&writer, "expiresAt", token->expires_at);
    aws_sso_write_text(&writer, "clientId", token->client);
    aws_sso_write_text(&writer, "clientSecret", token->client_secret);
    aws_sso_write_text(&writer, "registrationExpiresAt", token->registered_until);
    aws_sso_write_text(&writer, "refreshToken", token->refresh);
    json_end_object(&writer);
    return error_wrap(fs_replace(sso->file, strbuf_str(&text), 0600), "the renewed token of SSO");
}

/* --- calls --- */

/* "portal.sso" and "oidc": the hosts have other names than the variables. */
static str aws_sso_origin(const struct aws_sso *sso, const char *variable, const char *host)
{
    struct arena *arena = sso->source->arena;
    bool is_china = str_starts_with(sso->region, STR("cn-"));
    str endpoint =
        settings_bool("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") ? STR("") : settings_text(variable);

    if (endpoint.len > 0)
        return endpoint;
    return arena_printf(arena, "https://%s." STR_FMT ".amazonaws.com%s", host, STR_ARG(sso->region),
                        is_china ? ".cn" : "");
}

struct aws_sso_renewed {
    str access;
    str refresh;
    double seconds;
};

static fallible aws_sso_renew(const struct aws_sso *sso, struct aws_sso_token *inout)
{
    static const struct json_field fields[] = {
        JSON_FIELD("accessToken", struct aws_sso_renewed, access, json_field_string),
        JSON_FIELD("refreshToken", struct aws_sso_renewed, refresh, json_field_string),
        JSON_FIELD("expiresIn", struct aws_sso_renewed, seconds, json_field_number),
        { 0 },
    };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct arena *arena = sso->source->arena;
    struct json_writer writer = { .out = &body };
    const str header = STR("Content-Type: application/json");
    struct aws_sso_renewed renewed = { 0 };

    json_begin_object(&writer);
    aws_sso_write_text(&writer, "clientId", inout->client);
    aws_sso_write_text(&writer, "clientSecret", inout->client_secret);
    aws_sso_write_text(&writer, "grantType", STR("refresh_token"));
    aws_sso_write_text(&writer, "refreshToken", inout->refresh);
    json_end_object(&writer);
    const struct cloud_call call = {
        .who = "AWS SSO",
        .method = STR("POST"),
        .url = arena_concat(arena, aws_sso_origin(sso, "AWS_ENDPOINT_URL_SSO_OIDC", "oidc"),
                            STR("/token")),
        .headers = &header,
        .header_count = 1,
        .body = strbuf_str(&body),
    };
    TRY(cloud_call_json(sso->source->http, &call, arena, fields, &renewed));
    if (renewed.access.len == 0 || !(renewed.seconds >= 0 && renewed.seconds < 1e9))
        return error_new(ERROR_INVALID, "AWS SSO gave no token");
    inout->access = renewed.access;
    inout->expires = clock_now() + (int64_t)renewed.seconds * NS_PER_S;
    inout->expires_at = clock_format(arena, inout->expires - inout->expires % NS_PER_S);
    if (renewed.refresh.len > 0)
        inout->refresh = renewed.refresh;
    return aws_sso_keep_token(sso, inout);
}

static fallible aws_sso_token(const struct aws_sso *sso, struct aws_sso_token *out)
{
    TRY(aws_sso_read_token(sso, out));
    bool has_ended = out->expires <= clock_now();
    bool may_renew = sso->may_renew && out->refresh.len > 0 && out->client.len > 0;

    if (may_renew && out->expires - clock_now() < SSO_RENEWAL_NS) {
        struct error *failure = aws_sso_renew(sso, out);
        if (failure && has_ended)
            return error_wrap(failure,
                              "the login by SSO has ended and cannot be renewed; run `aws sso "
                              "login --profile " STR_FMT "`",
                              STR_ARG(sso->profile));
        error_ignore(failure, "what is there still counts for a while");
        return NULL;
    }
    return has_ended ? aws_sso_log_in(sso, "the login by SSO has ended") : NULL;
}

struct aws_sso_role {
    str access_key;
    str secret_key;
    str session_token;
    double expiration; /* milliseconds since 1970 */
};

static fallible aws_sso_role_read(struct json_reader *reader, void *role)
{
    static const struct json_field fields[] = {
        JSON_FIELD("accessKeyId", struct aws_sso_role, access_key, json_field_string),
        JSON_FIELD("secretAccessKey", struct aws_sso_role, secret_key, json_field_string),
        JSON_FIELD("sessionToken", struct aws_sso_role, session_token, json_field_string),
        JSON_FIELD("expiration", struct aws_sso_role, expiration, json_field_number),
        { 0 },
    };

    return json_read_fields(reader, fields, role);
}

static fallible aws_sso_exchange(const struct aws_sso *sso, const struct aws_sso_token *token,
                                 struct aws_credentials *out)
{
    static const struct json_field fields[] = { { "roleCredentials", aws_sso_role_read, 0 },
                                                { 0 } };
    struct arena *arena = sso->source->arena;
    str header = arena_concat(arena, STR("x-amz-sso_bearer_token: "), token->access);
    struct aws_sso_role role = { 0 };
    const struct cloud_call call = {
        .who = "AWS SSO",
        .method = STR("GET"),
        .url = arena_concat(arena, aws_sso_origin(sso, "AWS_ENDPOINT_URL_SSO", "portal.sso"),
                            STR("/federation/credentials?"),
                            CLOUD_FORM(arena, { STR("account_id"), sso->account },
                                       { STR("role_name"), sso->role })),
        .headers = &header,
        .header_count = 1,
        .hint = arena_printf(
                    arena, "run `aws sso login --profile " STR_FMT "`; may the user take the role?",
                    STR_ARG(sso->profile))
                    .ptr,
    };

    TRY(cloud_call_json(sso->source->http, &call, arena, fields, &role));
    if (role.access_key.len == 0 || role.secret_key.len == 0)
        return error_new(ERROR_INVALID, "the answer of AWS SSO holds no credentials");
    *out = (struct aws_credentials){
        .access_key = role.access_key,
        .secret_key = secret_hide(role.secret_key),
        .session_token = secret_hide(role.session_token),
    };
    if (role.expiration > 0 && role.expiration < 9e12)
        out->expires = (int64_t)role.expiration * NS_PER_MS;
    return NULL;
}

/* --- the profile --- */

static fallible aws_sso_missing(const char *name)
{
    return error_new(ERROR_INVALID, "it logs in by SSO, but there is no %s", name);
}

static fallible aws_sso_find(const struct aws_source *source, const struct aws_profile *profile,
                             str home, struct aws_sso *out)
{
    str session = aws_profile_value(profile, "sso_session");
    struct aws_profile section = *profile; /* the older form has everything in the profile */

    *out = (struct aws_sso){ .source = source, .profile = profile->name };
    if (session.len > 0) {
        TRY(aws_session_load(source->arena, home, session, &section));
        if (!section.exists)
            return error_new(ERROR_INVALID, "there is no section [sso-session " STR_FMT "]",
                             STR_ARG(session));
    }
    out->start_url = aws_profile_value(&section, "sso_start_url");
    out->region = aws_profile_value(&section, "sso_region");
    out->account = aws_profile_value(profile, "sso_account_id");
    out->role = aws_profile_value(profile, "sso_role_name");
    out->may_renew = session.len > 0;
    if (out->start_url.len == 0)
        return aws_sso_missing("sso_start_url");
    if (out->region.len == 0)
        return aws_sso_missing("sso_region");
    if (out->account.len == 0)
        return aws_sso_missing("sso_account_id");
    if (out->role.len == 0)
        return aws_sso_missing("sso_role_name");
    out->file = arena_concat(
        source->arena, home, STR("/.aws/sso/cache/"),
        hash_sha1_hex(source->arena, session.len > 0 ? session : out->start_url), STR(".json"));
    return NULL;
}

fallible aws_use_sso(const struct aws_source *source, const struct aws_profile *profile, str home,
                     bool *is_found, struct aws_credentials *out)
{
    struct aws_sso_token token;
    struct aws_sso sso;

    *is_found = aws_profile_value(profile, "sso_session").len > 0
                || aws_profile_value(profile, "sso_start_url").len > 0;
    if (!*is_found)
        return NULL;
    TRY(aws_sso_find(source, profile, home, &sso));
    TRY(aws_sso_token(&sso, &token));
    return aws_sso_exchange(&sso, &token, out);
}
