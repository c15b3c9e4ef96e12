/* register.c — RegisterResource: from a message to a goal, through planning, to the answer. */
#include "engine/monitor/monitor.h"

#include "engine/deploy/deployment.h"
#include "engine/engine.h"
#include "engine/step/registration.h"
#include "model/urn.h"
#include "proto/marshal.h"
#include "proto/message.h"
#include "proto/options_codec.h"

/* One request on its way. */
struct request {
    struct monitor *monitor;
    struct registration *reg;
    struct arena *arena;
    const Pb__RegisterResourceRequest *message;
    struct transformed form; /* as transforms see and change it */
    struct strs dependencies;
    struct property_dependencies property_dependencies;
    Pb__Callback **transforms; /* its own, also for its children */
    size_t transform_count;
    str provider; /* reference */
    struct work_group *under_way;
};

/* What a child takes from its parent where it does not set it itself. */
static void inherit(struct request *request)
{
    const struct remembered *parent = monitor_recall(request->monitor, request->form.parent);
    struct requested_options *options = &request->form.options;
    str urn, id;

    if (!parent)
        return;
    if (parent->bequest)
        options_inherit(options, parent->bequest);
    if (options->provider.len || parent->provider.len == 0)
        return;
    bool is_local_component = !request->message->remote && !request->message->custom;
    bool is_same_package =
        str_cut_last(parent->provider, STR("::"), &urn, &id)
        && str_equal(type_provider_package(urn_type_of(urn)), type_package(request->form.type));
    if (is_local_component || is_same_package)
        options->provider = parent->provider;
}

static fallible check_message(const struct request *request,
                              const Pb__RegisterResourceRequest *message)
{
    str type = message_str(message->type);

    (void)request;
    if (message->n_state_migrations)
        return monitor_refuse(RPC_FAILED_PRECONDITION,
                              "state migrations are not supported by this deployment");
    if (message->parent[0])
        TRY(decode_check_urn(message_str(message->parent), "parent URN"));
    /* Components may have any type; none at all would make a state that cannot be read. */
    if (message->custom || message->remote ? !type_token_is_valid(type) : type.len == 0)
        return monitor_refuse(RPC_INVALID_ARGUMENT,
                              "Type '" STR_FMT
                              "' is not a valid type token (must have format '*:*:*')",
                              STR_ARG(type));
    if (message->n_env_var_mappings && !type_is_provider(type))
        return monitor_refuse(RPC_INVALID_ARGUMENT,
                              "envVarMappings can only be used with provider resources");
    return NULL;
}

/* Old Node.js programs say "no parent" the other way round. */
static void mend_node_aliases(struct arena *arena, struct aliases *aliases)
{
    struct alias *mended =
        arena_copy_bytes(arena, aliases->items, aliases->len * sizeof(*aliases->items));

    for (size_t i = 0; i < aliases->len; i++) {
        if (!mended[i].is_spec || mended[i].parent.len)
            continue;
        mended[i].parent = (str){ 0 };
        mended[i].gives_no_parent = true;
        mended[i].has_no_parent = !mended[i].has_no_parent;
    }
    aliases->items = mended;
}

static bool is_from_node(struct rpc_call *call)
{
    str runtime = rpc_call_header(call, STR("pulumi-runtime"));
    if (runtime.len)
        return str_equal(runtime, STR("nodejs"));
    return str_starts_with(rpc_call_header(call, STR("user-agent")), STR("grpc-node-js/"));
}

/* What the transforms get to see. */
static void complete_options(struct request *request, struct rpc_call *call)
{
    const Pb__RegisterResourceRequest *message = request->message;
    struct requested_options *options = &request->form.options;

    if (!message->alias_specs && message->n_aliases && is_from_node(call))
        mend_node_aliases(request->arena, &options->aliases);
    if (message->custom || message->remote)
        options->provider =
            monitor_inherited_provider(request->monitor, options->provider, options->providers,
                                       request->form.parent, type_package(request->form.type));
}

