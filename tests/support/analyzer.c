/* analyzer.c — the scripted policy pack: it has nothing to say but what the rules say. */
#include "support/provider.h"

#include "proto/message.h"

#include "pb/analyzer.pb-c.h"
#include "pb/status.pb-c.h"

#define ANALYZER(method) "/pulumirpc.Analyzer/" method

/* Lets the rules have their way with an answer that says nothing. */
static fallible answer_call(struct provider_call *call, const ProtobufCMessageDescriptor *type,
                            str bytes, ProtobufCMessage *answer, str *response)
{
    bool is_about_resource = type == &pb__analyze_request__descriptor;
    void *request;

    if (is_about_resource)
        TRY(provider_begin(call, bytes, type, &request));
    else
        TRY(provider_begin_named(call, call->provider->package, bytes, type, &request));
    return provider_finish(call, answer, response);
}

static struct error *handshake(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Handshake");
    Pb__AnalyzerHandshakeResponse answer = PB__ANALYZER_HANDSHAKE_RESPONSE__INIT;
    return answer_call(&call, &pb__analyzer_handshake_request__descriptor, bytes, &answer.base,
                       response);
}

static struct error *configure_stack(void *provider_, struct rpc_call *rpc, str bytes,
                                     str *response)
{
    struct provider_call call = PROVIDER_CALL("ConfigureStack");
    Pb__AnalyzerStackConfigureResponse answer = PB__ANALYZER_STACK_CONFIGURE_RESPONSE__INIT;
    return answer_call(&call, &pb__analyzer_stack_configure_request__descriptor, bytes,
                       &answer.base, response);
}

static struct error *get_info(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("GetAnalyzerInfo");
    Pb__AnalyzerInfo answer = PB__ANALYZER_INFO__INIT;

    answer.name = message_cstr(call.arena, call.provider->package);
    answer.version = message_cstr(call.arena, STR("1.0.0"));
    return answer_call(&call, &pb__empty__descriptor, bytes, &answer.base, response);
}

static struct error *configure(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Configure");
    Pb__Empty answer = PB__EMPTY__INIT;
    return answer_call(&call, &pb__configure_analyzer_request__descriptor, bytes, &answer.base,
                       response);
}

static struct error *analyze(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Analyze");
    Pb__AnalyzeResponse answer = PB__ANALYZE_RESPONSE__INIT;
    return answer_call(&call, &pb__analyze_request__descriptor, bytes, &answer.base, response);
}

static struct error *remediate(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Remediate");
    Pb__RemediateResponse answer = PB__REMEDIATE_RESPONSE__INIT;
    return answer_call(&call, &pb__analyze_request__descriptor, bytes, &answer.base, response);
}

static struct error *analyze_stack(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("AnalyzeStack");
    Pb__AnalyzeResponse answer = PB__ANALYZE_RESPONSE__INIT;
    return answer_call(&call, &pb__analyze_stack_request__descriptor, bytes, &answer.base,
                       response);
}

static const struct rpc_method methods[] = {
    { .path = ANALYZER("Handshake"), .unary = handshake },
    { .path = ANALYZER("ConfigureStack"), .unary = configure_stack },
    { .path = ANALYZER("GetPluginInfo"), .unary = provider_plugin_info },
    { .path = ANALYZER("GetAnalyzerInfo"), .unary = get_info },
    { .path = ANALYZER("Configure"), .unary = configure },
    { .path = ANALYZER("Remediate"), .unary = remediate },
    { .path = ANALYZER("Analyze"), .unary = analyze },
    { .path = ANALYZER("AnalyzeStack"), .unary = analyze_stack },
    { .path = ANALYZER("Cancel"), .unary = provider_cancel },
    { 0 },
};

int analyzer_main(str pack)
{
    return provider_serve(pack, methods);
}
