/* plugin_stream.c — calls whose answer is a stream. */
#include "plugin/process/plugin_process.h"
#include "rpc/rpc.h"

static fallible stream_take(struct plugin *plugin, const struct plugin_call *call,
                            struct rpc_stream *stream,
                            fallible (*take)(void *context, const void *answer), void *context,
                            bool *goes_on)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str bytes;
    void *answer;

    TRY(rpc_stream_receive(stream, &scratch, goes_on, &bytes));
    if (!*goes_on)
        return NULL;
    struct error *failure = message_unpack(&scratch, call->answer, bytes, &answer);
    return failure ? plugin_unreadable(plugin, call->method, failure) : take(context, answer);
}

static fallible stream_run(struct plugin *plugin, const struct plugin_call *call,
                           fallible (*take)(void *context, const void *answer), void *context)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct rpc_stream *stream;
    bool goes_on = true;

    TRY(plugin_open_stream(plugin, call->method, &stream));
    struct error *failure = rpc_stream_send(stream, message_pack(&scratch, call->request));
    if (!failure)
        failure = rpc_stream_close_send(stream);
    while (!failure && goes_on)
        failure = stream_take(plugin, call, stream, take, context, &goes_on);
    rpc_stream_close(stream);
    return failure;
}

fallible plugin_call_stream(struct plugin *plugin, const struct plugin_call *call,
                            fallible (*take)(void *context, const void *answer), void *context)
{
    work_group_add(&plugin->in_use, 1);
    struct error *failure = stream_run(plugin, call, take, context);
    if (failure)
        failure = plugin_explain(plugin, call->method, failure);
    work_group_done(&plugin->in_use);
    return failure;
}
