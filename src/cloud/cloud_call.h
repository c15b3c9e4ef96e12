/* cloud_call.h — calls of services that answer in JSON, and what their refusals say. */
#pragma once

#include "base/json.h"
#include "base/pairs.h"
#include "http/http.h"

struct cloud_call {
    const char *who; /* for messages: "Vault", "the metadata server" */
    str method;
    str url;
    const str *headers;
    size_t header_count;
    str body;
    struct http_trust trust;
    bool is_near;     /* a server of this machine, or none: it is asked once and briefly */
    const char *hint; /* what to do when it says that we may not; NULL: nothing is known */
};

/* The answer with any status. A call is made again where that may help: each of these is the same
 * twice as once. Blocks. */
fallible cloud_call_send(struct http_client *http, const struct cloud_call *call,
                         struct arena *arena, struct http_response *out);

/* Of a good answer the members of its object go to `out`; any other is a failure: ERROR_INVALID, or
 * ERROR_NOT_FOUND for 404. */
fallible cloud_call_read(const struct cloud_call *call, const struct http_response *response,
                         struct arena *arena, const struct json_field *fields, void *out);
/* The failure that an answer with a bad status is. */
fallible cloud_call_refusal(const struct cloud_call *call, const struct http_response *response)
    __attribute__((returns_nonnull));

/* Both. What is read may be a part of the answer's bytes, which lie in the arena. Blocks. */
fallible cloud_call_json(struct http_client *http, const struct cloud_call *call,
                         struct arena *arena, const struct json_field *fields, void *out);

/* NAME=VALUE&…, escaped: the body of a form, or a query. Those without a value are left out. */
str cloud_form(struct arena *arena, const struct pair *fields, size_t count);
#define CLOUD_FORM(arena, ...)                                \
    cloud_form((arena), (const struct pair[]){ __VA_ARGS__ }, \
               sizeof((const struct pair[]){ __VA_ARGS__ }) / sizeof(struct pair))
#define CLOUD_FORM_TYPE STR("Content-Type: application/x-www-form-urlencoded")

/* What a service says is wrong, of the shapes that there are: JSON, XML, a web page, a line of
 * text. Pure, fuzzed. */
str cloud_problem(struct arena *arena, str body);
