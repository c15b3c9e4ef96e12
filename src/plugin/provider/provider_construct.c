/* provider_construct.c — components that a provider builds. */
#include "plugin/provider/provider_errors.h"
#include "plugin/provider/provider_values.h"
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

/* What the program asked for is passed on as it came. */
static void put_options(struct arena *arena, const Pb__RegisterResourceRequest *options,
                        Pb__ConstructRequest *message)
{
    if (message_has(options, protect))
        message_put(message, protect, options->protect);
    if (message_has(options, retain_on_delete))
        message_put(message, retain_on_delete, options->retain_on_delete);
    if (options->delete_before_replace_defined || options->delete_before_replace)
        message_put(message, delete_before_replace, options->delete_before_replace);
    message->providers = options->providers;
    message->n_providers = options->n_providers;
    message->additional_secret_outputs = options->additional_secret_outputs;
    message->n_additional_secret_outputs = options->n_additional_secret_outputs;
    message->custom_timeouts = options->custom_timeouts;
    message->deleted_with = options->deleted_with;
    message->ignore_changes = options->ignore_changes;
    message->n_ignore_changes = options->n_ignore_changes;
    message->replace_on_changes = options->replace_on_changes;
    message->n_replace_on_changes = options->n_replace_on_changes;
    message->replace_with = options->replace_with;
    message->n_replace_with = options->n_replace_with;
    if (message_has(options, replacement_trigger))
        message_put(message, replacement_trigger, options->replacement_trigger);
    if (options->hooks) {
        message->resource_hooks = arena_copy_bytes(arena, options->hooks, sizeof(*options->hooks));
        message->resource_hooks->on_error = NULL; /* the reference keeps these to itself */
        message->resource_hooks->n_on_error = 0;
    }
}

/* URNs of old SDKs come first, then the newer form. */
static void put_aliases(struct arena *arena, const Pb__RegisterResourceRequest *options,
                        Pb__ConstructRequest *message)
{
    size_t count = options->n_alias_urns + options->n_aliases;
    message->aliases = ARENA_ARRAY(arena, Pb__Alias *, count);
    for (size_t i = 0; i < options->n_alias_urns; i++) {
        Pb__Alias *alias = ARENA_NEW(arena, Pb__Alias);
        pb__alias__init(alias);
        alias->alias_case = PB__ALIAS__ALIAS_URN;
        alias->urn = options->alias_urns[i];
        message->aliases[message->n_aliases++] = alias;
    }
    for (size_t i = 0; i < options->n_aliases; i++)
        message->aliases[message->n_aliases++] = options->aliases[i];
}

static void put_run(struct arena *arena, const struct run_info *run, Pb__ConstructRequest *message)
{
    message->project = message_cstr(arena, run->project);
    message->stack = message_cstr(arena, run->stack);
    message->organization = message_cstr(arena, run->organization);
    message->config =
        provider_config_entries(arena, run->config, run->config_len, &message->n_config);
    message_put_strs(arena, message, config_secret_keys, run->config_secret_keys);
    message->dry_run = run->dry_run;
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
    put_run(arena, request->run, message);
    message->type = message_cstr(arena, request->type);
    message->name = message_cstr(arena, request->name);
    message->parent = message_cstr(arena, request->parent);
    struct property_dependencies dependencies =
        provider_all_dependencies(arena, request->inputs, request->input_dependencies);
    message->input_dependencies = message_urns_entries(arena, dependencies);
    message->n_input_dependencies = dependencies.len;
    message_put_strs(arena, message, dependencies, request->dependencies);
    message->accepts_output_values = true;
    message->stack_trace_handle = message_cstr(arena, request->stack_trace_handle);
    if (request->options) {
        put_options(arena, request->options, message);
        put_aliases(arena, request->options, message);
    }
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

struct error *provider_op_construct(struct provider *provider,
                                    const struct construct_request *request, struct arena *arena,
                                    struct construct_answer *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_known;

    TRY(provider_wait_configured(self, &is_known));
    return is_known ? construct(self, request, arena, out) : register_instead(request, arena, out);
}
