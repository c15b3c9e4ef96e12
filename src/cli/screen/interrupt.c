/* interrupt.c — cancels a command at the first signal, and ends with that signal once it has
 * cleaned up. */
#include "cli/screen/interrupt.h"

#include "fiber/fiber.h"
#include "fiber/signals.h"

#include <signal.h>
#include <stdio.h>

struct interruption {
    struct cancel *scope;
    int number; /* of the signal; 0: none came */
};

static void interrupt_on_signal(int number, void *interruption_)
{
    struct interruption *interruption = interruption_;

    interruption->number = number;
    cancel_fire(interruption->scope);
}

fallible cli_interruptible(struct cli *cli, const void *args,
                           fallible (*work)(struct cli *cli, const void *args))
{
    struct interruption interruption = { .scope = cancel_open(cancel_current()) };
    struct error *failure = signals_watch_endings(interrupt_on_signal, &interruption);

    if (!failure) {
        struct cancel *former = cancel_enter(interruption.scope);
        failure = work(cli, args);
        cancel_enter(former);
    }
    failure = error_join(failure, signals_watch_endings(NULL, NULL));
    cancel_close(interruption.scope);
    if (interruption.number != 0) {
        fflush(stdout);
        raise(interruption.number);
    }
    return failure;
}
