/* provider_grpc.h — a provider that is a plugin process: its state, and what its operations
 * share. */
#pragma once

#include "plugin/process/plugin_process.h"

/* Configure is sent once to a process; NONE → SENT → KNOWN or FAILED, or NONE → UNKNOWN when a
 * preview has no values for it. */
enum config_state { CONFIG_NONE, CONFIG_SENT, CONFIG_KNOWN, CONFIG_UNKNOWN, CONFIG_FAILED };

struct provider_grpc {
    struct provider base;
    struct arena arena; /* its process may be another one later */
    struct plugin *plugin;
    size_t users; /* have entered and not left; in_use of the plugin counts them, too */
    struct provider_spec spec;
    str key; /* of the spec: those with the same key are alike */
    bool is_attached;
    bool is_idle;    /* waits for somebody to load it */
    bool has_traits; /* Handshake was answered; Configure does not decide them any more */
    struct provider_traits traits;
    enum config_state config;
    struct latch configured; /* open in the last three states */
    str known_config; /* the Configure that this process was sent and has answered; empty: none */
    enum error_kind failure_kind; /* CONFIG_FAILED: what every call answers */
    int failure_code;
    str failure_message;
    str subpackage_name; /* the last parameterization; empty: none */
    str subpackage_version;
};

extern const struct provider_ops provider_grpc_ops;

/* A new process, which has not been configured. The provider may be told to cancel meanwhile, but
 * must be in no other call. Blocks. */
fallible provider_grpc_renew(struct provider_grpc *provider);

/* A provider that nobody needed may still be busy with Configure; to be ended in the middle of it
 * is no way to treat it. */
void provider_grpc_finish(struct provider_grpc *provider, uint64_t timeout_ms);
void provider_grpc_cancel(struct provider_grpc *provider, uint64_t timeout_ms);
/* Ends the plugin; the host must have forgotten it. Blocks. */
void provider_grpc_free(struct provider_grpc *owned);

/* Every operation holds on to the provider for as long as it runs, so that closing waits for it:
 * CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider); */
struct provider_grpc *provider_enter(struct provider *provider);
void provider_leave(struct provider_grpc **provider);

/* Waits for Configure. Fails if it has; *is_known is false in a preview without values for it.
 * Blocks. */
fallible provider_wait_configured(struct provider_grpc *provider, bool *is_known);

/* Calls a method of pulumirpc.ResourceProvider. Blocks. */
#define PROVIDER_METHOD(name) "/pulumirpc.ResourceProvider/" name
fallible provider_call(struct provider_grpc *provider, const char *method,
                       const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type,
                       struct arena *arena, void **answer);

/* --- provider_pool.c: processes that serve more than once --- */

/* What makes two loads alike. */
str provider_key(struct arena *arena, const struct provider_spec *spec);
struct provider_spec provider_spec_copy(struct arena *arena, const struct provider_spec *spec);
/* One that waits, or is on its way; NULL if there is none. Blocks. */
fallible provider_pool_take(struct plugin_host *host, str key, struct provider_grpc **out);
/* All that can serve again wait for it; the others are closed. Blocks. */
void provider_pool_refill(struct plugin_host *host);

/* --- operations, by file --- */

/* provider_config.c */
fallible provider_op_parameterize(struct provider *, str name, str version, str value,
                                  struct arena *);
fallible provider_op_parameterize_by_words(struct provider *, struct strs words, struct arena *,
                                           str *name, str *version);
fallible provider_op_get_schema(struct provider *, struct arena *, str *out);
fallible provider_op_get_mapping(struct provider *, str ecosystem, str *name, struct arena *,
                                 str *out);
fallible provider_op_check_config(struct provider *, const struct check_request *, struct arena *,
                                  struct check_answer *);
fallible provider_op_diff_config(struct provider *, const struct diff_request *, struct arena *,
                                 struct diff_answer *);
fallible provider_op_configure(struct provider *, const struct configure_request *);

/* provider_plan.c */
fallible provider_op_check(struct provider *, const struct check_request *, struct arena *,
                           struct check_answer *);
fallible provider_op_diff(struct provider *, const struct diff_request *, struct arena *,
                          struct diff_answer *);

/* provider_crud.c */
fallible provider_op_create(struct provider *, const struct create_request *, struct arena *,
                            struct provider_state *);
fallible provider_op_read(struct provider *, const struct read_request *, struct arena *,
                          struct provider_state *);
fallible provider_op_update(struct provider *, const struct update_request *, struct arena *,
                            struct provider_state *);
fallible provider_op_delete(struct provider *, const struct delete_request *, struct arena *,
                            struct provider_state *);

/* provider_list.c */
fallible provider_op_list(struct provider *, const struct list_request *, struct arena *,
                          struct list_answer *);

/* provider_invoke.c */
fallible provider_op_invoke(struct provider *, const struct invoke_request *, struct arena *,
                            struct invoke_answer *);
fallible provider_op_call(struct provider *, const struct call_request *, struct arena *,
                          struct call_answer *);

/* provider_construct.c */
fallible provider_op_construct(struct provider *, const struct construct_request *, struct arena *,
                               struct construct_answer *);
