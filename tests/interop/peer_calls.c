/* peer_calls.c — what our client must get from a server of another kind. */
#include "interop/peer.h"

#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "rpc/rpc.h"

#include <stdio.h>
#include <stdlib.h>

/* Each claim returns what is wrong, or NULL. */
typedef struct error *claim(struct rpc_client *client, struct arena *arena);

#define EXPECT(condition)                                              \
    do {                                                               \
        if (!(condition))                                              \
            return error_new(ERROR_OTHER, "expected: %s", #condition); \
    } while (0)

static str filled(struct arena *arena, size_t size)
{
    char *bytes = arena_alloc_raw(arena, size);
    memset(bytes, 'e', size);
    return (str){ bytes, size };
}

static struct error *echo(struct rpc_client *client, struct arena *arena, size_t size)
{
    str response, request = filled(arena, size);
    TRY(rpc_call_unary(client, "/interop.T/Echo", request, NULL, arena, &response));
    EXPECT(str_equal(request, response));
    return NULL;
}

static struct error *echo_small(struct rpc_client *client, struct arena *arena)
{
    TRY(echo(client, arena, 0));
    TRY(echo(client, arena, 1));
    return echo(client, arena, 70000);
}

static struct error *echo_6_mb(struct rpc_client *client, struct arena *arena)
{
    return echo(client, arena, 6 << 20);
}

static struct error *echo_100_mb(struct rpc_client *client, struct arena *arena)
{
    return echo(client, arena, 100 << 20);
}

static struct error *details_of(struct rpc_client *client, struct arena *arena,
                                const char *size_text, size_t size)
{
    str response;
    struct error *failure =
        rpc_call_unary(client, "/interop.T/Fail", str_from(size_text), NULL, arena, &response);
    EXPECT(failure);
    bool is_right = error_status(failure) == RPC_NOT_FOUND
                    && str_equal(error_message(failure), PEER_TEXT)
                    && str_equal(error_status_details(failure), peer_details(arena, size));
    if (!is_right)
        return error_wrap(failure, "status %d with %zu bytes of details", error_status(failure),
                          error_status_details(failure).len);
    error_free(failure);
    return NULL;
}

static struct error *details(struct rpc_client *client, struct arena *arena)
{
    TRY(details_of(client, arena, "1", 1));
    TRY(details_of(client, arena, "2", 2));
    return details_of(client, arena, "3000", 3000);
}

static struct error *details_60_kb(struct rpc_client *client, struct arena *arena)
{
    return details_of(client, arena, "60000", 60000);
}

static struct error *details_10_mb(struct rpc_client *client, struct arena *arena)
{
    return details_of(client, arena, "10000000", 10000000);
}

static struct error *unknown_method(struct rpc_client *client, struct arena *arena)
{
    str response;
    struct error *failure =
        rpc_call_unary(client, "/interop.T/Nothing", STR(""), NULL, arena, &response);
    EXPECT(failure);
    EXPECT(error_status(failure) == RPC_UNIMPLEMENTED);
    error_free(failure);
    return NULL;
}

static struct error *count_waits(struct rpc_client *client, struct arena *arena, uint64_t *count)
{
    str response;
    TRY(rpc_call_unary(client, "/interop.T/Waits", STR(""), NULL, arena, &response));
    EXPECT(str_to_u64(response, count));
    return NULL;
}

/* Asks until the peer's handlers have seen so many cancellations. */
static struct error *expect_waits(struct rpc_client *client, struct arena *arena, uint64_t wanted)
{
    uint64_t count = 0;

    for (int i = 0; i < 3000 && count < wanted; i++) {
        TRY(fiber_sleep_ms(20));
        TRY(count_waits(client, arena, &count));
    }
    EXPECT(count == wanted);
    return NULL;
}

static struct error *deadline(struct rpc_client *client, struct arena *arena)
{
    struct rpc_options options = { .timeout_ms = 100 };
    uint64_t before;
    str response;

    TRY(count_waits(client, arena, &before));
    struct error *failure =
        rpc_call_unary(client, "/interop.T/Wait", STR(""), &options, arena, &response);
    EXPECT(failure);
    EXPECT(error_status(failure) == RPC_DEADLINE_EXCEEDED);
    error_free(failure);
    return expect_waits(client, arena, before + 1);
}

static struct error *cancellation(struct rpc_client *client, struct arena *arena)
{
    uint64_t before;
    struct rpc_stream *streams[20];

    TRY(count_waits(client, arena, &before));
    for (int i = 0; i < 20; i++) {
        TRY(rpc_stream_open(client, "/interop.T/Wait", NULL, &streams[i]));
        TRY(rpc_stream_send(streams[i], STR("")));
        TRY(rpc_stream_close_send(streams[i]));
    }
    uint64_t unused;
    TRY(count_waits(client, arena, &unused)); /* answered behind the others: they have arrived */
    TRY(fiber_sleep_ms(300));
    for (int i = 0; i < 20; i++)
        rpc_stream_close(streams[i]);
    return expect_waits(client, arena, before + 20);
}

static struct error *read_spout(struct rpc_stream *stream, struct arena *arena, size_t size,
                                size_t *count)
{
    for (*count = 0;; ++*count) {
        bool has_message;
        str message;
        TRY(rpc_stream_receive(stream, arena, &has_message, &message));
        if (!has_message)
            return NULL;
        EXPECT(message.len == size);
    }
}

static struct error *spout(struct rpc_client *client, struct arena *arena, const char *request,
                           size_t size, size_t wanted)
{
    struct rpc_stream *stream;
    size_t count;

    TRY(rpc_stream_open(client, "/interop.T/Spout", NULL, &stream));
    struct error *failure = rpc_stream_send(stream, str_from(request));
    if (!failure)
        failure = rpc_stream_close_send(stream);
    if (!failure)
        failure = read_spout(stream, arena, size, &count);
    rpc_stream_close(stream);
    TRY(failure);
    EXPECT(count == wanted);
    return NULL;
}

static struct error *server_stream(struct rpc_client *client, struct arena *arena)
{
    TRY(spout(client, arena, "1000 10", 10, 1000));
    return spout(client, arena, "10 1000000", 1000000, 10);
}

static struct error *client_stream(struct rpc_client *client, struct arena *arena)
{
    struct rpc_stream *stream;
    str message = filled(arena, 100000);
    bool has_message;

    TRY(rpc_stream_open(client, "/interop.T/Sum", NULL, &stream));
    for (int i = 0; i < 100; i++)
        TRY(rpc_stream_send(stream, message));
    TRY(rpc_stream_close_send(stream));
    TRY(rpc_stream_receive(stream, arena, &has_message, &message));
    EXPECT(has_message && str_equal(message, STR("10000000")));
    TRY(rpc_stream_receive(stream, arena, &has_message, &message));
    EXPECT(!has_message);
    rpc_stream_close(stream);
    return NULL;
}

static struct error *both_streams(struct rpc_client *client, struct arena *arena)
{
    struct rpc_stream *stream;
    bool has_message;
    str message;

    TRY(rpc_stream_open(client, "/interop.T/Chat", NULL, &stream));
    for (size_t i = 0; i < 100; i++) {
        TRY(rpc_stream_send(stream, filled(arena, i * 1000)));
        TRY(rpc_stream_receive(stream, arena, &has_message, &message));
        EXPECT(has_message && message.len == i * 1000);
    }
    TRY(rpc_stream_close_send(stream));
    TRY(rpc_stream_receive(stream, arena, &has_message, &message));
    EXPECT(!has_message);
    rpc_stream_close(stream);
    return NULL;
}

struct caller {
    struct rpc_client *client;
    struct work_group *group;
    struct error *failure;
};

static void run_caller(void *caller_)
{
    struct caller *caller = caller_;
    CLEANUP(arena_release) struct arena arena = { 0 };
    for (int i = 0; i < 5 && !caller->failure; i++)
        caller->failure = echo(caller->client, &arena, 1000);
    work_group_done(caller->group);
}

static struct error *many_at_once(struct rpc_client *client, struct arena *arena)
{
    enum { CALLERS = 400 };
    struct work_group group = { 0 };
    struct caller *callers = ARENA_ARRAY(arena, struct caller, CALLERS);
    struct error *failure = NULL;

    work_group_add(&group, CALLERS);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){ client, &group, NULL };
        fiber_spawn(run_caller, &callers[i]);
    }
    work_group_wait_uncancelable(&group);
    for (int i = 0; i < CALLERS; i++)
        failure = error_join(failure, callers[i].failure);
    return failure;
}

