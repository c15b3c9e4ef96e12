/* plugin_process.c — starts a plugin's process, reads its port, forwards its output, ends it. */
#include "plugin/process/plugin_process.h"

#include "fiber/process.h"
#include "fiber/socket.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/awaited.h"
#include "base/span.h"
#include "base/semver.h"
#include "rpc/rpc.h"

#include "pb/plugin.pb-c.h"
#include "pb/status.pb-c.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

enum {
    EXIT_NEWS_MS = 1000, /* after the end of standard output, for the exit status to be known */
    DEATH_NEWS_MS = 100, /* after a call broke; a provider may also say "unavailable" and live on */
    SETTLE_TRIES = 1000, /* a millisecond each, for output to be read */
    PIPES_GRACE_MS = 2000 /* for a grandchild that outlives the plugin with its pipes */
};

/* --- reading what it prints --- */

struct reader {
    struct plugin *plugin;
    enum output_stream which;
    struct stream *stream;
};

static void read_output(void *reader_)
{
    struct reader *reader = reader_;
    struct plugin *plugin = reader->plugin;
    char buffer[8 * 1024];
    size_t len = 1;

    while (len > 0) {
        struct error *failure = stream_read(reader->stream, buffer, sizeof(buffer), &len);
        if (failure) {
            error_ignore(failure, "a broken pipe is the end of the output");
            break;
        }
        plugin_output_add(&plugin->output, reader->which, (str){ buffer, len });
    }
    plugin_output_end(&plugin->output, reader->which);
    work_group_done(&plugin->in_use);
}

static void spawn_reader(struct plugin *plugin, enum output_stream which, struct stream *stream)
{
    struct reader *reader = ARENA_NEW(&plugin->arena, struct reader);
    *reader = (struct reader){ .plugin = plugin, .which = which, .stream = stream };
    work_group_add(&plugin->in_use, 1);
    fiber_spawn_in(plugin->host->scope, read_output, reader);
}

/* --- starting --- */

static struct plugin *plugin_new(struct plugin_host *host, const struct plugin_launch *launch)
{
    struct plugin *plugin = memory_zalloc(sizeof(*plugin));
    plugin->host = host;
    plugin->kind = arena_copy(&plugin->arena, launch->kind);
    plugin->name = arena_copy(&plugin->arena, launch->name);
    plugin->label = arena_copy(&plugin->arena, launch->label);
    plugin->path = arena_copy(&plugin->arena, launch->path);
    plugin->is_unused = launch->is_unused;
    plugin_output_init(&plugin->output, host, launch->hides_output);
    return plugin;
}

/* PATH FLAG… ENGINE-ADDRESS */
static const char *const *arguments(struct plugin *plugin)
{
    const struct plugin_host_options *options = &plugin->host->options;
    const char **argv = ARENA_ARRAY(&plugin->arena, const char *, options->world->flags.len + 3);
    size_t len = 0;

    argv[len++] = plugin->path.ptr;
    for (size_t i = 0; i < options->world->flags.len; i++)
        argv[len++] = arena_cstr(&plugin->arena, options->world->flags.items[i]);
    argv[len] = arena_cstr(&plugin->arena, options->engine_address);
    return argv;
}

static fallible spawn(struct plugin *plugin, const struct plugin_launch *launch)
{
    const struct plugin_host_options *options = &plugin->host->options;
    struct process_options process = {
        .path = plugin->path.ptr,
        .argv = arguments(plugin),
        .environment = launch->environment,
        .directory = options->project->program.program_directory.len > 0
                         ? arena_cstr(&plugin->arena, options->project->program.program_directory)
                         : NULL,
        .pipes_stdin = true,
    };
    struct error *failure = process_open(&process, &plugin->process);
    bool has_directory = !process.directory || fs_is_directory(str_from(process.directory));
    if (failure && error_kind(failure) == ERROR_OS && error_errno(failure) == ENOENT
        && has_directory) {
        error_ignore(failure, "said in other words");
        failure = error_new(ERROR_NOT_FOUND, "plugin not found");
    }
    if (failure && error_kind(failure) == ERROR_OS && error_errno(failure) == ENOEXEC)
        failure = plugin_cannot_run(failure, plugin->path);
    if (failure)
        return error_wrap(failure, "failed to load plugin %s", plugin->path.ptr);
    spawn_reader(plugin, OUTPUT_STDERR, process_stderr(plugin->process));
    spawn_reader(plugin, OUTPUT_STDOUT, process_stdout(plugin->process));
    return NULL;
}

