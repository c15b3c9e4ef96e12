/* provider_construct.c — components that a provider builds. */
#include "plugin/provider/provider_errors.h"
#include "plugin/provider/provider_values.h"
#include "proto/options_codec.h"
#include "rpc/rpc.h"

#include "pb/resource.pb-c.h"

/* Without a configured provider we register the component in its place; there is nothing in it
 * yet. */
static fallible register_instead(const struct construct_request *request, struct arena *arena,
                                 struct construct_answer *out)
{
    Pb__RegisterResourceRequest message;
    pb__register_resource_request__init(&message);
    struct rpc_client *monitor;
    str bytes;
    void *answer;

    message.type = message_cstr(arena, request->type);
    message.name = message_cstr(arena, request->name);
    message.parent = message_cstr(arena, request->parent);
    TRY(error_wrap(rpc_client_open(request->run->monitor_address, &monitor),
                   "could not connect to resource monitor"));
    struct error *failure = rpc_call_unary(monitor, "/pulumirpc.ResourceMonitor/RegisterResource",
                                           MESSAGE_PACK(arena, &message), NULL, arena, &bytes);
    rpc_client_close(monitor);
    TRY(provider_error(failure));
    TRY(message_unpack(arena, &pb__register_resource_response__descriptor, bytes, &answer));
    *out = (struct construct_answer){
        .urn = message_str(((const Pb__RegisterResourceResponse *)answer)->urn),
        .outputs = VALUE_EMPTY_OBJECT,
    };
    return NULL;
}

static void provider_construct_put_run(struct arena *arena, const struct run_info *run,
                                       Pb__ConstructRequest *message)
{
    message_put_run(arena, message, run);
    message->parallel = run->parallel;
    message->monitor_endpoint = message_cstr(arena, run->monitor_address);
}

static fallible fill_construct(struct provider_grpc *self, const struct construct_request *request,
                               struct arena *arena, Pb__ConstructRequest *message)
{
    unsigned flags = KEEP_UNKNOWNS | provider_keeps(&self->traits)
                     | (self->traits.accepts_outputs ? KEEP_OUTPUTS : 0u);
    str inputs;

    TRY(provider_marshal(arena, request->inputs, flags, &inputs));
    message_put_bytes(message, inputs, inputs);
    provider_construct_put_run(arena, request->run, message);
    message->type = message_cstr(arena, request->type);
    message->name = message_cstr(arena, request->name);
    message->parent = message_cstr(arena, request->parent);
    struct property_dependencies dependencies =
        provider_all_dependencies(arena, request->inputs, request->input_dependencies);
    message->input_dependencies = message_urns_entries(arena, dependencies);
    message->n_input_dependencies = dependencies.len;
    message->accepts_output_values = true;
    message->stack_trace_handle = message_cstr(arena, request->stack_trace_handle);
    if (request->options)
        options_put(arena, WIRE_CONSTRUCT, request->options, &message->base);
    return NULL;
}

static fallible construct(struct provider_grpc *self, const struct construct_request *request,
                          struct arena *arena, struct construct_answer *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__ConstructRequest message;
    pb__construct_request__init(&message);
    void *answer;

    if (!self->traits.accepts_secrets)
        return error_new(ERROR_INVALID,
                         "plugins that can construct components must support secrets");
    TRY(fill_construct(self, request, &scratch, &message));
    TRY(provider_inputs_error(provider_call(self, PROVIDER_METHOD("Construct"), &message.base,
                                            &pb__construct_response__descriptor, arena, &answer),
                              request->inputs));

    const Pb__ConstructResponse *response = answer;
    TRY(provider_unmarshal(arena, message_get_bytes(response, state),
                           KEEP_RICH | KEEP_OUTPUTS | JOIN_SECRETS
                               | (request->run->dry_run ? KEEP_UNKNOWNS : 0u),
                           &out->outputs));
    out->urn = message_str(response->urn);
    out->output_dependencies =
        message_dependencies(arena, response->state_dependencies, response->n_state_dependencies);
    return NULL;
}

fallible provider_op_construct(struct provider *provider, const struct construct_request *request,
                               struct arena *arena, struct construct_answer *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_known;

    TRY(provider_wait_configured(self, &is_known));
    return is_known ? construct(self, request, arena, out) : register_instead(request, arena, out);
}
