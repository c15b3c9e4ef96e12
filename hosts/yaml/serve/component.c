/* component.c — makes a component: registers it, evaluates its body below it, and registers its
 * outputs. */
#include "yaml/serve/component.h"

#include "fiber/fiber.h"
#include "model/urn.h"
#include "proto/message.h"
#include "proto/options_codec.h"
#include "yaml/check/check.h"
#include "yaml/eval/wire.h"

#include "pb/provider.pb-c.h"
#include "pb/resource.pb-c.h"

/* One component on its way. */
struct construction {
    struct component_run *run;
    struct arena *arena;
    const Pb__ConstructRequest *request;
    struct program *body;
    struct value inputs;
    str urn;
};

/* --- inputs --- */

static struct strs dependencies_of(struct construction *made, str input)
{
    for (size_t i = 0; i < made->request->n_input_dependencies; i++) {
        const Pb__UrnsEntry *entry = made->request->input_dependencies[i];
        if (str_equal(message_str(entry->key), input) && entry->value)
            return message_get_strs(made->arena, entry->value, urns);
    }
    return (struct strs){ 0 };
}

/* Each input with the resources it depends on. */
static fallible read_inputs(struct construction *made)
{
    static const struct unmarshal_options options = { .keep_unknowns = true,
                                                      .keep_secrets = true,
                                                      .keep_resources = true,
                                                      .keep_output_values = true };
    struct arena *arena = made->arena;
    struct value given;

    TRY(properties_unmarshal(arena, message_get_bytes(made->request, inputs), &options, &given));
    struct member *members = ARENA_ARRAY(arena, struct member, given.len + 1);
    for (uint32_t i = 0; i < given.len; i++) {
        struct strs urns = dependencies_of(made, given.members[i].key);
        struct taint taint = { 0 };
        struct value plain = output_strip(arena, given.members[i].value, &taint);
        for (size_t k = 0; k < urns.len; k++)
            taint_add(arena, &taint, urns.items[k]);
        members[i] = (struct member){ given.members[i].key, output_wrap(arena, plain, &taint) };
    }
    made->inputs = value_object(arena, members, given.len);
    return NULL;
}

/* --- the component itself --- */

static void component_put_options(struct construction *made, Pb__RegisterResourceRequest *out)
{
    const Pb__ConstructRequest *request = made->request;
    struct requested_options options = { 0 };

    options_get(made->arena, WIRE_CONSTRUCT, &request->base, &options);
    options_put(made->arena, WIRE_REGISTER, &options, &out->base);
    out->type = request->type;
    out->name = request->name;
    out->parent = request->parent;
    out->parent_stack_trace_handle = request->stack_trace_handle;
}

/* Of each input, as they were sent; none for one that has none. */
static void put_property_dependencies(struct construction *made, Pb__RegisterResourceRequest *out)
{
    struct property_dependency *lists =
        ARENA_ARRAY(made->arena, struct property_dependency, made->inputs.len + 1);

    for (uint32_t i = 0; i < made->inputs.len; i++) {
        str key = made->inputs.members[i].key;
        lists[i] = (struct property_dependency){ key, dependencies_of(made, key) };
    }
    out->property_dependencies = message_urns_entries(
        made->arena, (struct property_dependencies){ lists, made->inputs.len });
    out->n_property_dependencies = made->inputs.len;
}

static fallible register_component(struct construction *made)
{
    Pb__RegisterResourceRequest request = PB__REGISTER_RESOURCE_REQUEST__INIT;
    Pb__RegisterResourceResponse *answer = NULL;
    str bytes;

    component_put_options(made, &request);
    put_property_dependencies(made, &request);
    TRY(engine_marshal(&made->run->engine, made->arena, output_prune(made->arena, made->inputs),
                       ENGINE_VALUES, &bytes));
    message_put_bytes(&request, object, bytes);
    request.accept_secrets = true;
    request.accept_resources = true;
    request.accepts_byte_string = true;
    request.alias_specs = true;
    request.supports_partial_values = true;
    request.supports_result_reporting = true;
    TRY(made->run->engine.call(made->run->engine.context, MONITOR_METHOD("RegisterResource"),
                               &request.base, &pb__register_resource_response__descriptor,
                               made->arena, (void **)&answer));
    made->urn = message_str(answer->urn);
    return NULL;
}

static fallible read_providers(struct construction *made, struct registered_providers *out)
{
    const Pb__ConstructRequest *request = made->request;

    out->items = ARENA_ARRAY(made->arena, struct registered *, request->n_providers + 1);
    for (size_t i = 0; i < request->n_providers; i++) {
        struct registered *provider = ARENA_NEW(made->arena, struct registered);
        str id;
        TRY(provider_ref_parse(message_str(request->providers[i]->value), &provider->urn, &id));
        provider->id = value_string(id);
        provider->type = urn_type_of(provider->urn);
        provider->name = urn_name_of(provider->urn);
        provider->is_provider = true;
        provider->outputs = VALUE_EMPTY_OBJECT;
        out->items[out->len++] = provider;
    }
    return NULL;
}

/* --- its body --- */

struct preparation {
    struct graph *graph;
    struct construction *made;
    struct diags *diags;
};