/* "exit status 3", or "EOF" for one that ended well or has not ended. */
static str end_of(struct plugin *plugin, uint64_t wait_ms, bool *is_dead, struct arena *arena)
{
    int status = 0;
    str how = STR("EOF");

    *is_dead = false;
    if (plugin->runner) {
        *is_dead = plugin_runner_has_ended(plugin, arena, &how);
        return how;
    }
    if (!plugin->process)
        return how;
    struct error *failure = process_wait_ms(plugin->process, wait_ms, &status);
    if (failure) {
        error_ignore(failure, "it is still there");
        return how;
    }
    *is_dead = true;
    if (WIFSIGNALED(status))
        return arena_printf(arena, "signal %d", WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? how
                                    : arena_printf(arena, "exit status %d", WEXITSTATUS(status));
}

static fallible no_port_line(struct plugin *plugin)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str partial = strbuf_str(&plugin->output.port_line);
    bool is_dead;

    if (plugin->output.has_long_port_line)
        return error_new(
            ERROR_INVALID,
            STR_FMT " plugin [" STR_FMT
                    "] wrote an invalid port to stdout: its first line is longer than %d bytes",
            STR_ARG(plugin->label), STR_ARG(plugin->path), PORT_LINE_MAX);
    str how = end_of(plugin, EXIT_NEWS_MS, &is_dead, &scratch);
    if (partial.len == 0)
        return error_new(ERROR_OTHER, "could not read plugin [" STR_FMT "]: " STR_FMT,
                         STR_ARG(plugin->path), STR_ARG(how));
    return error_new(ERROR_OTHER,
                     "failure reading plugin [" STR_FMT "] (read '" STR_FMT "'): " STR_FMT,
                     STR_ARG(plugin->path), STR_ARG(partial), STR_ARG(how));
}

/* Source code is built first, or waits for a debugger: that may take any time. */
static fallible wait_for_port_line(struct plugin *plugin)
{
    uint64_t patience = plugin->host->patience.start;

    if (plugin->runner)
        return latch_wait(&plugin->output.port_line_done);
    struct error *failure = latch_wait_ms(&plugin->output.port_line_done, patience);
    if (failure && error_kind(failure) == ERROR_TIMEOUT) {
        error_ignore(failure, "said in other words");
        return error_new(ERROR_TIMEOUT,
                         STR_FMT " plugin [" STR_FMT "] did not print its port within %llu seconds",
                         STR_ARG(plugin->label), STR_ARG(plugin->path),
                         (unsigned long long)patience / 1000);
    }
    return failure;
}

static fallible read_port(struct plugin *plugin, uint16_t *port)
{
    TRY(wait_for_port_line(plugin));
    if (!plugin->output.has_port_line)
        return no_port_line(plugin);
    return error_wrap(plugin_parse_port(strbuf_str(&plugin->output.port_line), port),
                      STR_FMT " plugin [" STR_FMT "] wrote an invalid port to stdout",
                      STR_ARG(plugin->label), STR_ARG(plugin->path));
}

static fallible launch_and_connect(struct plugin *plugin, const struct plugin_launch *launch)
{
    uint16_t port = 0;
    char address[sizeof("127.0.0.1:65535")];

    TRY(plugin_needs_runner(plugin->path) ? plugin_run(plugin, launch) : spawn(plugin, launch));
    TRY(read_port(plugin, &port));
    snprintf(address, sizeof(address), "127.0.0.1:%u", port);
    return rpc_client_open(str_from(address), &plugin->client);
}

