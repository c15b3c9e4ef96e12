/* parent.c — sees that the engine is gone. */
#include "common/parent.h"

#include "fiber/fiber.h"

#include <unistd.h>

enum { PARENT_LOOK_MS = 1000 };

static void parent_look(void *gone)
{
    pid_t parent = getppid();
    struct error *failure = NULL;

    while (!failure && getppid() == parent)
        failure = fiber_sleep_ms(PARENT_LOOK_MS);
    error_ignore(failure, "the host ends anyway");
    latch_open(gone);
}

void parent_watch(struct cancel *scope, struct latch *gone)
{
    fiber_spawn_in(scope, parent_look, gone);
}
