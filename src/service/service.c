/* service.c — one call to the hosted service: its headers, its attempts, its answer. */
#include "service/service.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/version.h"
#include "http/http.h"

#include <stdlib.h>
#include <strings.h>
#include <zlib.h>

enum {
    ATTEMPTS = 4,
    FIRST_WAIT_MS = 1000,
    LONGEST_WAIT_MS = 30 * 1000,
    IDLE_MS = 100 * 1000, /* some answers take the service long */
    HEADERS = 6,
    API_VERSION = 9,
    GZIP_WINDOW = 15 + 16,
};

struct service {
    struct arena arena;
    struct service_options options;
    struct http_client *http;
    bool has_renewed; /* the one time that a token is exchanged */
};

/* --- open and close --- */

static str without_slashes(str url)
{
    while (str_ends_with(url, STR("/")))
        url = str_slice(url, 0, url.len - 1);
    return url;
}

struct service *service_open(const struct service_options *options)
{
    struct service *service = memory_zalloc(sizeof(*service));
    struct arena *arena = &service->arena;

    service->options = *options;
    service->options.url = arena_copy(arena, without_slashes(options->url));
    service->options.token = secret_hide(arena_copy(arena, secret_reveal(options->token)));
    service->options.command = arena_copy(arena, options->command);
    if (!service->options.first_wait_ms)
        service->options.first_wait_ms = FIRST_WAIT_MS;
    service->http = http_client_new();
    return service;
}

void service_close(struct service *owned)
{
    if (!owned)
        return;
    http_client_free(owned->http);
    secret_clear(&owned->options.token);
    arena_release(&owned->arena);
    free(owned);
}

str service_url(const struct service *service)
{
    return service->options.url;
}

bool service_is_insecure(const struct service *service)
{
    return service->options.is_insecure;
}

/* --- texts --- */

str service_gzip(struct arena *arena, str text)
{
    z_stream stream = { .next_in = (Bytef *)(uintptr_t)text.ptr, .avail_in = (uInt)text.len };

    BUG_IF(text.len > UINT32_MAX);
    BUG_IF(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY)
           != Z_OK);
    uLong room = deflateBound(&stream, (uLong)text.len);
    char *bytes = arena_alloc_raw(arena, room);
    stream.next_out = (Bytef *)bytes;
    stream.avail_out = (uInt)room;
    BUG_IF(deflate(&stream, Z_FINISH) != Z_STREAM_END);
    str result = { bytes, room - stream.avail_out };
    deflateEnd(&stream);
    return result;
}

str service_escape(struct arena *arena, str name)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || char_is_digit(c)
                        || c == '-' || c == '_' || c == '.' || c == '~';
        if (is_plain)
            strbuf_add_char(&text, c);
        else
            strbuf_printf(&text, "%%%02X", (unsigned char)c);
    }
    return arena_copy(arena, strbuf_str(&text));
}

str service_console_url(struct arena *arena, str url, str domain)
{
    str scheme, host, path = STR("");

    if (!str_cut(without_slashes(url), STR("://"), &scheme, &host))
        return STR("");
    str_cut(host, STR("/"), &host, &path);
    if (domain.len)
        return arena_concat(arena, scheme, STR("://"), domain);
    if (str_starts_with(host, STR("api.")))
        return arena_concat(arena, scheme, STR("://app."), str_slice(host, 4, host.len));
    return str_equal(host, STR("localhost:8080")) ? STR("http://localhost:3000") : STR("");
}

/* --- one call --- */

static bool is_token_refused(const struct service *service, const struct service_call *call,
                             int status)
{
    return status == 401 && !call->is_anonymous && !call->lease.hidden_len && service->options.renew
           && !service->has_renewed;
}

static bool service_may_pass(int status)
{
    return status == 429 || status >= 500;
}

static void service_note_setback(void *service_, const struct http_setback *setback)
{
    const struct service *service = service_;

    log_warn("service", STR_FMT ": " STR_FMT "; attempt %u of %u, next in %llu ms",
             STR_ARG(service->options.url), STR_ARG(setback->problem), setback->attempt,
             setback->attempts, (unsigned long long)setback->wait_ms);
}

static str authorization(const struct service *service, const struct service_call *call,
                         struct arena *arena)
{
    if (call->lease.hidden_len)
        return arena_concat(arena, STR("Authorization: update-token "), secret_reveal(call->lease));
    if (call->is_anonymous || !service->options.token.hidden_len)
        return STR("");
    return arena_concat(arena, STR("Authorization: token "), secret_reveal(service->options.token));
}

static size_t service_headers(const struct service *service, const struct service_call *call,
                              struct arena *arena, str headers[HEADERS])
{
    str permission = authorization(service, call, arena);
    size_t len = 0;