fallible plugin_start(struct plugin_host *host, const struct plugin_launch *launch,
                      struct plugin **out)
{
    struct plugin *plugin = plugin_new(host, launch);
    int64_t began = clock_monotonic();

    log_info("plugin", "start " STR_FMT " [" STR_FMT "]", STR_ARG(plugin->label),
             STR_ARG(plugin->path));
    struct error *failure = launch_and_connect(plugin, launch);
    log_info("plugin", "%s " STR_FMT " in %.1f ms", failure ? "failed to start" : "started",
             STR_ARG(plugin->label), (double)(clock_monotonic() - began) / NS_PER_MS);
    if (failure) {
        /* Who was not given the time to start is not to blame. */
        plugin->is_unused = plugin->is_unused || error_kind(failure) == ERROR_CANCELED;
        plugin_close(plugin);
        return failure;
    }
    *out = plugin;
    return NULL;
}

fallible plugin_attach(struct plugin_host *host, const struct plugin_launch *launch, str address,
                       struct plugin **out)
{
    struct plugin *plugin = plugin_new(host, launch);
    struct error *failure = rpc_client_open(address, &plugin->client);
    if (failure) {
        plugin_close(plugin);
        return failure;
    }
    log_info("plugin", "attached to " STR_FMT " at " STR_FMT, STR_ARG(plugin->label),
             STR_ARG(address));
    *out = plugin;
    return NULL;
}

/* --- ending --- */

static bool has_unread_output(const struct plugin *plugin)
{
    const bool *has_ended = plugin->output.has_ended;

    return (!has_ended[OUTPUT_STDOUT] && stream_has_bytes(process_stdout(plugin->process)))
           || (!has_ended[OUTPUT_STDERR] && stream_has_bytes(process_stderr(plugin->process)));
}

void plugin_settle(struct plugin *plugin)
{
    struct cancel *outer = cancel_enter(plugin->host->scope);

    /* One that never stops printing is not waited for. */
    for (int i = 0; i < SETTLE_TRIES && plugin->process && has_unread_output(plugin); i++)
        error_ignore(fiber_sleep_ms(1), "the end is near");
    plugin_output_break(&plugin->output);
    cancel_enter(outer);
}

static void end_process(struct plugin *plugin)
{
    process_end(plugin->process, plugin->host->patience.grace);
    struct error *failure = latch_wait_ms(&plugin->output.done, PIPES_GRACE_MS);
    if (failure) {
        error_ignore(failure, "somebody else holds the pipes");
        stream_shutdown(process_stdout(plugin->process));
        stream_shutdown(process_stderr(plugin->process));
        latch_wait_uncancelable(&plugin->output.done);
    }
    process_close(plugin->process, 0);
    plugin->process = NULL;
}

void plugin_close(struct plugin *plugin)
{
    struct cancel *outer = cancel_enter(plugin->host->scope);
    struct rpc_client *client = plugin->client;
    bool was_running = plugin->process || plugin->runner;

    log_info("plugin", "end " STR_FMT, STR_ARG(plugin->label));
    plugin->client = NULL;
    if (client)
        rpc_client_close(client);
    if (plugin->process)
        end_process(plugin);
    if (plugin->runner)
        plugin_stop_runner(plugin);
    work_group_wait_uncancelable(&plugin->in_use);
    if (was_running && plugin->output.is_hidden && !plugin->has_acknowledged && !plugin->is_unused)
        plugin_output_dump(&plugin->output, plugin->path);
    plugin_output_release(&plugin->output);
    log_info("plugin", "ended " STR_FMT, STR_ARG(plugin->label));
    arena_release(&plugin->arena);
    free(plugin);
    cancel_enter(outer);
}

/* --- calling --- */

static const char *method_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

