/* host.h — a language host: the process that runs programs of one language for the engine. */
#pragma once

#include "base/error.h"
#include "base/log_file.h"
#include "base/vec.h"
#include "fiber/sync.h"

struct language_ops;
struct rpc_client;
struct rpc_server;
struct process;

/* A program under way. */
struct running {
    struct process *process;
    bool is_interrupted;
};

struct host {
    const struct language_ops *ops;
    str directory;           /* where our own executable is */
    char engine_address[64]; /* may be empty */
    str tracing;             /* --tracing; may be empty */
    struct log_flags log;
    str search_path; /* PATH */
    struct rpc_server *server;
    struct rpc_client *engine; /* opened when needed */
    struct cancel *scope;      /* of fibers that must not end with one call */
    struct {
        VEC(struct running *);
    } programs;
};

/* Parses the arguments, serves until it is asked to stop or its parent is gone, ends its children.
 * The exit code. */
int host_main(int argc, char **argv, const struct language_ops *ops);

/* The address of an engine that attached to us. */
void host_set_engine(struct host *host, str address);

/* An executable on PATH; the empty slice if there is none. */
str host_find_executable(const struct host *host, struct arena *arena, str name);

/* Asks every program to stop, and kills after five seconds those that did not. */
void host_interrupt_programs(struct host *host);

/* A call whose answer is empty. Nothing where no engine is known. Blocks. */
fallible host_call_engine(struct host *host, const char *method, str request);

/* For the user, by way of the engine; ephemeral text is shown and forgotten. What cannot be sent is
 * dropped. Blocks. */
enum host_severity { HOST_DEBUG, HOST_INFO, HOST_WARNING, HOST_ERROR };
void host_log(struct host *host, enum host_severity severity, bool is_ephemeral, str message);
