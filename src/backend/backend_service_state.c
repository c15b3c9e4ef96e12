/* backend_service_state.c — states in the hosted service: exported, imported; and the history. */
#include "backend/backend_service.h"

#include "backend/history_json.h"
#include "backend/stack_errors.h"
#include "base/json.h"
#include "base/vec.h"
#include "fiber/fiber.h"
#include "model/checkpoint.h"

enum { POLLS = 600, POLL_MS = 500, FIRST_POLL_MS = 50, SCHEMA_WITHOUT_FEATURES = 3 };

static struct service_backend *states_of(struct backend *backend)
{
    return (struct service_backend *)backend;
}

/* --- text --- */

/* For services that know nothing of versions: the same without features. */
static fallible as_version_3(struct arena *arena, str text, str *out)
{
    static const struct json_field fields[] = { { "deployment", json_field_raw, 0 }, { 0 } };
    CLEANUP(json_reader_release) struct json_reader reader;
    str deployment = STR("null");

    json_reader_init(&reader, arena, text);
    TRY(json_read_fields(&reader, fields, &deployment));
    *out = arena_concat(arena, STR("{\"version\":3,\"deployment\":"), deployment, STR("}"));
    return NULL;
}

fallible service_deployment_text(struct service_backend *backend, struct arena *arena,
                                 const struct snapshot *snapshot, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct service_capabilities capabilities;

    deployment_write(&writer, snapshot, SECRET_CIPHERTEXT);
    *out = arena_copy(arena, strbuf_str(&text));
    if (str_starts_with(*out, STR("{\"version\":3,")))
        return NULL;
    TRY(service_backend_capabilities(backend, &capabilities));
    return capabilities.schema_version > SCHEMA_WITHOUT_FEATURES ? NULL
                                                                 : as_version_3(arena, *out, out);
}

fallible service_deployment_read(struct arena *arena, str text, struct snapshot *out,
                                 bool *has_deployment)
{
    struct strs unknown = { 0 };
    int version = 0;

    *out = (struct snapshot){ .metadata = STR("{}") };
    TRY(error_wrap(deployment_read(arena, text, out, has_deployment, &version, &unknown),
                   "the state that the service gave is damaged; nothing was changed"));
    if (unknown.len)
        return error_new(ERROR_INVALID,
                         "the stack's state uses the feature '" STR_FMT
                         "', which this version does not know; nothing was changed",
                         STR_ARG(unknown.items[0]));
    if (version < 1 || version > 4)
        return error_new(ERROR_INVALID,
                         "the stack's state has version %d, which this version does not know; "
                         "nothing was changed",
                         version);
    if (!*has_deployment)
        *out = (struct snapshot){ .metadata = STR("{}") };
    return NULL;
}

/* --- loading --- */

static fallible load_export(struct service_backend *backend, struct stack_ref stack,
                            const char *rest, struct arena *arena, struct service_answer *answer)
{
    const struct service_call call = {
        .path = service_stack_path(backend, arena, stack, rest),
        .limit = SERVICE_STATE_MAX,
    };

    return service_send(backend->service, &call, arena, answer);
}

/* A stack that never had a deployment may also be given as a manifest without anything in it. */
static bool is_never_deployed(const struct snapshot *snapshot)
{
    return snapshot->resource_count == 0 && !snapshot->secrets_type.len && !snapshot->version.len
           && !snapshot->magic.len && snapshot->pending_count == 0
           && (!snapshot->time.len || str_starts_with(snapshot->time, STR("0001-")));
}

struct error *service_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                           struct snapshot *out, bool *has_deployment)
{
    struct service_answer answer;

    TRY(load_export(states_of(backend), stack, "/export", arena, &answer));
    TRY(service_stack_answer(&answer, stack));
    TRY(service_deployment_read(arena, answer.body, out, has_deployment));
    if (*has_deployment && is_never_deployed(out)) {
        *has_deployment = false;
        *out = (struct snapshot){ .metadata = STR("{}") };
    }
    return NULL;
}

struct error *service_load_version(struct backend *backend, struct stack_ref stack, str version,
                                   struct arena *arena, struct snapshot *out, bool *has_deployment)
{
    struct service_answer answer;
    uint64_t number;