fallible plugin_explain(struct plugin *plugin, const char *method, struct error *owned)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool is_dead;

    if (error_kind(owned) != ERROR_STATUS || error_status(owned) != RPC_UNAVAILABLE)
        return owned;
    str name = str_from(method_name(method));
    str message = arena_concat(&scratch, plugin->label, STR(" plugin ["), plugin->path, STR("] "));
    if (plugin->is_given_up) {
        message =
            arena_concat(&scratch, message, STR("answered neither "), name, STR(" nor Cancel"));
    } else if (plugin->client) {
        str how = end_of(plugin, DEATH_NEWS_MS, &is_dead, &scratch);
        if (!is_dead)
            return owned;
        message = arena_concat(&scratch, message, STR("ended during "), name, STR(": "), how);
    } else {
        return owned;
    }
    bool is_lost = error_is_lost(owned);
    error_ignore(owned, "said in other words");
    return error_mark_lost(error_from_status(RPC_UNAVAILABLE, message, STR("")), is_lost);
}

fallible plugin_unreadable(const struct plugin *plugin, const char *method, struct error *owned)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str message = arena_concat(&scratch, plugin->label, STR(" plugin ["), plugin->path,
                               STR("] gave a bad answer to "), str_from(method_name(method)),
                               STR(": "), error_message(owned));
    error_ignore(owned, "said in other words");
    return error_mark_lost(error_from_status(RPC_INTERNAL, message, STR("")), true);
}

static fallible check_open(const struct plugin *plugin)
{
    if (plugin->client)
        return NULL;
    return error_from_status(RPC_UNAVAILABLE, STR("the plugin is being closed"), STR(""));
}

fallible plugin_open_stream(struct plugin *plugin, const char *method, struct rpc_stream **out)
{
    TRY(check_open(plugin));
    return rpc_stream_open(plugin->client, method, NULL, out);
}

struct call_size {
    size_t sent;
    size_t received;
};

static fallible call_once(struct plugin *plugin, const struct plugin_call *call,
                          uint64_t timeout_ms, struct arena *arena, struct call_size *size,
                          void **answer)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct rpc_options options = { .timeout_ms = timeout_ms };
    str bytes;

    TRY(check_open(plugin));
    str request = message_pack(&scratch, call->request);
    size->sent = request.len;
    TRY(rpc_call_unary(plugin->client, call->method, request, &options, arena, &bytes));
    size->received = bytes.len;
    struct error *failure = message_unpack(arena, call->answer, bytes, answer);
    return failure ? plugin_unreadable(plugin, call->method, failure) : NULL;
}

/* Never the message of a failure: it may quote what the call was about. */
static str call_outcome(struct arena *arena, const struct error *failure,
                        const struct call_size *size)
{
    const char *status = !failure ? "OK"
                         : error_kind(failure) == ERROR_STATUS
                             ? rpc_status_name(error_status(failure))
                             : "failed";
    return arena_printf(arena, "%s, %zu bytes sent, %zu bytes received", status, size->sent,
                        size->received);
}

/* The URN in a request, for requests that have one. */
static str call_subject(const ProtobufCMessage *request)
{
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field_by_name(request->descriptor, "urn");

    if (!field || field->type != PROTOBUF_C_TYPE_STRING
        || field->label == PROTOBUF_C_LABEL_REPEATED)
        return STR("");
    const char *urn = *(char *const *)((const char *)request + field->offset);
    return urn ? str_from(urn) : STR("");
}

fallible plugin_call(struct plugin *plugin, const struct plugin_call *call, struct arena *arena,
                     void **answer)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(span_end) struct span span = span_begin(call->method, "plugin", plugin->label);
    struct fiber_task former = fiber_set_task((struct fiber_task){ call->method, plugin->label });
    struct call_size size = { 0 };
    struct awaited awaited = { .method = call->method,
                               .plugin = plugin->label,
                               .subject = call_subject(call->request) };

    awaited_begin(&awaited);
    work_group_add(&plugin->in_use, 1);
    struct error *failure = call_once(plugin, call, call->timeout_ms, arena, &size, answer);
    awaited_end(&awaited);
    fiber_set_task(former);
    span.has_failed = failure != NULL;
    span.subject = awaited.subject;
    if (log_limit >= LOG_INFO)
        span.outcome = call_outcome(&scratch, failure, &size);
    if (failure)
        failure = plugin_explain(plugin, call->method, failure);
    work_group_done(&plugin->in_use);
    return failure;
}

