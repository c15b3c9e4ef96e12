/* go_method.c — methods of resources: calls of the provider about one of them. */
#include "go/sdk/go_parts.h"

#include "common/names.h"

struct go_method {
    const struct schema_function *function;
    str name; /* of the method */
    str full; /* with the resource before it: types of it begin so */
    str resource;
    struct schema_properties inputs;  /* without the resource itself */
    struct schema_properties outputs; /* of the object that it gives */
    bool gives_object;
    bool is_lifted; /* its result is the only property of that object */
    str result;     /* the type of its result */
};

static struct schema_properties inputs_without_self(struct arena *arena,
                                                    struct schema_properties inputs)
{
    struct schema_property *kept = ARENA_ARRAY(arena, struct schema_property, inputs.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < inputs.len; i++)
        if (!str_equal(inputs.items[i].name, STR("__self__")))
            kept[len++] = inputs.items[i];
    return (struct schema_properties){ kept, len };
}

/* A value that is no object travels under this name. */
static struct schema_properties single_output(struct arena *arena, struct schema_type *type)
{
    struct schema_property *single = ARENA_NEW(arena, struct schema_property);

    *single = (struct schema_property){ .name = STR("res"), .type = type, .is_required = true };
    return (struct schema_properties){ single, 1 };
}

static struct go_method method_of(struct go_file *file, const struct go_resource *planned,
                                  const struct pair *pair, const struct schema_function *function)
{
    struct arena *arena = file->arena;
    struct go_method method = {
        .function = function,
        .name = go_title(arena, pair->key),
        .resource = planned->name,
        .inputs = inputs_without_self(arena, function->inputs),
        .outputs = function->outputs,
        .gives_object = function->has_outputs && !function->result,
    };
    str base = planned->name;

    if (function->object && schema_type_properties(function->object))
        method.outputs = *schema_type_properties(function->object);
    if (function->result && function->gives_plain)
        method.outputs = single_output(arena, function->result);
    method.is_lifted =
        method.gives_object && method.outputs.len == 1 && file->sdk->settings.lifts_results;
    method.full = arena_concat(arena, base, method.name);
    if (method.is_lifted)
        base = name_camel(arena, base);
    method.result = arena_concat(arena, base, method.name, STR("Result"));
    return method;
}

/* --- the method itself --- */

static str method_returns(struct go_file *file, const struct go_method *method)
{
    struct arena *arena = file->arena;
    const struct schema_function *function = method->function;

    if (function->gives_plain && method->gives_object)
        return arena_concat(arena, STR("(o "), method->result, STR(", e error)"));
    if (function->gives_plain && function->result)
        return arena_concat(arena, STR("(o "), go_plain_text(file, function->result, false),
                            STR(", e error)"));
    if (!method->gives_object)
        return STR("error");
    str output = method->is_lifted ? go_output_text(file, method->outputs.items[0].type,
                                                    !method->outputs.items[0].is_required)
                                   : arena_concat(arena, method->result, STR("Output"));
    return arena_concat(arena, STR("("), output, STR(", error)"));
}

static void put_plain_call(struct go_file *file, const struct go_method *method, str inputs)
{
    go_put(file,
           "\t$1.CallPlain(ctx, $2, $3, $4Output{}, r, $5, reflect.ValueOf(&o), &e)\n\treturn\n",
           go_internal(file), go_quoted(file->arena, method->function->token), inputs,
           method->result, method->gives_object ? STR("\"\"") : STR("\"Res\""));
}

static void put_method_call(struct go_file *file, const struct go_method *method, str inputs)
{
    struct arena *arena = file->arena;
    bool has_reference = file->sdk->is_parameterized;
    str output = method->gives_object ? arena_concat(arena, method->result, STR("Output"))
                                      : STR("pulumi.AnyOutput");
    str returns = output;

    if (method->is_lifted)
        returns = go_output_text(file, method->outputs.items[0].type,
                                 !method->outputs.items[0].is_required);
    str nothing = method->gives_object ? arena_concat(arena, returns, STR("{}, ")) : STR("");
    go_put_package_reference(file, nothing);
    go_put(file, "\t$1, err $7 ctx.Call$2($3, $4, $5{}, r$6)\n",
           method->gives_object ? STR("out") : STR("_"), has_reference ? STR("Package") : STR(""),
           go_quoted(arena, method->function->token), inputs, output,
           has_reference ? STR(", ref") : STR(""),
           has_reference && !method->gives_object ? STR("=") : STR(":="));
    if (!method->gives_object) {
        go_put(file, "\treturn err\n", STR(""));
        return;
    }
    go_put(file,
           "\tif err != nil {\n"
           "\t\treturn $1err\n"
           "\t}\n"
           "\treturn out.($2)$3, nil\n",
           nothing, output,
           method->is_lifted ? arena_concat(
               arena, STR("."),
               go_getter_name(arena, method->outputs.items[0].name, STR(""), false), STR("()"))
                             : STR(""));
}

