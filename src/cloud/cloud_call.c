/* cloud_call.c — one call, its attempts, and the reading of its answer. */
#include "cloud/cloud_call.h"

#include "base/hex.h"
#include "cloud/cloud_url.h"
#include "cloud/xml.h"

#include <strings.h>

enum {
    ATTEMPTS = 4,
    FIRST_WAIT_MS = 200,
    WHOLE_MS = 60 * 1000,
    NEAR_CONNECT_MS = 1000,
    NEAR_WHOLE_MS = 5000,
    PROBLEM_MAX = 300,
};

/* --- what went wrong --- */

/* The members in which services say it, the better ones first. */
static const char *const problem_keys[] = {
    "error_description", "message", "Message", "errors", "error", "detail", "__type"
};
enum { PROBLEM_KEYS = sizeof(problem_keys) / sizeof(*problem_keys), PROBLEM_DEPTH = 4 };

static struct error *problem_read(struct json_reader *reader, unsigned depth, str *out);

struct problem_search {
    unsigned depth;
    size_t best; /* what *out was found under */
    str *out;
};

static fallible problem_read_member(struct json_reader *reader, str key, void *search_)
{
    struct problem_search *search = search_;
    size_t rank = 0;
    str text = STR("");

    while (rank < PROBLEM_KEYS && !str_equal(key, str_from(problem_keys[rank])))
        rank++;
    if (rank >= search->best)
        return json_skip(reader, NULL);
    TRY(problem_read(reader, search->depth + 1, &text));
    if (text.len > 0) {
        search->best = rank;
        *search->out = text;
    }
    return NULL;
}

/* The best of the members; those of an inner object or list count as much as the text they have. */
static fallible problem_read_object(struct json_reader *reader, unsigned depth, str *out)
{
    struct problem_search search = { depth, PROBLEM_KEYS, out };

    return json_read_members(reader, problem_read_member, &search);
}

static fallible problem_read_array(struct json_reader *reader, unsigned depth, str *out)
{
    bool more = false;

    TRY(json_array_begin(reader));
    for (;;) {
        str text = STR("");
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(problem_read(reader, depth + 1, &text));
        if (out->len == 0)
            *out = text;
    }
}

static struct error *problem_read(struct json_reader *reader, unsigned depth, str *out)
{
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    if (kind == JSON_STRING)
        return json_read_string(reader, out);
    if (kind == JSON_OBJECT_BEGIN && depth < PROBLEM_DEPTH)
        return problem_read_object(reader, depth, out);
    if (kind == JSON_ARRAY_BEGIN && depth < PROBLEM_DEPTH)
        return problem_read_array(reader, depth, out);
    return json_skip(reader, NULL);
}

static bool is_web_page(str body)
{
    str head = str_slice(body, 0, 14);

    return (head.len >= 5 && strncasecmp(head.ptr, "<html", 5) == 0)
           || (head.len >= 14 && strncasecmp(head.ptr, "<!doctype html", 14) == 0);
}

/* One line that a terminal can show. */
static str problem_tidy(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };

    text = str_slice(str_trim(text), 0, PROBLEM_MAX);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool is_blank = (unsigned char)c <= ' ' || c == 0x7f;
        if (!is_blank)
            strbuf_add_char(&line, c);
        else if (line.len > 0 && line.ptr[line.len - 1] != ' ')
            strbuf_add_char(&line, ' ');
    }
    CLEANUP(strbuf_release) struct strbuf valid = { 0 };
    strbuf_add_utf8(&valid, str_trim(strbuf_str(&line)));
    return arena_copy(arena, strbuf_str(&valid));
}

str cloud_problem(struct arena *arena, str body)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    str text = STR("");

    body = str_trim(body);
    if (is_web_page(body))
        return STR("the answer is a web page; is the address right?");
    if (str_starts_with(body, STR("<")))
        return problem_tidy(arena, xml_text(arena, body, "Message"));
    if (!str_starts_with(body, STR("{")) && !str_starts_with(body, STR("[")))
        return problem_tidy(arena, body);
    json_reader_init(&reader, arena, body);
    error_ignore(problem_read(&reader, 0, &text), "what was read until then is all there is");
    return problem_tidy(arena, text);
}

/* --- calls --- */

fallible cloud_call_send(struct http_client *http, const struct cloud_call *call,
                         struct arena *arena, struct http_response *out)
{
    const struct http_request request = {
        .method = call->method,
        .url = call->url,
        .headers = call->headers,
        .header_count = call->header_count,
        .upload.bytes = call->body,
        .trust = call->trust,
        .retry = { .attempts = call->is_near ? 1 : ATTEMPTS,
                   .first_wait_ms = FIRST_WAIT_MS,
                   .repeats_unsafe = true },
        .connect_ms = call->is_near ? NEAR_CONNECT_MS : 0,
        .whole_ms = call->is_near ? NEAR_WHOLE_MS : WHOLE_MS,
    };

    return error_wrap(http_send(http, &request, arena, out), "%s cannot be asked", call->who);
}

fallible cloud_call_refusal(const struct cloud_call *call, const struct http_response *response)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str problem = cloud_problem(&scratch, response->body);
    bool is_forbidden = response->status == 401 || response->status == 403;
    const char *hint = is_forbidden && call->hint ? call->hint : "";

    return error_new(response->status == 404 ? ERROR_NOT_FOUND : ERROR_INVALID,
                     "%s at '" STR_FMT "' answered %d%s" STR_FMT "%s%s", call->who,
                     STR_ARG(cloud_url_show(&scratch, call->url)), response->status,
                     problem.len ? ": " : "", STR_ARG(problem), *hint ? "; " : "", hint);
}

fallible cloud_call_read(const struct cloud_call *call, const struct http_response *response,
                         struct arena *arena, const struct json_field *fields, void *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    str body = str_trim(response->body);

    if (!http_response_is_good(response))
        return cloud_call_refusal(call, response);
    str shown = cloud_url_show(&scratch, call->url);
    if (!str_starts_with(body, STR("{")))
        return error_new(ERROR_INVALID, "%s at '" STR_FMT "' did not answer in JSON%s", call->who,
                         STR_ARG(shown),
                         is_web_page(body) ? ": it is a web page; is the address right?" : "");
    json_reader_init(&reader, arena, body);
    return error_wrap(json_read_fields(&reader, fields, out), "the answer of %s at '" STR_FMT "'",
                      call->who, STR_ARG(shown));
}

fallible cloud_call_json(struct http_client *http, const struct cloud_call *call,
                         struct arena *arena, const struct json_field *fields, void *out)
{
    struct http_response response;

    TRY(cloud_call_send(http, call, arena, &response));
    return cloud_call_read(call, &response, arena, fields, out);
}

str cloud_form(struct arena *arena, const struct pair *fields, size_t count)
{
    CLEANUP(strbuf_release) struct strbuf form = { 0 };

    for (size_t i = 0; i < count; i++) {
        if (fields[i].value.len == 0)
            continue;
        if (form.len > 0)
            strbuf_add_char(&form, '&');
        strbuf_add(&form, fields[i].key);
        strbuf_add_char(&form, '=');
        strbuf_add(&form, percent_encode(arena, fields[i].value, ""));
    }
    return arena_copy(arena, strbuf_str(&form));
}
