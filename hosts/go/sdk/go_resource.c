/* go_resource.c — a resource: its struct, how it is made and read, its arguments and forms. */
#include "go/sdk/go_parts.h"
#include "schema/schema_package.h"

#include "common/names.h"

static void put_resource_struct(struct go_file *file, const struct go_resource *planned)
{
    const struct schema_resource *resource = planned->resource;
    struct go_struct_field *fields =
        ARENA_ARRAY(file->arena, struct go_struct_field, resource->outputs.len + 1);
    str state = resource->is_provider    ? STR("ProviderResourceState")
                : resource->is_component ? STR("ResourceState")
                                         : STR("CustomResourceState");

    for (size_t i = 0; i < resource->outputs.len; i++) {
        const struct schema_property *property = &resource->outputs.items[i];
        fields[i] = (struct go_struct_field){
            .name = go_field_name(file->arena, property->name, planned->name),
            .type = go_output_text(file, property->type, !property->is_required),
            .tag = property->name,
            .description = property->description,
            .deprecation = property->deprecation,
        };
    }
    go_put_comment(file, resource->description, resource->deprecation, "");
    go_put(file, "type $1 struct {\n\tpulumi.$2\n", planned->name, state);
    if (resource->outputs.len)
        strbuf_add_char(&file->out, '\n');
    go_put_struct_fields(file, fields, resource->outputs.len);
    go_put(file, "}\n\n", STR(""));
}

/* --- making one --- */

static bool has_required_input(const struct schema_resource *resource)
{
    for (size_t i = 0; i < resource->inputs.len; i++)
        if (resource->inputs.items[i].is_required)
            return true;
    return false;
}

static void put_argument_checks(struct go_file *file, const struct go_resource *planned)
{
    struct schema_properties inputs = planned->resource->inputs;

    if (!has_required_input(planned->resource)) {
        go_put(file, "\tif args == nil {\n\t\targs = &$1Args{}\n\t}\n", planned->name);
        return;
    }
    go_import(file, "errors");
    go_put(file,
           "\tif args == nil {\n"
           "\t\treturn nil, errors.New(\"missing one or more required arguments\")\n"
           "\t}\n",
           STR(""));
    for (size_t i = 0; i < inputs.len; i++) {
        const struct schema_property *property = &inputs.items[i];
        bool may_be_nil = !property->type->is_plain || go_is_nil_type(property->type);
        if (property->is_required && may_be_nil && !go_has_default(property))
            go_put(file,
                   "\tif args.$1 == nil {\n"
                   "\t\treturn nil, errors.New(\"invalid value for required argument '$1'\")\n"
                   "\t}\n",
                   go_field_name(file->arena, property->name, planned->name));
    }
}

static void put_filling_function(struct go_file *file, str type, str indent, str result)
{
    go_put(file,
           "func(v $1) $1 {\n"
           "$2\t\treturn $3\n"
           "$2\t}",
           type, indent, result);
}

/* The defaults of an object that is known only later are filled in then. */
static void put_object_defaults(struct go_file *file, const struct schema_property *property,
                                str field)
{
    bool is_optional = !property->is_required;
    bool is_generic = file->is_generic && !property->type->is_plain;
    str indent = is_optional ? STR("\t") : STR("");

    if (is_generic) {
        go_put(file, "\targs.$1 = $2.Filled(args.$1)\n", field, go_internal(file));
        return;
    }
    if (is_optional)
        go_put(file, "\tif args.$1 != nil {\n", field);
    if (property->type->is_plain) {
        go_put(file, "$2\targs.$1 = $3args.$1.Defaults()\n", field, indent,
               is_optional ? STR("") : STR("*"));
    } else {
        str output = go_output_text(file, property->type, is_optional), head, method = output;
        str_cut_last(output, STR("."), &head, &method);
        go_put(file, "$2\tfilled$1 := args.$1.To$3().ApplyT(", field, indent, method);
        put_filling_function(file, go_plain_text(file, property->type, is_optional), indent,
                             is_optional ? STR("v.Defaults()") : STR("*v.Defaults()"));
        go_put(file, ")\n$2\targs.$1 = filled$1.($3)\n", field, indent, output);
    }
    if (is_optional)
        go_put(file, "\t}\n", STR(""));
}

static fallible put_defaults(struct go_file *file, const struct go_resource *planned)
{
    struct schema_properties inputs = planned->resource->inputs;

    for (size_t i = 0; i < inputs.len; i++) {
        const struct schema_property *property = &inputs.items[i];
        if (property->has_constant)
            TRY(go_put_constant(file, property, STR("args")));
        else if (go_has_default(property))
            TRY(go_put_default(file, property, STR("args"), true));
        else if (go_has_defaults_method(file, property->type))
            put_object_defaults(file, property,
                                go_field_name(file->arena, property->name, planned->name));
    }
    return NULL;
}

