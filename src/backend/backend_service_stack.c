/* backend_service_stack.c — stacks in the hosted service: made, found, renamed, removed, tagged. */
#include "backend/backend_service.h"

#include "backend/history_json.h"
#include "backend/stack_errors.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdlib.h>

static struct service_backend *service_stacks_of(struct backend *backend)
{
    return (struct service_backend *)backend;
}

/* --- making --- */

static void write_tags(struct json_writer *writer, struct pairs tags)
{
    json_begin_object(writer);
    for (size_t i = 0; i < tags.len; i++) {
        json_key(writer, tags.items[i].key);
        json_string(writer, tags.items[i].value);
    }
    json_end_object(writer);
}

/* A stack whose secrets the service keeps needs no state to begin with. */
static bool needs_state(const struct snapshot *initial)
{
    return initial
           && (initial->resource_count > 0
               || (initial->secrets_type.len > 0
                   && !str_equal(initial->secrets_type, STR("service")))
               || (initial->time.len > 0 && initial->secrets_type.len == 0));
}

struct error *service_create(struct backend *backend_, struct stack_ref stack,
                             const struct snapshot *initial)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct service_backend *backend = service_stacks_of(backend_);
    struct json_writer writer = { .out = &body };
    struct service_answer answer;
    str state;

    json_begin_object(&writer);
    json_key(&writer, STR("stackName"));
    json_string(&writer, stack.name);
    json_key(&writer, STR("tags"));
    write_tags(&writer, pairs_sorted(&scratch, backend_->options.project_tags));
    if (needs_state(initial)) {
        TRY(service_deployment_text(backend, &scratch, initial, &state));
        json_key(&writer, STR("state"));
        json_raw(&writer, state);
    }
    json_end_object(&writer);
    const struct service_call call = {
        .method = "POST",
        .path = arena_concat(&scratch, STR("/api/stacks/"),
                             service_escape(&scratch, service_stack_organization(backend, stack)),
                             STR("/"), service_escape(&scratch, stack.project)),
        .body = strbuf_str(&body),
    };
    TRY(service_send(backend->service, &call, &scratch, &answer));
    if (answer.code == 409 && str_find(answer.message, STR("already exists")) != SIZE_MAX)
        return stack_exists_already(stack);
    return service_answer_is_good(&answer) ? NULL : service_refusal(&answer);
}

/* --- finding --- */

fallible service_stack_answer(const struct service_answer *answer, struct stack_ref stack)
{
    if (answer->code == 404)
        return stack_not_found(stack);
    return service_answer_is_good(answer) ? NULL : service_refusal(answer);
}

static fallible look_up(struct service_backend *backend, struct stack_ref stack,
                        struct arena *arena, struct service_stack *out)
{
    const struct service_call call = { .path = service_stack_path(backend, arena, stack, "") };
    struct service_answer answer;

    TRY(service_send(backend->service, &call, arena, &answer));
    TRY(service_stack_answer(&answer, stack));
    TRY(service_stack_read(arena, answer.body, out));
    if (!stack_ref_equal(backend->seen, stack)) {
        struct arena *kept = &backend->backend.arena;
        backend->seen =
            (struct stack_ref){ arena_copy(kept, stack.project), arena_copy(kept, stack.name),
                                arena_copy(kept, stack.organization) };
        backend->seen_config = arena_copy(kept, out->config);
    }
    return NULL;
}

/* Commands look the stack up before they read its configuration: that answer is used. */
struct error *service_config_location(struct backend *backend_, struct stack_ref stack,
                                      struct arena *arena, struct config_location *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("environment", struct config_location, environment, json_field_string),
        JSON_FIELD("secretsProvider", struct config_location, secrets_provider, json_field_string),
        JSON_FIELD("encryptedKey", struct config_location, encrypted_key, json_field_string),
        JSON_FIELD("encryptionSalt", struct config_location, encryption_salt, json_field_string),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct service_backend *backend = service_stacks_of(backend_);
    bool exists = true;

    if (!stack_ref_equal(backend->seen, stack))
        TRY(service_exists(backend_, stack, &exists));
    if (!exists || !backend->seen_config.len)
        return NULL;
    json_reader_init(&reader, arena, backend->seen_config);
    return error_wrap(json_read_fields(&reader, fields, out), "unmarshalling response object");
}

struct error *service_exists(struct backend *backend, struct stack_ref stack, bool *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct service_stack found;

    struct error *failure = look_up(service_stacks_of(backend), stack, &scratch, &found);
    *out = !failure;
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "that is the answer");
        return NULL;
    }
    return failure;
}

struct found_stacks {
    VEC(struct stack_summary);
};

static struct stack_summary summary_of(struct arena *arena, const struct service_stack_line *line)
{
    return (struct stack_summary){
        .stack = { .project = line->project,
                   .name = line->name,
                   .organization = line->organization },
        .last_update = line->last_update > 0
                           ? clock_format(arena, clock_of_seconds(line->last_update))
                           : STR(""),
        .has_deployment =
            line->resource_count != SERVICE_NO_NUMBER || line->last_update != SERVICE_NO_NUMBER,
        .is_in_progress = line->last_update == 0, /* so the service says it */
        .resource_count = line->resource_count > 0 ? (size_t)line->resource_count : 0,
    };
}

static fallible list_pages(struct service_backend *backend, struct arena *arena, str project,
                           struct found_stacks *found)
{
    CLEANUP(map_release) struct map seen = { 0 }; /* tokens of pages */
    struct service_stack_page page = { 0 };
    size_t before;

