/* visits.c — accepts connections of browsers, reads the head of a request, sends an answer. */
#include "cli/screen/visits.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/socket.h"
#include "fiber/sync.h"

#include <stdlib.h>

enum { HEAD_MAX = 16 << 10 };

/* Browsers open connections that they may never use: each has a fiber of its own. */
struct visits {
    visit_answer *answer;
    void *context;
    struct listener *listener;
    struct cancel *scope;
    struct work_group fibers;
    struct latch is_over;
};

struct visitor {
    struct visits *visits;
    struct stream *stream;
};

struct visit visit_parse(str head)
{
    struct visit visit = { .head = head };
    str line, rest, version, name, value;

    if (!str_cut(head, STR("\r\n"), &line, &rest) || !str_cut(line, STR(" "), &visit.method, &line)
        || !str_cut(line, STR(" "), &visit.target, &version)
        || !str_starts_with(version, STR("HTTP/1.")))
        return (struct visit){ 0 };
    while (str_cut(rest, STR("\r\n"), &line, &rest) && line.len)
        if (str_cut(line, STR(":"), &name, &value) && str_same_letters(name, STR("host")))
            visit.host = str_trim(value);
    return visit;
}

bool visit_is_local(const struct visit *visit)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };
    str name = visit->host, port;

    if (!str_ends_with(name, STR("]")))
        str_cut_last(visit->host, STR(":"), &name, &port);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (str_same_letters(name, str_from(names[i])))
            return true;
    return false;
}

static fallible visitor_read(struct stream *stream, struct strbuf *head)
{
    char piece[1024];
    size_t len;

    while (str_find(strbuf_str(head), STR("\r\n\r\n")) == SIZE_MAX) {
        TRY(stream_read(stream, piece, sizeof(piece), &len));
        if (len == 0 || head->len + len > HEAD_MAX)
            return error_new(ERROR_INVALID, "no request");
        strbuf_add(head, (str){ piece, len });
    }
    return NULL;
}

static fallible visitor_answer(struct visitor *visitor)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf head = { 0 };
    struct visits *visits = visitor->visits;
    str answer = STR("");

    TRY(visitor_read(visitor->stream, &head));
    struct visit visit = visit_parse(strbuf_str(&head));
    bool goes_on = visits->answer(visits->context, &arena, &visit, &answer);
    struct error *failure = stream_write(visitor->stream, answer);
    if (!goes_on)
        latch_open(&visits->is_over);
    return failure;
}

static void visitor_serve(void *visitor_)
{
    struct visitor *visitor = visitor_;
    struct work_group *fibers = &visitor->visits->fibers;

    error_ignore(visitor_answer(visitor), "a browser that goes away is no concern of ours");
    stream_close(visitor->stream);
    free(visitor);
    work_group_done(fibers);
}

static void visits_accept(void *visits_)
{
    struct visits *visits = visits_;
    struct stream *stream;
    struct error *failure;

    while (!(failure = listener_accept(visits->listener, &stream))) {
        struct visitor *visitor = memory_zalloc(sizeof(*visitor));
        *visitor = (struct visitor){ visits, stream };
        work_group_add(&visits->fibers, 1);
        fiber_spawn_in(visits->scope, visitor_serve, visitor);
    }
    error_ignore(failure, "nobody is waited for any more");
    work_group_done(&visits->fibers);
}

fallible visits_open(uint16_t port, visit_answer *answer, void *context, struct visits **out)
{
    struct listener *listener;

    TRY(listener_open(port, &listener));
    struct visits *visits = memory_zalloc(sizeof(*visits));
    *visits = (struct visits){
        .answer = answer, .context = context, .listener = listener, .scope = cancel_open(NULL)
    };
    work_group_add(&visits->fibers, 1);
    fiber_spawn_in(visits->scope, visits_accept, visits);
    *out = visits;
    return NULL;
}

uint16_t visits_port(const struct visits *visits)
{
    return listener_port(visits->listener);
}

fallible visits_wait(struct visits *visits)
{
    return latch_wait(&visits->is_over);
}

void visits_close(struct visits *owned)
{
    cancel_fire(owned->scope);
    work_group_wait_uncancelable(&owned->fibers);
    listener_close(owned->listener);
    cancel_close(owned->scope);
    free(owned);
}
