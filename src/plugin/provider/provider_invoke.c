/* provider_invoke.c — functions and methods of a provider. */
#include "plugin/provider/provider_errors.h"
#include "plugin/provider/provider_values.h"

static fallible send_invoke(struct provider_grpc *self, const struct invoke_request *request,
                            struct arena *arena, struct invoke_answer *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__InvokeRequest message;
    pb__invoke_request__init(&message);
    str args;
    void *answer;

    TRY(provider_marshal(&scratch, request->args, provider_keeps(&self->traits), &args));
    message_put_bytes(&message, args, args);
    message.tok = message_cstr(&scratch, request->token);
    message.preview = request->preview;
    TRY(provider_error(provider_call(self, PROVIDER_METHOD("Invoke"), &message.base,
                                     &pb__invoke_response__descriptor, arena, &answer)));

    const Pb__InvokeResponse *response = answer;
    TRY(provider_unmarshal(arena, message_get_bytes(response, return_value),
                           KEEP_RICH | REJECT_UNKNOWNS, &out->result));
    if (!self->traits.accepts_secrets && value_contains_secret(request->args))
        out->result = provider_all_secret(arena, out->result);
    out->failures = provider_failures(arena, response->failures, response->n_failures);
    return NULL;
}

fallible provider_op_invoke(struct provider *provider, const struct invoke_request *request,
                            struct arena *arena, struct invoke_answer *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_known;

    TRY(provider_wait_configured(self, &is_known));
    if (is_known)
        return send_invoke(self, request, arena, out);
    *out = (struct invoke_answer){ .result = VALUE_EMPTY_OBJECT };
    return NULL;
}

static fallible send_call(struct provider_grpc *self, const struct call_request *request,
                          struct arena *arena, struct call_answer *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__CallRequest message;
    pb__call_request__init(&message);
    const struct run_info *run = request->run;
    unsigned flags = KEEP_UNKNOWNS | KEEP_RICH | (provider_keeps(&self->traits) & KEEP_BYTE_STRINGS)
                     | (self->traits.accepts_outputs ? KEEP_OUTPUTS : 0u);
    str args;
    void *answer;

    TRY(provider_marshal(&scratch, request->args, flags, &args));
    message_put_bytes(&message, args, args);
    message.tok = message_cstr(&scratch, request->token);
    struct property_dependencies dependencies =
        provider_all_dependencies(&scratch, request->args, request->arg_dependencies);
    message.arg_dependencies = message_urns_entries(&scratch, dependencies);
    message.n_arg_dependencies = dependencies.len;
    message.project = message_cstr(&scratch, run->project->name);
    message.stack = message_cstr(&scratch, run->project->stack);
    message_put_pairs(&scratch, &message, config, config_facts_reveal(run->config, &scratch));
    message.dry_run = run->dry_run;
    message.parallel = run->parallel;
    message.monitor_endpoint = message_cstr(&scratch, run->monitor_address);
    message.accepts_output_values = true;
    message.stack_trace_handle = message_cstr(&scratch, request->stack_trace_handle);
    TRY(provider_inputs_error(provider_call(self, PROVIDER_METHOD("Call"), &message.base,
                                            &pb__call_response__descriptor, arena, &answer),
                              request->args));

    const Pb__CallResponse *response = answer;
    TRY(provider_unmarshal(arena, message_get_bytes(response, return_value),
                           KEEP_RICH | KEEP_OUTPUTS | (run->dry_run ? KEEP_UNKNOWNS : 0u),
                           &out->result));
    out->return_dependencies =
        message_dependencies(arena, response->return_dependencies, response->n_return_dependencies);
    out->failures = provider_failures(arena, response->failures, response->n_failures);
    return NULL;
}

fallible provider_op_call(struct provider *provider, const struct call_request *request,
                          struct arena *arena, struct call_answer *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_known;

    TRY(provider_wait_configured(self, &is_known));
    if (is_known)
        return send_call(self, request, arena, out);
    *out = (struct call_answer){ .result = VALUE_EMPTY_OBJECT };
    return NULL;
}
