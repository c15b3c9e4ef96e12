/* service_fixture.h — the hosted service of tests/service as a child process, and how a test steers
 * it. */
#pragma once

#include "unit/check.h"

#include "base/strbuf.h"
#include "fiber/process.h"
#include "fiber/socket.h"
#include "http/http.h"
#include "service/service.h"

struct service_fixture {
    struct process *process; /* NULL: not started */
    struct http_client *http;
    struct service *service;
    str url;
};

/* "PORT n" */
static inline str service_fixture_port(struct process *process, struct arena *arena)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    char piece[64];
    size_t got = 1;

    while (got > 0 && str_find_char(strbuf_str(&line), '\n') == SIZE_MAX) {
        assert_ok(stream_read(process_stdout(process), piece, sizeof(piece), &got));
        strbuf_add(&line, (str){ piece, got });
    }
    assert_true(str_starts_with(strbuf_str(&line), STR("PORT ")));
    return arena_copy(arena, str_trim(str_slice(strbuf_str(&line), strlen("PORT "), line.len)));
}

static inline void service_fixture_open(struct service_fixture *fixture, struct arena *arena)
{
    static const char *const argv[] = { "env", "python3", "tests/service/fake_service.py", NULL };
    const struct process_options options = { .path = "/usr/bin/env", .argv = argv };

    *fixture = (struct service_fixture){ 0 };
    assert_ok(process_open(&options, &fixture->process));
    fixture->url = arena_concat(arena, STR("http://127.0.0.1:"),
                                service_fixture_port(fixture->process, arena));
    fixture->http = http_client_new();
    const struct service_options service = { .url = fixture->url,
                                             .token = secret_hide(STR("good")),
                                             .command = STR("suite"),
                                             .first_wait_ms = 1 };
    fixture->service = service_open(&service);
}

/* POST /control…; what comes back lives in the arena. */
static inline str service_fixture_control(struct service_fixture *fixture, struct arena *arena,
                                          const char *path, const char *json)
{
    struct http_response response;
    const struct http_request request = {
        .method = json ? STR("POST") : STR("GET"),
        .url = arena_concat(arena, fixture->url, STR("/control"), str_from(path)),
        .upload.bytes = str_from(json),
    };

    assert_ok(http_send(fixture->http, &request, arena, &response));
    assert_int_equal(response.status, 200);
    return response.body;
}

/* A client that did something wrong is a failure of the test, whatever it made of the answer. */
static inline void service_fixture_close(struct service_fixture *fixture, struct arena *arena)
{
    assert_str_equal(service_fixture_control(fixture, arena, "/complaints", NULL), STR("[]"));
    service_close(fixture->service);
    http_client_free(fixture->http);
    process_close(fixture->process, 0);
}