    do {
        const struct service_call call = {
            .path = arena_concat(arena, STR("/api/user/stacks"),
                                 page.next.len ? STR("?continuationToken=") : STR(""),
                                 service_escape(arena, page.next),
                                 !project.len    ? STR("")
                                 : page.next.len ? STR("&project=")
                                                 : STR("?project="),
                                 service_escape(arena, project)),
            .limit = SERVICE_STATE_MAX,
        };
        str body;
        TRY(service_ask(backend->service, &call, arena, &body));
        TRY(service_stack_page_read(arena, body, &page));
        before = found->len;
        for (size_t i = 0; i < page.len; i++)
            vec_add(found, summary_of(arena, &page.items[i]));
        if (page.next.len && (found->len == before || map_has(&seen, page.next)))
            return error_new(ERROR_INVALID, "the service lists the same stacks again and again");
        map_put(&seen, page.next, found);
    } while (page.next.len);
    return NULL;
}

static int compare_summaries(const void *a_, const void *b_)
{
    const struct stack_summary *a = a_, *b = b_;
    int order = str_compare(a->stack.organization, b->stack.organization);

    if (order == 0)
        order = str_compare(a->stack.project, b->stack.project);
    return order ? order : str_compare(a->stack.name, b->stack.name);
}

struct error *service_list(struct backend *backend, struct arena *arena, str project,
                           struct stack_summaries *out)
{
    struct found_stacks found = { 0 };
    struct error *failure = list_pages(service_stacks_of(backend), arena, project, &found);

    if (found.len > 1)
        qsort(found.items, found.len, sizeof(*found.items), compare_summaries);
    *out = (struct stack_summaries){
        arena_copy_bytes(arena, found.items, found.len * sizeof(*found.items)), found.len
    };
    vec_release(&found);
    return failure;
}

/* --- changing --- */

struct error *service_remove(struct backend *backend_, struct stack_ref stack, bool force,
                             bool removes_backups)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct service_backend *backend = service_stacks_of(backend_);
    const struct service_call call = {
        .method = "DELETE",
        .path =
            service_stack_path(backend, &scratch, stack, force ? "?force=true" : "?force=false"),
    };
    struct service_answer answer;

    (void)removes_backups; /* the service's own affair */
    TRY(service_send(backend->service, &call, &scratch, &answer));
    if (answer.code == 400
        && str_equal(answer.message, STR("Bad Request: Stack still contains resources.")))
        return stack_still_has_resources(stack);
    return service_stack_answer(&answer, stack);
}

/* The service gives the state its new names. */
struct error *service_rename(struct backend *backend_, struct stack_ref stack,
                             struct stack_ref renamed, const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct service_backend *backend = service_stacks_of(backend_);
    struct json_writer writer = { .out = &body };
    struct service_answer answer;

    (void)snapshot;
    if (!str_equal(service_stack_organization(backend, stack),
                   service_stack_organization(backend, renamed)))
        return error_new(ERROR_INVALID, "a stack cannot be renamed into another organization");
    json_begin_object(&writer);
    json_key(&writer, STR("newName"));
    json_string(&writer, renamed.name);
    json_key(&writer, STR("newProject"));
    json_string(&writer, renamed.project);
    json_end_object(&writer);
    const struct service_call call = { .method = "POST",
                                       .path =
                                           service_stack_path(backend, &scratch, stack, "/rename"),
                                       .body = strbuf_str(&body) };
    TRY(service_send(backend->service, &call, &scratch, &answer));
    if (answer.code == 409 && str_find(answer.message, STR("exists")) != SIZE_MAX)
        return stack_exists_already(renamed);
    return service_stack_answer(&answer, stack);
}

/* --- tags --- */

struct error *service_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                           struct tags *out)
{
    struct service_stack found;

    TRY(look_up(service_stacks_of(backend), stack, arena, &found));
    struct pairs sorted = pairs_sorted(arena, found.tags);
    *out = (struct tags){ sorted.items, sorted.len };
    return NULL;
}

/* The service takes all of them at once, and has no condition for it: of two who change tags at the
 * same moment, one may undo what the other did. */
struct error *service_change_tag(struct backend *backend_, struct stack_ref stack, str name,
                                 const str *value)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct service_backend *backend = service_stacks_of(backend_);
    struct json_writer writer = { .out = &body };
    struct service_answer answer;
    struct tags tags;

    TRY(service_tags(backend_, stack, &scratch, &tags));
    tags = tags_change(&scratch, &tags, name, value);
    write_tags(&writer, (struct pairs){ tags.items, tags.len });
    const struct service_call call = { .method = "PATCH",
                                       .path =
                                           service_stack_path(backend, &scratch, stack, "/tags"),
                                       .body = strbuf_str(&body) };
    TRY(service_send(backend->service, &call, &scratch, &answer));
    return service_stack_answer(&answer, stack);
}

/* --- cancel --- */

struct error *service_break_locks(struct backend *backend_, struct stack_ref stack, size_t *count)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct service_backend *backend = service_stacks_of(backend_);
    struct service_stack found;
    str body;

    *count = 0;
    TRY(look_up(backend, stack, &scratch, &found));
    if (!found.active_update.len)
        return error_new(ERROR_INVALID, "stack " STR_FMT " has never been updated",
                         STR_ARG(stack.name));
    if (!found.is_busy)
        return NULL;
    str rest = arena_concat(&scratch, STR("/update/"),
                            service_escape(&scratch, found.active_update), STR("/cancel"));
    const struct service_call call = { .method = "POST",
                                       .path =
                                           service_stack_path(backend, &scratch, stack, rest.ptr),
                                       .may_repeat = true };
    TRY(service_ask(backend->service, &call, &scratch, &body));
    *count = 1;
    return NULL;
}
