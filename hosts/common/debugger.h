/* debugger.h — a program or plugin that waits for a debugger: on which port, and how the engine
 * learns that a client may attach. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "fiber/sync.h"
#include "model/value.h"

struct host;
struct process;
struct debugger;

/* How the debuggers of a language differ. */
struct debugger_kind {
    const char *language;    /* in the name that an editor shows */
    uint16_t preferred_port; /* the next one that is free is taken */
    /* Whether a client may attach. */
    fallible (*look)(struct debugger *debugger, struct arena *scratch, bool *is_ready);
    /* What an editor needs to attach, and where that is in words. */
    struct value (*describe)(const struct debugger *debugger, struct arena *arena, str *where);
};

struct debugger {
    const struct debugger_kind *kind;
    struct host *host;
    str name; /* "Pulumi: Program (Python)" */
    uint16_t port;
    str log; /* file or directory where the debugger says that it is ready; empty: none */
    /* private, while the process runs */
    struct process *process;
    struct cancel *scope;
    struct work_group busy;
};

/* `plugin` is empty for a program. */
fallible debugger_open(struct host *host, struct arena *arena, const struct debugger_kind *kind,
                       str plugin, struct debugger *out);
/* For kinds that tolerate a client that connects and disconnects: ready when the port answers. */
fallible debugger_look_for_port(struct debugger *debugger, struct arena *scratch, bool *is_ready);
/* Removes the log. */
void debugger_close(struct debugger *debugger);

/* --- called by command_run --- */

/* Informs the engine when a client may attach; a process without a port is killed. */
void debugger_watch(struct debugger *debugger, struct process *process);
/* The process has ended. Blocks. */
void debugger_unwatch(struct debugger *debugger);