/* Without property dependencies every property depends on everything. */
static fallible decode_dependencies(struct request *request)
{
    const Pb__RegisterResourceRequest *message = request->message;
    const struct value inputs = request->form.inputs;

    TRY(decode_urns(request->arena, request->form.options.depends_on, "dependency URN",
                    &request->dependencies));
    if (message->n_property_dependencies == 0 && !message->remote) {
        struct property_dependency *items =
            ARENA_ARRAY(request->arena, struct property_dependency, inputs.len + 1);
        for (uint32_t i = 0; i < inputs.len; i++)
            items[i] = (struct property_dependency){ inputs.members[i].key, request->dependencies };
        request->property_dependencies = (struct property_dependencies){ items, inputs.len };
        return NULL;
    }
    for (size_t i = 0; i < message->n_property_dependencies; i++) {
        const Pb__Urns *urns = message->property_dependencies[i]->value;
        str what = arena_printf(request->arena, "dependency on property %s URN",
                                message->property_dependencies[i]->key);
        struct strs ignored;
        if (urns)
            TRY(decode_urns(request->arena, message_get_strs(request->arena, urns, urns), what.ptr,
                            &ignored));
    }
    request->property_dependencies = message_dependencies(
        request->arena, message->property_dependencies, message->n_property_dependencies);
    return NULL;
}

/* Each input gets an entry; outputs among them bring their dependencies along. */
static void extend_dependencies(struct request *request, bool starts_anew)
{
    const struct value inputs = request->form.inputs;
    size_t room = inputs.len + request->property_dependencies.len;
    struct property_dependency *items =
        ARENA_ARRAY(request->arena, struct property_dependency, room + 1);
    size_t len = 0, at = 0;
    const struct property_dependencies given = request->property_dependencies;
    CLEANUP(str_list_release) struct str_list brought = { 0 };

    for (uint32_t i = 0; i < inputs.len; i++) {
        str key = inputs.members[i].key;
        struct strs urns = { 0 };
        for (; at < given.len && str_compare(given.items[at].key, key) < 0; at++)
            if (!starts_anew)
                items[len++] = given.items[at];
        if (at < given.len && str_equal(given.items[at].key, key)) {
            if (!starts_anew)
                urns = given.items[at].urns;
            at++;
        }
        /* What all of them share has those of every output already. */
        if (!urns.items || urns.items != request->dependencies.items)
            add_output_dependencies(request->arena, &urns, inputs.members[i].value);
        items[len++] = (struct property_dependency){ key, urns };
        for (size_t j = 0; starts_anew && j < urns.len; j++)
            vec_add(&brought, urns.items[j]);
    }
    if (starts_anew)
        request->dependencies = strs_union(request->arena, request->dependencies,
                                           (struct strs){ brought.items, brought.len });
    for (; at < given.len && !starts_anew; at++)
        items[len++] = given.items[at];
    request->property_dependencies = (struct property_dependencies){ items, len };
}

/* A program that does not say which property depends on what: the dependencies that one output
 * brings are those of every property that the program gave. A property that a transform added has
 * only its own (scenario transform/transform-old-sdk). */
static void share_dependencies(struct request *request)
{
    const struct value inputs = request->form.inputs;
    const struct property_dependencies given = request->property_dependencies;
    struct property_dependency *items =
        ARENA_ARRAY(request->arena, struct property_dependency, given.len + 1);
    CLEANUP(str_list_release) struct str_list brought = { 0 };

    for (uint32_t i = 0; i < inputs.len; i++)
        if (property_dependencies_find(given, inputs.members[i].key))
            collect_output_dependencies(&brought, inputs.members[i].value);
    request->dependencies = strs_union(request->arena, request->dependencies,
                                       (struct strs){ brought.items, brought.len });
    for (size_t i = 0; i < given.len; i++)
        items[i] = (struct property_dependency){ given.items[i].key, request->dependencies };
    request->property_dependencies = (struct property_dependencies){ items, given.len };
}

static fallible redo_dependencies(struct request *request)
{
    bool has_own_transforms = request->message->n_transforms > 0;

    if (has_own_transforms)
        TRY(decode_urns(request->arena, request->form.options.depends_on, "dependency URN",
                        &request->dependencies));
    else if (request->message->n_property_dependencies == 0 && !request->message->remote)
        share_dependencies(request);
    extend_dependencies(request, has_own_transforms);
    return NULL;
}

