/* plugin_engine.c — the Engine service for plugins that run outside an operation: their messages
 * are reported. */
#include "plugin/host/plugin_host.h"

#include "proto/message.h"
#include "rpc/rpc.h"

#include "pb/engine.pb-c.h"

static struct error *log_message(void *host, struct rpc_call *call, str bytes, str *response)
{
    void *message;

    TRY(message_request(rpc_call_arena(call), &pb__log_request__descriptor, bytes, &message));
    const Pb__LogRequest *request = message;
    enum plugin_severity severity = PLUGIN_DEBUG;
    switch (request->severity) {
    case PB__LOG_SEVERITY__INFO: severity = PLUGIN_INFO; break;
    case PB__LOG_SEVERITY__WARNING: severity = PLUGIN_WARNING; break;
    case PB__LOG_SEVERITY__ERROR: severity = PLUGIN_ERROR; break;
    case PB__LOG_SEVERITY__DEBUG:
    case _PB__LOG_SEVERITY_IS_INT_SIZE: break;
    }
    if (!request->ephemeral)
        plugin_host_report(host, severity, message_str(request->message), request->stream_id);
    *response = STR("");
    return NULL;
}

/* There is no stack, so there is no root. */
static struct error *answer_nothing(void *host, struct rpc_call *call, str bytes, str *response)
{
    (void)host;
    (void)call;
    (void)bytes;
    *response = STR("");
    return NULL;
}

static const struct rpc_method methods[] = {
    { .path = "/pulumirpc.Engine/Log", .unary = log_message },
    { .path = "/pulumirpc.Engine/GetRootResource", .unary = answer_nothing },
    { .path = "/pulumirpc.Engine/SetRootResource", .unary = answer_nothing },
    { .path = NULL },
};

fallible plugin_engine_open(struct plugin_host *host)
{
    TRY(rpc_server_open(methods, host, &host->engine));
    host->options.engine_address = rpc_server_address(host->engine);
    return NULL;
}

void plugin_engine_close(struct plugin_host *host)
{
    enum { GRACE_MS = 100 };

    if (host->engine)
        rpc_server_close(host->engine, GRACE_MS);
    host->engine = NULL;
}
