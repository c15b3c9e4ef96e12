/* browser_login.c — listens on this machine for the browser that comes back from the site. */
#include "cli/service/browser_login.h"

#include "base/clock.h"
#include "base/hex.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/uuid.h"
#include "cli/open.h"
#include "cli/screen/browser.h"
#include "fiber/fiber.h"
#include "fiber/socket.h"
#include "fiber/sync.h"
#include "service/service_login.h"

#include <stdio.h>
#include <stdlib.h>

enum { HEAD_MAX = 16 << 10, NONCE_SIZE = 32 };

/* Browsers open connections that they may never use: each has a fiber of its own. */
struct browser_wait {
    struct arena *arena;
    struct service_login login;
    struct listener *listener;
    struct cancel *scope;
    struct work_group fibers;
    struct latch is_over;
    struct secret token;
};

struct browser_visit {
    struct browser_wait *wait;
    struct stream *stream;
};

static fallible visit_read(struct stream *stream, struct strbuf *head)
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

static fallible visit_answer(struct browser_visit *visit)
{
    CLEANUP(strbuf_release) struct strbuf head = { 0 };
    struct browser_wait *wait = visit->wait;

    TRY(visit_read(visit->stream, &head));
    bool is_ours = service_login_answer(wait->arena, arena_copy(wait->arena, strbuf_str(&head)),
                                        wait->login.nonce, &wait->token);
    str answer =
        is_ours ? arena_concat(wait->arena, STR("HTTP/1.1 307 Temporary Redirect\r\nLocation: "),
                               service_login_welcome(wait->arena, &wait->login),
                               STR("\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
                : STR("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n"
                      "Content-Length: 0\r\n\r\n");
    struct error *failure = stream_write(visit->stream, answer);
    if (is_ours)
        latch_open(&wait->is_over);
    return failure;
}

static void visit_serve(void *visit_)
{
    struct browser_visit *visit = visit_;
    struct work_group *fibers = &visit->wait->fibers;

    error_ignore(visit_answer(visit), "who did not come from the page is no concern of ours");
    stream_close(visit->stream);
    free(visit);
    work_group_done(fibers);
}

static void visits_accept(void *wait_)
{
    struct browser_wait *wait = wait_;
    struct stream *stream;
    struct error *failure;

    while (!(failure = listener_accept(wait->listener, &stream))) {
        struct browser_visit *visit = memory_zalloc(sizeof(*visit));
        *visit = (struct browser_visit){ wait, stream };
        work_group_add(&wait->fibers, 1);
        fiber_spawn_in(wait->scope, visit_serve, visit);
    }
    error_ignore(failure, "the login is over");
    work_group_done(&wait->fibers);
}

static void browser_invite(struct cli *cli, str page)
{
    if (browser_show(cli, page))
        printf("We've launched your web browser to complete the login process.\n");
    else
        printf("We couldn't launch your web browser for some reason. Please visit:\n\n" STR_FMT
               "\n\nto finish the login process.\n",
               STR_ARG(page));
    printf("\nWaiting for login to complete...\n");
    fflush(stdout);
}

fallible browser_login(struct cli *cli, str console, struct secret *out)
{
    unsigned char nonce[NONCE_SIZE];
    struct browser_wait wait = { .arena = cli->arena };

    random_bytes(nonce, sizeof(nonce));
    TRY(error_wrap(listener_open(0, &wait.listener), "a login in the browser"));
    wait.login = (struct service_login){
        .console = console,
        .host = cli_host_name(cli),
        .time = clock_format(cli->arena, clock_now()),
        .nonce = hex_encode(cli->arena, (str){ (const char *)nonce, sizeof(nonce) }),
        .port = listener_port(wait.listener),
    };
    wait.scope = cancel_open(NULL);
    work_group_add(&wait.fibers, 1);
    fiber_spawn_in(wait.scope, visits_accept, &wait);
    browser_invite(cli, service_login_page(cli->arena, &wait.login));
    struct error *failure = latch_wait(&wait.is_over);
    cancel_fire(wait.scope);
    work_group_wait_uncancelable(&wait.fibers);
    listener_close(wait.listener);
    cancel_close(wait.scope);
    *out = wait.token;
    return failure;
}