/* Everything that names a plugin goes into a provider's inputs. */
static fallible complete_provider_inputs(struct request *request)
{
    struct monitor *monitor = request->monitor;
    const struct requested_options *options = &request->form.options;
    struct value *inputs = &request->form.inputs;
    str version = options->version, url = options->plugin_download_url;

    TRY(error_wrap(monitor_check_version(version),
                   "ResourceMonitor.RegisterResource(" STR_FMT "," STR_FMT
                   "): passed invalid version",
                   STR_ARG(request->form.type), STR_ARG(request->form.name)));
    if (version.len)
        provider_inputs_set_version(request->arena, inputs, version);
    if (url.len)
        provider_inputs_set_internal(request->arena, inputs, STR("pluginDownloadURL"),
                                     value_string(url));
    if (options->env_var_mappings.len) {
        const struct pairs *pairs = &options->env_var_mappings;
        struct member *members = ARENA_ARRAY(request->arena, struct member, pairs->len);
        for (size_t i = 0; i < pairs->len; i++)
            members[i] =
                (struct member){ pairs->items[i].key, value_string(pairs->items[i].value) };
        provider_inputs_set_internal(request->arena, inputs, STR("envVarMappings"),
                                     value_object(request->arena, members, pairs->len));
    }
    str ref = message_str(request->message->package_ref);
    if (ref.len) {
        const struct package *package = monitor_find_package(monitor, ref);
        if (!package)
            return error_new(ERROR_OTHER, "unknown provider package '" STR_FMT "'", STR_ARG(ref));
        provider_inputs_set_package(request->arena, inputs, &package->ref);
    }
    const struct package_ref *fallback =
        map_find(&monitor->default_versions, type_provider_package(request->form.type));
    if (fallback && version.len == 0 && url.len == 0) {
        /* Of a parameterized package: the plugin's (scenario package/package-explicit-provider) */
        if (fallback->version.len)
            provider_inputs_set_version(request->arena, inputs, fallback->version);
        if (fallback->download_url.len)
            provider_inputs_set_internal(request->arena, inputs, STR("pluginDownloadURL"),
                                         value_string(fallback->download_url));
    }
    return NULL;
}

static fallible register_choose_provider(struct request *request)
{
    const Pb__RegisterResourceRequest *message = request->message;
    const struct requested_options *options = &request->form.options;
    struct package_ref package;

    request->provider = options->provider;
    if (type_is_provider(request->form.type) && message->custom) {
        request->provider = STR("");
        return complete_provider_inputs(request);
    }
    if (!message->custom && !message->remote) {
        request->provider = STR("");
        return NULL;
    }
    TRY(error_wrap(monitor_check_version(options->version), "parse provider request"));
    TRY(monitor_package(request->monitor, type_package(request->form.type), options->version,
                        options->plugin_download_url, message_str(message->package_ref), &package));
    if (options->plugin_checksums.len)
        package.checksums = checksums_of(request->arena, options->plugin_checksums);
    return monitor_provider_reference(request->monitor, package, options->provider, request->arena,
                                      &request->provider);
}

static fallible fill_goal(struct request *request)
{
    struct goal *goal = &request->reg->goal;
    struct requested_options *options = &request->form.options;

    goal->type = request->form.type;
    goal->name = request->form.name;
    goal->parent = request->form.parent;
    goal->is_custom = request->message->custom;
    goal->inputs = value_without_outputs(request->arena, request->form.inputs);
    goal->dependencies = request->dependencies;
    goal->property_dependencies = request->property_dependencies;
    goal->provider = request->provider;
    goal->has_delete_before_replace = options->given.delete_before_replace;
    goal->deletes_before_replace = options->delete_before_replace;
    TRY(decode_check_aliases(options->aliases));
    goal->aliases = options->aliases.items;
    goal->alias_count = options->aliases.len;
    options->source_position =
        decode_position(request->monitor, request->arena, request->message->source_position);
    options->stack_trace =
        decode_trace(request->monitor, request->arena, request->message->stack_trace,
                     request->message->parent_stack_trace_handle);
    TRY(options_settle(request->arena, options, &goal->options));
    goal->options.replacement_trigger =
        value_without_outputs(request->arena, goal->options.replacement_trigger);
    const struct package *package =
        monitor_find_package(request->monitor, message_str(request->message->package_ref));
    request->reg->extension = package ? package->extension : NULL;
    return NULL;
}

