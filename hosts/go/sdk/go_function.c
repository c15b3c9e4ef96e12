/* go_function.c — functions: the form that waits, and the form for what is known only later. */
#include "go/sdk/go_parts.h"
#include "schema/schema_package.h"

#include "common/names.h"

struct go_call {
    const struct schema_function *function;
    str name;
    str arguments;                   /* the type of its arguments */
    str output_arguments;            /* of the second form */
    str result;                      /* the type of its result, if that is an object */
    struct schema_properties inputs; /* in the order of parameters, if they are such */
    struct schema_properties outputs;
    bool has_parameters; /* each input is a parameter of its own */
    bool gives_object;
    bool has_defaults; /* of inputs */
};

static struct go_call call_of(struct go_file *file, const struct go_function *planned)
{
    struct arena *arena = file->arena;
    const struct schema_function *function = planned->function;
    struct go_call call = {
        .function = function,
        .name = planned->name,
        .inputs = schema_parameters(arena, function),
        .outputs = function->outputs,
        .has_parameters = function->arguments.len > 0,
        .gives_object = function->has_outputs && !function->result,
        .result = arena_concat(arena, planned->name, STR("Result")),
    };
    /* Nobody else names arguments that are parameters. */
    str base = call.has_parameters ? name_camel(arena, call.name) : call.name;

    call.arguments = arena_concat(arena, base, STR("Args"));
    call.output_arguments = arena_concat(arena, base, STR("OutputArgs"));
    call.has_defaults = function->has_inputs && go_need_defaults_method(file, call.inputs);
    if (function->object && schema_type_properties(function->object))
        call.outputs = *schema_type_properties(function->object);
    return call;
}

/* ctx, the parameters, and what packs them. */
static str parameter_list(struct go_file *file, const struct go_call *call, bool is_argument)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < call->inputs.len; i++) {
        const struct schema_property *input = &call->inputs.items[i];
        str type = is_argument ? go_argument_text(file, input->type, !input->is_required)
                               : go_plain_text(file, input->type, !input->is_required);
        go_put_list(&out, ", $1 $2",
                    (const str[]){ go_parameter_name(file->arena, input->name), type }, 2);
    }
    return arena_copy(file->arena, strbuf_str(&out));
}

static void put_packed_arguments(struct go_file *file, const struct go_call *call, str type)
{
    go_put(file, "\targs := $1{", type);
    for (size_t i = 0; i < call->inputs.len; i++)
        go_put(file, "$1$2: $3", i ? STR(", ") : STR(""),
               go_field_name(file->arena, call->inputs.items[i].name, STR("")),
               go_parameter_name(file->arena, call->inputs.items[i].name));
    go_put(file, "}\n", STR(""));
}

static str signature_arguments(struct go_file *file, const struct go_call *call, bool is_argument)
{
    if (!call->function->has_inputs)
        return STR("");
    if (call->has_parameters)
        return parameter_list(file, call, is_argument);
    return arena_concat(file->arena, STR(", args "), is_argument ? STR("") : STR("*"),
                        is_argument ? call->output_arguments : call->arguments);
}

/* --- the form that waits --- */

static void put_waiting_result(struct go_file *file, const struct go_call *call)
{
    if (!call->function->has_outputs) {
        go_put(file, "\treturn err\n", STR(""));
    } else if (call->gives_object) {
        go_put(file,
               "\tif err != nil {\n"
               "\t\treturn nil, err\n"
               "\t}\n"
               "\treturn $1, nil\n",
               go_need_defaults_method(file, call->outputs) ? STR("rv.Defaults()") : STR("&rv"));
    } else {
        go_put(file,
               "\tvar result $1\n"
               "\tfor _, v := range rv {\n"
               "\t\tresult = v\n"
               "\t}\n"
               "\treturn result, err\n",
               go_plain_text(file, call->function->result, false));
    }
}

