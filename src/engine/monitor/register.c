/* register.c — RegisterResource: from a message to a goal, through planning, to the answer. */
#include "engine/monitor/monitor.h"

#include "engine/deploy/deployment.h"
#include "engine/engine.h"
#include "engine/step/registration.h"
#include "model/urn.h"
#include "proto/marshal.h"
#include "proto/message.h"

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

/* What a child takes from its parent when it does not say itself. */
static void inherit(const struct request *request, Pb__RegisterResourceRequest *message)
{
    const struct remembered *parent =
        monitor_recall(request->monitor, message_str(message->parent));
    str urn, id;

    if (!parent)
        return;
    if (message->deleted_with[0] == '\0')
        message->deleted_with = message_cstr(request->arena, parent->deleted_with);
    if (!message_has(message, protect) && parent->has_protect)
        message_put(message, protect, parent->protect);
    if (!message_has(message, retain_on_delete) && parent->has_retain_on_delete)
        message_put(message, retain_on_delete, parent->retain_on_delete);
    if (message->provider[0] || parent->provider.len == 0)
        return;
    bool is_local_component = !message->remote && !message->custom;
    bool is_same_package = str_cut_last(parent->provider, STR("::"), &urn, &id)
                           && str_equal(type_provider_package(urn_type_of(urn)),
                                        type_package(message_str(message->type)));
    if (is_local_component || is_same_package)
        message->provider = message_cstr(request->arena, parent->provider);
}

