/* backend_service_update.c — one operation in the hosted service: created, started with a lease
 * that is renewed in the background, followed by its events, completed. */
#include "backend/backend_service.h"

#include "base/clock.h"
#include "base/exit_codes.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/program.h"
#include "base/settings.h"
#include "fiber/fiber.h"

#include <stdlib.h>

enum { LEASE_SECONDS = 300, EVENTS_PERIOD_MS = 4000, RENEWALS_IN_A_LEASE = 2, JOURNAL_VERSION = 1 };

/* Invariants:
 * 1. A call under the lease is made only while nobody has refused the lease. After a refusal it is
 *    lost for good: the service may have given the stack to another process.
 * 2. The fibers of an update end before its memory does.
 * 3. Events never make anybody wait, and their loss is no failure of the operation. */

/* --- calls under the lease --- */

static fallible lease_is_lost(const struct service_update *update)
{
    return error_with_exit_code(
        error_new(ERROR_OTHER,
                  "the lease of this update has ended (" STR_FMT
                  "): it was cancelled, or another process has taken over the stack. Nothing more "
                  "is written to the stack '" STR_FMT "'",
                  STR_ARG(update->loss), STR_ARG(update->stack.name)),
        EXIT_AUTHENTICATION);
}

static void lease_lose(struct service_update *update, const struct service_answer *answer)
{
    if (!update->loss.len)
        update->loss =
            arena_printf(&update->arena, "[%d] " STR_FMT, answer->code, STR_ARG(answer->message));
}

fallible service_update_call(struct service_update *update, struct service_call *call,
                             const char *rest, struct arena *arena, struct service_answer *out)
{
    struct service_answer answer;

    if (update->loss.len)
        return lease_is_lost(update);
    str path =
        arena_concat(arena, STR("/update/"), service_escape(arena, update->id), str_from(rest));
    call->path = service_stack_path(update->backend, arena, update->stack, path.ptr);
    call->lease = update->lease;
    TRY(service_send(update->backend->service, call, arena, &answer));
    if (answer.code == 401 || answer.code == 403) {
        lease_lose(update, &answer);
        return lease_is_lost(update);
    }
    if (out)
        *out = answer;
    else if (!service_answer_is_good(&answer))
        return service_refusal(&answer);
    return NULL;
}

/* --- the lease --- */

static void lease_take(struct service_update *update, const struct service_lease *lease)
{
    int64_t left = lease->expiration - clock_now() / NS_PER_S;
    bool is_given = lease->expiration != SERVICE_NO_NUMBER && left > 0 && left < LEASE_SECONDS;

    update->lease = secret_hide(arena_copy(&update->arena, lease->token));
    update->lease_seconds = is_given ? left : LEASE_SECONDS;
}

static fallible lease_renew(struct service_update *update)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct service_call call = {
        .method = "POST",
        .body = arena_printf(&scratch, "{\"token\":\"\",\"duration\":%d}", LEASE_SECONDS),
        .may_repeat = true,
    };
    struct service_answer answer;
    struct service_lease lease;

    TRY(service_update_call(update, &call, "/renew_lease", &scratch, &answer));
    if (!service_answer_is_good(&answer))
        return service_refusal(&answer);
    TRY(service_lease_read(&scratch, answer.body, &lease));
    lease_take(update, &lease);
    return NULL;
}

static void lease_keep(void *update_)
{
    struct service_update *update = update_;

    while (!update->loss.len) {
        struct error *failure =
            fiber_sleep_ms((uint64_t)update->lease_seconds * 1000 / RENEWALS_IN_A_LEASE);
        if (failure) {
            error_ignore(failure, "the update is over");
            break;
        }
        failure = lease_renew(update);
        if (failure)
            log_warn("service", "renewing the lease: " STR_FMT, STR_ARG(error_message(failure)));
        error_ignore(failure, "tried again, or reported by the next call that writes");
    }
    work_group_done(&update->fibers);
}

/* --- events --- */

static void events_send(struct service_update *update)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct service_call call = {
        .method = "POST",
        .body =
            arena_concat(&scratch, STR("{\"events\":["), strbuf_str(&update->events), STR("]}")),
        .is_compressed = true,
        .may_repeat = true,
    };

    strbuf_clear(&update->events);
    update->event_count = 0;
    struct error *failure = service_update_call(update, &call, "/events/batch", &scratch, NULL);
    if (failure)
        log_warn("service", "sending events: " STR_FMT, STR_ARG(error_message(failure)));
    error_ignore(failure, "the operation goes on without them");
}

/* The end of the update waits for a request that is under way: cut off, its events would be lost.
 */
static void events_send_whole(struct service_update *update)
{
    struct cancel *former = cancel_enter(update->backend->backend.shield);

    events_send(update);
    cancel_enter(former);
}

/* Sends what has come together when it is enough, or from time to time. */
static void events_flow(void *update_)
{
    struct service_update *update = update_;
    struct error *failure = NULL;

    while (!failure || error_kind(failure) == ERROR_TIMEOUT) {
        error_free(failure);
        if (update->event_count)
            events_send_whole(update);
        update->events_wake = (struct latch){ 0 };
        failure = latch_wait_ms(&update->events_wake, EVENTS_PERIOD_MS);
    }
    error_ignore(failure, "the update is over; its end sends the rest");
    work_group_done(&update->fibers);
}

