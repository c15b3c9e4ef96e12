/* outputs.c — RegisterResourceOutputs: a component reports its outputs. */
#include "engine/monitor/monitor.h"

#include "engine/deploy/deployment.h"
#include "model/urn.h"
#include "proto/message.h"

fallible monitor_register_outputs(void *monitor_, struct rpc_call *call, str bytes, str *response)
{
    struct monitor *monitor = monitor_;
    struct arena *arena = rpc_call_arena(call);
    Pb__RegisterResourceOutputsRequest *message = NULL;
    struct value outputs;
    struct urn parsed;

    TRY(message_request(arena, &pb__register_resource_outputs_request__descriptor, bytes,
                        (void **)&message));
    TRY(error_as(error_wrap(urn_parse(message_str(message->urn), &parsed), "invalid resource URN"),
                 ERROR_OTHER));
    TRY(error_wrap(
        decode_inputs(monitor, arena, message_get_bytes(message, outputs), INPUTS_PLAIN, &outputs),
        "cannot unmarshal output properties"));
    TRY(deployment_register_outputs(monitor->deployment, message_str(message->urn), outputs));
    *response = STR("");
    return NULL;
}
