/* provider_plan.c — Check and Diff: what a provider says before anything is done. */
#include "plugin/provider/provider_errors.h"
#include "plugin/provider/provider_values.h"

#include "model/urn.h"

static fallible send_check(struct provider_grpc *self, const struct check_request *request,
                           struct arena *arena, struct check_answer *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__CheckRequest message;
    pb__check_request__init(&message);
    Pb__CheckRequest__AutonamingOptions autonaming = PB__CHECK_REQUEST__AUTONAMING_OPTIONS__INIT;
    unsigned flags =
        provider_keeps(&self->traits) | (request->allows_unknowns ? KEEP_UNKNOWNS : 0u);
    struct value olds = request->olds.kind == VALUE_NULL ? VALUE_EMPTY_OBJECT : request->olds;
    str old_bytes, new_bytes;
    void *answer;

    TRY(provider_marshal(&scratch, olds, flags, &old_bytes));
    TRY(provider_marshal(&scratch, request->news, flags, &new_bytes));
    message_put_bytes(&message, olds, old_bytes);
    message_put_bytes(&message, news, new_bytes);
    message.urn = message_cstr(&scratch, request->urn);
    message.name = message_cstr(&scratch, urn_name_of(request->urn));
    message.type = message_cstr(&scratch, urn_type_of(request->urn));
    message.random_seed = message_binary(request->seed);
    if (request->has_autonaming && self->traits.supports_autonaming) {
        autonaming.proposed_name = message_cstr(&scratch, request->proposed_name);
        autonaming.mode = (Pb__CheckRequest__AutonamingOptions__Mode)request->autonaming_mode;
        message.autonaming = &autonaming;
    }
    TRY(provider_error(provider_call(self, PROVIDER_METHOD("Check"), &message.base,
                                     &pb__check_response__descriptor, arena, &answer)));

    const Pb__CheckResponse *response = answer;
    TRY(provider_unmarshal(arena, message_get_bytes(response, inputs),
                           KEEP_RICH | provider_answer_unknowns(request->allows_unknowns),
                           &out->inputs));
    if (!self->traits.accepts_secrets)
        out->inputs = value_annotate_secrets(arena, request->news, out->inputs);
    out->failures = provider_failures(arena, response->failures, response->n_failures);
    return NULL;
}

fallible provider_op_check(struct provider *provider, const struct check_request *request,
                           struct arena *arena, struct check_answer *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_known;

    TRY(provider_wait_configured(self, &is_known));
    if (is_known)
        return send_check(self, request, arena, out);
    *out = (struct check_answer){ .inputs = request->news };
    return NULL;
}

static fallible send_diff(struct provider_grpc *self, const struct diff_request *request,
                          struct arena *arena, struct diff_answer *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__DiffRequest message;
    pb__diff_request__init(&message);
    unsigned flags = provider_keeps(&self->traits) | ELIDE_CONTENTS
                     | (request->allows_unknowns ? KEEP_UNKNOWNS : 0u);
    str old_inputs, olds, news;
    void *answer;

    TRY(provider_marshal(&scratch, request->old_inputs, flags, &old_inputs));
    TRY(provider_marshal(&scratch, request->old_outputs, flags, &olds));
    TRY(provider_marshal(&scratch, request->news, flags, &news));
    message_put_bytes(&message, old_inputs, old_inputs);
    message_put_bytes(&message, olds, olds);
    message_put_bytes(&message, news, news);
    message.id = message_cstr(&scratch, request->id);
    message.urn = message_cstr(&scratch, request->urn);
    message.name = message_cstr(&scratch, urn_name_of(request->urn));
    message.type = message_cstr(&scratch, urn_type_of(request->urn));
    message_put_strs(&scratch, &message, ignore_changes, request->ignore_changes);
    TRY(provider_error(provider_call(self, PROVIDER_METHOD("Diff"), &message.base,
                                     &pb__diff_response__descriptor, arena, &answer)));
    provider_read_diff(arena, answer, out);
    return NULL;
}

fallible provider_op_diff(struct provider *provider, const struct diff_request *request,
                          struct arena *arena, struct diff_answer *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_known;

    TRY(provider_wait_configured(self, &is_known));
    if (is_known)
        return send_diff(self, request, arena, out);
    *out = (struct diff_answer){ .is_unavailable = true };
    return NULL;
}