static void put_secret_arguments(struct go_file *file, const struct go_resource *planned)
{
    struct schema_properties inputs = planned->resource->inputs;

    for (size_t i = 0; i < inputs.len; i++) {
        const struct schema_property *property = &inputs.items[i];
        if (property->is_secret && !property->type->is_plain)
            go_put(file,
                   "\tif args.$1 != nil {\n"
                   "\t\targs.$1 = pulumi.ToSecret(args.$1).($2)\n"
                   "\t}\n",
                   go_field_name(file->arena, property->name, planned->name),
                   go_argument_text(file, property->type, !property->is_required));
    }
}

/* An option that is a list of texts. */
static void put_list_option(struct go_file *file, const char *option, struct strs texts)
{
    if (!texts.len)
        return;
    go_put(file, "\topts = append(opts, pulumi.$1([]string{\n", str_from(option));
    for (size_t i = 0; i < texts.len; i++)
        go_put(file, "\t\t$1,\n", go_quoted(file->arena, texts.items[i]));
    go_put(file, "\t}))\n", STR(""));
}

static void put_default_and_own_options(struct go_file *file,
                                        const struct schema_resource *resource)
{
    if (resource->alias_count) {
        go_put(file, "\topts = append(opts, pulumi.Aliases([]pulumi.Alias{\n", STR(""));
        for (size_t i = 0; i < resource->alias_count; i++)
            go_put(file, "\t\t{Type: pulumi.String($1)},\n",
                   go_quoted(file->arena, resource->alias_types[i]));
        go_put(file, "\t}))\n", STR(""));
    }
    put_list_option(file, "AdditionalSecretOutputs", schema_secret_outputs(file->arena, resource));
    put_list_option(file, "ReplaceOnChanges", schema_replace_paths(file->arena, resource));
    go_put(file, "\topts = $1.PkgResourceDefaultOpts(opts)\n", go_internal(file));
}

void go_put_package_reference(struct go_file *file, str nothing)
{
    if (file->sdk->is_parameterized)
        go_put(file,
               "\tref, err := $1.PkgGetPackageRef(ctx)\n"
               "\tif err != nil {\n"
               "\t\treturn $2err\n"
               "\t}\n",
               go_internal(file), nothing);
}

static void put_registration_call(struct go_file *file, str call)
{
    bool has_reference = file->sdk->is_parameterized;

    go_put(file,
           "\terr $1 $2$3opts...)\n"
           "\tif err != nil {\n"
           "\t\treturn nil, err\n"
           "\t}\n"
           "\treturn &resource, nil\n"
           "}\n\n",
           has_reference ? STR("=") : STR(":="), call, has_reference ? STR("ref, ") : STR(""));
}

static fallible put_constructor(struct go_file *file, const struct go_resource *planned)
{
    struct arena *arena = file->arena;
    str package = file->sdk->is_parameterized ? STR("Package") : STR("");

    go_put(file,
           "// New$1 makes a $1 with the given name, which no other in the program has.\n"
           "func New$1(ctx *pulumi.Context,\n"
           "\tname string, args *$1Args, opts ...pulumi.ResourceOption) (*$1, error) {\n",
           planned->name);
    put_argument_checks(file, planned);
    TRY(put_defaults(file, planned));
    if (!file->is_generic)
        put_secret_arguments(file, planned);
    put_default_and_own_options(file, planned->resource);
    go_put_package_reference(file, STR("nil, "));
    go_put(file, "\tvar resource $1\n", planned->name);
    put_registration_call(
        file,
        arena_concat(arena, STR("ctx.Register"), package,
                     planned->resource->is_component ? STR("RemoteComponent") : STR(""),
                     STR("Resource("), go_quoted(arena, planned->resource->token), STR(", name, "),
                     go_arguments(file, STR("args"), planned->resource->inputs),
                     STR(", &resource, ")));
    return NULL;
}

/* --- reading one that is there --- */

static void put_state_fields(struct go_file *file, const struct go_resource *planned)
{
    struct schema_properties state = planned->resource->state;
    struct schema_property *optional =
        ARENA_ARRAY(file->arena, struct schema_property, state.len + 1);
    str camel = name_camel(file->arena, planned->name);

    for (size_t i = 0; i < state.len; i++) {
        optional[i] = state.items[i];
        optional[i].is_required = false;
    }
    go_put(file, "type $1State struct {\n", camel);
    go_put_value_fields(file, (struct schema_properties){ optional, state.len }, planned->name);
    go_put(file,
           "}\n\n"
           "// $1State says more about a $1 that is looked up.\n"
           "type $1State struct {\n",
           planned->name);
    go_put_argument_fields(file, state, planned->name, false);
    go_put(file, "}\n\n", STR(""));
    go_put_element_type(file, arena_concat(file->arena, planned->name, STR("State")),
                        arena_concat(file->arena, camel, STR("State")));
}

