/* interrupt.c — cancels a command at the first signal, and ends with that signal once it has
 * cleaned up. */
#include "cli/interrupt.h"

#include "fiber/fiber.h"
#include "fiber/signals.h"

#include <signal.h>
#include <stdio.h>

struct interruption {
    struct cancel *scope;
    int number; /* of the signal; 0: none came */
};

static void on_signal(int number, void *interruption_)
{
    struct interruption *interruption = interruption_;

    interruption->number = number;
    cancel_fire(interruption->scope);
}

static fallible watch(struct interruption *interruption)
{
    TRY(signal_watch(SIGINT, on_signal, interruption));
    return signal_watch(SIGTERM, on_signal, interruption);
}

fallible cli_interruptible(struct cli *cli, const void *args,
                           struct error *(*work)(struct cli *cli, const void *args))
{
    struct interruption interruption = { .scope = cancel_open(cancel_current()) };
    struct error *failure = watch(&interruption);

    if (!failure) {
        struct cancel *former = cancel_enter(interruption.scope);
        failure = work(cli, args);
        cancel_enter(former);
    }
    failure = error_join(
        failure, error_join(signal_watch(SIGINT, NULL, NULL), signal_watch(SIGTERM, NULL, NULL)));
    cancel_close(interruption.scope);
    if (interruption.number != 0) {
        fflush(stdout);
        raise(interruption.number);
    }
    return failure;
}
