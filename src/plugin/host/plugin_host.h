/* plugin_host.h — what the files of this directory share: the host and its registers. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "plugin/plugin.h"

struct analyzer;
struct rpc_server;
struct provider_grpc;

/* Time that plugins get, in milliseconds; tests give less. */
struct plugin_patience {
    uint64_t start;     /* from the start of a program to its port line, and for GetPluginInfo */
    uint64_t connect;   /* to accept a connection and to answer the first call */
    uint64_t cancel;    /* Cancel before closing, shared by all */
    uint64_t grace;     /* from SIGINT to SIGKILL */
    uint64_t interrupt; /* Cancel when the user interrupts */
};

/* A provider on its way that nobody has asked for yet. */
struct early_start {
    struct plugin_host *host;
    struct provider_spec spec;
    str key;
    struct latch done;
};

/* A provider that could not be installed. */
struct failed_install {
    struct package_ref package; /* lives in the arena of the host */
    enum error_kind kind;
    str message;
};

struct plugin_host {
    struct plugin_host_options options;
    struct arena arena;
    struct plugin_patience patience;
    struct cancel *scope; /* of what must outlive the call that began it: readers of output,
                             Configure, closing */
    struct {
        VEC(struct provider_grpc *);
    } providers;
    struct {
        VEC(struct language *);
    } languages;
    struct {
        VEC(struct analyzer *);
    } analyzers;
    struct {
        VEC(struct early_start *);
    } early;                    /* under way */
    struct cancel *early_scope; /* canceled, not awaited, when the host is closed */
    struct semaphore
        language_turn;      /* one language host is loaded at a time, so that each is loaded once */
    struct work_group busy; /* loads and single closes under way; closing waits for them */
    struct {
        VEC(struct failed_install);
    } failed_installs; /* not tried again by this host */
    struct map deaths; /* what was reported of plugins that died, each once */
    struct {
        VEC(struct cancel *);
    } installs;          /* scopes of those under way: an interrupt ends them at once */
    bool is_interrupted; /* none is begun any more */
    struct rpc_server
        *engine; /* outside an operation there is none but ours; NULL: the caller has one */
    bool is_closing;
    int32_t last_stream_id;
};

/* Each stream of output has a number of its own, so that displays can join its pieces. */
int32_t plugin_host_stream_id(struct plugin_host *host);
void plugin_host_report(struct plugin_host *host, enum plugin_severity severity, str message,
                        int32_t stream_id);

/* The value of a variable in the environment of children; a NULL pointer if absent. */
str plugin_host_variable(const struct plugin_host *host, str name);
bool plugin_host_has_flag(const struct plugin_host *host, str name); /* set to 1, t, true … */

/* To be called around every load; fails once the host is closing. */
fallible plugin_host_begin_load(struct plugin_host *host);
void plugin_host_end_load(struct plugin_host *host);

/* Milliseconds of a clock that never goes back, and what is left of a budget that ends at
 * `deadline`. */
uint64_t plugin_now_ms(void);
uint64_t plugin_left_ms(uint64_t deadline);

/* --- plugin_engine.c --- */

/* Answers plugins that speak to an engine when no operation runs. */
fallible plugin_engine_open(struct plugin_host *host);
void plugin_engine_close(struct plugin_host *host);

/* --- analyzer.c --- */
void analyzer_cancel(struct analyzer *analyzer, uint64_t timeout_ms);
void analyzer_close(struct analyzer *owned);

/* --- plugin_find.c --- */

/* A program of that name on the search path; empty if there is none. */
str plugin_find_program(const struct plugin_host *host, struct arena *arena, str name);

/* --- install_missing.c --- */

/* For a provider that plugin_find did not find: one installation. NULL: look again; otherwise why
 * it is not there. Blocks. */
fallible plugin_install_missing(struct plugin_host *host, const struct provider_spec *spec,
                                struct error *owned_absence);

/* The port for `name` in a list as PULUMI_DEBUG_PROVIDERS has it ("aws:1234,gcp:5678"); 0 if it is
 * not listed. `variable` is for the message. */
fallible plugin_attach_port(str list, str name, const char *variable, uint16_t *port);