static void put_waiting_form(struct go_file *file, const struct go_call *call)
{
    struct arena *arena = file->arena;
    bool has_reference = file->sdk->is_parameterized;
    str returns = STR("error"), result = STR("struct{}"), nothing = STR("");

    if (call->gives_object) {
        returns = arena_concat(arena, STR("(*"), call->result, STR(", error)"));
        result = call->result;
        nothing = STR("nil, ");
    } else if (call->function->has_outputs) {
        str value = go_plain_text(file, call->function->result, false);
        returns = arena_concat(arena, STR("("), value, STR(", error)"));
        result = arena_concat(arena, STR("map[string]"), value);
        nothing = arena_concat(arena, STR("*new("), value, STR("), "));
    }
    go_put_comment(file, call->function->description, call->function->deprecation, "");
    go_put(file, "func $1(ctx *pulumi.Context$2, opts ...pulumi.InvokeOption) $3 {\n", call->name,
           signature_arguments(file, call, false), returns);
    if (call->has_parameters)
        put_packed_arguments(file, call, call->arguments);
    go_put(file, "\topts = $1.PkgInvokeDefaultOpts(opts)\n", go_internal(file));
    go_put_package_reference(file, nothing);
    go_put(file, "\tvar rv $1\n\terr $2 ctx.Invoke$3($4, $5, &rv, $6opts...)\n", result,
           has_reference ? STR("=") : STR(":="), has_reference ? STR("Package") : STR(""),
           go_quoted(arena, call->function->token),
           !call->function->has_inputs ? STR("nil")
           : call->has_defaults        ? STR("args.Defaults()")
                                       : STR("args"),
           has_reference ? STR("ref, ") : STR(""));
    put_waiting_result(file, call);
    go_put(file, "}\n\n", STR(""));
}

static fallible put_value_type(struct go_file *file, str name, str description,
                               struct schema_properties properties)
{
    go_put_comment(file, description, STR(""), "");
    go_put(file, "type $1 struct {\n", name);
    go_put_value_fields(file, properties, STR(""));
    go_put(file, "}\n\n", STR(""));
    return go_put_defaults_method(file, name, properties, GO_VALUE_FIELDS);
}

/* --- the form for later --- */

/* The value that is waited for becomes the output that is promised. */
static void put_generic_result(struct go_file *file, const struct go_call *call, str inputs)
{
    struct arena *arena = file->arena;
    str value = call->result, promised = arena_concat(arena, STR("*"), value), taken = STR("&v");
    str output = arena_concat(arena, value, STR("Output"));

    if (call->gives_object && go_need_defaults_method(file, call->outputs)) {
        taken = STR("v.Defaults()");
    } else if (!call->gives_object) {
        const struct schema_type *result = call->function->result;
        promised = go_plain_text(file, result, false);
        output = go_output_text(file, result, false);
        value = arena_concat(arena, STR("map[string]"), promised);
        taken = arena_concat(arena, go_internal(file), STR(".Single(v)"));
    }
    go_put(file,
           "\tresult := ctx.InvokeOutput($1, $2, $3.Output[$4]{}, options).($3.Output[$4])\n"
           "\treturn $5($3.Apply(result, func(v $4) $6 {\n"
           "\t\treturn $7\n"
           "\t}))\n",
           go_quoted(arena, call->function->token), inputs, go_pulumix(file), value, output,
           promised, taken);
}

static void put_later_result(struct go_file *file, const struct go_call *call, str inputs)
{
    struct arena *arena = file->arena;
    str token = go_quoted(arena, call->function->token);

    if (file->is_generic) {
        put_generic_result(file, call, inputs);
        return;
    }
    if (call->gives_object) {
        go_put(file, "\treturn ctx.InvokeOutput($1, $2, $3Output{}, options).($3Output)\n", token,
               inputs, call->result);
        return;
    }
    struct schema_type *result = call->function->result;
    struct schema_type map = { .kind = TYPE_MAP, .element = result, .schema = result->schema };
    go_put(file,
           "\tvalues := ctx.InvokeOutput($1, $2, $3{}, options).($3)\n"
           "\treturn values.ApplyT(func(values $4) $5 {\n"
           "\t\tvar result $5\n"
           "\t\tfor _, v := range values {\n"
           "\t\t\tresult = v\n"
           "\t\t}\n"
           "\t\treturn result\n"
           "\t}).($6)\n",
           token, inputs, go_output_text(file, &map, false), go_plain_text(file, &map, false),
           go_plain_text(file, result, false), go_output_text(file, result, false));
}

