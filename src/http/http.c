/* http.c — what becomes of a request: redirects that it follows, attempts that it is worth. */
#include "http/http.h"

#include "base/clock.h"
#include "fiber/fiber.h"
#include "fiber/signals.h"
#include "http/http_transfer.h"

enum { REDIRECTS = 10, LONGEST_WAIT_MS = 30 * 1000 };

/* One call of http_send. */
struct sending {
    struct http_client *client;
    const struct http_request *request;
    struct arena *arena; /* of the caller */
    int64_t deadline;
    str method;
    unsigned sends;      /* of all attempts */
    unsigned last_sends; /* of the last one; 0: no server has seen it */
    bool has_handed_out; /* a callback got bytes that cannot be taken back */
    bool is_given_up;    /* the server is not asked again */
};

/* --- checks --- */

static bool is_method(str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < 'A' || text.ptr[i] > 'Z')
            return false;
    return text.len > 0;
}

static fallible sending_check(const struct sending *sending)
{
    const struct http_request *request = sending->request;

    if (!is_method(sending->method))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is no method of HTTP",
                         STR_ARG(sending->method));
    for (size_t i = 0; i < request->header_count; i++) {
        str header = request->headers[i];
        bool has_line_end = str_find_char(header, '\r') != SIZE_MAX
                            || str_find_char(header, '\n') != SIZE_MAX
                            || str_find_char(header, '\0') != SIZE_MAX;
        /* The value stays out of the message: it may be a secret. */
        if (has_line_end || str_find_char(header, ':') == SIZE_MAX)
            return error_new(ERROR_INVALID, "header %zu of the request is malformed", i + 1);
    }
    return NULL;
}

/* Whether twice is the same as once. */
static bool sending_may_repeat(const struct sending *sending)
{
    return sending->request->retry.repeats_unsafe
           || (!str_equal(sending->method, STR("POST"))
               && !str_equal(sending->method, STR("PATCH")));
}

/* --- one attempt: through all redirects --- */

static bool is_redirect(const struct sending *sending, int status)
{
    bool only_reads =
        str_equal(sending->method, STR("GET")) || str_equal(sending->method, STR("HEAD"));

    return status == 307 || status == 308
           || (only_reads && (status == 301 || status == 302 || status == 303));
}

/* What must not be cut short hears of no cancellation. While somebody waits for our end, a server
 * that says nothing is not asked again: neither by the attempts that are left nor by what comes
 * next. */
static fallible sending_run(struct sending *sending, struct transfer *transfer)
{
    str authority = transfer->url.authority;

    sending->is_given_up = http_client_has_given_up(sending->client, authority);
    if (sending->is_given_up)
        return error_new(ERROR_TIMEOUT, "it did not answer, and is not asked any more");
    struct error *failure = http_client_run(sending->client, transfer);
    if (failure && error_kind(failure) == ERROR_TIMEOUT && signals_have_asked()) {
        http_client_give_up(sending->client, authority);
        sending->is_given_up = true;
    }
    return failure;
}

static fallible sending_exchange(struct sending *sending, struct transfer *transfer,
                                 struct http_response *out)
{
    if (transfer->url.has_credentials && !transfer->url.is_https)
        return error_new(ERROR_INVALID, "credentials are not sent over plain HTTP");
    struct error *failure = sending_run(sending, transfer);
    sending->sends += transfer->sends;
    sending->last_sends += transfer->sends;
    sending->has_handed_out =
        transfer->length > 0 && sending->request->sink.kind == HTTP_TO_CALLBACK;
    TRY(failure);
    out->status = transfer->status;
    out->headers = http_head_finish(&transfer->head, &transfer->arena);
    out->body = arena_copy(&transfer->arena, strbuf_str(&transfer->body));
    out->length = transfer->length;
    out->sends = sending->sends;
    arena_adopt(sending->arena, &transfer->arena);
    return NULL;
}

/* Where the answer leads; empty if it is the last one. */
static fallible redirect_url(const struct sending *sending, const struct http_url *from, str url,
                             const struct http_response *response, str *out)
{
    str location = http_response_header(response, "location");
    struct http_url to;

    *out = STR("");
    if (!is_redirect(sending, response->status) || location.len == 0)
        return NULL;
    TRY(http_url_resolve(sending->arena, url, location, out));
    TRY(http_url_parse(*out, &to));
    if (from->is_https && !to.is_https)
        return error_new(ERROR_INVALID, "the redirect from HTTPS to HTTP is not followed");
    return NULL;
}

