/* backend_service.h — stacks in the hosted service: what the parts of that backend share. All of it
 * runs on fibers. */
#pragma once

#include "backend/backend_ops.h"
#include "base/json.h"
#include "fiber/sync.h"
#include "service/service.h"
#include "service/service_decode.h"

enum { SERVICE_STATE_MAX = 1 << 30 };

struct service_update;

struct service_backend {
    struct backend backend;
    struct service *service;
    str console; /* the site for people; empty: unknown */
    bool has_capabilities;
    struct service_capabilities capabilities;
    struct stack_ref seen;          /* the stack that was looked up last; its name is empty: none */
    str seen_config;                /* of it, raw */
    struct service_update *running; /* that changes a stack; NULL: none */
};

/* --- names (backend_service.c) --- */

str service_stack_organization(const struct service_backend *backend, struct stack_ref stack);
/* "/api/stacks/ORGANIZATION/PROJECT/STACK" and what follows. */
str service_stack_path(const struct service_backend *backend, struct arena *arena,
                       struct stack_ref stack, const char *rest);
/* NULL: it did what it was asked for. Else there is no such stack, or it refuses. */
fallible service_stack_answer(const struct service_answer *answer, struct stack_ref stack);
/* What the service can do; asked for once. */
fallible service_backend_capabilities(struct service_backend *backend,
                                      struct service_capabilities *out);

/* --- states (backend_service_state.c) --- */

/* {"version", "features", "deployment"} as this service wants it. */
fallible service_deployment_text(struct service_backend *backend, struct arena *arena,
                                 const struct snapshot *snapshot, str *out);
/* The deployment of such a text. */
fallible service_deployment_read(struct arena *arena, str text, struct snapshot *out,
                                 bool *has_deployment);

/* --- configuration in the form of the service (service_config.c): pure --- */

/* From the form of the history: key → text, {"secure": …} or any value. */
fallible service_config_write(struct json_writer *writer, struct arena *arena, str config);
fallible service_config_read(struct arena *arena, str text, str *config);

/* --- updates (backend_service_update.c) --- */

/* One that has begun. Its lease is renewed in the background. */
struct service_update {
    struct update update;
    struct service_backend *backend;
    struct arena arena;
    struct stack_ref stack;
    str id;
    struct secret lease;
    int64_t lease_seconds; /* that it is good for */
    bool is_journaled;
    bool is_exclusive;     /* it changes the stack */
    str loss;              /* why the lease is gone; empty: it is not */
    bool is_loss_reported; /* what could not be written has failed with it */
    struct cancel *scope;
    struct work_group fibers;
    /* events that wait: JSON objects with commas between them */
    struct strbuf events;
    size_t event_count;
    size_t lost_events;
    struct latch events_wake;
    bool sends_events;
};

/* One call under its lease. A refusal of the lease is remembered: from then on every call fails
 * without being sent. `out` may be NULL; then what is not good is a failure. */
fallible service_update_call(struct service_update *update, struct service_call *call,
                             const char *rest, struct arena *arena, struct service_answer *out);
fallible service_update_begin(struct service_backend *backend, struct stack_ref stack,
                              const struct update_facts *facts, struct service_update **out);
fallible service_update_end(struct service_update *owned, bool has_succeeded);

/* --- operations --- */

extern const struct backend_ops backend_service;

struct error *service_create(struct backend *backend, struct stack_ref stack,
                             const struct snapshot *initial);
struct error *service_exists(struct backend *backend, struct stack_ref stack, bool *out);
struct error *service_list(struct backend *backend, struct arena *arena, str project,
                           struct stack_summaries *out);
struct error *service_remove(struct backend *backend, struct stack_ref stack, bool force,
                             bool removes_backups);
struct error *service_rename(struct backend *backend, struct stack_ref stack,
                             struct stack_ref renamed, const struct snapshot *snapshot);
struct error *service_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                           struct snapshot *out, bool *has_deployment);
struct error *service_load_version(struct backend *backend, struct stack_ref stack, str version,
                                   struct arena *arena, struct snapshot *out, bool *has_deployment);
struct error *service_save(struct backend *backend, struct stack_ref stack,
                           const struct snapshot *snapshot);
struct error *service_config_location(struct backend *backend, struct stack_ref stack,
                                      struct arena *arena, struct config_location *out);
struct error *service_break_locks(struct backend *backend, struct stack_ref stack, size_t *count);
struct error *service_history(struct backend *backend, struct stack_ref stack, struct arena *arena,
                              size_t page, size_t page_size, struct history *out);
struct error *service_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                           struct tags *out);
struct error *service_change_tag(struct backend *backend, struct stack_ref stack, str name,
                                 const str *value);
struct error *service_open_journal(struct backend *backend, struct stack_ref stack,
                                   struct journal **out);
