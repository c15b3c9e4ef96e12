/* provider_crud.c — Create, Read, Update and Delete: what a provider does, and in which state it
 * leaves a resource. */
#include "plugin/provider/provider_errors.h"
#include "plugin/provider/provider_values.h"

#include "model/urn.h"

#include "pb/status.pb-c.h"

/* The outcome of a call, whether it succeeded or left a partly created resource. */
struct outcome {
    str id;
    str properties; /* Structs; NULL if absent */
    str inputs;
    bool refreshes_before_update;
    struct error *failure; /* owned; set with RESOURCE_PARTIAL only */
};

static bool is_preview_answered_here(const struct provider_grpc *self)
{
    return !self->traits.supports_preview
           || self->plugin->host->options.world->disables_provider_preview;
}

/* In a preview without a configured provider everything is unknown, which programs see as an empty
 * object. */
static struct value unconfigured_outputs(const struct provider_grpc *self, struct value inputs)
{
    bool is_legacy =
        plugin_host_has_flag(self->plugin->host, STR("PULUMI_LEGACY_PROVIDER_PREVIEW"));
    return is_legacy ? inputs : VALUE_EMPTY_OBJECT;
}

static fallible not_configured(const struct provider_grpc *self, const char *what)
{
    return error_new(ERROR_OTHER,
                     "provider '" STR_FMT "' cannot %s: its configuration is not known",
                     STR_ARG(self->base.package), what);
}

/* Sorts a failure: nothing is left to do (returned), or the resource exists in part (kept in the
 * outcome). */
static fallible sort_failure(struct error *owned, struct arena *arena, struct outcome *outcome,
                             struct provider_state *out)
{
    struct provider_failure failure;
    struct error *error = provider_resource_error(owned, arena, &failure);

    out->status = failure.status;
    if (failure.status != RESOURCE_PARTIAL)
        return error;
    out->init_errors = failure.reasons;
    *outcome = (struct outcome){
        .id = failure.id,
        .properties = failure.properties,
        .inputs = failure.inputs,
        .refreshes_before_update = failure.refreshes_before_update,
        .failure = error,
    };
    return NULL;
}

/* Gives up on an answer that cannot be read: something was done, and nobody can say what. */
static fallible give_up(struct outcome *outcome, struct error *owned, struct provider_state *out)
{
    struct error *first = outcome->failure;

    outcome->failure = NULL;
    out->id = outcome->id;
    out->status = RESOURCE_UNKNOWN;
    return error_join(first, owned);
}

static void put_state(const struct outcome *outcome, struct provider_state *out)
{
    out->id = outcome->id;
    out->refreshes_before_update = outcome->refreshes_before_update;
}

/* What the messages of all four calls have in common. */
#define PUT_HEAD(message, request, arena)                                                    \
    do {                                                                                     \
        (message)->urn = message_cstr(arena, (request)->urn);                                \
        (message)->name = message_cstr(arena, urn_name_of((request)->urn));                  \
        (message)->type = message_cstr(arena, urn_type_of((request)->urn));                  \
        (message)->timeout = (request)->timeout;                                             \
        (message)->resource_status_address = message_cstr(arena, (request)->status_address); \
        (message)->resource_status_token = message_cstr(arena, (request)->status_token);     \
    } while (0)

/* --- Create and Update --- */

/* A preview needs no call where the provider is not configured yet or knows no previews. */
static fallible answer_here(struct provider_grpc *self, const char *what, struct value inputs,
                            bool preview, struct provider_state *out, bool *is_answered)
{
    bool is_known;

    *is_answered = false;
    TRY(provider_wait_configured(self, &is_known));
    if (!is_known && !preview)
        return not_configured(self, what);
    if (is_known && !(preview && is_preview_answered_here(self)))
        return NULL;
    out->outputs = is_known ? inputs : unconfigured_outputs(self, inputs);
    *is_answered = true;
    return NULL;
}

/* Reads what a change left, complete or partial. */
static fallible put_change(const struct provider_grpc *self, struct outcome *outcome,
                           struct value inputs, bool preview, struct arena *arena,
                           struct provider_state *out)
{
    struct error *failure = provider_unmarshal(
        arena, outcome->properties, KEEP_RICH | provider_answer_unknowns(preview), &out->outputs);

    if (failure)
        return give_up(outcome, failure, out);
    if (!self->traits.accepts_secrets)
        out->outputs = value_annotate_secrets(arena, inputs, out->outputs);
    put_state(outcome, out);
    return outcome->failure;
}

/* --- Create --- */

