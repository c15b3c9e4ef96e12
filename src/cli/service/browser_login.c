/* browser_login.c — waits for the browser that comes back from the site. */
#include "cli/service/browser_login.h"

#include "base/clock.h"
#include "base/hex.h"
#include "base/uuid.h"
#include "cli/open.h"
#include "cli/screen/browser.h"
#include "cli/screen/visits.h"
#include "service/service_login.h"

#include <stdio.h>

enum { NONCE_SIZE = 32 };

struct browser_wait {
    struct arena *arena;
    struct service_login login;
    struct secret token;
};

static bool browser_answer(void *wait_, struct arena *arena, const struct visit *visit, str *out)
{
    struct browser_wait *wait = wait_;
    bool is_ours = service_login_answer(wait->arena, arena_copy(wait->arena, visit->head),
                                        wait->login.nonce, &wait->token);

    *out = is_ours ? arena_concat(arena, STR("HTTP/1.1 307 Temporary Redirect\r\nLocation: "),
                                  service_login_welcome(arena, &wait->login),
                                  STR("\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
                   : STR("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n"
                         "Content-Length: 0\r\n\r\n");
    return !is_ours;
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
    struct visits *visits;

    random_bytes(nonce, sizeof(nonce));
    TRY(error_wrap(visits_open(0, browser_answer, &wait, &visits), "a login in the browser"));
    wait.login = (struct service_login){
        .console = console,
        .host = cli_host_name(cli),
        .time = clock_format(cli->arena, clock_now()),
        .nonce = hex_encode(cli->arena, (str){ (const char *)nonce, sizeof(nonce) }),
        .port = visits_port(visits),
    };
    browser_invite(cli, service_login_page(cli->arena, &wait.login));
    struct error *failure = visits_wait(visits);
    visits_close(visits);
    *out = wait.token;
    return failure;
}