/* --- create and start --- */

static fallible update_describe(struct json_writer *writer, struct arena *arena,
                                const struct update_facts *facts)
{
    json_begin_object(writer);
    json_key(writer, STR("name"));
    json_string(writer, facts->project);
    json_key(writer, STR("runtime"));
    json_string(writer, facts->runtime);
    json_key(writer, STR("main"));
    json_string(writer, facts->entry_point);
    json_key(writer, STR("description"));
    json_string(writer, facts->description);
    json_key(writer, STR("options"));
    json_begin_object(writer);
    json_key(writer, STR("localPolicyPackPaths"));
    json_raw(writer, STR("[]"));
    json_key(writer, STR("color"));
    json_string(writer, STR("raw"));
    json_key(writer, STR("dryRun"));
    json_bool(writer, facts->is_preview);
    json_key(writer, STR("parallel"));
    json_integer(writer, facts->parallel);
    json_key(writer, STR("debug"));
    json_bool(writer, facts->is_debug);
    json_end_object(writer);
    json_key(writer, STR("config"));
    TRY(service_config_write(writer, arena, facts->config));
    json_key(writer, STR("metadata"));
    json_begin_object(writer);
    json_key(writer, STR("message"));
    json_string(writer, facts->message);
    json_key(writer, STR("environment"));
    json_begin_object(writer);
    struct pairs sorted = pairs_sorted(arena, facts->environment);
    for (size_t i = 0; i < sorted.len; i++) {
        json_key(writer, sorted.items[i].key);
        json_string(writer, sorted.items[i].value);
    }
    json_end_object(writer);
    json_end_object(writer);
    json_end_object(writer);
    return NULL;
}

/* The service knows four kinds, and imports are updates. */
static const char *kind_path(const struct update_facts *facts)
{
    if (str_equal(facts->kind, STR("preview")))
        return "/preview";
    if (str_equal(facts->kind, STR("refresh")))
        return "/refresh";
    return str_equal(facts->kind, STR("destroy")) ? "/destroy" : "/update";
}

static void take_messages(struct service_update *update, const struct service_created *created)
{
    struct update_message *messages =
        ARENA_ARRAY(&update->arena, struct update_message, created->message_count);

    for (size_t i = 0; i < created->message_count; i++)
        messages[i] = (struct update_message){
            arena_copy(&update->arena, created->messages[i].severity),
            arena_copy(&update->arena, created->messages[i].text),
        };
    update->update.messages = messages;
    update->update.message_count = created->message_count;
}

static void take_policies(struct service_update *update, const struct service_created *created)
{
    struct arena *arena = &update->arena;
    struct required_pack *packs = ARENA_ARRAY(arena, struct required_pack, created->policy_count);

    for (size_t i = 0; i < created->policy_count; i++) {
        const struct service_policy *policy = &created->policies[i];
        bool has_config = policy->config.len && !str_equal(policy->config, STR("null"));
        packs[i] = (struct required_pack){
            .organization =
                arena_copy(arena, service_stack_organization(update->backend, update->stack)),
            .name = arena_copy(arena, policy->name),
            .version = policy->version_tag.len
                           ? arena_copy(arena, policy->version_tag)
                           : arena_printf(arena, "%lld", (long long)policy->version),
            .location = arena_copy(arena, policy->location),
            .config = has_config ? arena_copy(arena, policy->config) : STR(""),
            .environments = strs_copy(arena, policy->environments),
        };
    }
    update->update.packs = packs;
    update->update.pack_count = created->policy_count;
}

static fallible update_create(struct service_update *update, const struct update_facts *facts)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct json_writer writer = { .out = &body };
    struct service_created created;
    struct service_answer answer;

    TRY(update_describe(&writer, &scratch, facts));
    const struct service_call call = {
        .method = "POST",
        .path = service_stack_path(update->backend, &scratch, update->stack, kind_path(facts)),
        .body = strbuf_str(&body),
    };
    TRY(service_send(update->backend->service, &call, &scratch, &answer));
    TRY(service_stack_answer(&answer, update->stack));
    TRY(service_created_read(&scratch, answer.body, &created));
    update->id = arena_copy(&update->arena, created.id);
    take_messages(update, &created);
    take_policies(update, &created);
    return NULL;
}

/* Who is in the way, where the service tells. */
static str busy_text(struct service_update *update, struct arena *arena)
{
    const struct service_call call = { .path = service_stack_path(update->backend, arena,
                                                                  update->stack, "") };
    struct service_stack stack = { 0 };
    str body = STR("");

    struct error *failure = service_ask(update->backend->service, &call, arena, &body);
    if (!failure)
        failure = service_stack_read(arena, body, &stack);
    bool is_known = !failure && stack.is_busy;
    error_ignore(failure, "the message does without it");
    if (!is_known)
        return STR("");
    return arena_concat(arena, STR("It is the "), stack.busy_kind, STR(" that "), stack.busy_author,
                        STR(" began at "), clock_format(arena, clock_of_seconds(stack.busy_since)),
                        STR(". "));
}