    headers[len++] = arena_printf(arena, "Accept: application/vnd.pulumi+%d",
                                  call->api_version ? call->api_version : API_VERSION);
    headers[len++] =
        arena_concat(arena, STR("Content-Type: "),
                     call->content_type ? str_from(call->content_type) : STR("application/json"));
    headers[len++] =
        arena_concat(arena, STR("User-Agent: pulumi-cli/1 (" PULUMI_VERSION "; linux; cmd="),
                     service->options.command, STR(")"));
    if (call->is_compressed)
        headers[len++] = STR("Content-Encoding: gzip");
    if (permission.len)
        headers[len++] = permission;
    return len;
}

static fallible service_exchange(struct service *service, const struct service_call *call,
                                 struct arena *arena, struct http_response *out)
{
    str headers[HEADERS];
    bool reads = !call->method || strcmp(call->method, "HEAD") == 0;
    bool repeats = reads || call->may_repeat;
    struct http_request request = {
        .method = str_from(call->method),
        .url = arena_concat(arena, service->options.url, call->path),
        .headers = headers,
        .header_count = service_headers(service, call, arena, headers),
        .upload.bytes = call->is_compressed ? service_gzip(arena, call->body) : call->body,
        .sink.limit = call->limit,
        .accepts_gzip = true,
        .trust.believes_anyone = service->options.is_insecure,
        .idle_ms = IDLE_MS,
        .retry = { .attempts = repeats ? ATTEMPTS : 1,
                   .first_wait_ms = service->options.first_wait_ms,
                   .longest_wait_ms = LONGEST_WAIT_MS,
                   .may_pass = service_may_pass,
                   .repeats_unsafe = repeats,
                   .report = service_note_setback,
                   .context = service },
    };

    return http_send(service->http, &request, arena, out);
}

static void service_pass_warnings(const struct service *service, struct arena *arena,
                                  const struct http_response *response)
{
    static const char name[] = "x-pulumi-warning";

    for (size_t i = 0; service->options.warn && i < response->headers.len; i++) {
        const struct http_header *header = &response->headers.items[i];
        if (header->name.len == strlen(name)
            && strncasecmp(header->name.ptr, name, strlen(name)) == 0)
            service->options.warn(service->options.context, arena_copy(arena, header->value));
    }
}

/* A site for people, a proxy that wants something, the page of a balancer: not the service. */
static fallible service_check_page(const struct service *service, const struct service_call *call,
                                   const struct http_response *response)
{
    if (!str_starts_with(str_trim(response->body), STR("<")))
        return NULL;
    return error_new(
        ERROR_INVALID,
        "%s " STR_FMT STR_FMT ": a web page came (status %d), not the answer of an "
        "API; check that the URL is that of the service's API, and that no proxy is in "
        "between",
        call->method ? call->method : "GET", STR_ARG(service->options.url), STR_ARG(call->path),
        response->status);
}

/* Once, a token that was refused is exchanged for a new one. */
static fallible service_renew(struct service *service, bool *is_renewed)
{
    struct secret token = { 0 };

    service->has_renewed = true;
    TRY(service->options.renew(service->options.context, &service->arena, &token));
    *is_renewed = token.hidden_len > 0;
    if (*is_renewed)
        service->options.token = token;
    return NULL;
}

fallible service_send(struct service *service, const struct service_call *call, struct arena *arena,
                      struct service_answer *out)
{
    struct http_response response;
    bool is_renewed = false;

    TRY(service_exchange(service, call, arena, &response));
    if (is_token_refused(service, call, response.status)) {
        TRY(service_renew(service, &is_renewed));
        if (is_renewed)
            TRY(service_exchange(service, call, arena, &response));
    }
    TRY(service_check_page(service, call, &response));
    service_pass_warnings(service, arena, &response);
    *out = (struct service_answer){ .code = response.status, .body = response.body };
    if (!http_response_is_good(&response)) {
        service_refusal_read(arena, response.status, response.body, out);
        str id = http_response_header(&response, "x-pulumi-request-id");
        if (response.status >= 500 && id.len)
            out->message = arena_concat(arena, out->message, STR(" (Request ID: "), id, STR(")"));
    }
    out->shown_url = service->options.url;
    log_debug("service", "%s " STR_FMT " -> %d", call->method ? call->method : "GET",
              STR_ARG(call->path), out->code);
    return NULL;
}

fallible service_ask(struct service *service, const struct service_call *call, struct arena *arena,
                     str *body)
{
    struct service_answer answer;

    TRY(service_send(service, call, arena, &answer));
    if (!service_answer_is_good(&answer))
        return service_refusal(&answer);
    *body = answer.body;
    return NULL;
}
