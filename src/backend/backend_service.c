/* backend_service.c — opens the hosted service as a backend: its URL, its names, its operations. */
#include "backend/backend_service.h"

#include "base/memory.h"
#include "base/settings.h"
#include "service/service_account.h"

#include <stdlib.h>

str service_stack_organization(const struct service_backend *backend, struct stack_ref stack)
{
    return stack.organization.len ? stack.organization : backend->backend.options.organization;
}

str service_stack_path(const struct service_backend *backend, struct arena *arena,
                       struct stack_ref stack, const char *rest)
{
    return arena_concat(arena, STR("/api/stacks/"),
                        service_escape(arena, service_stack_organization(backend, stack)), STR("/"),
                        service_escape(arena, stack.project), STR("/"),
                        service_escape(arena, stack.name), str_from(rest));
}

fallible service_backend_capabilities(struct service_backend *backend,
                                      struct service_capabilities *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!backend->has_capabilities)
        TRY(error_wrap(service_capabilities(backend->service, &scratch, &backend->capabilities),
                       "failed to get capabilities"));
    backend->has_capabilities = true;
    *out = backend->capabilities;
    return NULL;
}

/* --- locks: an update has a lease, and everything else is one call --- */

static struct error *service_lock(struct backend *backend, struct stack_ref stack)
{
    (void)backend;
    (void)stack;
    return NULL;
}

/* The service writes the history when an update is complete. */
static struct error *service_add_history(struct backend *backend, struct stack_ref stack,
                                         const struct history_entry *entry)
{
    (void)backend;
    (void)stack;
    (void)entry;
    return NULL;
}

/* --- operations that are followed --- */

static struct error *service_begin_update(struct backend *backend, struct stack_ref stack,
                                          const struct update_facts *facts, struct update **out)
{
    struct service_update *update;

    TRY(service_update_begin((struct service_backend *)backend, stack, facts, &update));
    *out = &update->update;
    return NULL;
}

static struct error *service_end_update(struct update *owned, bool has_succeeded)
{
    return service_update_end((struct service_update *)owned, has_succeeded);
}

enum { EVENTS_IN_A_BATCH = 50, EVENTS_MAX = 64 << 20 };

static void service_add_event(struct update *update_, str event)
{
    struct service_update *update = (struct service_update *)update_;

    if (update->events.len > EVENTS_MAX) {
        update->lost_events++;
        return;
    }
    if (update->event_count)
        strbuf_add_char(&update->events, ',');
    strbuf_add(&update->events, event);
    update->event_count++;
    if (update->event_count >= EVENTS_IN_A_BATCH)
        latch_open(&update->events_wake);
}

/* --- open and close --- */

static void service_backend_close(struct backend *owned)
{
    struct service_backend *backend = (struct service_backend *)owned;

    backend_release(owned);
    free(backend);
}

static struct error *service_backend_open(const struct backend_options *options,
                                          struct backend **out)
{
    if (!options->service)
        return error_new(ERROR_INVALID, "the backend '" STR_FMT "' needs an account",
                         STR_ARG(options->url));
    struct service_backend *backend = memory_zalloc(sizeof(*backend));
    backend_init(&backend->backend, &backend_service, options);
    backend->service = options->service;
    backend->console = service_console_url(&backend->backend.arena, options->url,
                                           settings_text("PULUMI_CONSOLE_DOMAIN"));
    *out = &backend->backend;
    return NULL;
}

const struct backend_ops backend_service = {
    .scheme = "https",
    .other_scheme = "http",
    .form = "https://HOST",
    .place = BACKEND_ON_FIBERS,
    .has_organizations = true,
    .open = service_backend_open,
    .close = service_backend_close,
    .create = service_create,
    .exists = service_exists,
    .list = service_list,
    .remove = service_remove,
    .rename = service_rename,
    .load = service_load,
    .load_version = service_load_version,
    .save = service_save,
    .config_location = service_config_location,
    .lock = service_lock,
    .unlock = service_lock,
    .break_locks = service_break_locks,
    .add_history = service_add_history,
    .history = service_history,
    .tags = service_tags,
    .change_tag = service_change_tag,
    .open_journal = service_open_journal,
    .begin_update = service_begin_update,
    .add_event = service_add_event,
    .end_update = service_end_update,
};