static fallible check_message(const struct request *request,
                              const Pb__RegisterResourceRequest *message)
{
    struct urn parsed;
    str type = message_str(message->type);

    (void)request;
    if (message->n_state_migrations)
        return monitor_refuse(RPC_FAILED_PRECONDITION,
                              "state migrations are not supported by this deployment");
    if (message->parent[0]) {
        struct error *bad = urn_parse(message_str(message->parent), &parsed);
        if (bad) {
            struct error *refused = monitor_refuse(
                RPC_INVALID_ARGUMENT, "invalid parent URN: " STR_FMT, STR_ARG(error_message(bad)));
            error_free(bad);
            return refused;
        }
    }
    if ((message->custom || message->remote) && !type_token_is_valid(type))
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
static Pb__Alias *mend_node_alias(struct arena *arena, Pb__Alias *alias)
{
    if (alias->alias_case != PB__ALIAS__ALIAS_SPEC)
        return alias;
    Pb__Alias *mended = arena_copy_bytes(arena, alias, sizeof(*alias));
    Pb__Alias__Spec *spec = arena_copy_bytes(arena, alias->spec, sizeof(*spec));
    bool has_parent =
        spec->parent_case == PB__ALIAS__SPEC__PARENT_PARENT_URN && spec->parent_urn[0];
    bool has_none = spec->parent_case == PB__ALIAS__SPEC__PARENT_NO_PARENT && spec->no_parent;

    if (!has_parent) {
        spec->parent_case = PB__ALIAS__SPEC__PARENT_NO_PARENT;
        spec->no_parent = !has_none;
    }
    mended->spec = spec;
    return mended;
}

static bool is_from_node(struct rpc_call *call)
{
    str runtime = rpc_call_header(call, STR("pulumi-runtime"));
    if (runtime.len)
        return str_equal(runtime, STR("nodejs"));
    return str_starts_with(rpc_call_header(call, STR("user-agent")), STR("grpc-node-js/"));
}

static void collect_aliases(struct request *request, struct rpc_call *call,
                            Pb__TransformResourceOptions *options)
{
    const Pb__RegisterResourceRequest *message = request->message;
    bool needs_mending = !message->alias_specs && message->n_aliases && is_from_node(call);
    size_t count = message->n_alias_urns + message->n_aliases;

    options->aliases = ARENA_ARRAY(request->arena, Pb__Alias *, count + 1);
    for (size_t i = 0; i < message->n_alias_urns; i++) {
        Pb__Alias *alias = ARENA_NEW(request->arena, Pb__Alias);
        pb__alias__init(alias);
        alias->alias_case = PB__ALIAS__ALIAS_URN;
        alias->urn = message->alias_urns[i];
        options->aliases[options->n_aliases++] = alias;
    }
    for (size_t i = 0; i < message->n_aliases; i++)
        options->aliases[options->n_aliases++] =
            needs_mending ? mend_node_alias(request->arena, message->aliases[i])
                          : message->aliases[i];
}

static Pb__TransformResourceOptions *collect_options(struct request *request, struct rpc_call *call)
{
    const Pb__RegisterResourceRequest *message = request->message;
    Pb__TransformResourceOptions *options = ARENA_NEW(request->arena, Pb__TransformResourceOptions);

    pb__transform_resource_options__init(options);
#define CARRY_LIST(to, from) (options->n_##to = message->n_##from, options->to = message->from)
    CARRY_LIST(depends_on, dependencies);
    CARRY_LIST(ignore_changes, ignore_changes);
    CARRY_LIST(replace_on_changes, replace_on_changes);
    CARRY_LIST(hide_diff, hide_diffs);
    CARRY_LIST(replace_with, replace_with);
    CARRY_LIST(additional_secret_outputs, additional_secret_outputs);
    CARRY_LIST(providers, providers);
    CARRY_LIST(plugin_checksums, plugin_checksums);
#undef CARRY_LIST
    options->import = message->import_id;
    options->version = message->version;
    options->plugin_download_url = message->plugin_download_url;
    options->deleted_with = message->deleted_with;
    options->custom_timeouts = message->custom_timeouts;
    options->hooks = message->hooks;
    if (message_has(message, protect))
        message_put(options, protect, message->protect);
    if (message_has(message, retain_on_delete))
        message_put(options, retain_on_delete, message->retain_on_delete);
    if (message->delete_before_replace_defined || message->delete_before_replace)
        message_put(options, delete_before_replace, message->delete_before_replace);
    message_put_bytes(options, replacement_trigger,
                      message_get_bytes(message, replacement_trigger));
    collect_aliases(request, call, options);
    options->provider = message->provider;
    if (message->custom || message->remote)
        options->provider = message_cstr(
            request->arena,
            monitor_inherited_provider(request->monitor, message_str(message->provider),
                                       message->providers, message->n_providers,
                                       request->form.parent, type_package(request->form.type)));
    return options;
}

/* Without property dependencies every property depends on everything. */
static fallible decode_dependencies(struct request *request)
{
    const Pb__RegisterResourceRequest *message = request->message;
    const struct value inputs = request->form.inputs;

    TRY(decode_urns(request->arena, message->dependencies, message->n_dependencies,
                    "dependency URN", &request->dependencies));
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
        struct strs ignored;
        if (urns)
            TRY(decode_urns(request->arena, urns->urns, urns->n_urns, "dependency on property URN",
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
        add_output_dependencies(request->arena, &urns, inputs.members[i].value);
        items[len++] = (struct property_dependency){ key, urns };
        if (starts_anew)
            request->dependencies = strs_union(request->arena, request->dependencies, urns);
    }
    for (; at < given.len && !starts_anew; at++)
        items[len++] = given.items[at];
    request->property_dependencies = (struct property_dependencies){ items, len };
}

/* A program that does not say which property depends on what: the dependencies that one output
 * brings are those of every property that the program gave. A property that a transform added has
 * only its own (scenario transform-old-sdk). */
static void share_dependencies(struct request *request)
{
    const struct value inputs = request->form.inputs;
    const struct property_dependencies given = request->property_dependencies;
    struct property_dependency *items =
        ARENA_ARRAY(request->arena, struct property_dependency, given.len + 1);

    for (uint32_t i = 0; i < inputs.len; i++)
        if (property_dependencies_find(given, inputs.members[i].key))
            add_output_dependencies(request->arena, &request->dependencies,
                                    inputs.members[i].value);
    for (size_t i = 0; i < given.len; i++)
        items[i] = (struct property_dependency){ given.items[i].key, request->dependencies };
    request->property_dependencies = (struct property_dependencies){ items, given.len };
}

static fallible redo_dependencies(struct request *request)
{
    const Pb__TransformResourceOptions *options = request->form.options;
    bool has_own_transforms = request->message->n_transforms > 0;

    if (has_own_transforms)
        TRY(decode_urns(request->arena, options->depends_on, options->n_depends_on,
                        "dependency URN", &request->dependencies));
    else if (request->message->n_property_dependencies == 0 && !request->message->remote)
        share_dependencies(request);
    extend_dependencies(request, has_own_transforms);
    return NULL;
}

/* Everything that names a plugin goes into a provider's inputs. */
static fallible complete_provider_inputs(struct request *request)
{
    struct monitor *monitor = request->monitor;
    const Pb__TransformResourceOptions *options = request->form.options;
    struct value *inputs = &request->form.inputs;
    str version = message_str(options->version), url = message_str(options->plugin_download_url);
    struct semver parsed;

    if (version.len && !semver_parse(version, &parsed))
        return error_new(ERROR_OTHER,
                         "passed invalid version: '" STR_FMT "' is not a semantic version",
                         STR_ARG(version));
    if (version.len)
        provider_inputs_set_version(request->arena, inputs, version);
    if (url.len)
        provider_inputs_set_internal(request->arena, inputs, STR("pluginDownloadURL"),
                                     value_string(url));
    if (request->message->n_env_var_mappings) {
        struct value mappings = VALUE_EMPTY_OBJECT;
        for (size_t i = 0; i < request->message->n_env_var_mappings; i++)
            mappings = value_with(
                request->arena, mappings, message_str(request->message->env_var_mappings[i]->key),
                value_string(message_str(request->message->env_var_mappings[i]->value)));
        provider_inputs_set_internal(request->arena, inputs, STR("envVarMappings"), mappings);
    }
    str ref = message_str(request->message->package_ref);
    if (ref.len) {
        const struct package *package = monitor_find_package(monitor, ref);
        if (!package)
            return error_new(ERROR_OTHER, "unknown provider package '" STR_FMT "'", STR_ARG(ref));
        provider_inputs_set_wish(request->arena, inputs, &package->wish);
    }
    const struct provider_wish *fallback =
        map_find(&monitor->default_versions, type_provider_package(request->form.type));
    if (fallback && version.len == 0 && url.len == 0) {
        /* The plugin's, where a parameter makes the package (scenario package-explicit-provider) */
        str chosen = fallback->is_parameterized ? fallback->plugin_version : fallback->version;
        if (chosen.len)
            provider_inputs_set_version(request->arena, inputs, chosen);
        if (fallback->download_url.len)
            provider_inputs_set_internal(request->arena, inputs, STR("pluginDownloadURL"),
                                         value_string(fallback->download_url));
    }
    return NULL;
}

static fallible choose_provider(struct request *request)
{
    const Pb__RegisterResourceRequest *message = request->message;
    const Pb__TransformResourceOptions *options = request->form.options;
    struct provider_wish wish;

    request->provider = message_str(options->provider);
    if (type_is_provider(request->form.type) && message->custom) {
        request->provider = STR("");
        return complete_provider_inputs(request);
    }
    if (!message->custom && !message->remote) {
        request->provider = STR("");
        return NULL;
    }
    TRY(monitor_wish(request->monitor, type_package(request->form.type), options->version,
                     options->plugin_download_url, message->package_ref, &wish));
    if (options->n_plugin_checksums)
        wish.checksums = checksums_decode(request->arena, options->plugin_checksums,
                                          options->n_plugin_checksums);
    return monitor_provider_reference(request->monitor, wish, message_str(options->provider),
                                      request->arena, &request->provider);
}

static void collect_hooks(struct arena *arena, const Pb__ResourceHooksBinding *hooks,
                          struct strs *out)
{
    if (!hooks)
        return;
    out[HOOK_BEFORE_CREATE] = message_get_strs(arena, hooks, before_create);
    out[HOOK_AFTER_CREATE] = message_get_strs(arena, hooks, after_create);
    out[HOOK_BEFORE_UPDATE] = message_get_strs(arena, hooks, before_update);
    out[HOOK_AFTER_UPDATE] = message_get_strs(arena, hooks, after_update);
    out[HOOK_BEFORE_DELETE] = message_get_strs(arena, hooks, before_delete);
    out[HOOK_AFTER_DELETE] = message_get_strs(arena, hooks, after_delete);
    out[HOOK_ON_ERROR] = message_get_strs(arena, hooks, on_error);
}

static fallible decode_trigger(struct request *request, struct value *out)
{
    str bytes = message_get_bytes(request->form.options, replacement_trigger);
    const struct unmarshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .keep_resources = true,
        .keep_output_values = true,
        .label = "replacementTrigger",
    };

    *out = value_null();
    return bytes.ptr ? property_unmarshal(request->arena, bytes, &options, out) : NULL;
}

static fallible decode_options(struct request *request, struct resource_options *out)
{
    const Pb__TransformResourceOptions *options = request->form.options;
    struct urn parsed;

    out->protect = message_has(options, protect) && options->protect;
    out->retain_on_delete = message_has(options, retain_on_delete) && options->retain_on_delete;
    out->deleted_with = message_str(options->deleted_with);
    if (out->deleted_with.len)
        TRY(error_wrap(urn_parse(out->deleted_with, &parsed), "invalid DeletedWith URN"));
    out->replace_with = message_get_strs(request->arena, options, replace_with);
    out->ignore_changes = message_get_strs(request->arena, options, ignore_changes);
    out->replace_on_changes = message_get_strs(request->arena, options, replace_on_changes);
    out->hide_diff = message_get_strs(request->arena, options, hide_diff);
    out->additional_secret_outputs =
        message_get_strs(request->arena, options, additional_secret_outputs);
    TRY(decode_timeouts(options->custom_timeouts, &out->custom_timeouts));
    TRY(decode_trigger(request, &out->replacement_trigger));
    collect_hooks(request->arena, options->hooks, out->hooks);
    out->import_id = message_str(options->import);
    out->snippet_id = message_str(request->message->snippet_id);
    out->source_position =
        decode_position(request->monitor, request->arena, request->message->source_position);
    out->stack_trace = decode_trace(request->monitor, request->arena, request->message->stack_trace,
                                    request->message->parent_stack_trace_handle);
    return NULL;
}

static fallible fill_goal(struct request *request)
{
    struct goal *goal = &request->reg->goal;
    const Pb__TransformResourceOptions *options = request->form.options;

    goal->type = request->form.type;
    goal->name = request->form.name;
    goal->parent = request->form.parent;
    goal->is_custom = request->message->custom;
    goal->inputs = value_without_outputs(request->arena, request->form.inputs);
    goal->dependencies = request->dependencies;
    goal->property_dependencies = request->property_dependencies;
    goal->provider = request->provider;
    goal->has_protect = message_has(options, protect);
    goal->has_retain_on_delete = message_has(options, retain_on_delete);
    goal->has_delete_before_replace = message_has(options, delete_before_replace);
    goal->deletes_before_replace =
        goal->has_delete_before_replace && options->delete_before_replace;
    TRY(decode_aliases(request->arena, options->aliases, options->n_aliases, &goal->aliases,
                       &goal->alias_count));
    TRY(decode_options(request, &goal->options));
    const struct package *package =
        monitor_find_package(request->monitor, message_str(request->message->package_ref));
    request->reg->extension = package ? package->extension : NULL;
    return NULL;
}

/* `providers` of a component reach its children, on top of what it inherited. */
static void inherit_providers(struct request *request)
{
    Pb__TransformResourceOptions *options = request->form.options;
    const struct remembered *parent = monitor_recall(request->monitor, request->form.parent);

    if (request->message->custom || !parent || parent->providers_len == 0)
        return;
    Pb__StringEntry **all = ARENA_ARRAY(request->arena, Pb__StringEntry *,
                                        options->n_providers + parent->providers_len / 2 + 1);
    size_t len = options->n_providers;
    if (len)
        memcpy(all, options->providers, len * sizeof(*all));
    for (size_t i = 0; i + 1 < parent->providers_len; i += 2) {
        bool is_given = false;
        for (size_t j = 0; j < options->n_providers; j++)
            is_given = is_given
                       || str_equal(message_str(options->providers[j]->key), parent->providers[i]);
        if (is_given)
            continue;
        all[len] = ARENA_NEW(request->arena, Pb__StringEntry);
        pb__string_entry__init(all[len]);
        all[len]->key = message_cstr(request->arena, parent->providers[i]);
        all[len++]->value = message_cstr(request->arena, parent->providers[i + 1]);
    }
    options->providers = all;
    options->n_providers = len;
}

static void remember(struct request *request, str urn, bool has_id)
{
    struct monitor *monitor = request->monitor;
    struct arena *arena = monitor->arena;
    const Pb__TransformResourceOptions *options = request->form.options;
    struct remembered *remembered = ARENA_NEW(arena, struct remembered);

    if (urn.len == 0)
        return;
    remembered->parent = arena_copy(arena, request->form.parent);
    remembered->is_custom = request->message->custom;
    remembered->has_id = has_id;
    remembered->has_protect = message_has(options, protect);
    remembered->protect = remembered->has_protect && options->protect;
    remembered->has_retain_on_delete = message_has(options, retain_on_delete);
    remembered->retain_on_delete = remembered->has_retain_on_delete && options->retain_on_delete;
    remembered->deleted_with = arena_copy(arena, message_str(options->deleted_with));
    remembered->provider =
        arena_copy(arena, request->message->remote ? STR("") : request->provider);
    if (!request->message->custom) {
        str *pairs = ARENA_ARRAY(arena, str, options->n_providers * 2 + 1);
        for (size_t i = 0; i < options->n_providers; i++) {
            pairs[2 * i] = arena_copy(arena, message_str(options->providers[i]->key));
            pairs[2 * i + 1] = arena_copy(arena, message_str(options->providers[i]->value));
        }
        remembered->providers = pairs;
        remembered->providers_len = options->n_providers * 2;
    }
    remembered->transforms = transforms_own(arena, request->transforms, request->transform_count);
    remembered->transform_count = request->transform_count;
    map_put(&monitor->remembered, arena_copy(arena, urn), remembered);
}

static struct value drop_unknown_members(struct arena *arena, struct value outputs)
{
    for (uint32_t i = outputs.len; i-- > 0;)
        if (value_contains_unknown(outputs.members[i].value))
            outputs = value_without(arena, outputs, outputs.members[i].key);
    return outputs;
}

static fallible answer(struct request *request, Pb__RegisterResourceResponse *message,
                       struct value outputs, struct rpc_call *call, str *response)
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
    remember(request, state ? state->urn : STR(""), state && state->id.len > 0);
    message.urn = message_cstr(rpc_call_arena(call), state->urn);
    message.id = message_cstr(rpc_call_arena(call), state->id);
    message.result = reg->result == REGISTRATION_FAILED    ? PB__RESULT__FAIL
                     : reg->result == REGISTRATION_SKIPPED ? PB__RESULT__SKIP
                                                           : PB__RESULT__SUCCESS;
    message.unknown = reg->is_unknown;
    bool has_outputs = state->is_custom && !reg->is_unknown;
    return answer(request, &message, has_outputs ? state->outputs : VALUE_EMPTY_OBJECT, call,
                  response);
}