static void put_later_form(struct go_file *file, const struct go_call *call)
{
    str internal = go_internal(file), inputs = STR("nil");
    str returns = call->gives_object ? arena_concat(file->arena, call->result, STR("Output"))
                                     : go_output_text(file, call->function->result, false);

    if (call->function->has_inputs)
        inputs = call->has_defaults ? STR("filled")
                 : file->is_generic ? STR("args.ToOutput()")
                                    : STR("args");
    go_put(file,
           "// $1Output is $1 for arguments that are known only later.\n"
           "func $1Output(ctx *pulumi.Context$2, opts ...pulumi.InvokeOption) $3 {\n",
           call->name, signature_arguments(file, call, true), returns);
    if (call->has_parameters)
        put_packed_arguments(file, call, call->output_arguments);
    if (call->has_defaults && file->is_generic)
        go_put(file,
               "\tfilled := $1.Apply(args.ToOutput(), func(v *$2) *$2 {\n"
               "\t\treturn v.Defaults()\n"
               "\t})\n",
               go_pulumix(file), call->arguments);
    else if (call->has_defaults)
        go_put(file,
               "\tfilled := pulumi.ToOutputWithContext(ctx.Context(), args).\n"
               "\t\tApplyT(func(v interface{}) *$1 {\n"
               "\t\t\tvalue := v.($1)\n"
               "\t\t\treturn value.Defaults()\n"
               "\t\t})\n",
               call->arguments);
    if (file->sdk->is_parameterized)
        go_put(file,
               "\toptions := pulumi.InvokeOutputOptions{\n"
               "\t\tInvokeOptions: $1.PkgInvokeDefaultOpts(opts),\n"
               "\t\tPackageRefF:   $1.PkgGetPackageRef,\n"
               "\t}\n",
               internal);
    else
        go_put(file,
               "\toptions := pulumi.InvokeOutputOptions{InvokeOptions: "
               "$1.PkgInvokeDefaultOpts(opts)}\n",
               internal);
    put_later_result(file, call, inputs);
    go_put(file, "}\n\n", STR(""));
}

/* The method that makes arguments of the first form of those of the second. */
static void put_plain_method(struct go_file *file, const struct go_call *call)
{
    struct arena *arena = file->arena;
    struct go_to_output method = {
        .receiver = arena_concat(arena, STR("args "), call->output_arguments),
        .element = arena_concat(arena, STR("*"), call->arguments),
        .value = arena_concat(arena, go_internal(file), STR(".Plain["), call->arguments,
                              STR("](context.Background(), args)")),
    };

    go_import(file, "context");
    go_put_to_output(file, &method);
}

static void put_generic_result_type(struct go_file *file, const struct go_call *call)
{
    struct arena *arena = file->arena;
    str output = arena_concat(arena, call->result, STR("Output"));
    str pointer = arena_concat(arena, STR("*"), call->result);

    go_import(file, "context");
    go_import(file, "reflect");
    go_put(file, "type $1 struct{ *pulumi.OutputState }\n\n", output);
    go_put_element_type(file, output, pointer);
    go_put_output_state(file, arena_concat(arena, STR("o "), output), STR("context.Context"),
                        pointer, STR("o.OutputState"));
    for (size_t i = 0; i < call->outputs.len; i++) {
        const struct schema_property *property = &call->outputs.items[i];
        struct go_getter getter = {
            .receiver = output,
            .method = go_getter_name(arena, property->name, STR(""), false),
            .value = pointer,
            .field = go_field_name(arena, property->name, STR("")),
            .type = go_plain_text(file, property->type, !property->is_required),
            .property = property,
        };
        go_put_getter(file, &getter);
    }
}

static void put_later_types(struct go_file *file, const struct go_call *call)
{
    const struct schema_function *function = call->function;

    if (function->has_inputs) {
        go_put(file, "type $1 struct {\n", call->output_arguments);
        go_put_argument_fields(file, call->inputs, STR(""), true);
        go_put(file, "}\n\n", STR(""));
        if (file->is_generic)
            put_plain_method(file, call);
        else
            go_put_element_type(file, call->output_arguments, call->arguments);
    }
    if (!call->gives_object)
        return;
    if (file->is_generic) {
        put_generic_result_type(file, call);
        return;
    }
    const struct go_named *named =
        function->object ? go_find_named(file->sdk, function->object) : NULL;
    go_put_object_outputs(file, call->result, call->outputs, (named ? named->uses : 0) | GO_OUTPUT);
    go_put(file, "func init() {\n", STR(""));
    go_put_output_registration(file, call->result);
    go_put(file, "}\n", STR(""));
}

fallible go_put_function_file(struct go_file *file, const struct go_function *planned)
{
    struct go_call call = call_of(file, planned);
    const struct schema_function *function = call.function;

    if (function->has_plain)
        put_waiting_form(file, &call);
    if (function->has_inputs)
        TRY(put_value_type(file, call.arguments, STR(""), call.inputs));
    if (call.gives_object)
        TRY(put_value_type(file, call.result,
                           function->object ? function->object->description : STR(""),
                           call.outputs));
    if (!function->has_outputs)
        return NULL;
    put_later_form(file, &call);
    put_later_types(file, &call);
    return NULL;
}
