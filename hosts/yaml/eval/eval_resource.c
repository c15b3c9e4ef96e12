/* eval_resource.c — registers a resource, or reads one. */
#include "yaml/eval/registration.h"

#include "pb/resource.pb-c.h"

#include "model/signatures.h"
#include "model/urn.h"
#include "proto/message.h"
#include "proto/options_codec.h"
#include "yaml/eval/wire.h"

#include <stdlib.h>

#define STACK_REFERENCE_TYPE STR("pulumi:pulumi:StackReference")

/* --- inputs --- */

static int compare_names(const void *a, const void *b)
{
    return str_compare(*(const str *)a, *(const str *)b);
}

static struct strs sorted(str *items, size_t len)
{
    if (len)
        qsort(items, len, sizeof(*items), compare_names);
    return (struct strs){ items, len };
}

bool registration_inputs(struct registration *reg, struct value inputs, bool keeps_outputs,
                         str *bytes, struct strs *dependencies,
                         struct property_dependencies *by_property)
{
    struct marshal_options options = ENGINE_VALUES;
    struct arena *arena = reg->arena;
    struct member *members = ARENA_ARRAY(arena, struct member, inputs.len + 1);
    struct property_dependency *lists =
        ARENA_ARRAY(arena, struct property_dependency, inputs.len + 1);
    struct taint all = { 0 };
    size_t len = 0;

    for (uint32_t i = 0; i < inputs.len; i++) {
        struct taint taint = { 0 };
        output_dependencies(arena, inputs.members[i].value, &taint);
        struct value value = output_prune(arena, inputs.members[i].value);
        if (value.kind == VALUE_NULL && taint.len == 0)
            continue;
        members[len] = (struct member){ inputs.members[i].key, value };
        lists[len++] = (struct property_dependency){ inputs.members[i].key,
                                                     sorted(taint.dependencies, taint.len) };
        taint_merge(arena, &all, &taint);
    }
    *by_property = (struct property_dependencies){ lists, len };
    struct strs together =
        strs_union(arena, (struct strs){ all.dependencies, all.len }, reg->options.depends_on);
    *dependencies =
        sorted(arena_copy_bytes(arena, together.items, together.len * sizeof(str)), together.len);
    options.keep_output_values = keeps_outputs;
    struct error *failure = engine_marshal(&reg->task->evaluator->engine, arena,
                                           value_object(arena, members, len), options, bytes);
    return !failure || task_broken(reg->task, failure);
}

static struct value as_secret(struct arena *arena, struct value value)
{
    struct taint taint = { .is_output = true, .is_secret = true };
    struct value plain = output_strip(arena, value, &taint);

    return output_wrap(arena, plain, &taint);
}

/* What the schema calls secret is secret, and what it calls constant is there. */
static struct value obey_schema(struct registration *reg, struct value inputs)
{
    const struct schema_properties *known = &reg->schema->inputs;

    for (size_t i = 0; i < known->len; i++) {
        const struct value *given = value_find(inputs, known->items[i].name);
        if (known->items[i].is_secret && given)
            inputs =
                value_with(reg->arena, inputs, known->items[i].name, as_secret(reg->arena, *given));
    }
    for (size_t i = 0; i < reg->schema->outputs.len; i++)
        if (reg->schema->outputs.items[i].has_constant)
            inputs = value_with(reg->arena, inputs, reg->schema->outputs.items[i].name,
                                reg->schema->outputs.items[i].constant);
    return inputs;
}

static bool eval_properties(struct registration *reg, struct properties properties,
                            struct value *out)
{
    struct member *members = ARENA_ARRAY(reg->arena, struct member, properties.len + 1);
    size_t left = evaluator_limit(reg->task->evaluator);
    bool is_good = true;