static bool has_ended(const struct plugin *plugin)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str how;
    if (plugin->runner)
        return plugin_runner_has_ended(plugin, &scratch, &how);
    return plugin->process && process_has_ended(plugin->process);
}

fallible plugin_first_call(struct plugin *plugin, const struct plugin_call *call,
                           struct arena *arena, void **answer)
{
    enum { RETRY_MS = 10 };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    uint64_t deadline = plugin_now_ms() + plugin->host->patience.connect;
    struct call_size size = { 0 };

    while (true) {
        struct error *failure =
            call_once(plugin, call, plugin_left_ms(deadline), arena, &size, answer);
        log_info("plugin", "first call of " STR_FMT ": %s: %s", STR_ARG(plugin->label),
                 call->method, call_outcome(&scratch, failure, &size).ptr);
        if (!failure || error_kind(failure) != ERROR_STATUS
            || error_status(failure) != RPC_UNAVAILABLE)
            return failure;
        if (has_ended(plugin))
            return plugin_explain(plugin, call->method, failure);
        error_ignore(failure, "it may not listen yet");
        if (plugin_left_ms(deadline) <= RETRY_MS)
            return error_new(ERROR_TIMEOUT,
                             STR_FMT " plugin [" STR_FMT
                                     "] did not begin responding to RPC connections",
                             STR_ARG(plugin->label), STR_ARG(plugin->path));
        TRY(fiber_sleep_ms(RETRY_MS));
    }
}

static bool has_status(const struct error *failure, int status)
{
    return error_kind(failure) == ERROR_STATUS && error_status(failure) == status;
}

/* Breaks its calls under way. */
static void give_up_on(struct plugin *plugin)
{
    struct rpc_client *client = plugin->client;

    if (!client)
        return;
    plugin->is_given_up = true;
    plugin->client = NULL;
    rpc_client_close(client);
}

void plugin_cancel(struct plugin *plugin, const char *method, uint64_t timeout_ms)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__Empty request = PB__EMPTY__INIT;
    struct plugin_call call = { method, &request.base, &pb__empty__descriptor, timeout_ms };
    void *answer;

    if (timeout_ms == 0)
        return;
    work_group_add(&plugin->in_use, 1);
    struct error *failure = plugin_call(plugin, &call, &scratch, &answer);
    if (!failure || has_status(failure, RPC_UNIMPLEMENTED))
        plugin->has_acknowledged = true;
    else if (has_status(failure, RPC_DEADLINE_EXCEEDED))
        give_up_on(plugin);
    error_ignore(failure, "it is ended all the same");
    work_group_done(&plugin->in_use);
}

fallible plugin_version(struct plugin *plugin, const struct plugin_call *call, bool is_first,
                        struct arena *arena, str *version)
{
    struct semver parsed;
    void *answer;

    TRY(is_first ? plugin_first_call(plugin, call, arena, &answer)
                 : plugin_call(plugin, call, arena, &answer));
    str text = message_str(((const Pb__PluginInfo *)answer)->version);
    if (text.len > 0 && !semver_parse_tolerant(text, &parsed))
        return error_new(ERROR_INVALID,
                         STR_FMT " plugin [" STR_FMT "] says that its version is '" STR_FMT
                                 "', which is none",
                         STR_ARG(plugin->label), STR_ARG(plugin->path), STR_ARG(text));
    *version = text.len > 0 ? semver_format(arena, &parsed) : STR("");
    return NULL;
}
