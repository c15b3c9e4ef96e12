/* host.c — a host with a table of operations: its service, its programs, what it says to the user.
 */
#include "common/host.h"

#include "base/fs.h"
#include "base/settings.h"
#include "common/language_ops.h"
#include "common/life.h"
#include "common/service.h"
#include "fiber/fiber.h"
#include "fiber/process.h"
#include "proto/message.h"
#include "rpc/rpc.h"

#include "pb/engine.pb-c.h"
#include "pb/status.pb-c.h"

#include <limits.h>
#include <signal.h>
#include <unistd.h>

enum { KILL_AFTER_MS = 5000, LOG_PATIENCE_MS = 2000 };

/* --- serving --- */

static str own_directory(struct arena *arena)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
    return len > 0 ? arena_copy(arena, fs_path_directory((str){ path, (size_t)len })) : STR(".");
}

static fallible serve_open(void *host_, const struct host_arguments *arguments,
                           struct cancel *scope, uint16_t *port)
{
    struct host *host = host_;

    host_set_engine(host, arguments->engine_address);
    host->tracing = arguments->tracing;
    host->log = arguments->log;
    host->scope = scope;
    TRY(rpc_server_open(service_methods, host, &host->server));
    *port = rpc_server_port(host->server);
    return NULL;
}

static void serve_close(void *host_)
{
    struct host *host = host_;

    rpc_server_close(host->server, 0);
    cancel_fire(host->scope);
    if (host->engine)
        rpc_client_close(host->engine);
}

int host_main(int argc, char **argv, const struct language_ops *ops)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct host host = { .ops = ops,
                         .directory = own_directory(&arena),
                         .search_path = settings_text("PATH") };
    const struct host_life life = {
        .runtime = ops->runtime, .context = &host, .open = serve_open, .close = serve_close
    };
    int code = host_life_run(&life, argc, argv);

    vec_release(&host.programs);
    return code;
}

/* --- for the languages --- */

void host_set_engine(struct host *host, str address)
{
    if (address.len >= sizeof(host->engine_address))
        return;
    memcpy(host->engine_address, address.ptr, address.len);
    host->engine_address[address.len] = '\0';
}

str host_find_executable(const struct host *host, struct arena *arena, str name)
{
    return fs_find_program(arena, host->search_path, name);
}

static void kill_stragglers(void *host_)
{
    struct host *host = host_;
    struct error *failure = fiber_sleep_ms(KILL_AFTER_MS);

    for (size_t i = 0; !failure && i < host->programs.len; i++)
        if (host->programs.items[i]->is_interrupted)
            process_signal(host->programs.items[i]->process, SIGKILL);
    error_ignore(failure, "the host ends, and they with it");
}

void host_interrupt_programs(struct host *host)
{
    for (size_t i = 0; i < host->programs.len; i++) {
        host->programs.items[i]->is_interrupted = true;
        process_signal(host->programs.items[i]->process, SIGINT);
    }
    if (host->programs.len > 0)
        fiber_spawn_in(host->scope, kill_stragglers, host);
}

fallible host_call_engine(struct host *host, const char *method, str request)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct rpc_options options = { .timeout_ms = LOG_PATIENCE_MS };
    str answer;

    if (!host->engine_address[0])
        return NULL;
    if (!host->engine)
        TRY(rpc_client_open(str_from(host->engine_address), &host->engine));
    return rpc_call_unary(host->engine, method, request, &options, &scratch, &answer);
}

void host_log(struct host *host, enum host_severity severity, bool is_ephemeral, str message)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__LogRequest request = PB__LOG_REQUEST__INIT;

    request.severity = (Pb__LogSeverity)severity;
    request.message = message_cstr(&scratch, message);
    request.ephemeral = is_ephemeral;
    error_ignore(host_call_engine(host, "/pulumirpc.Engine/Log", MESSAGE_PACK(&scratch, &request)),
                 "it is only said, not done");
}
