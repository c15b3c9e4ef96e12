/* aws_sts.c — roles: credentials for other credentials, or for a token of an identity provider. */
#include "cloud/aws_sources.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/hex.h"
#include "base/strbuf.h"
#include "cloud/xml.h"
#include "http/http.h"

enum { TOKEN_FILE_MAX = 1 << 20, STS_ATTEMPTS = 3, STS_WAIT_MS = 200 };

fallible aws_sts_parse(struct arena *arena, str text, struct aws_credentials *out)
{
    str credentials, rest = text;

    *out = (struct aws_credentials){ 0 };
    if (!xml_next(&rest, "Credentials", &credentials))
        return error_new(ERROR_INVALID, "the answer of STS has no credentials");
    out->access_key = xml_text(arena, credentials, "AccessKeyId");
    out->secret_key = secret_hide(xml_text(arena, credentials, "SecretAccessKey"));
    out->session_token = secret_hide(xml_text(arena, credentials, "SessionToken"));
    if (!clock_parse(xml_text(arena, credentials, "Expiration"), &out->expires))
        out->expires = 0;
    if (out->access_key.len == 0 || out->secret_key.hidden_len == 0)
        return error_new(ERROR_INVALID, "the answer of STS has no credentials");
    return NULL;
}

static void aws_add_field(struct strbuf *form, struct arena *arena, const char *name, str value)
{
    if (value.len == 0)
        return;
    strbuf_printf(form, "%s%s=", form->len ? "&" : "", name);
    strbuf_add(form, percent_encode(arena, value, ""));
}

static str aws_session_name(struct arena *arena, const struct aws_role *role)
{
    return role->session_name.len > 0 ? role->session_name
                                      : arena_printf(arena, "culumi-%lld", (long long)clock_now());
}

static fallible aws_sts_send(const struct aws_source *source, str form,
                             const struct aws_credentials *with, struct aws_credentials *out)
{
    struct arena *arena = source->arena;
    str origin = aws_endpoint(arena, "sts", source->region);
    const struct pair content_type = { STR("content-type"),
                                       STR("application/x-www-form-urlencoded; charset=utf-8") };
    const struct aws_request request = {
        .method = STR("POST"),
        .origin = str_ends_with(origin, STR("/")) ? str_slice(origin, 0, origin.len - 1) : origin,
        .path = STR("/"),
        .headers = { &content_type, 1 },
        .body = form,
    };
    const struct aws_signing signing = {
        .credentials = with,
        .region = source->region,
        .service = STR("sts"),
        .time = clock_now(),
    };
    struct aws_signed done;
    struct http_response response;

    if (source->region.len == 0)
        return error_new(ERROR_INVALID,
                         "taking a role needs a region: set AWS_REGION, or region in the profile "
                         "or in the URL");
    aws_sign(arena, &request, &signing, &done);
    const struct http_request sent = {
        .method = STR("POST"),
        .url = done.url,
        .headers = done.headers.items,
        .header_count = done.headers.len,
        .upload.bytes = form,
        .retry = { .attempts = STS_ATTEMPTS, .first_wait_ms = STS_WAIT_MS, .repeats_unsafe = true },
    };
    TRY(http_send(source->http, &sent, arena, &response));
    if (http_response_is_good(&response))
        return aws_sts_parse(arena, response.body, out);
    str code = xml_text(arena, response.body, "Code");
    str message = xml_text(arena, response.body, "Message");
    return error_new(ERROR_INVALID, "STS answered HTTP status %d: " STR_FMT " " STR_FMT,
                     response.status, STR_ARG(code), STR_ARG(message));
}

fallible aws_assume_role(const struct aws_source *source, const struct aws_role *role,
                         const struct aws_credentials *with, struct aws_credentials *out)
{
    CLEANUP(strbuf_release) struct strbuf form = { 0 };
    struct arena *arena = source->arena;

    aws_add_field(&form, arena, "Action", STR("AssumeRole"));
    aws_add_field(&form, arena, "DurationSeconds",
                  role->duration.len > 0 ? role->duration : STR("900"));
    aws_add_field(&form, arena, "ExternalId", role->external_id);
    aws_add_field(&form, arena, "RoleArn", role->arn);
    aws_add_field(&form, arena, "RoleSessionName", aws_session_name(arena, role));
    aws_add_field(&form, arena, "Version", STR("2011-06-15"));
    return error_wrap(aws_sts_send(source, strbuf_str(&form), with, out),
                      "taking the role " STR_FMT, STR_ARG(role->arn));
}

fallible aws_assume_by_token(const struct aws_source *source, const struct aws_role *role,
                             str token_file, struct aws_credentials *out)
{
    CLEANUP(strbuf_release) struct strbuf form = { 0 };
    struct arena *arena = source->arena;
    const struct aws_credentials nobody = { .access_key = STR("") };
    str token;

    TRY(error_wrap(fs_read(arena, arena_copy(arena, token_file), TOKEN_FILE_MAX, &token),
                   "the web identity token"));
    aws_add_field(&form, arena, "Action", STR("AssumeRoleWithWebIdentity"));
    aws_add_field(&form, arena, "RoleArn", role->arn);
    aws_add_field(&form, arena, "RoleSessionName", aws_session_name(arena, role));
    aws_add_field(&form, arena, "Version", STR("2011-06-15"));
    aws_add_field(&form, arena, "WebIdentityToken", token);
    return error_wrap(aws_sts_send(source, strbuf_str(&form), &nobody, out),
                      "taking the role " STR_FMT " with a web identity token", STR_ARG(role->arn));
}