    for (size_t i = 0; i < properties.len; i++) {
        members[i].key = properties.items[i].name;
        if (eval_expr(reg->task, properties.items[i].value, &members[i].value))
            continue;
        is_good = false;
        if (reg->task->is_poisoned)
            return false;
    }
    *out = value_object(reg->arena, members, properties.len);
    if (is_good && !value_weigh(*out, &left))
        return task_too_large(reg->task, reg->decl->range, "the properties take");
    return is_good;
}

/* All properties come from one output: each carries its marks. What is not known is unknown for
 * every input there is. */
static struct value spread_output(struct registration *reg, struct value plain,
                                  const struct taint *taint)
{
    size_t known = reg->schema ? reg->schema->inputs.len : 0;
    struct member *members = ARENA_ARRAY(reg->arena, struct member, plain.len + known + 1);
    size_t len = 0;

    for (uint32_t i = 0; !taint->is_unknown && i < plain.len; i++)
        members[len++] = (struct member){ plain.members[i].key,
                                          output_wrap(reg->arena, plain.members[i].value, taint) };
    for (size_t i = 0; taint->is_unknown && i < known; i++)
        members[len++] =
            (struct member){ reg->schema->inputs.items[i].name, output_unknown(reg->arena, taint) };
    return value_object(reg->arena, members, len);
}

static bool eval_properties_expr(struct registration *reg, const struct expr *expr,
                                 struct value *out)
{
    struct taint taint = { 0 };
    struct value value;

    if (!eval_expr(reg->task, expr, &value))
        return false;
    if (value.kind == VALUE_OBJECT) {
        *out = value;
        return true;
    }
    struct value plain = output_strip(reg->arena, value, &taint);
    if (plain.kind != VALUE_OBJECT && !taint.is_unknown)
        return task_fail(reg->task, expr->range, "properties must be a plain object value was %s",
                         value_kind_text(plain));
    *out = spread_output(reg, taint.is_unknown ? VALUE_EMPTY_OBJECT : plain, &taint);
    return true;
}

/* --- answers --- */

static struct registered *new_registered(struct registration *reg, str urn)
{
    struct registered *resource = ARENA_NEW(reg->arena, struct registered);

    *resource = (struct registered){
        .urn = arena_copy(reg->arena, urn),
        .name = reg->name,
        .type = reg->type,
        .is_provider = type_is_provider(reg->type),
        .schema = reg->schema,
        .providers = reg->own_providers,
        .outputs = VALUE_EMPTY_OBJECT,
    };
    return resource;
}

static struct value id_value(str id, bool is_unknown)
{
    if (is_unknown || id.len == 0 || str_equal(id, UNKNOWN_STRING_TEXT))
        return value_computed(UNKNOWN_STRING);
    return value_string(id);
}

static bool resource_finish(struct registration *reg, struct registered *resource, str outputs,
                            struct registered **out)
{
    struct error *failure =
        properties_unmarshal(reg->arena, outputs, &answer_options, &resource->outputs);

    if (failure)
        return task_broken(reg->task, failure);
    map_put(&reg->task->evaluator->by_urn, resource->urn, resource);
    *out = resource;
    return true;
}

/* --- registering --- */

static bool register_resource(struct registration *reg, struct value inputs,
                              struct registered **out)
{
    struct evaluator *evaluator = reg->task->evaluator;
    Pb__RegisterResourceRequest request = PB__REGISTER_RESOURCE_REQUEST__INIT;
    bool is_component = reg->schema && reg->schema->is_component;
    struct property_dependencies by_property;
    Pb__RegisterResourceResponse *answer = NULL;
    str bytes;

