/* callbacks.c — calls back into the program: one connection for each address it serves at. */
#include "engine/monitor/monitor.h"

#include "proto/message.h"

#include "pb/callback.pb-c.h"

static fallible find_client(struct monitor *monitor, str target, struct rpc_client **out)
{
    struct arena *arena = monitor->arena;

    *out = map_find(&monitor->callback_clients, target);
    if (*out)
        return NULL;
    TRY(rpc_client_open(target, out));
    map_put(&monitor->callback_clients, arena_copy(arena, target), *out);
    return NULL;
}

fallible monitor_callback(void *monitor, const char *target, const char *token, str request,
                          struct arena *arena, str *response)
{
    Pb__CallbackInvokeRequest message = PB__CALLBACK_INVOKE_REQUEST__INIT;
    Pb__CallbackInvokeResponse *answer = NULL;
    struct rpc_client *client = NULL;
    str bytes;

    TRY(find_client(monitor, message_str(target), &client));
    message.token = message_cstr(arena, message_str(token));
    message.request = message_binary(request);
    TRY(rpc_call_unary(client, "/pulumirpc.Callbacks/Invoke", MESSAGE_PACK(arena, &message), NULL,
                       arena, &bytes));
    TRY(message_unpack(arena, &pb__callback_invoke_response__descriptor, bytes, (void **)&answer));
    *response = message_bytes(answer->response);
    return NULL;
}