/* `providers` of a component reach its children, on top of what it inherited. */
static void inherit_providers(struct request *request)
{
    const struct remembered *parent = monitor_recall(request->monitor, request->form.parent);
    struct pairs *own = &request->form.options.providers;

    if (!request->message->custom && parent)
        *own = pairs_union(request->arena, *own, parent->providers);
}

/* The state lasts as long as what is remembered. */
static str share_text(struct arena *arena, str text, str of_state)
{
    return str_equal(text, of_state) ? of_state : arena_copy(arena, text);
}

/* `state` may be NULL: it was made elsewhere. */
static void register_remember(struct request *request, str urn, const struct resource *state)
{
    static const struct resource none;
    struct monitor *monitor = request->monitor;
    struct arena *arena = monitor->arena;
    const struct requested_options *options = &request->form.options;
    struct remembered *remembered = ARENA_NEW(arena, struct remembered);

    if (urn.len == 0)
        return;
    const struct resource *like = state ? state : &none;
    remembered->parent = share_text(arena, request->form.parent, like->parent);
    remembered->is_custom = request->message->custom;
    remembered->has_id = !state || state->id.len > 0;
    remembered->bequest = options_bequest(arena, options);
    remembered->provider =
        share_text(arena, request->message->remote ? STR("") : request->provider, like->provider);
    if (!request->message->custom)
        remembered->providers = pairs_copy(arena, options->providers);
    remembered->transforms = transforms_own(arena, request->transforms, request->transform_count);
    remembered->transform_count = request->transform_count;
    map_put(&monitor->remembered, share_text(arena, urn, like->urn), remembered);
}

static bool is_known_member(const void *none, struct member member)
{
    (void)none;
    return !value_contains_unknown(member.value);
}

static struct value drop_unknown_members(struct arena *arena, struct value outputs)
{
    return value_keep(arena, outputs, is_known_member, NULL);
}

static fallible monitor_register_answer(struct request *request,
                                        Pb__RegisterResourceResponse *message, struct value outputs,
                                        struct rpc_call *call, str *response)
{
    struct arena *arena = rpc_call_arena(call);
    const struct marshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = request->message->accept_secrets,
        .keep_resources = request->message->accept_resources,
        .accepts_byte_strings = request->message->accepts_byte_string,
        .label = "RegisterResource",
    };
    str bytes;

    if (!request->message->supports_partial_values)
        outputs = drop_unknown_members(arena, outputs);
    TRY(properties_marshal(arena, outputs, &options, &bytes));
    message_put_bytes(message, object, bytes);
    *response = MESSAGE_PACK(arena, message);
    return NULL;
}

static fallible register_local(struct request *request, struct rpc_call *call, str *response)
{
    struct registration *reg = request->reg;
    Pb__RegisterResourceResponse message = PB__REGISTER_RESOURCE_RESPONSE__INIT;

    TRY(fill_goal(request));
    TRY(deployment_register(request->monitor->deployment, reg));
    const struct resource *state = reg->state;
    if (reg->result != REGISTRATION_SUCCESS && !request->message->supports_result_reporting)
        return monitor_refuse(RPC_INTERNAL, "resource registration failed");
    register_remember(request, state ? state->urn : STR(""), state);
    message.urn = message_cstr(rpc_call_arena(call), state->urn);
    message.id = message_cstr(rpc_call_arena(call), state->id);
    message.result = reg->result == REGISTRATION_FAILED    ? PB__RESULT__FAIL
                     : reg->result == REGISTRATION_SKIPPED ? PB__RESULT__SKIP
                                                           : PB__RESULT__SUCCESS;
    message.unknown = reg->is_unknown;
    return monitor_register_answer(
        request, &message, state->is_custom ? state->outputs : VALUE_EMPTY_OBJECT, call, response);
}

