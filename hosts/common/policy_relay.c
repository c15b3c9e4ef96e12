/* policy_relay.c — policy packs for engines that say by a call which stack they are for: an
 * Analyzer of ours waits for that call, then starts the pack and passes every call on. */
#include "common/policy_relay.h"

#include "common/command.h"
#include "common/host.h"
#include "common/language_ops.h"
#include "fiber/fiber.h"
#include "proto/message.h"
#include "rpc/rpc.h"

#include "pb/analyzer.pb-c.h"
#include "pb/status.pb-c.h"

#define RELAY_METHOD(name) "/pulumirpc.Analyzer/" name

enum {
    PORT_LINE_MAX = 200,
    ANSWER_GRACE_MS = 1000, /* for answers to get out after the pack has ended */
};

struct relay {
    struct sink sink; /* first: of what the pack prints */
    struct sink *to;
    struct host *host;
    struct arena *arena;
    bool has_handshake, has_stack; /* these were said before the pack was started */
    str handshake, stack;          /* in the bytes that came */
    const Pb__AnalyzerStackConfigureRequest *configured; /* the stack; NULL: unknown */
    struct latch wanted; /* the pack is to be started: the stack is known, or will not be said */
    struct strbuf line;  /* its first, until that is whole */
    bool has_line;
    struct rpc_client *pack;       /* NULL: not yet, or not any more */
    str failure;                   /* why there is none */
    struct latch settled;          /* the pack can be called, or never will */
    struct work_group introducing; /* a fiber that says to the pack what was said to us */
};

/* --- the pack --- */

static void relay_settle(struct relay *relay, struct error *owned_failure)
{
    if (owned_failure && relay->failure.len == 0)
        relay->failure = arena_copy(relay->arena, error_message(owned_failure));
    error_free(owned_failure);
    latch_open(&relay->settled);
}

/* Without a failure there is a pack, once its port is known. */
static fallible relay_check(const struct relay *relay)
{
    if (relay->failure.len > 0)
        return error_new(ERROR_OTHER, "the policy pack is not running: " STR_FMT,
                         STR_ARG(relay->failure));
    return NULL;
}

static fallible relay_call(struct relay *relay, const char *method, str request,
                           struct arena *arena, str *response)
{
    TRY(relay_check(relay));
    return rpc_call_unary(relay->pack, method, request, NULL, arena, response);
}

/* Older packs know neither of the calls, and need none: the environment says the same. */
static fallible relay_introduce(struct relay *relay, const char *method, str request)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str response;
    struct error *failure = relay_call(relay, method, request, &scratch, &response);

    if (failure && error_status(failure) == RPC_UNIMPLEMENTED) {
        error_ignore(failure, "the pack is older than the call");
        return NULL;
    }
    return error_wrap(failure, "%s", method);
}

static fallible relay_introduce_all(struct relay *relay)
{
    if (relay->has_handshake)
        TRY(relay_introduce(relay, RELAY_METHOD("Handshake"), relay->handshake));
    return relay->has_stack ? relay_introduce(relay, RELAY_METHOD("ConfigureStack"), relay->stack)
                            : NULL;
}

static void relay_run_introduction(void *relay_)
{
    struct relay *relay = relay_;

    relay_settle(relay, relay_introduce_all(relay));
    work_group_done(&relay->introducing);
}

static fallible relay_connect(struct relay *relay, str line)
{
    CLEANUP(strbuf_release) struct strbuf shown = { 0 };
    uint64_t port;

    if (!str_to_u64(str_trim(line), &port) || port == 0 || port > UINT16_MAX) {
        strbuf_add_utf8(&shown, str_slice(line, 0, PORT_LINE_MAX));
        return error_new(ERROR_INVALID,
                         "the policy pack printed '" STR_FMT "' where its port should be",
                         STR_ARG(strbuf_str(&shown)));
    }
    TRY(rpc_client_open(arena_printf(relay->arena, "127.0.0.1:%u", (unsigned)port), &relay->pack));
    work_group_add(&relay->introducing, 1);
    fiber_spawn_in(relay->host->scope, relay_run_introduction, relay);
    return NULL;
}

/* The engine has our port already: that of the pack is for us. */
static fallible relay_write(struct sink *sink, enum output_kind kind, str bytes)
{
    struct relay *relay = (struct relay *)sink;
    str first = bytes, rest;

    if (kind == OUTPUT_STDERR || relay->has_line)
        return sink_write(relay->to, kind, bytes);
    bool is_whole = str_cut(bytes, STR("\n"), &first, &rest);
    strbuf_add(&relay->line, is_whole ? first : bytes);
    if (!is_whole && relay->line.len <= PORT_LINE_MAX)
        return NULL;
    relay->has_line = true;
    struct error *failure = relay_connect(relay, strbuf_str(&relay->line));
    if (failure)
        relay_settle(relay, failure);
    return is_whole && rest.len > 0 ? sink_write(relay->to, kind, rest) : NULL;
}

/* --- what the engine calls --- */

static fallible relay_wait(struct relay *relay)
{
    latch_open(&relay->wanted);
    TRY(latch_wait(&relay->settled));
    return relay_check(relay);
}

/* A deadline of the caller, or its loss of interest, ends the call at the pack too: the server
 * cancels this fiber then. */
static fallible relay_forward(void *relay_, struct rpc_call *call, str request, str *response)
{
    struct relay *relay = relay_;

    TRY(relay_wait(relay));
    return relay_call(relay, rpc_call_path(call), request, rpc_call_arena(call), response);
}

