/* host.c — the life of a language host: arguments, port line, service, end. */
#include "common/host.h"

#include "base/crash.h"
#include "base/fs.h"
#include "base/settings.h"
#include "base/version.h"
#include "common/language_ops.h"
#include "common/parent.h"
#include "common/service.h"
#include "fiber/fiber.h"
#include "fiber/process.h"
#include "fiber/signals.h"
#include "proto/message.h"
#include "rpc/rpc.h"

#include "pb/engine.pb-c.h"
#include "pb/status.pb-c.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { KILL_AFTER_MS = 5000, LOG_PATIENCE_MS = 2000 };

/* --- arguments --- */

/* Whether there is nothing left to do. */
static bool parse_arguments(struct host *host, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        str word = str_from(argv[i]);
        if (str_starts_with(word, STR("--")))
            word = str_slice(word, 1, word.len);
        if (str_equal(word, STR("-version"))) {
            puts(PULUMI_VERSION);
            return true;
        }
        if (str_equal(word, STR("-tracing")) && i + 1 < argc)
            host->tracing = str_from(argv[++i]);
        else if (str_starts_with(word, STR("-tracing=")))
            host->tracing = str_slice(word, sizeof("-tracing=") - 1, word.len);
        else if (log_flags_take(&host->log, word))
            continue;
        else if (!str_starts_with(word, STR("-")) && !host->engine_address[0])
            host_set_engine(host, word);
    }
    return false;
}

static str own_directory(struct arena *arena)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
    return len > 0 ? arena_copy(arena, fs_path_directory((str){ path, (size_t)len })) : STR(".");
}

/* --- serving --- */

static void host_on_signal(int signal_number, void *host_)
{
    struct host *host = host_;
    (void)signal_number;
    latch_open(&host->stopped);
}

static fallible print_port(uint16_t port)
{
    if (printf("%u\n", port) < 0 || fflush(stdout) != 0)
        return error_os("print the port");
    return NULL;
}

static fallible host_serve(struct host *host)
{
    struct rpc_server *server;

    TRY(rpc_server_open(service_methods, host, &server));
    struct error *failure = signals_watch_endings(host_on_signal, host);
    if (!failure)
        failure = print_port(rpc_server_port(server));
    parent_watch(host->scope, &host->stopped);
    if (!failure)
        failure = latch_wait(&host->stopped);
    rpc_server_close(server, 0);
    return failure;
}

struct life {
    struct host *host;
    struct error *failure;
};

static void host_live(void *life_)
{
    struct life *life = life_;
    struct host *host = life->host;

    host->scope = cancel_open(NULL);
    life->failure = host_serve(host);
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
    struct life life = { .host = &host };

    crash_prepare();
    if (parse_arguments(&host, argc, argv))
        return 0;
    log_flags_open(host.log, arena_printf(&arena, "pulumi-language-%s", ops->runtime).ptr, &arena);
    struct error *failure = scheduler_run(host_live, &life);
    failure = error_join(failure, life.failure);
    if (host.scope)
        cancel_close(host.scope);
    vec_release(&host.programs);
    if (!failure)
        return 0;
    fprintf(stderr, "pulumi-language-%s: " STR_FMT "\n", ops->runtime,
            STR_ARG(error_message(failure)));
    error_free(failure);
    return 1;
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
    str rest = host->search_path, folder;

    while (rest.len > 0) {
        if (!str_cut(rest, STR(":"), &folder, &rest)) {
            folder = rest;
            rest = STR("");
        }
        if (!fs_path_is_absolute(folder))
            continue;
        str path = fs_path_join(arena, folder, name);
        if (fs_is_executable(path) && fs_is_file(path))
            return path;
    }
    return STR("");
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
