/* http_client.c — the requests of many fibers on one thread at a time; keeps the connections. */
#include "http/http_transfer.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/offload.h"

#include <stdlib.h>

/* Who sends a request puts it into `queue` and waits. A fiber of the client, the driver, lives as
 * long as there are requests. It hands them to libcurl on a thread of their own and gets them back
 * when one is over, or when it is called because there is more to do. That thread owns `active` and
 * everything of libcurl while it runs; between two runs the loop does. */

enum { CONNECTIONS = 64, CONNECTIONS_OF_HOST = 32, LONGEST_POLL_MS = 1000 };

struct http_client {
    struct curl curl;
    void *multi;
    struct error *failure; /* to load libcurl; of every request then */
    bool is_loaded;
    bool is_driven;
    bool is_away; /* the thread runs */
    struct transfer *queue;
    struct transfer *active;
    _Atomic bool is_called;
    struct cancel *scope; /* of the driver: the end of one request is not that of the others */
    struct arena arena;
    struct map given_up; /* servers, by authority */
};

struct http_client *http_client_new(void)
{
    struct http_client *client = memory_zalloc(sizeof(*client));

    client->scope = cancel_open(NULL);
    return client;
}

void http_client_free(struct http_client *owned)
{
    if (!owned)
        return;
    BUG_IF(owned->is_driven);
    if (owned->multi)
        owned->curl.multi_cleanup(owned->multi);
    error_free(owned->failure);
    cancel_close(owned->scope);
    map_release(&owned->given_up);
    arena_release(&owned->arena);
    free(owned);
}

/* --- on the thread --- */

static void client_load(void *client_)
{
    struct http_client *client = client_;

    client->failure = curl_load(&client->curl);
    if (client->failure)
        return;
    client->multi = client->curl.multi_init();
    if (!client->multi) {
        client->failure = error_new(ERROR_INVALID, "libcurl cannot be initialised");
        return;
    }
    client->curl.multi_setopt(client->multi, MULTI_MAX_TOTAL_CONNECTIONS, (long)CONNECTIONS);
    client->curl.multi_setopt(client->multi, MULTI_MAX_HOST_CONNECTIONS, (long)CONNECTIONS_OF_HOST);
}

static bool client_finish_some(struct http_client *client)
{
    struct curl_message *message;
    bool is_any_over = false;
    int left;

    while ((message = client->curl.multi_info_read(client->multi, &left))) {
        char *transfer;
        int code = message->data.code;
        if (message->message != MESSAGE_DONE)
            continue;
        client->curl.easy_getinfo(message->easy, INFO_PRIVATE, &transfer);
        transfer_finish((struct transfer *)(void *)transfer, client->multi, code);
        is_any_over = true;
    }
    return is_any_over;
}

/* How long nothing but the network can change anything; -1 if some request has ended. */
static int client_wait_ms(struct http_client *client)
{
    int64_t now = clock_monotonic(), next_look = now + (int64_t)LONGEST_POLL_MS * NS_PER_MS;
    bool is_any_over = client_finish_some(client);

    for (struct transfer *transfer = client->active; transfer; transfer = transfer->next) {
        if (!transfer->is_over)
            transfer_check(transfer, client->multi, now, &next_look);
        is_any_over = is_any_over || transfer->is_over;
    }
    return is_any_over ? -1 : (int)((next_look - now + NS_PER_MS - 1) / NS_PER_MS);
}

static void client_work(void *client_)
{
    struct http_client *client = client_;
    int running, wait_ms;

    for (struct transfer *transfer = client->active; transfer; transfer = transfer->next)
        if (!transfer->curl)
            transfer_start(transfer, &client->curl, client->multi);
    for (;;) {
        client->curl.multi_perform(client->multi, &running);
        wait_ms = client_wait_ms(client);
        if (wait_ms < 0 || client->is_called)
            return;
        client->curl.multi_poll(client->multi, NULL, 0, wait_ms, NULL);
    }
}

/* --- on the loop --- */

static void client_call(struct http_client *client)
{
    client->is_called = true;
    if (client->is_away && client->multi)
        client->curl.multi_wakeup(client->multi);
}

static void client_take_queue(struct http_client *client)
{
    struct transfer **last = &client->active;

    client->is_called = false;
    while (*last)
        last = &(*last)->next;
    *last = client->queue;
    client->queue = NULL;
}

static void client_let_go(struct http_client *client)
{
    struct transfer **link = &client->active;

    while (*link) {
        struct transfer *transfer = *link;
        if (!transfer->is_over) {
            link = &transfer->next;
            continue;
        }
        *link = transfer->next;
        latch_open(&transfer->done);
    }
}

static void client_refuse_all(struct http_client *client)
{
    for (struct transfer *transfer = client->active; transfer; transfer = transfer->next) {
        transfer->failure = error_new(error_kind(client->failure), STR_FMT,
                                      STR_ARG(error_message(client->failure)));
        transfer->is_over = true;
    }
}

static void client_drive(void *client_)
{
    struct http_client *client = client_;

    if (!client->is_loaded)
        offload(client_load, client);
    client->is_loaded = true;
    while (client->queue || client->active) {
        client_take_queue(client);
        client->is_away = true;
        if (client->failure)
            client_refuse_all(client);
        else
            offload_apart(client_work, client);
        client->is_away = false;
        client_let_go(client);
    }
    client->is_driven = false;
}

fallible http_client_run(struct http_client *client, struct transfer *transfer)
{
    TRY(fiber_canceled());
    transfer->next = client->queue;
    client->queue = transfer;
    if (!client->is_driven) {
        client->is_driven = true;
        fiber_spawn_in(client->scope, client_drive, client);
    }
    client_call(client);
    struct error *canceled = latch_wait(&transfer->done);
    if (canceled) {
        error_ignore(canceled, "the transfer ends with it");
        transfer->is_canceled = true;
        client_call(client);
        latch_wait_uncancelable(&transfer->done);
    }
    struct error *failure = transfer->failure;
    transfer->failure = NULL;
    return failure;
}

/* --- servers that are given up --- */

void http_client_give_up(struct http_client *client, str authority)
{
    map_put(&client->given_up, arena_copy(&client->arena, authority), client);
}

bool http_client_has_given_up(const struct http_client *client, str authority)
{
    return map_has(&client->given_up, authority);
}