/* Comes last. */
static struct error *death(struct rpc_client *client, struct arena *arena)
{
    struct rpc_stream *stream;
    bool has_message;
    str response;

    TRY(rpc_stream_open(client, "/interop.T/Chat", NULL, &stream));
    struct error *failure =
        rpc_call_unary(client, "/interop.T/Die", STR(""), NULL, arena, &response);
    EXPECT(failure && error_status(failure) == RPC_UNAVAILABLE);
    error_free(failure);
    failure = rpc_stream_receive(stream, arena, &has_message, &response);
    EXPECT(failure && error_status(failure) == RPC_UNAVAILABLE);
    error_free(failure);
    rpc_stream_close(stream);
    failure = rpc_call_unary(client, "/interop.T/Echo", STR(""), NULL, arena, &response);
    EXPECT(failure && error_status(failure) == RPC_UNAVAILABLE);
    error_free(failure);
    return NULL;
}

static const struct {
    const char *name;
    claim *check;
} claims[] = {
    { "small messages come back", echo_small },
    { "6 MB come back", echo_6_mb },
    { "100 MB come back", echo_100_mb },
    { "a server may stream", server_stream },
    { "a client may stream", client_stream },
    { "both may stream", both_streams },
    { "a status has text and details", details },
    { "60 KB of details arrive", details_60_kb },
    { "10 MB of details arrive", details_10_mb },
    { "unknown methods are unimplemented", unknown_method },
    { "deadlines end calls", deadline },
    { "cancellation reaches the handler", cancellation },
    { "hundreds of calls at once", many_at_once },
    { "the death of the peer is noticed", death },
};

bool peer_call_all(str address)
{
    struct rpc_client *client;
    bool is_right = true;

    error_ignore(rpc_client_open(address, &client), "it cannot fail");
    for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        struct error *failure = claims[i].check(client, &arena);
        printf("%sok %zu - %s\n", failure ? "not " : "", i + 1, claims[i].name);
        if (failure)
            printf("# " STR_FMT "\n", STR_ARG(error_message(failure)));
        fflush(stdout);
        is_right = is_right && !failure;
        error_free(failure);
    }
    rpc_client_close(client);
    return is_right;
}