    if (!registration_inputs(reg, inputs, is_component, &bytes, &reg->options.depends_on,
                             &by_property))
        return false;
    message_put_bytes(&request, object, bytes);
    options_put(reg->arena, WIRE_REGISTER, &reg->options, &request.base);
    request.parent = message_cstr(reg->arena, reg->parent_urn);
    request.property_dependencies = message_urns_entries(reg->arena, by_property);
    request.n_property_dependencies = by_property.len;
    request.type = message_cstr(reg->arena, reg->type);
    request.name = message_cstr(reg->arena, reg->name);
    request.custom = !is_component;
    request.remote = is_component;
    request.accept_secrets = true;
    request.accept_resources = true;
    request.accepts_byte_string = true;
    request.supports_partial_values = true;
    request.supports_result_reporting = true;
    request.alias_specs = true;
    if (!reg->decl->options.version && !reg->decl->options.plugin_download_url)
        request.package_ref = message_cstr(reg->arena, reg->package_ref);
    struct error *failure = evaluator->engine.call(
        evaluator->engine.context, MONITOR_METHOD("RegisterResource"), &request.base,
        &pb__register_resource_response__descriptor, reg->arena, (void **)&answer);
    if (failure)
        return task_broken(reg->task, failure);
    struct registered *resource = new_registered(reg, message_str(answer->urn));
    resource->is_unknown = answer->result != PB__RESULT__SUCCESS || answer->unknown;
    resource->id = is_component ? value_null() : id_value(message_str(answer->id), answer->unknown);
    return resource_finish(reg, resource, message_get_bytes(answer, object), out);
}

/* --- reading --- */

/* Not known yet: neither is anything of the resource. */
static bool assume_read(struct registration *reg, struct registered **out)
{
    const struct run_settings *settings = reg->task->evaluator->settings;
    str parent = reg->parent ? reg->parent->urn : reg->task->evaluator->parent;
    struct registered *resource =
        new_registered(reg, urn_make(reg->arena, settings->stack, settings->project, parent,
                                     reg->type, reg->name));

    resource->id = value_computed(UNKNOWN_STRING);
    resource->is_unknown = true;
    map_put(&reg->task->evaluator->by_urn, resource->urn, resource);
    *out = resource;
    return true;
}

static bool read_resource(struct registration *reg, str id, struct value state,
                          struct registered **out)
{
    struct evaluator *evaluator = reg->task->evaluator;
    Pb__ReadResourceRequest request = PB__READ_RESOURCE_REQUEST__INIT;
    Pb__ReadResourceResponse *answer = NULL;
    struct property_dependencies by_property;
    str bytes;

    if (!registration_inputs(reg, state, false, &bytes, &reg->options.depends_on, &by_property))
        return false;
    request.id = message_cstr(reg->arena, id);
    request.type = message_cstr(reg->arena, reg->type);
    request.name = message_cstr(reg->arena, reg->name);
    request.parent = message_cstr(reg->arena, reg->parent_urn);
    message_put_bytes(&request, properties, bytes);
    options_put(reg->arena, WIRE_READ, &reg->options, &request.base);
    request.accept_secrets = true;
    request.accept_resources = true;
    request.accepts_byte_string = true;
    if (!reg->decl->options.version && !reg->decl->options.plugin_download_url)
        request.package_ref = message_cstr(reg->arena, reg->package_ref);
    struct error *failure = evaluator->engine.call(
        evaluator->engine.context, MONITOR_METHOD("ReadResource"), &request.base,
        &pb__read_resource_response__descriptor, reg->arena, (void **)&answer);
    if (failure)
        return task_broken(reg->task, failure);
    struct registered *resource = new_registered(reg, message_str(answer->urn));
    resource->id = id_value(id, false);
    return resource_finish(reg, resource, message_get_bytes(answer, properties), out);
}

static bool read_by_id(struct registration *reg, struct registered **out)
{
    const struct expr *expr = reg->decl->get_id;
    struct taint taint = { 0 };
    struct value id, state;

    if (!eval_plain(reg->task, expr, &id, &taint))
        return reg->task->is_poisoned
                   ? false
                   : task_fail(reg->task, expr->range, "unable to evaluate get.id");
    if (!eval_properties(reg, reg->decl->get_state, &state))
        return false;
    if (taint.is_unknown)
        return assume_read(reg, out);
    if (id.kind != VALUE_STRING)
        return task_fail(reg->task, expr->range, "get.id must be a string, instead got %s",
                         value_kind_text(id));
    return read_resource(reg, value_text(id), state, out);
}