static fallible send_create(struct provider_grpc *self, const struct create_request *request,
                            struct arena *arena, void **answer)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__CreateRequest message;
    pb__create_request__init(&message);
    str properties;

    TRY(provider_marshal(&scratch, request->inputs,
                         provider_keeps(&self->traits) | (request->preview ? KEEP_UNKNOWNS : 0u),
                         &properties));
    message_put_bytes(&message, properties, properties);
    PUT_HEAD(&message, request, &scratch);
    message.preview = request->preview;
    return provider_call(self, PROVIDER_METHOD("Create"), &message.base,
                         &pb__create_response__descriptor, arena, answer);
}

static fallible provider_crud_create(struct provider_grpc *self,
                                     const struct create_request *request, struct arena *arena,
                                     struct provider_state *out)
{
    struct outcome outcome = { 0 };
    void *answer;

    struct error *failure = send_create(self, request, arena, &answer);
    if (failure) {
        failure = sort_failure(failure, arena, &outcome, out);
        if (failure && error_kind(failure) == ERROR_STATUS && !error_is_lost(failure))
            out->status = RESOURCE_OK; /* the provider itself says that there is nothing */
        TRY(failure);
    } else {
        const Pb__CreateResponse *response = answer;
        outcome.id = message_str(response->id);
        outcome.properties = message_get_bytes(response, properties);
        outcome.refreshes_before_update = response->refresh_before_update;
    }
    if (outcome.id.len == 0 && !request->preview)
        return give_up(&outcome,
                       error_new(ERROR_INVALID, "provider did not return an ID from Create"), out);
    return put_change(self, &outcome, request->inputs, request->preview, arena, out);
}

fallible provider_op_create(struct provider *provider, const struct create_request *request,
                            struct arena *arena, struct provider_state *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_answered;

    *out = (struct provider_state){ .outputs = VALUE_EMPTY_OBJECT };
    TRY(answer_here(self, "create", request->inputs, request->preview, out, &is_answered));
    return is_answered ? NULL : provider_crud_create(self, request, arena, out);
}

/* --- Read --- */

static fallible send_read(struct provider_grpc *self, const struct read_request *request,
                          struct arena *arena, void **answer)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__ReadRequest message;
    pb__read_request__init(&message);
    unsigned flags = provider_keeps(&self->traits);
    str inputs, state;

    TRY(provider_marshal(&scratch, request->inputs, flags | ELIDE_CONTENTS, &inputs));
    TRY(provider_marshal(&scratch, request->state, flags | ELIDE_CONTENTS, &state));
    message_put_bytes(&message, inputs, inputs);
    message_put_bytes(&message, properties, state);
    TRY(provider_views_to_wire(&scratch, &request->old_views, flags, &message.old_views,
                               &message.n_old_views));
    message.id = message_cstr(&scratch, request->id);
    PUT_HEAD(&message, request, &scratch);
    return provider_call(self, PROVIDER_METHOD("Read"), &message.base,
                         &pb__read_response__descriptor, arena, answer);
}

static fallible take_read(struct provider_grpc *self, const struct read_request *request,
                          const struct outcome *outcome, struct arena *arena,
                          struct provider_state *out)
{
    TRY(provider_unmarshal(arena, outcome->properties, KEEP_RICH | REJECT_UNKNOWNS, &out->outputs));
    TRY(provider_unmarshal(arena, outcome->inputs, KEEP_RICH | REJECT_UNKNOWNS, &out->inputs));
    out->exists = outcome->properties.ptr;
    out->has_inputs = outcome->inputs.ptr;
    if (!self->traits.accepts_secrets) {
        out->inputs = value_annotate_secrets(arena, request->inputs, out->inputs);
        out->outputs = value_annotate_secrets(arena, request->state, out->outputs);
    }
    out->inputs = value_restore_elided_assets(arena, request->inputs, out->inputs);
    out->outputs = value_restore_elided_assets(arena, request->inputs, out->outputs);
    put_state(outcome, out);
    return NULL;
}

static fallible read(struct provider_grpc *self, const struct read_request *request,
                     struct arena *arena, struct provider_state *out)
{
    struct outcome outcome = { 0 };
    void *answer;

    struct error *failure = send_read(self, request, arena, &answer);
    if (failure) {
        TRY(sort_failure(failure, arena, &outcome, out));
    } else {
        const Pb__ReadResponse *response = answer;
        outcome.id = message_str(response->id);
        outcome.properties = message_get_bytes(response, properties);
        outcome.inputs = message_get_bytes(response, inputs);
        outcome.refreshes_before_update = response->refresh_before_update;
    }
    failure = take_read(self, request, &outcome, arena, out);
    return failure ? give_up(&outcome, failure, out) : outcome.failure;
}