    if (!str_to_u64(version, &number) || number == 0)
        return error_new(ERROR_INVALID,
                         "'" STR_FMT "' is no version of a state: it is a number from 1 on, as in "
                         "the history of the stack",
                         STR_ARG(version));
    str rest = arena_concat(arena, STR("/export/"), version);
    TRY(load_export(states_of(backend), stack, rest.ptr, arena, &answer));
    if (!service_answer_is_good(&answer))
        return error_wrap(service_refusal(&answer), "version " STR_FMT, STR_ARG(version));
    return service_deployment_read(arena, answer.body, out, has_deployment);
}

/* --- saving --- */

/* Imports are worked on while the client looks. */
static fallible await_import(struct service_backend *backend, struct stack_ref stack, str update)
{
    for (int i = 0; i < POLLS; i++) {
        CLEANUP(arena_release) struct arena scratch = { 0 };
        struct service_answer answer;
        struct service_status status;
        str rest = arena_concat(&scratch, STR("/update/"), service_escape(&scratch, update));
        const struct service_call call = { .path = service_stack_path(backend, &scratch, stack,
                                                                      rest.ptr) };
        TRY(service_send(backend->service, &call, &scratch, &answer));
        if (!service_answer_is_good(&answer) && answer.code != 504)
            return service_refusal(&answer);
        if (answer.code != 504) {
            TRY(service_status_read(&scratch, answer.body, &status));
            if (!status.next.len && str_equal(status.status, STR("succeeded")))
                return NULL;
            if (!status.next.len)
                return error_new(ERROR_OTHER, "import unsuccessful: status " STR_FMT,
                                 STR_ARG(status.status));
        }
        TRY(fiber_sleep_ms(i == 0 ? FIRST_POLL_MS : POLL_MS));
    }
    return error_new(ERROR_TIMEOUT,
                     "the service did not finish the import; look at `stack history` "
                     "before you try again");
}

struct error *service_save(struct backend *backend_, struct stack_ref stack,
                           const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct service_backend *backend = states_of(backend_);
    struct service_answer answer;
    str text, update;

    TRY(service_deployment_text(backend, &scratch, snapshot, &text));
    const struct service_call call = {
        .method = "POST",
        .path = service_stack_path(backend, &scratch, stack, "/import"),
        .body = text,
        .is_compressed = true,
    };
    TRY(error_wrap(service_send(backend->service, &call, &scratch, &answer),
                   "cannot save the state"));
    if (answer.code == 404)
        return stack_not_found(stack);
    if (!service_answer_is_good(&answer))
        return error_wrap(service_refusal(&answer),
                          "cannot save the state (the former state is untouched)");
    TRY(service_import_read(&scratch, answer.body, &update));
    return await_import(backend, stack, update);
}

/* --- history --- */

struct entries {
    struct arena *arena;
    VEC(struct history_entry);
};

static fallible history_read_entry(struct arena *arena, str text, struct history_entry *out)
{
    TRY(history_entry_parse(arena, text, out));
    return service_config_read(arena, out->config, &out->config);
}

static fallible history_read_list(struct json_reader *reader, void *entries_)
{
    struct entries *entries = entries_;
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        struct history_entry entry;
        str raw;
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_skip(reader, &raw));
        TRY(history_read_entry(entries->arena, raw, &entry));
        vec_add(entries, entry);
    }
}

static fallible history_read_page(struct arena *arena, str text, struct history *out)
{
    static const struct json_field fields[] = { { "updates", history_read_list, 0 }, { 0 } };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct entries entries = { .arena = arena };

    json_reader_init(&reader, arena, text);
    struct error *failure = json_read_fields(&reader, fields, &entries);
    *out = (struct history){
        arena_copy_bytes(arena, entries.items, entries.len * sizeof(*entries.items)), entries.len
    };
    vec_release(&entries);
    return error_wrap(failure, "the history that the service gave");
}

struct error *service_history(struct backend *backend_, struct stack_ref stack, struct arena *arena,
                              size_t page, size_t page_size, struct history *out)
{
    struct service_backend *backend = states_of(backend_);
    str rest = page_size ? arena_printf(arena, "/updates?page=%zu&pageSize=%zu",
                                        page ? page : (size_t)1, page_size)
                         : STR("/updates");
    const struct service_call call = { .path = service_stack_path(backend, arena, stack, rest.ptr),
                                       .limit = SERVICE_STATE_MAX };
    struct service_answer answer;

    TRY(service_send(backend->service, &call, arena, &answer));
    TRY(service_stack_answer(&answer, stack));
    return history_read_page(arena, answer.body, out);
}