static void put_method(struct go_file *file, const struct go_method *method)
{
    bool has_inputs = method->inputs.len > 0;
    str inputs =
        has_inputs ? go_arguments(file, STR("args"), (struct schema_properties){ 0 }) : STR("nil");

    go_put_comment(file, method->function->description, method->function->deprecation, "");
    go_put(file,
           has_inputs ? "func (r *$1) $2(ctx *pulumi.Context, args *$3Args) $4 {\n"
                      : "func (r *$1) $2(ctx *pulumi.Context) $4 {\n",
           method->resource, method->name, method->full, method_returns(file, method));
    if (method->function->gives_plain && method->function->has_outputs)
        put_plain_call(file, method, inputs);
    else
        put_method_call(file, method, inputs);
    go_put(file, "}\n\n", STR(""));
}

/* --- its types --- */

static void put_method_arguments(struct go_file *file, const struct go_method *method)
{
    str camel = arena_concat(file->arena, name_camel(file->arena, method->resource), method->name);

    if (!method->inputs.len)
        return;
    go_put(file, "type $1Args struct {\n", camel);
    go_put_value_fields(file, method->inputs, STR(""));
    go_put(file,
           "}\n\n"
           "// $1Args are the arguments of $2 of a $3.\n"
           "type $1Args struct {\n",
           method->full, method->name, method->resource);
    go_put_argument_fields(file, method->inputs, STR(""), false);
    go_put(file, "}\n\n", STR(""));
    go_put_element_type(file, arena_concat(file->arena, method->full, STR("Args")),
                        arena_concat(file->arena, camel, STR("Args")));
}

static void put_method_result(struct go_file *file, const struct go_method *method)
{
    struct arena *arena = file->arena;
    str description = method->function->object ? method->function->object->description : STR("");

    if (!method->gives_object && !(method->function->gives_plain && method->function->result))
        return;
    go_put_comment(file, description, STR(""), "");
    go_put(file, "type $1 struct {\n", method->result);
    go_put_value_fields(file, method->outputs, STR(""));
    go_put(file,
           "}\n\n"
           "type $1Output struct{ *pulumi.OutputState }\n\n",
           method->result);
    go_put_element_type(file, arena_concat(arena, method->result, STR("Output")), method->result);
    if (file->is_generic)
        go_put_output_state(file, arena_concat(arena, STR("o "), method->result, STR("Output")),
                            STR("ctx context.Context"), method->result, STR("o.OutputState"));
    for (size_t i = 0; i < method->outputs.len; i++) {
        const struct schema_property *property = &method->outputs.items[i];
        struct go_getter getter = {
            .receiver = arena_concat(arena, method->result, STR("Output")),
            .method = go_getter_name(arena, property->name, STR(""), false),
            .value = method->result,
            .field = go_field_name(arena, property->name, STR("")),
            .type = go_plain_text(file, property->type, !property->is_required),
            .property = property,
        };
        go_put_getter(file, &getter);
    }
}

fallible go_put_methods(struct go_file *file, const struct go_resource *planned)
{
    struct pairs methods = planned->resource->methods;

    for (size_t i = 0; i < methods.len; i++) {
        const struct schema_function *function =
            schema_function(file->sdk->schema, methods.items[i].value);
        if (!function)
            return error_new(ERROR_INVALID,
                             "resource '" STR_FMT "' has a method '" STR_FMT
                             "', but the package has no function '" STR_FMT "'",
                             STR_ARG(planned->resource->token), STR_ARG(methods.items[i].key),
                             STR_ARG(methods.items[i].value));
        struct go_method method = method_of(file, planned, &methods.items[i], function);
        put_method(file, &method);
        put_method_arguments(file, &method);
        put_method_result(file, &method);
    }
    return NULL;
}

void go_put_method_registrations(struct go_file *file, const struct go_resource *planned)
{
    struct pairs methods = planned->resource->methods;

    for (size_t i = 0; i < methods.len; i++) {
        const struct schema_function *function =
            schema_function(file->sdk->schema, methods.items[i].value);
        if (!function)
            continue;
        struct go_method method = method_of(file, planned, &methods.items[i], function);
        if (method.gives_object || (function->gives_plain && function->result))
            go_put_output_registration(file, method.result);
    }
}
