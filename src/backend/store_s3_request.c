/* store_s3_request.c — signed requests, attempts, and what went wrong in words. */
#include "backend/file_io.h"
#include "backend/store_s3.h"
#include "base/clock.h"
#include "cloud/xml.h"

enum { S3_ATTEMPTS = 6, S3_WAIT_MS = 20, S3_LONGEST_WAIT_MS = 5000 };

str s3_key(const struct s3_store *s3, struct arena *arena, str key)
{
    return arena_concat(arena, s3->options.prefix, key);
}

void s3_add_header(struct s3_call *call, str name, str value)
{
    BUG_IF(call->header_count == S3_HEADERS);
    call->headers[call->header_count++] = (struct pair){ name, value };
}

/* AWS answers 409 to one of two conditional writes at the same time: it may be repeated. */
static bool s3_may_pass(int status)
{
    return status == 408 || status == 409 || status == 429
           || (status >= 500 && status != 501 && status != 505);
}

static fallible s3_send_once(struct s3_store *s3, struct arena *arena, const struct s3_call *call,
                             struct http_response *response)
{
    struct aws_credentials credentials;
    struct aws_signed done;
    str path = call->key.len > 0 || str_equal(s3->place.path, STR("/"))
                   ? arena_concat(arena, s3->place.path, call->key)
                   : str_slice(s3->place.path, 0, s3->place.path.len - 1);
    const struct aws_request request = {
        .method = str_from(call->method),
        .origin = s3->place.origin,
        .path = path,
        .query = call->query,
        .headers = { call->headers, call->header_count },
        .body = call->body,
        .hashes_body = true,
    };

    TRY(aws_identity_get(s3->identity, arena, &credentials));
    aws_sign(arena, &request,
             &(struct aws_signing){ .credentials = &credentials,
                                    .region = aws_identity_region(s3->identity),
                                    .service = STR("s3"),
                                    .time = clock_now() },
             &done);
    const struct http_request sent = {
        .method = request.method,
        .url = done.url,
        .headers = done.headers.items,
        .header_count = done.headers.len,
        .upload.bytes = call->body,
        .sink.limit = FILE_LIMIT,
        .retry = { .attempts = S3_ATTEMPTS,
                   .first_wait_ms = S3_WAIT_MS,
                   .longest_wait_ms = S3_LONGEST_WAIT_MS,
                   .may_pass = call->is_conditional ? s3_may_pass : NULL,
                   .repeats_unsafe = call->is_repeatable },
    };
    return http_send(s3->http, &sent, arena, response);
}

static bool s3_is_expired(struct arena *arena, const struct http_response *response)
{
    str code = xml_text(arena, response->body, "Code");

    return str_equal(code, STR("ExpiredToken")) || str_equal(code, STR("TokenRefreshRequired"))
           || str_equal(code, STR("ExpiredTokenException"));
}

/* Credentials that have ended in the middle are asked for once more. */
fallible s3_send(struct s3_store *s3, struct arena *arena, const struct s3_call *call,
                 struct http_response *response)
{
    TRY(s3_send_once(s3, arena, call, response));
    if ((response->status != 400 && response->status != 403) || !s3_is_expired(arena, response))
        return NULL;
    aws_identity_expire(s3->identity);
    return s3_send_once(s3, arena, call, response);
}

/* --- what went wrong --- */

static const struct {
    const char *code;
    const char *advice;
} s3_advice[] = {
    { "NoSuchBucket",
      "the bucket does not exist: create it, or check its name, the region and the endpoint" },
    { "AccessDenied", "the credentials have no permission for this: they need to list the bucket, "
                      "and to read, write and delete its objects" },
    { "InvalidAccessKeyId", "the server does not know the access key: check the credentials" },
    { "SignatureDoesNotMatch",
      "the secret key does not belong to the access key: check the credentials" },
    { "ExpiredToken", "the credentials have expired: log in again" },
    { "InvalidToken", "the session token is not valid: log in again" },
    { "AuthorizationHeaderMalformed", "the bucket is in another region: set region in the URL" },
    { "PermanentRedirect", "the bucket is in another region: set region in the URL" },
    { "RequestTimeTooSkewed", "the clock of this machine is wrong" },
    { "AllAccessDisabled", "the bucket is closed for everybody" },
};

static const char *s3_advise(str code, int status)
{
    for (size_t i = 0; i < sizeof(s3_advice) / sizeof(*s3_advice); i++)
        if (str_equal(code, str_from(s3_advice[i].code)))
            return s3_advice[i].advice;
    if (status == 403)
        return "the credentials have no permission for this";
    if (status == 301 || status == 307)
        return "the bucket is in another region: set region in the URL";
    return status >= 500 || status == 429 ? "try again later"
                                          : "check the URL: is this a server that speaks S3?";
}

fallible s3_failed(const struct s3_store *s3, struct arena *arena, const struct s3_call *call,
                   const struct http_response *response)
{
    str code = xml_text(arena, response->body, "Code");
    str message = xml_text(arena, response->body, "Message");
    str region = http_response_header(response, "x-amz-bucket-region");
    bool may_pass = s3_may_pass(response->status);

    if (region.len > 0)
        message = arena_concat(arena, message, message.len ? STR("; ") : STR(""),
                               STR("its region is "), region);
    str text = arena_concat(arena, code, message.len && code.len ? STR(", ") : STR(""), message);
    return error_new(may_pass ? ERROR_OTHER : ERROR_INVALID,
                     STR_FMT ": %s " STR_FMT ": HTTP status %d%s" STR_FMT "%s: %s",
                     STR_ARG(s3->store.shown), call->method,
                     STR_ARG(call->key.len ? call->key : STR("of the bucket")), response->status,
                     text.len ? " (" : "", STR_ARG(text), text.len ? ")" : "",
                     s3_advise(code, response->status));
}

/* Of requests that got no answer, and of credentials that were not found. */
fallible s3_explain(const struct s3_store *s3, struct error *owned)
{
    return error_wrap(owned, STR_FMT, STR_ARG(s3->store.shown));
}

bool s3_is_missing(struct arena *arena, const struct http_response *response)
{
    str code = response->status == 404 ? xml_text(arena, response->body, "Code") : STR("");

    return response->status == 404 && (code.len == 0 || str_equal(code, STR("NoSuchKey")));
}
