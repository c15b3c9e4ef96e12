/* plugin_process.h — one plugin: its process, its connection, its calls and its end. */
#pragma once

#include "base/strbuf.h"
#include "plugin/host/plugin_host.h"
#include "plugin/process/plugin_output.h"
#include "proto/message.h"

struct process;
struct rpc_client;
struct rpc_stream;
struct runner;

/* A plugin that can be called. Life: started or attached, first call, other calls, closed. */
struct plugin {
    struct plugin_host *host;
    struct arena arena;
    str kind;                /* "resource", "language" */
    str name;                /* of the package or the runtime */
    str label;               /* how messages call it: "aws (resource)" */
    str path;                /* executable; empty when attached */
    struct process *process; /* NULL: attached, or run by a language host */
    struct runner *runner;   /* run by a language host (plugin_runner.c) */
    struct plugin_output output;
    struct rpc_client *client; /* NULL once it is given up or being closed */
    struct work_group in_use;  /* fibers that still need this memory */
    bool has_acknowledged;     /* it knows that it is to end: Cancel was answered */
    bool is_given_up;          /* Cancel was not answered in time */
    bool is_unused;            /* started early: nobody is interested in how it ends */
};

struct plugin_launch {
    str kind;
    str name;
    str label;
    str path;
    const char *const *environment; /* NULL-terminated, all of it */
    bool hides_output;
    bool is_unused;
};

/* Starts the process, reads its port and connects. Blocks. */
fallible plugin_start(struct plugin_host *host, const struct plugin_launch *launch,
                      struct plugin **out);

/* Speaks to somebody else's process instead; only names and label of `launch` count. */
fallible plugin_attach(struct plugin_host *host, const struct plugin_launch *launch, str address,
                       struct plugin **out);

/* Waits until everything that it has printed so far is reported, a last line without a newline
 * included: what it was asked to do is over, and the next thing that it prints is about something
 * else. Blocks. */
void plugin_settle(struct plugin *plugin);

/* Breaks calls under way, interrupts the process group, kills it after a grace period. Then shows
 * the hidden output of a process that was not asked to end. Not stopped by cancellation. Blocks. */
void plugin_close(struct plugin *owned);

/* One request, one answer of the type given. Failures name the plugin if it died. `timeout_ms` 0:
 * none. Blocks. */
struct plugin_call {
    const char *method; /* "/pulumirpc.ResourceProvider/Check" */
    const ProtobufCMessage *request;
    const ProtobufCMessageDescriptor *answer;
    uint64_t timeout_ms;
};
fallible plugin_call(struct plugin *plugin, const struct plugin_call *call, struct arena *arena,
                     void **answer);

/* The same for the first call: tried again for as long as nobody listens yet, all within the
 * patience to connect. */
fallible plugin_first_call(struct plugin *plugin, const struct plugin_call *call,
                           struct arena *arena, void **answer);

/* For a call with a stream. */
fallible plugin_open_stream(struct plugin *plugin, const char *method, struct rpc_stream **out);

/* A call that broke because the process died or was given up says so, and of which. */
fallible plugin_explain(struct plugin *plugin, const char *method, struct error *owned);
/* The call was carried out, but nobody can say with what result. */
fallible plugin_unreadable(const struct plugin *plugin, const char *method, struct error *owned);

/* --- plugin_stream.c --- */

/* One request and any number of answers, each of which `take` sees and has to copy. Failures are as
 * those of plugin_call; that of `take` ends the call. Blocks. */
fallible plugin_call_stream(struct plugin *plugin, const struct plugin_call *call,
                            fallible (*take)(void *context, const void *answer), void *context);

/* Cancel of the given service: success and "unimplemented" count as acknowledged, and such a plugin
 * may take as long as it needs for what it does. One that does not answer in time is given up: its
 * calls under way are broken, so that nobody waits for them for ever. */
void plugin_cancel(struct plugin *plugin, const char *method, uint64_t timeout_ms);

/* GetPluginInfo of the given service: the version, checked; may be empty. */
fallible plugin_version(struct plugin *plugin, const struct plugin_call *call, bool is_first,
                        struct arena *arena, str *version);

/* --- plugin_environment.c --- */

/* Of a provider's process: ours, what the project says, its configuration, and mapped variables. */
const char *const *plugin_provider_environment(const struct plugin_host *host,
                                               const struct provider_spec *spec,
                                               struct arena *arena);

/* Of a policy pack's: ours, what it must know of the stack before it starts, and `added`. */
const char *const *plugin_analyzer_environment(const struct plugin_host *host,
                                               const struct run_info *run, struct pairs added,
                                               struct arena *arena);
/* Of a language host: it knows by which name this program was called. */
const char *const *plugin_language_environment(const struct plugin_host *host, struct arena *arena);

/* --- plugin_runner.c: plugins that are source code, run by a language host --- */

/* True if `path` is not a program but may be the directory of one. */
bool plugin_needs_runner(str path);
fallible plugin_run(struct plugin *plugin, const struct plugin_launch *launch);
/* Stops it and waits until its output has ended. */
void plugin_stop_runner(struct plugin *plugin);
/* Has it ended, and how if not well? */
bool plugin_runner_has_ended(const struct plugin *plugin, struct arena *arena, str *how);

/* --- plugin_machine.c --- */

/* Replaces ENOEXEC by an error that names the machine the file was built for, if its header says
 * so. */
fallible plugin_cannot_run(struct error *owned, str path);