static fallible register_remote(struct request *request, struct rpc_call *call, str *response)
{
    struct monitor *monitor = request->monitor;
    struct requested_options *options = &request->form.options;
    struct construct_answer made = { 0 };
    Pb__RegisterResourceResponse message = PB__REGISTER_RESOURCE_RESPONSE__INIT;

    TRY(options_settle_values(request->arena, options));
    options->depends_on = request->dependencies;
    str handle =
        trace_keep(monitor, request->arena, request->message->source_position,
                   request->message->stack_trace, request->message->parent_stack_trace_handle);
    const struct construct_request construct = {
        .run = &monitor->run,
        .type = request->form.type,
        .name = request->form.name,
        .parent = request->form.parent,
        .inputs = request->form.inputs,
        .input_dependencies = request->property_dependencies,
        .options = options,
        .stack_trace_handle = handle,
    };
    struct error *failure =
        monitor_construct(monitor, request->arena, &construct, request->provider,
                          message_str(request->message->package_ref), &made);
    trace_drop(monitor, handle);
    TRY(failure);
    register_remember(request, made.urn, NULL);
    struct property_dependency *items =
        ARENA_ARRAY(request->arena, struct property_dependency, made.outputs.len + 1);
    for (uint32_t i = 0; i < made.outputs.len; i++) {
        const struct strs *given =
            property_dependencies_find(made.output_dependencies, made.outputs.members[i].key);
        items[i] = (struct property_dependency){ made.outputs.members[i].key,
                                                 given ? *given : (struct strs){ 0 } };
        add_output_dependencies(request->arena, &items[i].urns, made.outputs.members[i].value);
    }
    message.urn = message_cstr(rpc_call_arena(call), made.urn);
    message.n_property_dependencies = made.outputs.len;
    message.property_dependencies = message_urns_entries(
        rpc_call_arena(call), (struct property_dependencies){ items, made.outputs.len });
    return monitor_register_answer(request, &message, made.outputs, call, response);
}

static fallible handle(struct request *request, struct rpc_call *call, str bytes, str *response)
{
    Pb__RegisterResourceRequest *message = NULL;

    TRY(message_request(request->arena, &pb__register_resource_request__descriptor,
                        arena_copy(request->arena, bytes), (void **)&message));
    request->message = message;
    TRY(check_message(request, message));
    request->under_way = registrations_begin(request->monitor, message_str(message->parent));
    request->form.type = message_str(message->type);
    request->form.name = message_str(message->name);
    request->form.parent = message_str(message->parent);
    request->form.is_custom = message->custom;
    options_get(request->arena, WIRE_REGISTER, &message->base, &request->form.options);
    inherit(request);
    TRY(error_wrap(decode_inputs(request->monitor, request->arena,
                                 message_get_bytes(message, object), INPUTS_AS_OUTPUTS,
                                 &request->form.inputs),
                   "unmarshal properties"));
    TRY(decode_dependencies(request));
    complete_options(request, call);
    request->transforms = message->transforms;
    request->transform_count = message->n_transforms;
    if (message->n_transforms)
        request->form.inputs = transforms_upgrade(request->arena, request->form.inputs,
                                                  request->property_dependencies);
    TRY(transforms_take_pending(request->monitor, request->arena, &request->form, message->remote,
                                &request->transforms, &request->transform_count));
    TRY(monitor_transform(request->monitor, request->transforms, request->transform_count,
                          request->arena, &request->form));
    inherit_providers(request);
    TRY(redo_dependencies(request));
    TRY(register_choose_provider(request));
    return message->remote ? register_remote(request, call, response)
                           : register_local(request, call, response);
}

fallible monitor_register_resource(void *monitor_, struct rpc_call *call, str bytes, str *response)
{
    struct monitor *monitor = monitor_;
    struct registration *reg = registration_open(monitor->registrations);
    struct request request = { .monitor = monitor, .reg = reg, .arena = reg->arena };
    struct error *failure;

    failure = handle(&request, call, bytes, response);
    registrations_end(request.under_way);
    /* An answer that never came leaves the registration to the deployment: its steps may still be
     * running. */
    if (!failure || error_kind(failure) != ERROR_CANCELED)
        registration_close(monitor->registrations, reg);
    return failure;
}
