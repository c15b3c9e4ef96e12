/* hooks.c — the program registers functions that run around steps. */
#include "engine/monitor/monitor.h"

#include "engine/hook/hooks.h"
#include "proto/message.h"

static fallible monitor_add_hook(struct monitor *monitor, str name, const Pb__Callback *callback,
                                 struct hook wanted)
{
    struct hook *hook = arena_copy_bytes(monitor->arena, &wanted, sizeof(wanted));

    hook->name = arena_copy(monitor->arena, name);
    if (callback) {
        hook->target = message_cstr(monitor->arena, message_str(callback->target));
        hook->token = message_cstr(monitor->arena, message_str(callback->token));
        hook->accepts_byte_strings = callback->accepts_byte_string;
    }
    return hooks_add(monitor->hooks, hook);
}

fallible monitor_register_hook(void *monitor_, struct rpc_call *call, str bytes, str *response)
{
    Pb__RegisterResourceHookRequest *message = NULL;

    TRY(message_request(rpc_call_arena(call), &pb__register_resource_hook_request__descriptor,
                        bytes, (void **)&message));
    *response = STR("");
    return monitor_add_hook(monitor_, message_str(message->name), message->callback,
                            (struct hook){ .runs_in_preview = message->on_dry_run,
                                           .ignores_errors = message->ignore_errors });
}

fallible monitor_register_error_hook(void *monitor_, struct rpc_call *call, str bytes,
                                     str *response)
{
    Pb__RegisterErrorHookRequest *message = NULL;

    TRY(message_request(rpc_call_arena(call), &pb__register_error_hook_request__descriptor, bytes,
                        (void **)&message));
    *response = STR("");
    return monitor_add_hook(monitor_, message_str(message->name), message->callback,
                            (struct hook){ .is_error_hook = true });
}