fallible provider_op_read(struct provider *provider, const struct read_request *request,
                          struct arena *arena, struct provider_state *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_known;

    *out = (struct provider_state){ .status = RESOURCE_UNKNOWN,
                                    .inputs = VALUE_EMPTY_OBJECT,
                                    .outputs = VALUE_EMPTY_OBJECT };
    TRY(provider_wait_configured(self, &is_known));
    if (!is_known) {
        out->exists = out->has_inputs = true;
        return NULL;
    }
    out->status = RESOURCE_OK;
    return read(self, request, arena, out);
}

/* --- Update --- */

static fallible send_update(struct provider_grpc *self, const struct update_request *request,
                            struct arena *arena, void **answer)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__UpdateRequest message;
    pb__update_request__init(&message);
    unsigned flags = provider_keeps(&self->traits);
    str old_inputs, olds, news;

    TRY(provider_marshal(&scratch, request->old_inputs, flags | ELIDE_CONTENTS, &old_inputs));
    TRY(provider_marshal(&scratch, request->old_outputs, flags | ELIDE_CONTENTS, &olds));
    TRY(provider_marshal(&scratch, request->news, flags | (request->preview ? KEEP_UNKNOWNS : 0u),
                         &news));
    message_put_bytes(&message, old_inputs, old_inputs);
    message_put_bytes(&message, olds, olds);
    message_put_bytes(&message, news, news);
    TRY(provider_views_to_wire(&scratch, &request->old_views, flags, &message.old_views,
                               &message.n_old_views));
    message.id = message_cstr(&scratch, request->id);
    PUT_HEAD(&message, request, &scratch);
    message.preview = request->preview;
    message_put_strs(&scratch, &message, ignore_changes, request->ignore_changes);
    return provider_call(self, PROVIDER_METHOD("Update"), &message.base,
                         &pb__update_response__descriptor, arena, answer);
}

static fallible provider_crud_update(struct provider_grpc *self,
                                     const struct update_request *request, struct arena *arena,
                                     struct provider_state *out)
{
    struct outcome outcome = { 0 };
    void *answer;

    struct error *failure = send_update(self, request, arena, &answer);
    if (failure) {
        TRY(sort_failure(failure, arena, &outcome, out));
    } else {
        const Pb__UpdateResponse *response = answer;
        outcome.properties = message_get_bytes(response, properties);
        outcome.refreshes_before_update = response->refresh_before_update;
    }
    outcome.id = request->id; /* an update never gives another one */
    return put_change(self, &outcome, request->news, request->preview, arena, out);
}

fallible provider_op_update(struct provider *provider, const struct update_request *request,
                            struct arena *arena, struct provider_state *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_answered;

    *out = (struct provider_state){ .id = request->id, .outputs = VALUE_EMPTY_OBJECT };
    TRY(answer_here(self, "update", request->news, request->preview, out, &is_answered));
    return is_answered ? NULL : provider_crud_update(self, request, arena, out);
}

/* --- Delete --- */

static fallible send_delete(struct provider_grpc *self, const struct delete_request *request,
                            struct arena *arena)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__DeleteRequest message;
    pb__delete_request__init(&message);
    unsigned flags = provider_keeps(&self->traits);
    str inputs, outputs;
    void *answer;

    TRY(provider_marshal(&scratch, request->old_inputs, flags | ELIDE_CONTENTS, &inputs));
    TRY(provider_marshal(&scratch, request->old_outputs, flags | ELIDE_CONTENTS, &outputs));
    message_put_bytes(&message, old_inputs, inputs);
    message_put_bytes(&message, properties, outputs);
    TRY(provider_views_to_wire(&scratch, &request->old_views, flags, &message.old_views,
                               &message.n_old_views));
    message.id = message_cstr(&scratch, request->id);
    PUT_HEAD(&message, request, &scratch);
    return provider_call(self, PROVIDER_METHOD("Delete"), &message.base, &pb__empty__descriptor,
                         arena, &answer);
}

fallible provider_op_delete(struct provider *provider, const struct delete_request *request,
                            struct arena *arena, struct provider_state *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    struct provider_failure failure;
    bool is_known;

    *out = (struct provider_state){ .id = request->id, .outputs = VALUE_EMPTY_OBJECT };
    TRY(provider_wait_configured(self, &is_known));
    if (!is_known)
        return not_configured(self, "delete");
    struct error *error = send_delete(self, request, arena);
    if (!error)
        return NULL;
    error = provider_resource_error(error, arena, &failure);
    out->status = failure.status == RESOURCE_PARTIAL ? RESOURCE_UNKNOWN : failure.status;
    return error;
}
