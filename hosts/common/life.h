/* life.h — the life of a host's process: arguments, port line, signals, end. */
#pragma once

#include "base/error.h"
#include "base/log_file.h"
#include "base/str.h"

struct cancel;

struct host_arguments {
    str engine_address; /* may be empty */
    str tracing;        /* --tracing; may be empty */
    struct log_flags log;
};

/* What one host does in its own way. */
struct host_life {
    const char *runtime; /* of pulumi-language-RUNTIME */
    void *context;
    /* Serves from here on. `scope` is of fibers that must not end with one call; it is canceled
     * when the host ends. Blocks. */
    fallible (*open)(void *context, const struct host_arguments *arguments, struct cancel *scope,
                     uint16_t *port);
    /* Ends what is under way. Blocks. */
    void (*close)(void *context);
};

/* Parses the arguments, serves until it is asked to stop or its parent is gone. The exit code. */
int host_life_run(const struct host_life *life, int argc, char **argv);