static fallible register_remote(struct request *request, struct rpc_call *call, str *response)
{
    struct monitor *monitor = request->monitor;
    Pb__RegisterResourceRequest passed_on = *request->message;
    struct construct_answer made = { 0 };
    struct value trigger;
    Pb__RegisterResourceResponse message = PB__REGISTER_RESOURCE_RESPONSE__INIT;

    TRY(decode_trigger(request, &trigger));
    construct_carry_options(&passed_on, request->form.options, trigger.kind != VALUE_NULL);
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
        .options = &passed_on,
        .dependencies = request->dependencies,
        .stack_trace_handle = handle,
    };
    struct error *failure =
        monitor_construct(monitor, request->arena, &construct, request->provider,
                          message_str(passed_on.package_ref), &made);
    trace_drop(monitor, handle);
    TRY(failure);
    remember(request, made.urn, true);
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
    return answer(request, &message, made.outputs, call, response);
}

static fallible handle(struct request *request, struct rpc_call *call, str bytes, str *response)
{
    Pb__RegisterResourceRequest *message = NULL;
    str label;

    TRY(message_request(request->arena, &pb__register_resource_request__descriptor,
                        arena_copy(request->arena, bytes), (void **)&message));
    request->message = message;
    TRY(check_message(request, message));
    request->under_way = registrations_begin(request->monitor, message_str(message->parent));
    inherit(request, message);
    request->form.type = message_str(message->type);
    request->form.name = message_str(message->name);
    request->form.parent = message_str(message->parent);
    request->form.is_custom = message->custom;
    label = arena_printf(request->arena, "ResourceMonitor.RegisterResource(%s,%s)", message->type,
                         message->name);
    enum input_form form = message->remote ? INPUTS_REMOTE : INPUTS_OF_OWN;
    TRY(error_wrap(decode_inputs(request->monitor, request->arena,
                                 message_get_bytes(message, object), form, label.ptr,
                                 &request->form.inputs),
                   "unmarshal properties"));
    TRY(decode_dependencies(request));
    request->form.options = collect_options(request, call);
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
    TRY(choose_provider(request));
    return message->remote ? register_remote(request, call, response)
                           : register_local(request, call, response);
}

struct error *monitor_register_resource(void *monitor_, struct rpc_call *call, str bytes,
                                        str *response)
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
