/* provider_construct.c — builds a component: registers it, plays the program inside it, answers
 * with its outputs. */
#include "support/provider.h"

#include "proto/message.h"
#include "proto/struct_codec.h"
#include "support/callbacks.h"
#include "support/json_value.h"
#include "support/message_json.h"
#include "support/program_request.h"

#include "pb/provider.pb-c.h"
#include "pb/resource.pb-c.h"

static fallible register_component(struct program *program, const Pb__ConstructRequest *construct)
{
    Pb__RegisterResourceRequest request = PB__REGISTER_RESOURCE_REQUEST__INIT;
    str label = arena_concat(program->arena, STR("component "), message_str(construct->name));
    struct value inputs;
    void *answer;

    request.type = construct->type;
    request.name = construct->name;
    request.parent = construct->parent;
    request.accept_secrets = request.accept_resources = request.alias_specs = true;
    request.supports_partial_values = request.supports_result_reporting = true;
    request.dependencies = construct->dependencies;
    request.n_dependencies = construct->n_dependencies;
    request.aliases = construct->aliases;
    request.n_aliases = construct->n_aliases;
    request.providers = construct->providers;
    request.n_providers = construct->n_providers;
    request.deleted_with = construct->deleted_with;
    if (message_has(construct, protect))
        message_put(&request, protect, construct->protect);
    if (message_has(construct, retain_on_delete))
        message_put(&request, retain_on_delete, construct->retain_on_delete);
    TRY(request_send(program, MONITOR("RegisterResource"), label, &request.base,
                     &pb__register_resource_response__descriptor, &answer));
    const Pb__RegisterResourceResponse *response = answer;
    TRY(message_struct(program->arena, message_get_bytes(construct, inputs), &inputs));
    program->root = message_str(response->urn);
    program_bind(program, STR("self"),
                 (struct binding){ .urn = program->root, .outputs = inputs, .is_known = true });
    return NULL;
}

/* The program inside can name the providers it was given as "provider:PACKAGE". */
static void bind_providers(struct program *program, const Pb__ConstructRequest *construct)
{
    str urn, id;

    for (size_t i = 0; i < construct->n_providers; i++) {
        str label = arena_concat(program->arena, STR("provider:"),
                                 message_str(construct->providers[i]->key));
        if (str_cut_last(message_str(construct->providers[i]->value), STR("::"), &urn, &id))
            program_bind(program, label, (struct binding){ .urn = urn, .id = id });
    }
}

static fallible build(struct program *program, const Pb__ConstructRequest *construct,
                      struct value component, Pb__ConstructResponse *answer)
{
    str failure = object_text(component, STR("error")), bytes;
    struct value outputs;

    TRY(register_component(program, construct));
    bind_providers(program, construct);
    TRY(program_run(program, object_get(component, STR("program"))));
    if (failure.len)
        return error_from_status(RPC_UNKNOWN, failure, STR(""));
    TRY(program_resolve_object(program, object_get(component, STR("state")), NULL, &outputs));
    TRY(program_outputs(program, program->root, outputs));
    TRY(struct_encode(program->arena, outputs, &bytes));
    answer->urn = request_text(program, program->root);
    message_put_bytes(answer, state, bytes);
    return NULL;
}

struct error *provider_construct(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Construct");
    Pb__ConstructResponse answer = PB__CONSTRUCT_RESPONSE__INIT;
    void *message;

    TRY(provider_begin(&call, bytes, &pb__construct_request__descriptor, &message));
    const Pb__ConstructRequest *request = message;
    CLEANUP(program_release)
    struct program program = { .arena = call.arena, .is_preview = request->dry_run };
    TRY(rpc_client_open(message_str(request->monitor_endpoint), &program.monitor));
    program.callbacks = callbacks_new(call.arena);
    struct value component = object_get(call.provider->components, message_str(request->type));
    struct error *failure = build(&program, request, component, &answer);
    callbacks_close(program.callbacks);
    rpc_client_close(program.monitor);
    TRY(failure);
    return provider_finish(&call, &answer.base, response);
}
