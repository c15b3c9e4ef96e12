/* main.c — pulumi-language-yaml: the language host for programs in YAML. */
#include "base/crash.h"
#include "base/log_file.h"
#include "base/version.h"
#include "common/parent.h"
#include "fiber/fiber.h"
#include "fiber/signals.h"
#include "fiber/sync.h"
#include "yaml/serve/host.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

struct start {
    const char *engine_address;
    struct latch interrupted;
    struct cancel *scope; /* of the fiber that watches our parent */
    struct error *failure;
};

static void interrupt(int signal_number, void *start_)
{
    struct start *start = start_;

    (void)signal_number;
    latch_open(&start->interrupted);
}

static fallible yaml_serve(struct start *start)
{
    struct host *host = NULL;

    TRY(signals_watch_endings(interrupt, start));
    TRY(host_open(str_from(start->engine_address), &host));
    printf("%u\n", (unsigned)host_port(host));
    fflush(stdout);
    start->scope = cancel_open(NULL);
    parent_watch(start->scope, &start->interrupted);
    latch_wait_uncancelable(&start->interrupted);
    cancel_fire(start->scope);
    host_close(host);
    return NULL;
}

static void yaml_run(void *start_)
{
    struct start *start = start_;
    start->failure = yaml_serve(start);
}

/* The engine's address is the first argument that is no flag. */
static const char *find_address(int argc, char **argv, struct log_flags *log)
{
    for (int i = 1; i < argc; i++) {
        bool takes_value = strcmp(argv[i], "--tracing") == 0 || strcmp(argv[i], "-tracing") == 0;
        if (log_flags_take(log, str_from(argv[i])))
            continue;
        if (takes_value)
            i++;
        else if (argv[i][0] != '-')
            return argv[i];
    }
    return "";
}

int main(int argc, char **argv)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct log_flags log = { 0 };
    struct start start = { .engine_address = find_address(argc, argv, &log) };

    crash_prepare();
    if (argc > 1 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-version") == 0)) {
        printf("%s\n", CULUMI_VERSION);
        return 0;
    }
    log_flags_open(log, "pulumi-language-yaml", &arena);
    struct error *failure = scheduler_run(yaml_run, &start);
    if (!failure)
        failure = start.failure;
    if (start.scope)
        cancel_close(start.scope);
    if (!failure)
        return 0;
    fprintf(stderr, "pulumi-language-yaml: " STR_FMT "\n", STR_ARG(error_message(failure)));
    error_free(failure);
    return 1;
}
