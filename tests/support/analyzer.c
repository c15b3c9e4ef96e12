/* analyzer.c — the scripted policy pack: it has nothing to say but what the rules say. */
#include "support/provider.h"

#include "proto/message.h"
#include "support/json_value.h"
#include "support/script.h"
#include "support/serve.h"

#include "pb/analyzer.pb-c.h"
#include "pb/plugin.pb-c.h"
#include "pb/status.pb-c.h"

#define ANALYZER(method) "/pulumirpc.Analyzer/" method

static struct error *handshake(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Handshake");
    Pb__AnalyzerHandshakeResponse answer = PB__ANALYZER_HANDSHAKE_RESPONSE__INIT;
    void *request;

    TRY(provider_begin_named(&call, call.provider->package, bytes, &pb__analyzer_handshake_request__descriptor,
                             &request));
    return provider_finish(&call, &answer.base, response);
}

static struct error *configure_stack(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("ConfigureStack");
    Pb__AnalyzerStackConfigureResponse answer = PB__ANALYZER_STACK_CONFIGURE_RESPONSE__INIT;
    void *request;

    TRY(provider_begin_named(&call, call.provider->package, bytes, &pb__analyzer_stack_configure_request__descriptor,
                             &request));
    return provider_finish(&call, &answer.base, response);
}

static struct error *get_info(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("GetAnalyzerInfo");
    Pb__AnalyzerInfo answer = PB__ANALYZER_INFO__INIT;
    void *request;

    TRY(provider_begin_named(&call, call.provider->package, bytes, &pb__empty__descriptor, &request));
    answer.name = message_cstr(call.arena, call.provider->package);
    answer.version = message_cstr(call.arena, STR("1.0.0"));
    return provider_finish(&call, &answer.base, response);
}

static struct error *configure(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Configure");
    Pb__Empty answer = PB__EMPTY__INIT;
    void *request;

    TRY(provider_begin_named(&call, call.provider->package, bytes, &pb__configure_analyzer_request__descriptor,
                             &request));
    return provider_finish(&call, &answer.base, response);
}

static struct error *analyze(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Analyze");
    Pb__AnalyzeResponse answer = PB__ANALYZE_RESPONSE__INIT;
    void *request;

    TRY(provider_begin(&call, bytes, &pb__analyze_request__descriptor, &request));
    return provider_finish(&call, &answer.base, response);
}

static struct error *remediate(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Remediate");
    Pb__RemediateResponse answer = PB__REMEDIATE_RESPONSE__INIT;
    void *request;

    TRY(provider_begin(&call, bytes, &pb__analyze_request__descriptor, &request));
    return provider_finish(&call, &answer.base, response);
}

static struct error *analyze_stack(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("AnalyzeStack");
    Pb__AnalyzeResponse answer = PB__ANALYZE_RESPONSE__INIT;
    void *request;

    TRY(provider_begin_named(&call, call.provider->package, bytes, &pb__analyze_stack_request__descriptor, &request));
    return provider_finish(&call, &answer.base, response);
}

static struct error *plugin_info(void *provider, struct rpc_call *rpc, str bytes, str *response)
{
    Pb__PluginInfo answer = PB__PLUGIN_INFO__INIT;

    (void)provider, (void)bytes;
    answer.version = message_cstr(rpc_call_arena(rpc), STR("1.0.0"));
    *response = MESSAGE_PACK(rpc_call_arena(rpc), &answer);
    return NULL;
}

static struct error *cancel(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Cancel");
    Pb__Empty answer = PB__EMPTY__INIT;
    void *request;

    TRY(provider_begin_named(&call, STR(""), bytes, &pb__empty__descriptor, &request));
    *response = MESSAGE_PACK(call.arena, &answer);
    return NULL;
}

static const struct rpc_method methods[] = {
    { .path = ANALYZER("Handshake"), .unary = handshake },
    { .path = ANALYZER("ConfigureStack"), .unary = configure_stack },
    { .path = ANALYZER("GetPluginInfo"), .unary = plugin_info },
    { .path = ANALYZER("GetAnalyzerInfo"), .unary = get_info },
    { .path = ANALYZER("Configure"), .unary = configure },
    { .path = ANALYZER("Remediate"), .unary = remediate },
    { .path = ANALYZER("Analyze"), .unary = analyze },
    { .path = ANALYZER("AnalyzeStack"), .unary = analyze_stack },
    { .path = ANALYZER("Cancel"), .unary = cancel },
    { 0 },
};

int analyzer_main(str pack)
{
    return provider_serve(pack, methods);
}
