/* peer.c — our server and client for the interop tests. usage: peer serve | peer call ADDRESS |
 * peer waits ADDRESS COUNT */
#include "interop/peer.h"

#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/socket.h"
#include "fiber/sync.h"
#include "rpc/rpc.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* --- details --- */

static void add_varint(struct strbuf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        strbuf_add_char(out, (char)(number | 0x80));
    strbuf_add_char(out, (char)number);
}

static void add_bytes_field(struct strbuf *out, unsigned number, str bytes)
{
    add_varint(out, number << 3 | 2);
    add_varint(out, bytes.len);
    strbuf_add(out, bytes);
}

str peer_details(struct arena *arena, size_t size)
{
    CLEANUP(strbuf_release) struct strbuf value = { 0 };
    CLEANUP(strbuf_release) struct strbuf any = { 0 };
    CLEANUP(strbuf_release) struct strbuf status = { 0 };

    strbuf_add_repeated(&value, 'd', size);
    add_bytes_field(&any, 1, STR("type.googleapis.com/interop.Detail"));
    add_bytes_field(&any, 2, strbuf_str(&value));
    add_varint(&status, 1 << 3);
    add_varint(&status, RPC_NOT_FOUND);
    add_bytes_field(&status, 2, PEER_TEXT);
    add_bytes_field(&status, 3, strbuf_str(&any));
    return arena_copy(arena, strbuf_str(&status));
}

/* --- methods --- */

struct service {
    size_t waits;
};

static struct error *echo(void *service, struct rpc_call *call, str request, str *response)
{
    (void)service, (void)call;
    *response = request;
    return NULL;
}

static struct error *fail_with_details(void *service, struct rpc_call *call, str request,
                                       str *response)
{
    uint64_t size;
    (void)service, (void)response;
    if (!str_to_u64(request, &size))
        return error_from_status(RPC_INVALID_ARGUMENT, STR("a number is needed"), STR(""));
    return error_from_status(RPC_NOT_FOUND, PEER_TEXT, peer_details(rpc_call_arena(call), size));
}

static struct error *wait_for_cancel(void *service_, struct rpc_call *call, str request,
                                     str *response)
{
    struct service *service = service_;
    struct latch never = { 0 };
    (void)call, (void)request, (void)response;
    struct error *failure = latch_wait(&never);
    service->waits++;
    return failure;
}

static struct error *count_waits(void *service_, struct rpc_call *call, str request, str *response)
{
    const struct service *service = service_;
    (void)request;
    *response = arena_printf(rpc_call_arena(call), "%zu", service->waits);
    return NULL;
}

static struct error *die(void *service, struct rpc_call *call, str request, str *response)
{
    (void)service, (void)call, (void)request, (void)response;
    kill(getpid(), SIGKILL);
    return NULL;
}

static struct error *spout(void *service, struct rpc_call *call)
{
    bool has_message = false;
    str request = STR(""), count_text, size_text;
    uint64_t count, size;

    (void)service;
    TRY(rpc_call_receive(call, &has_message, &request));
    if (!has_message || !str_cut(request, STR(" "), &count_text, &size_text)
        || !str_to_u64(count_text, &count) || !str_to_u64(size_text, &size))
        return error_from_status(RPC_INVALID_ARGUMENT, STR("two numbers are needed"), STR(""));
    char *bytes = arena_alloc_raw(rpc_call_arena(call), size);
    memset(bytes, 's', size);
    for (uint64_t i = 0; i < count; i++)
        TRY(rpc_call_send(call, (str){ bytes, size }));
    return NULL;
}

static struct error *sum(void *service, struct rpc_call *call)
{
    size_t total = 0;

    (void)service;
    for (bool has_message = true; has_message;) {
        str message = STR("");
        TRY(rpc_call_receive(call, &has_message, &message));
        total += has_message ? message.len : 0;
    }
    return rpc_call_send(call, arena_printf(rpc_call_arena(call), "%zu", total));
}

static struct error *chat(void *service, struct rpc_call *call)
{
    (void)service;
    for (;;) {
        bool has_message;
        str message;
        TRY(rpc_call_receive(call, &has_message, &message));
        if (!has_message)
            return NULL;
        TRY(rpc_call_send(call, message));
    }
}

static const struct rpc_method methods[] = {
    { "/interop.T/Echo", .unary = echo },
    { "/interop.T/Fail", .unary = fail_with_details },
    { "/interop.T/Wait", .unary = wait_for_cancel },
    { "/interop.T/Waits", .unary = count_waits },
    { "/interop.T/Die", .unary = die },
    { "/interop.T/Spout", .stream = spout },
    { "/interop.T/Sum", .stream = sum },
    { "/interop.T/Chat", .stream = chat },
    { 0 },
};

/* --- programs --- */

/* Prints the port and serves until standard input ends. */
static void serve(void *exit_code_)
{
    int *exit_code = exit_code_;
    struct service service = { 0 };
    struct rpc_server *server;
    struct stream *input;
    size_t len = 1;

    struct error *failure = rpc_server_open(methods, &service, &server);
    if (!failure)
        failure = stream_from_fd(dup(STDIN_FILENO), &input);
    *exit_code = failure ? 1 : 0;
    error_free(failure);
    if (*exit_code)
        return;
    printf("%u\n", rpc_server_port(server));
    fflush(stdout);
    while (len > 0) {
        char bytes[64];
        len = 0;
        error_ignore(stream_read(input, bytes, sizeof(bytes), &len), "the end in any case");
    }
    stream_close(input);
    rpc_server_close(server, 1000);
}

struct calls {
    str address;
    uint64_t waits;
    int exit_code;
};

static void call(void *calls_)
{
    struct calls *calls = calls_;
    calls->exit_code = peer_call_all(calls->address) ? 0 : 1;
}

/* Asks until the server has seen so many canceled waits; prints the last answer. */
static void wait_for_waits(void *calls_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct calls *calls = calls_;
    struct rpc_client *client;
    struct error *failure = rpc_client_open(calls->address, &client);
    str answer = STR("");
    uint64_t waits = 0;

    for (int i = 0; i < 3000 && !failure; i++) {
        failure = rpc_call_unary(client, "/interop.T/Waits", STR(""), NULL, &arena, &answer);
        if (failure || (str_to_u64(answer, &waits) && waits >= calls->waits))
            break;
        failure = fiber_sleep_ms(20);
    }
    printf(STR_FMT "\n", STR_ARG(failure ? error_message(failure) : answer));
    calls->exit_code = !failure && waits >= calls->waits ? 0 : 1;
    error_free(failure);
    rpc_client_close(client);
}

int main(int argc, char **argv)
{
    str verb = str_from(argc > 1 ? argv[1] : "");
    struct calls calls = { .address = str_from(argc > 2 ? argv[2] : "") };
    int exit_code = 2;
    struct error *failure = NULL;

    if (str_equal(verb, STR("serve"))) {
        failure = scheduler_run(serve, &exit_code);
    } else if (str_equal(verb, STR("call")) && argc == 3) {
        failure = scheduler_run(call, &calls);
        exit_code = calls.exit_code;
    } else if (str_equal(verb, STR("waits")) && argc == 4
               && str_to_u64(str_from(argv[3]), &calls.waits)) {
        failure = scheduler_run(wait_for_waits, &calls);
        exit_code = calls.exit_code;
    } else {
        fprintf(stderr, "usage: peer serve | peer call ADDRESS | peer waits ADDRESS COUNT\n");
    }
    error_free(failure);
    return failure ? 1 : exit_code;
}