static void component_build_graph(void *preparation_)
{
    struct preparation *preparation = preparation_;
    struct construction *made = preparation->made;
    struct config_value *given =
        ARENA_ARRAY(made->arena, struct config_value, made->inputs.len + 1);

    for (uint32_t i = 0; i < made->inputs.len; i++)
        given[i] =
            (struct config_value){ made->inputs.members[i].key, made->inputs.members[i].value };
    graph_set_default_providers(preparation->graph, preparation->diags);
    graph_build(preparation->graph, given, made->inputs.len, preparation->diags,
                preparation->diags);
}

static fallible as_error(struct construction *made, const struct diags *diags)
{
    if (diags->errors == 0)
        return NULL;
    return error_new(ERROR_INVALID, STR_FMT, STR_ARG(diags_text(made->arena, diags)));
}

static fallible component_evaluate(struct construction *made, struct graph *graph,
                                   struct schemas *schemas, struct diags *diags,
                                   struct value *outputs)
{
    const Pb__ConstructRequest *request = made->request;
    const struct run_settings settings = {
        .project = message_str(request->project),
        .stack = message_str(request->stack),
        .organization = message_str(request->organization),
        .root_directory = made->run->directory,
        .program_directory = made->run->directory,
        .is_preview = request->dry_run,
    };
    struct evaluator evaluator = {
        .arena = made->arena,
        .settings = &settings,
        .engine = made->run->engine,
        .graph = graph,
        .schemas = schemas,
        .packages = &made->run->loaded->packages,
        .diags = diags,
        .parent = made->urn,
        .component_name = message_str(request->name),
    };

    TRY(read_providers(made, &evaluator.providers));
    struct error *failure = evaluator_run(&evaluator, outputs);
    evaluator_release(&evaluator);
    return failure ? failure : as_error(made, diags);
}

static fallible run_body(struct construction *made, struct value *outputs)
{
    struct diags diags = { .arena = made->arena };
    struct graph graph;
    struct schemas schemas;
    struct preparation preparation = { &graph, made, &diags };

    graph_init(&graph, made->arena, made->body, message_str(made->request->project));
    schemas_init(&schemas, made->arena, made->run->loader, &made->run->loaded->packages);
    fiber_on_main_stack(component_build_graph, &preparation);
    if (diags.errors == 0)
        check_program(made->arena, &graph, &schemas, &diags);
    struct error *failure = as_error(made, &diags);
    if (!failure)
        failure = register_component(made);
    if (!failure)
        failure = component_evaluate(made, &graph, &schemas, &diags, outputs);
    schemas_release(&schemas);
    graph_release(&graph);
    diags_release(&diags);
    return failure;
}

/* --- its outputs --- */

static fallible component_register_outputs(struct construction *made, struct value outputs)
{
    Pb__RegisterResourceOutputsRequest request = PB__REGISTER_RESOURCE_OUTPUTS_REQUEST__INIT;
    void *answer;
    str bytes;

    TRY(engine_marshal(&made->run->engine, made->arena, outputs, ENGINE_VALUES, &bytes));
    request.urn = message_cstr(made->arena, made->urn);
    message_put_bytes(&request, outputs, bytes);
    return made->run->engine.call(made->run->engine.context,
                                  MONITOR_METHOD("RegisterResourceOutputs"), &request.base,
                                  &pb__empty__descriptor, made->arena, &answer);
}

static fallible pack_response(struct construction *made, struct value outputs, str *response)
{
    struct marshal_options options = ENGINE_VALUES;
    Pb__ConstructResponse answer = PB__CONSTRUCT_RESPONSE__INIT;
    struct property_dependency *lists =
        ARENA_ARRAY(made->arena, struct property_dependency, outputs.len + 1);
    str bytes;

    for (uint32_t i = 0; i < outputs.len; i++) {
        struct taint taint = { 0 };
        output_dependencies(made->arena, outputs.members[i].value, &taint);
        lists[i] = (struct property_dependency){ outputs.members[i].key,
                                                 { taint.dependencies, taint.len } };
    }
    options.keep_output_values = made->request->accepts_output_values;
    TRY(engine_marshal(&made->run->engine, made->arena, outputs, options, &bytes));
    answer.urn = message_cstr(made->arena, made->urn);
    message_put_bytes(&answer, state, bytes);
    answer.n_state_dependencies = outputs.len;
    answer.state_dependencies =
        message_urns_entries(made->arena, (struct property_dependencies){ lists, outputs.len });
    *response = MESSAGE_PACK(made->arena, &answer);
    return NULL;
}

static struct program *find_body(const struct program *plugin, str type)
{
    str prefix, name;

    if (!str_cut_last(type, STR(":"), &prefix, &name))
        return NULL;
    for (size_t i = 0; i < plugin->component_count; i++)
        if (str_equal(plugin->components[i].name, name))
            return plugin->components[i].body;
    return NULL;
}

fallible component_construct(struct component_run *run, const Pb__ConstructRequest *request,
                             str *response)
{
    struct construction made = { .run = run, .arena = run->arena, .request = request };
    struct value outputs = VALUE_EMPTY_OBJECT;

    made.body = find_body(run->loaded->program, message_str(request->type));
    if (!made.body)
        return error_new(ERROR_NOT_FOUND, "unknown component type '%s'", request->type);
    TRY(read_inputs(&made));
    TRY(run_register_packages(&run->engine, &run->loaded->packages));
    TRY(run_body(&made, &outputs));
    outputs = output_prune(made.arena, outputs);
    TRY(component_register_outputs(&made, outputs));
    return pack_response(&made, outputs, response);
}