static void put_reader(struct go_file *file, const struct go_resource *planned)
{
    struct arena *arena = file->arena;
    bool has_reference = file->sdk->is_parameterized;

    if (planned->resource->is_provider || planned->resource->is_component)
        return;
    go_put(file,
           "// Get$1 looks a $1 up that exists already, by its ID; state may be nil.\n"
           "func Get$1(ctx *pulumi.Context,\n"
           "\tname string, id pulumi.IDInput, state *$1State, opts ...pulumi.ResourceOption) "
           "(*$1, error) {\n"
           "\tvar resource $1\n",
           planned->name);
    go_put_package_reference(file, STR("nil, "));
    put_registration_call(
        file, arena_concat(arena, STR("ctx.Read"), has_reference ? STR("Package") : STR(""),
                           STR("Resource("), go_quoted(arena, planned->resource->token),
                           STR(", name, id, "),
                           go_arguments(file, STR("state"), (struct schema_properties){ 0 }),
                           STR(", &resource, ")));
    put_state_fields(file, planned);
}

/* --- arguments --- */

static void put_arguments(struct go_file *file, const struct go_resource *planned)
{
    str camel = name_camel(file->arena, planned->name);

    go_put(file, "type $1Args struct {\n", camel);
    go_put_value_fields(file, planned->resource->inputs, planned->name);
    go_put(file,
           "}\n\n"
           "// $1Args are the arguments of a $1.\n"
           "type $1Args struct {\n",
           planned->name);
    go_put_argument_fields(file, planned->resource->inputs, planned->name, false);
    go_put(file, "}\n\n", STR(""));
    go_put_element_type(file, arena_concat(file->arena, planned->name, STR("Args")),
                        arena_concat(file->arena, camel, STR("Args")));
}

/* --- forms --- */

static void put_resource_inputs(struct go_file *file, const struct go_resource *planned)
{
    struct arena *arena = file->arena;
    str pointer = arena_concat(arena, STR("*"), planned->name);
    str item = arena_concat(arena, planned->name, STR("Input"));

    go_put(file,
           "// $1Input is a $1, made or known later.\n"
           "type $1Input interface {\n"
           "\tpulumi.Input\n\n"
           "\tTo$1Output() $1Output\n"
           "\tTo$1OutputWithContext(ctx context.Context) $1Output\n"
           "}\n\n",
           planned->name);
    go_put_input_methods(file, planned->name, pointer, pointer);
    if (planned->uses & GO_INPUT_ARRAY)
        go_put_array_input(file, planned->name, item, pointer);
    if (planned->uses & GO_INPUT_MAP)
        go_put_map_input(file, planned->name, item, pointer);
}

static void put_resource_outputs(struct go_file *file, const struct go_resource *planned)
{
    struct arena *arena = file->arena;
    str pointer = arena_concat(arena, STR("*"), planned->name);
    str value = file->is_generic ? planned->name : pointer;
    struct schema_properties outputs = planned->resource->outputs;

    go_put_output(file, planned->name, value);
    for (size_t i = 0; i < outputs.len; i++) {
        const struct schema_property *property = &outputs.items[i];
        struct go_getter getter = {
            .receiver = arena_concat(arena, planned->name, STR("Output")),
            .method = go_getter_name(arena, property->name, planned->name, false),
            .value = value,
            .field = go_field_name(arena, property->name, planned->name),
            .type = go_output_text(file, property->type, !property->is_required),
            .property = property,
            .is_resource = true,
        };
        go_put_getter(file, &getter);
    }
    if (file->is_generic)
        return;
    if (planned->uses & GO_OUTPUT_ARRAY)
        go_put_array_output(file, planned->name, pointer);
    if (planned->uses & GO_OUTPUT_MAP)
        go_put_map_output(file, planned->name, pointer);
}

static void put_resource_registrations(struct go_file *file, const struct go_resource *planned)
{
    struct arena *arena = file->arena;
    str array = arena_concat(arena, planned->name, STR("Array"));
    str map = arena_concat(arena, planned->name, STR("Map"));

    go_put(file, "func init() {\n", STR(""));
    if (file->is_generic) {
        go_put_output_registration(file, planned->name);
        go_put_method_registrations(file, planned);
        go_put(file, "}\n", STR(""));
        return;
    }
    go_put_registration(file, planned->name,
                        arena_concat(arena, STR("&"), planned->name, STR("{}")));
    if (planned->uses & GO_INPUT_ARRAY)
        go_put_registration(file, array, arena_concat(arena, array, STR("{}")));
    if (planned->uses & GO_INPUT_MAP)
        go_put_registration(file, map, arena_concat(arena, map, STR("{}")));
    go_put_output_registration(file, planned->name);
    go_put_method_registrations(file, planned);
    if (planned->uses & GO_OUTPUT_ARRAY)
        go_put_output_registration(file, array);
    if (planned->uses & GO_OUTPUT_MAP)
        go_put_output_registration(file, map);
    go_put(file, "}\n", STR(""));
}

fallible go_put_resource_file(struct go_file *file, const struct go_resource *planned)
{
    put_resource_struct(file, planned);
    TRY(put_constructor(file, planned));
    put_reader(file, planned);
    put_arguments(file, planned);
    TRY(go_put_methods(file, planned));
    if (!file->is_generic)
        put_resource_inputs(file, planned);
    put_resource_outputs(file, planned);
    put_resource_registrations(file, planned);
    return NULL;
}