static fallible update_conflict(struct service_update *update, const struct service_answer *answer)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    str busy = busy_text(update, &scratch);
    return error_new(ERROR_OTHER,
                     "[409] " STR_FMT "\n" STR_FMT
                     "Wait until it has ended, or run `%s cancel` if its process is gone.",
                     STR_ARG(answer->message), STR_ARG(busy), program_name());
}

static bool wants_journal(const struct update_facts *facts)
{
    return !facts->changes_key && !settings_bool("PULUMI_DISABLE_JOURNALING");
}

static str start_text(struct arena *arena, const struct update_facts *facts)
{
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct json_writer writer = { .out = &body };
    struct pairs tags = pairs_sorted(arena, facts->tags);

    json_begin_object(&writer);
    if (tags.len) {
        json_key(&writer, STR("tags"));
        json_begin_object(&writer);
        for (size_t i = 0; i < tags.len; i++) {
            json_key(&writer, tags.items[i].key);
            json_string(&writer, tags.items[i].value);
        }
        json_end_object(&writer);
    }
    if (wants_journal(facts)) {
        json_key(&writer, STR("journalVersion"));
        json_integer(&writer, JOURNAL_VERSION);
    }
    json_end_object(&writer);
    return arena_copy(arena, strbuf_str(&body));
}

static fallible update_start(struct service_update *update, const struct update_facts *facts)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct service_answer answer;
    struct service_lease lease;
    str rest = arena_concat(&scratch, STR("/update/"), service_escape(&scratch, update->id));
    const struct service_call call = {
        .method = "POST",
        .path = service_stack_path(update->backend, &scratch, update->stack, rest.ptr),
        .body = start_text(&scratch, facts),
    };

    TRY(service_send(update->backend->service, &call, &scratch, &answer));
    if (answer.code == 409)
        return update_conflict(update, &answer);
    if (!service_answer_is_good(&answer))
        return service_refusal(&answer);
    TRY(service_lease_read(&scratch, answer.body, &lease));
    lease_take(update, &lease);
    update->is_journaled = lease.journal_version == JOURNAL_VERSION && wants_journal(facts);
    return NULL;
}

/* --- begin and end --- */

static void update_free(struct service_update *owned)
{
    strbuf_release(&owned->events);
    cancel_close(owned->scope);
    arena_release(&owned->arena);
    free(owned);
}

static str update_address(const struct service_update *update, struct arena *arena,
                          const struct update_facts *facts)
{
    const struct service_backend *backend = update->backend;

    if (!backend->console.len)
        return STR("");
    return arena_concat(arena, backend->console, STR("/"),
                        service_stack_organization(backend, update->stack), STR("/"),
                        update->stack.project, STR("/"), update->stack.name,
                        facts->is_preview ? STR("/previews/") : STR("/updates/"), update->id);
}

fallible service_update_begin(struct service_backend *backend, struct stack_ref stack,
                              const struct update_facts *facts, struct service_update **out)
{
    struct service_update *update = memory_zalloc(sizeof(*update));
    struct arena *arena = &update->arena;

    update->backend = backend;
    update->is_exclusive = !facts->is_preview;
    update->stack =
        (struct stack_ref){ arena_copy(arena, stack.project), arena_copy(arena, stack.name),
                            arena_copy(arena, stack.organization) };
    update->scope = cancel_open(NULL);
    struct error *failure = update_create(update, facts);
    if (!failure)
        failure = update_start(update, facts);
    if (failure) {
        update_free(update);
        return failure;
    }
    update->update.permalink = update_address(update, arena, facts);
    if (update->is_exclusive)
        backend->running = update;
    work_group_add(&update->fibers, 2);
    fiber_spawn_in(update->scope, lease_keep, update);
    fiber_spawn_in(update->scope, events_flow, update);
    *out = update;
    return NULL;
}

static fallible update_complete(struct service_update *update, bool has_succeeded)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct service_call call = {
        .method = "POST",
        .body = has_succeeded ? STR("{\"status\":\"succeeded\"}") : STR("{\"status\":\"failed\"}"),
        .may_repeat = true,
    };

    return error_wrap(service_update_call(update, &call, "/complete", &scratch, NULL),
                      "failed to complete update");
}

fallible service_update_end(struct service_update *owned, bool has_succeeded)
{
    cancel_fire(owned->scope);
    work_group_wait_uncancelable(&owned->fibers);
    if (owned->event_count && !owned->loss.len)
        events_send(owned);
    if (owned->lost_events)
        log_warn("service", "%zu events were not sent: there were too many", owned->lost_events);
    struct error *failure =
        owned->loss.len && owned->is_loss_reported ? NULL : update_complete(owned, has_succeeded);
    if (owned->backend->running == owned)
        owned->backend->running = NULL;
    fiber_yield(); /* the last of its fibers has to end */
    update_free(owned);
    return failure;
}
