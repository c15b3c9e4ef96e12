/* converter.c — the scripted converter: the rules say what the state of the other tool has. */
#include "support/provider.h"

#include "proto/message.h"

#include "pb/converter.pb-c.h"

static struct error *convert_state(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("ConvertState");
    Pb__ConvertStateResponse answer = PB__CONVERT_STATE_RESPONSE__INIT;
    void *request;

    TRY(provider_begin_named(&call, call.provider->package, bytes,
                             &pb__convert_state_request__descriptor, &request));
    return provider_finish(&call, &answer.base, response);
}

static const struct rpc_method methods[] = {
    { .path = "/pulumirpc.Converter/ConvertState", .unary = convert_state },
    { 0 },
};

int converter_main(str name)
{
    return provider_serve(name, methods);
}