static bool read_stack_reference(struct registration *reg, struct value inputs,
                                 struct registered **out)
{
    const struct value *given = value_find(inputs, STR("name"));
    struct taint taint = { 0 };
    struct value name =
        given ? output_strip(reg->arena, *given, &taint) : value_string(reg->decl->key);

    if (taint.is_unknown)
        return assume_read(reg, out);
    if (name.kind != VALUE_STRING)
        return task_fail(reg->task, reg->decl->range,
                         "'name' property must be a string, instead got %s", value_kind_text(name));
    return read_resource(reg, value_text(name), value_with(reg->arena, inputs, STR("name"), name),
                         out);
}

/* --- one declaration --- */

static str resource_name(struct arena *arena, const struct evaluator *evaluator,
                         const struct resource_decl *decl)
{
    str name = expr_string(decl->name).len ? expr_string(decl->name) : decl->key;

    if (evaluator->component_name.len == 0)
        return name;
    return arena_concat(arena, evaluator->component_name, STR("-"), name);
}

static bool resolve_type(struct registration *reg)
{
    const struct resource_decl *decl = reg->decl;
    struct found_token found;
    struct error *failure = schemas_resource(
        reg->task->evaluator->schemas, expr_string(decl->type), expr_string(decl->options.version),
        expr_string(decl->options.plugin_download_url), &found, &reg->schema);

    if (!failure) {
        reg->type = found.full;
        reg->package_ref = found.package_ref;
        return true;
    }
    str reason = arena_copy(reg->arena, error_message(failure));
    error_free(failure);
    return task_fail(reg->task, decl->type->range,
                     "error resolving type of resource " STR_FMT ": " STR_FMT, STR_ARG(decl->key),
                     STR_ARG(reason));
}

bool eval_resource(struct task *task, struct registered **out)
{
    struct evaluator *evaluator = task->evaluator;
    struct registration reg = { .task = task,
                                .arena = evaluator->arena,
                                .decl = task->node->resource };
    struct value inputs = VALUE_EMPTY_OBJECT;

    reg.name = resource_name(reg.arena, evaluator, reg.decl);
    if (!resolve_type(&reg))
        return false;
    bool is_good = reg.decl->properties_expr
                       ? eval_properties_expr(&reg, reg.decl->properties_expr, &inputs)
                       : eval_properties(&reg, reg.decl->properties, &inputs);
    if (!is_good || !registration_options(&reg))
        return false;
    if (evaluator->has_failed && evaluator->failed_at < task->node->position)
        return false; /* the program is wrong: nothing more is made of it */
    if (reg.name.len == 0)
        return task_fail(task, reg.decl->range,
                         "resource name argument (for URN creation) cannot be empty");
    if (str_equal(reg.type, STACK_REFERENCE_TYPE))
        return read_stack_reference(&reg, inputs, out);
    if (reg.decl->get_id)
        return read_by_id(&reg, out);
    if (reg.schema)
        inputs = obey_schema(&reg, inputs);
    return register_resource(&reg, inputs, out);
}

bool eval_read_stack(struct task *task, struct range range, str name, struct registered **out)
{
    struct evaluator *evaluator = task->evaluator;
    static const struct resource_decl no_options = { 0 };
    struct registration reg = {
        .task = task, .arena = evaluator->arena, .decl = &no_options, .name = name
    };
    const struct member member = { STR("name"), value_string(name) };

    (void)range;
    *out = map_find(&evaluator->stack_references, name);
    if (*out)
        return true;
    reg.type = STACK_REFERENCE_TYPE;
    reg.parent_urn = evaluator->parent;
    if (!read_resource(&reg, name, value_object(reg.arena, &member, 1), out))
        return false;
    map_put(&evaluator->stack_references, name, *out);
    return true;
}
