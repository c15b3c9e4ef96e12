/* debugger.c — finds a port, waits until the debugger listens, informs the engine. */
#include "common/debugger.h"

#include "base/fs.h"
#include "common/host.h"
#include "fiber/fiber.h"
#include "fiber/process.h"
#include "proto/message.h"
#include "proto/struct_codec.h"

#include "pb/engine.pb-c.h"

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { PORTS_TRIED = 100, LOOK_MS = 50, LOOKS = 60 * 1000 / LOOK_MS };

/* bind(2) or connect(2), on loopback: neither waits. */
static bool debugger_try_port(int (*attempt)(int, const struct sockaddr *, socklen_t),
                              uint16_t port)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_port = htons(port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool has_worked =
        fd >= 0 && attempt(fd, (const struct sockaddr *)&address, sizeof(address)) == 0;

    if (fd >= 0)
        close(fd);
    return has_worked;
}

static fallible debugger_find_port(const struct debugger_kind *kind, uint16_t *out)
{
    for (int i = 0; i < PORTS_TRIED; i++) {
        *out = (uint16_t)(kind->preferred_port + i);
        if (debugger_try_port(bind, *out))
            return NULL;
    }
    return error_new(ERROR_OTHER, "failed to find available port for debugger: %u to %u are in use",
                     kind->preferred_port, kind->preferred_port + PORTS_TRIED - 1);
}

fallible debugger_open(struct host *host, struct arena *arena, const struct debugger_kind *kind,
                       str plugin, struct debugger *out)
{
    *out = (struct debugger){ .kind = kind, .host = host };
    out->name = plugin.len ? arena_printf(arena, "Pulumi: Plugin (" STR_FMT ")", STR_ARG(plugin))
                           : arena_printf(arena, "Pulumi: Program (%s)", kind->language);
    return debugger_find_port(kind, &out->port);
}

fallible debugger_look_for_port(struct debugger *debugger, struct arena *scratch, bool *is_ready)
{
    (void)scratch;
    *is_ready = debugger_try_port(connect, debugger->port);
    return NULL;
}

void debugger_close(struct debugger *debugger)
{
    if (debugger->log.len)
        error_ignore(fs_remove_tree(debugger->log), "a temporary file");
}

static fallible debugger_announce(const struct debugger *debugger, struct arena *arena)
{
    Pb__StartDebuggingRequest request = PB__START_DEBUGGING_REQUEST__INIT;
    str where, config;

    TRY(struct_encode(arena, debugger->kind->describe(debugger, arena, &where), &config));
    message_put_bytes(&request, config, config);
    request.message = message_cstr(arena, where);
    return error_wrap(host_call_engine(debugger->host, "/pulumirpc.Engine/StartDebugging",
                                       MESSAGE_PACK(arena, &request)),
                      "unable to start debugging");
}

static fallible debugger_await(struct debugger *debugger, struct arena *arena)
{
    bool is_ready = false;

    for (int i = 0; !is_ready && i < LOOKS; i++) {
        TRY(fiber_sleep_ms(LOOK_MS));
        TRY(debugger->kind->look(debugger, arena, &is_ready));
    }
    return is_ready ? debugger_announce(debugger, arena)
                    : error_new(ERROR_TIMEOUT, "debugger startup timed out");
}

static void debugger_run(void *debugger_)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct debugger *debugger = debugger_;
    struct error *failure = debugger_await(debugger, &scratch);

    if (failure && error_kind(failure) != ERROR_CANCELED) {
        fprintf(stderr, "error: " STR_FMT "\n", STR_ARG(error_message(failure)));
        process_signal(debugger->process, SIGKILL);
    }
    error_ignore(failure, "printed, or the process has ended");
    work_group_done(&debugger->busy);
}

void debugger_watch(struct debugger *debugger, struct process *process)
{
    debugger->process = process;
    debugger->scope = cancel_open(NULL);
    work_group_add(&debugger->busy, 1);
    fiber_spawn_in(debugger->scope, debugger_run, debugger);
}

void debugger_unwatch(struct debugger *debugger)
{
    cancel_fire(debugger->scope);
    work_group_wait_uncancelable(&debugger->busy);
    cancel_close(debugger->scope);
}
