/* serve.c — what every plugin does. */
#include "support/serve.h"

#include "fiber/fiber.h"

#include <stdio.h>
#include <unistd.h>

struct service {
    const struct rpc_method *methods;
    void *context;
    struct error *failure;
};

/* An engine that was killed cannot end its plugins: they have to notice. */
static fallible outlive(pid_t engine)
{
    while (getppid() == engine)
        TRY(fiber_sleep_ms(100));
    _exit(0);
}

static fallible serve_forever(const struct service *service)
{
    struct rpc_server *server;
    pid_t engine = getppid();

    TRY(rpc_server_open(service->methods, service->context, &server));
    printf("%u\n", (unsigned)rpc_server_port(server));
    fflush(stdout);
    struct error *failure = outlive(engine);
    rpc_server_close(server, 0);
    return failure;
}

static void run(void *service_)
{
    struct service *service = service_;

    service->failure = serve_forever(service);
}

int serve(const struct rpc_method *methods, void *context)
{
    struct service service = { methods, context, NULL };
    CLEANUP(error_freep) struct error *failure = scheduler_run(run, &service);

    failure = error_join(failure, service.failure);
    if (failure)
        fprintf(stderr, "scripted plugin: " STR_FMT "\n", STR_ARG(error_message(failure)));
    return 1;
}
