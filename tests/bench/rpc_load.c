/* rpc_load.c — keeps so many calls in flight at a server until all are done. usage: rpc_load
 * ADDRESS CALLS SIZE IN-FLIGHT */
#include "base/clock.h"
#include "base/error.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "rpc/rpc.h"

#include <stdio.h>
#include <stdlib.h>

struct load {
    struct rpc_client *client;
    uint64_t calls_left;
    uint64_t failed;
    str request;
    struct work_group callers;
};

static void run_caller(void *load_)
{
    struct load *load = load_;

    while (load->calls_left > 0) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        str response = STR("");
        load->calls_left--;
        struct error *failure =
            rpc_call_unary(load->client, "/interop.T/Echo", load->request, NULL, &arena, &response);
        load->failed += failure || response.len != load->request.len;
        error_free(failure);
    }
    work_group_done(&load->callers);
}

struct arguments {
    str address;
    uint64_t calls, size, in_flight;
    int exit_code;
};

static void run(void *arguments_)
{
    struct arguments *arguments = arguments_;
    struct load load = { .calls_left = arguments->calls };
    char *bytes = calloc(1, arguments->size);

    load.request = (str){ bytes, arguments->size };
    error_ignore(rpc_client_open(arguments->address, &load.client), "it cannot fail");
    int64_t start = clock_monotonic();
    work_group_add(&load.callers, arguments->in_flight);
    for (uint64_t i = 0; i < arguments->in_flight; i++)
        fiber_spawn(run_caller, &load);
    work_group_wait_uncancelable(&load.callers);
    double seconds = (double)(clock_monotonic() - start) / NS_PER_S;
    printf("%.0f calls a second, %llu failed\n", (double)arguments->calls / seconds,
           (unsigned long long)load.failed);
    arguments->exit_code = load.failed ? 1 : 0;
    rpc_client_close(load.client);
    free(bytes);
}

int main(int argc, char **argv)
{
    struct arguments arguments = { .address = str_from(argc > 1 ? argv[1] : "") };
    bool is_valid = argc == 5 && str_to_u64(str_from(argv[2]), &arguments.calls)
                    && str_to_u64(str_from(argv[3]), &arguments.size)
                    && str_to_u64(str_from(argv[4]), &arguments.in_flight);

    if (!is_valid) {
        fprintf(stderr, "usage: rpc_load ADDRESS CALLS SIZE IN-FLIGHT\n");
        return 2;
    }
    struct error *failure = scheduler_run(run, &arguments);
    error_free(failure);
    return failure ? 1 : arguments.exit_code;
}
