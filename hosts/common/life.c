/* life.c — the life of a host's process: arguments, port line, signals, end. */
#include "common/life.h"

#include "base/crash.h"
#include "base/fd.h"
#include "base/version.h"
#include "common/parent.h"
#include "fiber/fiber.h"
#include "fiber/signals.h"
#include "fiber/sync.h"

#include <stdio.h>

/* Whether there is nothing left to do. */
static bool parse_arguments(struct host_arguments *out, int argc, char **argv)
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
            out->tracing = str_from(argv[++i]);
        else if (str_starts_with(word, STR("-tracing=")))
            out->tracing = str_slice(word, sizeof("-tracing=") - 1, word.len);
        else if (log_flags_take(&out->log, word))
            continue;
        else if (!str_starts_with(word, STR("-")) && !out->engine_address.len)
            out->engine_address = word;
    }
    return false;
}

struct living {
    const struct host_life *life;
    struct host_arguments arguments;
    struct latch stopped;
    struct cancel *scope;
    struct error *failure;
};

static void host_on_signal(int signal_number, void *living_)
{
    struct living *living = living_;

    (void)signal_number;
    latch_open(&living->stopped);
}

static fallible print_port(uint16_t port)
{
    if (printf("%u\n", port) < 0 || fflush(stdout) != 0)
        return error_os("print the port");
    return NULL;
}

static fallible host_serve(struct living *living)
{
    const struct host_life *life = living->life;
    uint16_t port;

    TRY(signals_watch_endings(host_on_signal, living));
    TRY(life->open(life->context, &living->arguments, living->scope, &port));
    struct error *failure = print_port(port);
    parent_watch(living->scope, &living->stopped);
    if (!failure)
        failure = latch_wait(&living->stopped);
    life->close(life->context);
    return failure;
}

static void host_live(void *living_)
{
    struct living *living = living_;

    living->scope = cancel_open(NULL);
    living->failure = host_serve(living);
    cancel_fire(living->scope);
}

int host_life_run(const struct host_life *life, int argc, char **argv)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct living living = { .life = life };

    crash_prepare();
    fd_claim_standard();
    fd_raise_limit();
    if (parse_arguments(&living.arguments, argc, argv))
        return 0;
    log_flags_open(living.arguments.log,
                   arena_printf(&arena, "pulumi-language-%s", life->runtime).ptr, &arena);
    struct error *failure = scheduler_run(host_live, &living);
    failure = error_join(failure, living.failure);
    if (living.scope)
        cancel_close(living.scope);
    if (!failure)
        return 0;
    fprintf(stderr, "pulumi-language-%s: " STR_FMT "\n", life->runtime,
            STR_ARG(error_message(failure)));
    error_free(failure);
    return 1;
}
