/* plugin_peer.h — a scripted gRPC peer: records what it is asked, answers what it was told to. */
#pragma once

#include "unit/plugin_fixture.h"

#include "fiber/sync.h"
#include "proto/message.h"
#include "rpc/rpc.h"

struct asked {
    const char *method;
    str request;
};

struct reply {
    const char *method;
    str bytes; /* of the answer */
    int code;  /* or a failure */
    str message;
    str details;
    struct latch *waits_for; /* answers only then */
};

struct peer {
    struct rpc_server *server;
    struct arena arena;
    struct {
        VEC(struct asked);
    } asked;
    struct {
        VEC(struct reply);
    } replies;
};

static struct reply *peer_reply(struct peer *peer, const char *method)
{
    for (size_t i = peer->replies.len; i > 0; i--)
        if (strcmp(peer->replies.items[i - 1].method, method) == 0)
            return &peer->replies.items[i - 1];
    return NULL;
}

static struct error *peer_answer(struct peer *peer, const char *method, str request, str *response)
{
    struct asked asked = { method, arena_copy(&peer->arena, request) };
    vec_add(&peer->asked, asked);
    struct reply *reply = peer_reply(peer, method);
    *response = STR("");
    if (!reply)
        return NULL;
    if (reply->waits_for)
        TRY(latch_wait(reply->waits_for));
    if (reply->code != 0)
        return error_from_status(reply->code, reply->message, reply->details);
    *response = reply->bytes;
    return NULL;
}

/* clang-format off */
#define PEER_METHODS(METHOD)                                                              \
    METHOD(Handshake) METHOD(Attach) METHOD(GetPluginInfo) METHOD(Parameterize)           \
    METHOD(GetSchema) METHOD(CheckConfig) METHOD(DiffConfig) METHOD(Configure)            \
    METHOD(Check) METHOD(Diff) METHOD(Create) METHOD(Read) METHOD(Update) METHOD(Delete)  \
    METHOD(Invoke) METHOD(Call) METHOD(Construct) METHOD(Cancel) METHOD(RegisterResource) \
    METHOD(GetRequiredPackages) METHOD(GetRequiredPlugins) METHOD(Run) METHOD(About)
/* clang-format on */

#define PEER_HANDLER(name)                                                              \
    static struct error *peer_on_##name(void *peer, struct rpc_call *call, str request, \
                                        str *response)                                  \
    {                                                                                   \
        (void)call;                                                                     \
        return peer_answer(peer, #name, request, response);                             \
    }
PEER_METHODS(PEER_HANDLER)

#define PEER_PROVIDER_ROW(name) \
    { .path = "/pulumirpc.ResourceProvider/" #name, .unary = peer_on_##name },
#define PEER_LANGUAGE_ROW(name) \
    { .path = "/pulumirpc.LanguageRuntime/" #name, .unary = peer_on_##name },

static __attribute__((unused)) const struct rpc_method peer_methods[] = {
    PEER_METHODS(PEER_PROVIDER_ROW) PEER_METHODS(PEER_LANGUAGE_ROW){
        .path = "/pulumirpc.ResourceMonitor/RegisterResource", .unary = peer_on_RegisterResource },
    { 0 },
};

static __attribute__((unused)) void peer_open(struct peer *peer)
{
    *peer = (struct peer){ 0 };
    assert_ok(rpc_server_open(peer_methods, peer, &peer->server));
}

static __attribute__((unused)) void peer_close(struct peer *peer)
{
    rpc_server_close(peer->server, 0);
    vec_release(&peer->asked);
    vec_release(&peer->replies);
    arena_release(&peer->arena);
}

static __attribute__((unused)) void peer_answers(struct peer *peer, const char *method,
                                                 const ProtobufCMessage *message)
{
    struct reply reply = { .method = method, .bytes = message_pack(&peer->arena, message) };
    vec_add(&peer->replies, reply);
}

static __attribute__((unused)) void peer_fails(struct peer *peer, const char *method, int code,
                                               const char *message)
{
    struct reply reply = {
        .method = method, .code = code, .message = str_from(message), .details = STR("")
    };
    vec_add(&peer->replies, reply);
}

/* The last request of a method, decoded; fails if there was none. */
static __attribute__((unused)) void *peer_asked(struct peer *peer, const char *method,
                                                const ProtobufCMessageDescriptor *type)
{
    void *message = NULL;
    for (size_t i = peer->asked.len; i > 0; i--) {
        if (strcmp(peer->asked.items[i - 1].method, method) == 0) {
            assert_ok(
                message_unpack(&peer->arena, type, peer->asked.items[i - 1].request, &message));
            return message;
        }
    }
    fail_msg("%s was not called", method);
    return NULL;
}

static __attribute__((unused)) size_t peer_count(const struct peer *peer, const char *method)
{
    size_t count = 0;
    for (size_t i = 0; i < peer->asked.len; i++)
        count += strcmp(peer->asked.items[i].method, method) == 0;
    return count;
}