static fallible sending_follow(struct sending *sending, struct http_request *current,
                               bool *is_elsewhere, struct http_response *out, bool *is_last)
{
    CLEANUP(transfer_release)
    struct transfer transfer = { .request = current,
                                 .is_once = !sending_may_repeat(sending),
                                 .is_elsewhere = *is_elsewhere,
                                 .deadline = sending->deadline };
    struct http_url to;
    str next, shown;

    TRY(http_url_parse(current->url, &transfer.url));
    shown = http_url_show(sending->arena, &transfer.url);
    struct error *failure = sending_exchange(sending, &transfer, out);
    if (!failure)
        failure = redirect_url(sending, &transfer.url, current->url, out, &next);
    TRY(error_wrap(failure, STR_FMT " " STR_FMT, STR_ARG(sending->method), STR_ARG(shown)));
    *is_last = next.len == 0;
    if (*is_last)
        return NULL;
    TRY(http_url_parse(next, &to));
    *is_elsewhere = *is_elsewhere || !str_equal(to.authority, transfer.url.authority);
    current->url = next;
    return NULL;
}

static fallible sending_attempt(struct sending *sending, struct http_response *out)
{
    struct http_request current = *sending->request;
    bool is_elsewhere = false, is_last = false;

    current.method = sending->method;
    if (current.idle_ms > HTTP_IDLE_MS && signals_have_asked())
        current.idle_ms = HTTP_IDLE_MS;
    sending->last_sends = 0;
    for (int i = 0; i <= REDIRECTS && !is_last; i++)
        TRY(sending_follow(sending, &current, &is_elsewhere, out, &is_last));
    if (is_last)
        return NULL;
    return error_new(ERROR_INVALID, "more than %d redirects", REDIRECTS);
}

/* --- attempts --- */

bool http_may_pass(const struct error *failure)
{
    enum error_kind kind = error_kind(failure);

    return kind == ERROR_OTHER || kind == ERROR_TIMEOUT;
}

static bool status_may_pass(int status)
{
    return status == 408 || status == 429 || (status >= 500 && status != 501 && status != 505);
}

static uint64_t retry_wait_ms(const struct http_retry *retry, unsigned number,
                              const struct error *failure, const struct http_response *response)
{
    uint64_t longest = retry->longest_wait_ms ? retry->longest_wait_ms : LONGEST_WAIT_MS;
    uint64_t wait_ms = retry->first_wait_ms;

    for (unsigned i = 1; i < number && wait_ms < longest; i++)
        wait_ms *= 2;
    if (!failure)
        http_retry_after(http_response_header(response, "retry-after"), clock_now(), &wait_ms);
    return wait_ms < longest ? wait_ms : longest;
}

/* After attempt `number`. One that could only begin when the time is over is not worth waiting
 * for. */
static bool sending_is_worth_another(const struct sending *sending, unsigned number,
                                     const struct error *failure,
                                     const struct http_response *response)
{
    const struct http_retry *retry = &sending->request->retry;
    bool (*may_pass)(int) = retry->may_pass ? retry->may_pass : status_may_pass;

    if (!(failure ? http_may_pass(failure) : may_pass(response->status)))
        return false;
    if (sending->has_handed_out || sending->is_given_up)
        return false;
    int64_t left_ns = sending->deadline - clock_monotonic();
    if (left_ns / NS_PER_MS <= (int64_t)retry_wait_ms(retry, number, failure, response))
        return false;
    return sending_may_repeat(sending) || (failure && sending->last_sends == 0);
}

static fallible sending_pause(struct sending *sending, unsigned number, const struct error *failure,
                              const struct http_response *response)
{
    const struct http_retry *retry = &sending->request->retry;
    struct http_setback setback = {
        .problem = failure ? error_message(failure)
                           : arena_printf(sending->arena, "HTTP status %d", response->status),
        .status = failure ? 0 : response->status,
        .wait_ms = retry_wait_ms(retry, number, failure, response),
        .attempt = number,
        .attempts = retry->attempts,
    };

    if (retry->report)
        retry->report(retry->context, &setback);
    return fiber_sleep_ms(setback.wait_ms);
}

fallible http_send(struct http_client *client, const struct http_request *request,
                   struct arena *arena, struct http_response *out)
{
    struct sending sending = {
        .client = client,
        .request = request,
        .arena = arena,
        .deadline = request->whole_ms ? clock_monotonic() + (int64_t)(request->whole_ms * NS_PER_MS)
                                      : INT64_MAX,
        .method = request->method.len ? request->method : STR("GET"),
    };
    unsigned attempts = request->retry.attempts ? request->retry.attempts : 1;

    TRY(sending_check(&sending));
    for (unsigned i = 1;; i++) {
        struct http_response response = { .attempts = i };
        struct error *failure = sending_attempt(&sending, &response);
        if (i == attempts || !sending_is_worth_another(&sending, i, failure, &response)) {
            *out = response;
            return i > 1 && i == attempts ? error_wrap(failure, "failed all %u attempts", i)
                                          : failure;
        }
        struct error *canceled = sending_pause(&sending, i, failure, &response);
        error_ignore(failure, "sent again");
        TRY(canceled);
    }
}

/* --- response --- */

str http_response_header(const struct http_response *response, const char *name)
{
    for (size_t i = 0; i < response->headers.len; i++)
        if (http_name_equal(response->headers.items[i].name, name))
            return response->headers.items[i].value;
    return STR("");
}

bool http_response_is_good(const struct http_response *response)
{
    return response->status >= 200 && response->status < 300;
}
