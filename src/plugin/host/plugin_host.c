/* plugin_host.c — the plugins of one command: registered, canceled and closed together. */
#include "plugin/host/plugin_host.h"

#include "base/clock.h"
#include "plugin/language/language_parts.h"
#include "plugin/provider/provider_grpc.h"

#include <stdlib.h>

static const struct plugin_patience default_patience = {
    .start = 60 * 1000,
    .connect = 10 * 1000,
    .cancel = 5 * 1000,
    .grace = 5 * 1000,
    .interrupt = 30 * 1000,
};

/* CULUMI_PLUGIN_TIMEOUT_MS shortens the time that a plugin has to start and to answer. */
static struct plugin_patience patience_of(const struct plugin_host *host)
{
    struct plugin_patience patience = default_patience;
    uint64_t timeout_ms;

    if (str_to_u64(plugin_host_variable(host, STR("CULUMI_PLUGIN_TIMEOUT_MS")), &timeout_ms)
        && timeout_ms > 0)
        patience.start = patience.connect = patience.interrupt = timeout_ms;
    return patience;
}

fallible plugin_host_open(const struct plugin_host_options *options, struct plugin_host **out)
{
    struct plugin_host *host = memory_zalloc(sizeof(*host));
    host->options = *options;
    host->patience = patience_of(host);
    host->scope = cancel_open(NULL);
    host->early_scope = cancel_open(NULL);
    host->language_turn.available = 1;
    if (options->engine_address.len == 0) {
        struct error *failure = plugin_engine_open(host);
        if (failure) {
            cancel_close(host->early_scope);
            cancel_close(host->scope);
            free(host);
            return failure;
        }
    }
    *out = host;
    return NULL;
}

int32_t plugin_host_stream_id(struct plugin_host *host)
{
    return ++host->last_stream_id;
}

void plugin_host_report(struct plugin_host *host, enum plugin_severity severity, str message,
                        int32_t stream_id)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (!host->options.report)
        return;
    strbuf_add_utf8(&text, message);
    host->options.report(host->options.report_context, severity, strbuf_str(&text), stream_id);
}

str plugin_host_variable(const struct plugin_host *host, str name)
{
    for (const char *const *entry = host->options.world->environment; entry && *entry; entry++) {
        str key, value;
        if (str_cut(str_from(*entry), STR("="), &key, &value) && str_equal(key, name))
            return value;
    }
    return (str){ 0 };
}

bool plugin_host_has_flag(const struct plugin_host *host, str name)
{
    static const str truths[] = { STR_INIT("1"),    STR_INIT("t"),    STR_INIT("T"),
                                  STR_INIT("true"), STR_INIT("True"), STR_INIT("TRUE") };
    str value = plugin_host_variable(host, name);
    for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++)
        if (str_equal(value, truths[i]))
            return true;
    return false;
}

uint64_t plugin_now_ms(void)
{
    return (uint64_t)clock_monotonic() / NS_PER_MS;
}

uint64_t plugin_left_ms(uint64_t deadline)
{
    uint64_t now = plugin_now_ms();
    return now < deadline ? deadline - now : 0;
}

fallible plugin_host_begin_load(struct plugin_host *host)
{
    if (host->is_closing)
        return error_new(ERROR_CANCELED, "plugin host is shutting down");
    work_group_add(&host->busy, 1);
    return NULL;
}

void plugin_host_end_load(struct plugin_host *host)
{
    work_group_done(&host->busy);
}

/* --- the same thing to many plugins at once --- */

struct round {
    struct plugin_host *host;
    uint64_t deadline;
    struct work_group members;
    bool closes;
};

struct round_member {
    struct round *round;
    struct provider_grpc *provider; /* one of the two */
    struct language *language;
};

static void run_round_member(void *member_)
{
    struct round_member *member = member_;
    struct round *round = member->round;
    uint64_t left = plugin_left_ms(round->deadline);

    if (member->provider) {
        if (round->closes)
            provider_grpc_finish(member->provider, left);
        provider_grpc_cancel(member->provider, plugin_left_ms(round->deadline));
        if (round->closes)
            provider_grpc_free(member->provider);
        else
            provider_leave(&member->provider);
    } else {
        language_cancel_ms(member->language, left);
        if (round->closes)
            language_free(member->language);
        else
            work_group_done(&language_plugin(member->language)->in_use);
    }
    work_group_done(&round->members);
}

static void spawn_round_member(struct arena *arena, struct round *round,
                               struct provider_grpc *provider, struct language *language)
{
    struct round_member *member = ARENA_NEW(arena, struct round_member);
    *member = (struct round_member){ round, provider, language };
    /* One that is only canceled may be closed by its owner meanwhile. */
    if (!round->closes && provider)
        provider_enter(&provider->base);
    else if (!round->closes)
        work_group_add(&language_plugin(language)->in_use, 1);
    work_group_add(&round->members, 1);
    fiber_spawn_in(round->host->scope, run_round_member, member);
}

/* Providers first: one that was run by a language host lives inside it. The time is for all of them
 * together when they are closed; when the user interrupts, each plugin has it, and one that does
 * not answer within it is given up. */
static void run_rounds(struct plugin_host *host, uint64_t budget_ms, bool closes)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct round round = { .host = host,
                           .deadline = plugin_now_ms() + budget_ms,
                           .closes = closes };

    for (size_t i = 0; i < host->providers.len; i++)
        spawn_round_member(&scratch, &round, host->providers.items[i], NULL);
    work_group_wait_uncancelable(&round.members);
    for (size_t i = 0; i < host->analyzers.len; i++)
        analyzer_cancel(host->analyzers.items[i],
                        closes ? plugin_left_ms(round.deadline) : budget_ms);
    if (!closes)
        round.deadline = plugin_now_ms() + budget_ms;
    for (size_t i = 0; closes && i < host->analyzers.len; i++)
        analyzer_close(host->analyzers.items[i]);
    for (size_t i = 0; i < host->languages.len; i++)
        spawn_round_member(&scratch, &round, NULL, host->languages.items[i]);
    work_group_wait_uncancelable(&round.members);
}

void plugin_host_cancel(struct plugin_host *host)
{
    host->is_interrupted = true;
    for (size_t i = 0; i < host->installs.len; i++)
        cancel_fire(host->installs.items[i]);
    run_rounds(host, host->patience.interrupt, false);
}

void plugin_host_rest(struct plugin_host *host)
{
    cancel_fire(host->early_scope);
    work_group_wait_uncancelable(&host->busy);
    cancel_close(host->early_scope);
    host->early_scope = cancel_open(NULL);
    provider_pool_refill(host);
    for (size_t i = 0; i < host->analyzers.len; i++) {
        analyzer_cancel(host->analyzers.items[i], host->patience.cancel);
        analyzer_close(host->analyzers.items[i]);
    }
    host->analyzers.len = 0;
}

void plugin_host_close(struct plugin_host *host)
{
    host->is_closing = true;
    cancel_fire(host->early_scope);
    work_group_wait_uncancelable(&host->busy);
    run_rounds(host, host->patience.cancel, true);
    vec_release(&host->providers);
    vec_release(&host->early);
    vec_release(&host->languages);
    vec_release(&host->analyzers);
    vec_release(&host->failed_installs);
    map_release(&host->deaths);
    vec_release(&host->installs);
    plugin_engine_close(host);
    cancel_close(host->early_scope);
    cancel_close(host->scope);
    arena_release(&host->arena);
    free(host);
}