static fallible relay_handshake(void *relay_, struct rpc_call *call, str request, str *response)
{
    struct relay *relay = relay_;
    Pb__AnalyzerHandshakeResponse answer = PB__ANALYZER_HANDSHAKE_RESPONSE__INIT;

    if (relay->wanted.is_open)
        return relay_forward(relay, call, request, response);
    relay->handshake = arena_copy(relay->arena, request);
    relay->has_handshake = true;
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static fallible relay_configure_stack(void *relay_, struct rpc_call *call, str request,
                                      str *response)
{
    struct relay *relay = relay_;
    Pb__AnalyzerStackConfigureResponse answer = PB__ANALYZER_STACK_CONFIGURE_RESPONSE__INIT;
    void *configured;

    if (relay->wanted.is_open)
        return relay_forward(relay, call, request, response);
    relay->stack = arena_copy(relay->arena, request);
    TRY(message_request(relay->arena, &pb__analyzer_stack_configure_request__descriptor,
                        relay->stack, &configured));
    relay->configured = configured;
    relay->has_stack = true;
    TRY(relay_wait(relay));
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

/* A pack that is not there yet has nothing to cancel, and is not started for it. */
static fallible relay_cancel(void *relay_, struct rpc_call *call, str request, str *response)
{
    struct relay *relay = relay_;
    Pb__Empty answer = PB__EMPTY__INIT;

    if (relay->settled.is_open)
        return relay_forward(relay, call, request, response);
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static const struct rpc_method relay_methods[] = {
    { RELAY_METHOD("Handshake"), .unary = relay_handshake },
    { RELAY_METHOD("ConfigureStack"), .unary = relay_configure_stack },
    { RELAY_METHOD("Cancel"), .unary = relay_cancel },
    { RELAY_METHOD("GetPluginInfo"), .unary = relay_forward },
    { RELAY_METHOD("GetAnalyzerInfo"), .unary = relay_forward },
    { RELAY_METHOD("Configure"), .unary = relay_forward },
    { RELAY_METHOD("Analyze"), .unary = relay_forward },
    { RELAY_METHOD("AnalyzeStack"), .unary = relay_forward },
    { RELAY_METHOD("Remediate"), .unary = relay_forward },
    { .path = NULL },
};

/* --- the environment --- */

/* All three are set by an engine that says the stack this way. A program has some of them, and what
 * it starts inherits these: Go's has no PULUMI_NODEJS_DRY_RUN, that of Node.js no
 * PULUMI_DRY_RUN. */
static bool environment_has_stack(const struct words *environment)
{
    return words_get(environment, STR("PULUMI_CONFIG")).len > 0
           && words_get(environment, STR("PULUMI_DRY_RUN")).len > 0
           && words_get(environment, STR("PULUMI_NODEJS_DRY_RUN")).len > 0;
}

/* Some SDKs look for the one name, some for the other. What was not said must not come from a
 * program around us. */
static void environment_put(struct words *environment, struct arena *arena, str name, str value)
{
    static const char *const prefixes[] = { "PULUMI_", "PULUMI_NODEJS_" };

    for (size_t i = 0; i < 2; i++) {
        str full = arena_concat(arena, str_from(prefixes[i]), name);
        if (value.len > 0)
            words_set(environment, arena, full, value);
        else
            words_unset(environment, full);
    }
}

static void relay_set_environment(const struct relay *relay, struct words *environment)
{
    const Pb__AnalyzerStackConfigureRequest *configured = relay->configured;
    struct arena *arena = relay->arena;

    if (!configured)
        return;
    environment_put(environment, arena, STR("ORGANIZATION"), message_str(configured->organization));
    environment_put(environment, arena, STR("PROJECT"), message_str(configured->project));
    environment_put(environment, arena, STR("STACK"), message_str(configured->stack));
    environment_put(environment, arena, STR("DRY_RUN"),
                    configured->dry_run ? STR("true") : STR("false"));
    words_set(environment, arena, STR("PULUMI_CONFIG"),
              run_config_json(arena, configured->config, configured->n_config, false));
}

/* --- from the first call to the end of the pack --- */

static fallible relay_run_pack(struct relay *relay, uint16_t port, struct command *command,
                               int *exit_code)
{
    TRY(sink_write(relay->to, OUTPUT_STDOUT, arena_printf(relay->arena, "%u\n", port)));
    TRY(latch_wait(&relay->wanted));
    relay_set_environment(relay, &command->environment);
    return command_run(relay->host, command, &relay->sink, exit_code);
}

/* Calls that wait for the pack fail with the reason, those that it was to answer break. */
static void relay_end(struct relay *relay, const struct error *failure, int exit_code)
{
    struct rpc_client *pack = relay->pack;

    if (relay->failure.len == 0)
        relay->failure = failure ? arena_copy(relay->arena, error_message(failure))
                                 : arena_printf(relay->arena, "it ended with exit code %d%s",
                                                exit_code, pack ? "" : " before it said its port");
    relay->pack = NULL;
    if (pack)
        rpc_client_close(pack);
    work_group_wait_uncancelable(&relay->introducing);
    latch_open(&relay->settled);
}

fallible policy_pack_run(struct host *host, struct arena *arena, struct command *command,
                         struct sink *sink, int *exit_code)
{
    struct relay relay = { .sink = { relay_write }, .to = sink, .host = host, .arena = arena };
    struct rpc_server *server;

    if (environment_has_stack(&command->environment))
        return command_run(host, command, sink, exit_code);
    *exit_code = -1;
    TRY(rpc_server_open(relay_methods, &relay, &server));
    struct error *failure = relay_run_pack(&relay, rpc_server_port(server), command, exit_code);
    relay_end(&relay, failure, *exit_code);
    rpc_server_close(server, ANSWER_GRACE_MS);
    strbuf_release(&relay.line);
    return failure;
}
