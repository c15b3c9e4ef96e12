/* ts_constructor.c — how a resource is made: arguments to inputs, options, the call that registers
 * it. */
#include "nodejs/sdk/ts_resource.h"
#include "schema/schema_package.h"

static bool ts_is_input(const struct schema_resource *resource, str name)
{
    return schema_property(resource->inputs, name) != NULL;
}

/* Providers get text only: everything else travels as JSON. Of several types the last decides. */
static bool ts_is_text(const struct schema_type *type)
{
    if (type->kind == TYPE_UNION && type->len)
        type = type->members[type->len - 1];
    return type->kind == TYPE_STRING || (type->kind == TYPE_ENUM && type->base == TYPE_STRING);
}

/* --- inputs --- */

static void ts_required_check(struct ts_file *file, const struct schema_property *property)
{
    str message =
        arena_concat(&file->arena, STR("Missing required property '"), property->name, STR("'"));

    ts_open(file, "if (" STR_FMT " === undefined && !opts.urn) {",
            STR_ARG(ts_member(&file->arena, "args?", property->name)));
    ts_line(file, "throw new Error(" STR_FMT ");", STR_ARG(ts_quoted(&file->arena, message)));
    ts_close(file, "}");
}

/* What the user has set, as it goes to the engine. */
static str ts_argument(struct ts_file *file, const struct schema_property *property)
{
    struct arena *arena = &file->arena;
    str argument = ts_member(arena, "args?", property->name), value = argument;

    if (ts_has_defaults(file->sdk, property->type))
        value = ts_defaults_call(file, property, TS_ARGS, argument, false);
    if (!property->is_secret)
        return value;
    return arena_concat(arena, argument, STR(" === undefined ? undefined : pulumi.secret("), value,
                        STR(")"));
}

static str ts_input_value(struct ts_file *file, const struct schema_resource *resource,
                          const struct schema_property *property)
{
    struct arena *arena = &file->arena;
    str preset = ts_default(file, property), value;

    if (property->has_constant)
        return ts_constant(arena, property->constant);
    value = ts_argument(file, property);
    bool is_whole = str_find_char(value, ' ') == SIZE_MAX;
    if (preset.len)
        value = arena_concat(arena, is_whole ? STR("") : STR("("), value,
                             is_whole ? STR(" ?? ") : STR(") ?? "), preset);
    if (resource->is_provider && !ts_is_text(property->type))
        value = arena_concat(arena, STR("pulumi.output("), value, STR(").apply(JSON.stringify)"));
    return value;
}

static void ts_set_input(struct ts_file *file, str name, str value)
{
    ts_line(file, "props[" STR_FMT "] = " STR_FMT ";", STR_ARG(ts_quoted(&file->arena, name)),
            STR_ARG(value));
}

/* Outputs are named too: that is how the SDK knows them. */
static void ts_inputs_of_args(struct ts_file *file, const struct schema_resource *resource)
{
    for (size_t i = 0; i < resource->inputs.len; i++)
        if (resource->inputs.items[i].is_required)
            ts_required_check(file, &resource->inputs.items[i]);
    for (size_t i = 0; i < resource->inputs.len; i++) {
        const struct schema_property *property = &resource->inputs.items[i];
        ts_set_input(file, property->name, ts_input_value(file, resource, property));
    }
    for (size_t i = 0; i < resource->outputs.len; i++)
        if (!ts_is_input(resource, resource->outputs.items[i].name))
            ts_set_input(file, resource->outputs.items[i].name, STR("undefined"));
}

static void ts_inputs_by_state(struct ts_file *file, const struct schema_resource *resource,
                               str class)
{
    ts_open(file, "if (opts.id) {");
    ts_line(file, "const state = argsOrState as " STR_FMT "State | undefined;", STR_ARG(class));
    for (size_t i = 0; i < resource->state.len; i++) {
        str name = resource->state.items[i].name;
        ts_set_input(file, name, ts_member(&file->arena, "state?", name));
    }
    file->indent--;
    ts_open(file, "} else {");
    ts_line(file, "const args = argsOrState as " STR_FMT "Args | undefined;", STR_ARG(class));
    ts_inputs_of_args(file, resource);
    ts_close(file, "}");
}

static void ts_inputs_by_id(struct ts_file *file, const struct schema_resource *resource)
{
    ts_open(file, "if (opts.id) {");
    for (size_t i = 0; i < resource->outputs.len; i++)
        ts_set_input(file, resource->outputs.items[i].name, STR("undefined"));
    file->indent--;
    ts_open(file, "} else {");
    ts_inputs_of_args(file, resource);
    ts_close(file, "}");
}

/* --- options --- */

static void ts_option_list(struct ts_file *file, const char *option, struct strs list)
{
    if (!list.len)
        return;
    ts_begin(file);
    ts_put(file, "%s: [", option);
    for (size_t i = 0; i < list.len; i++)
        ts_put(file, "%s" STR_FMT, i ? ", " : "", STR_ARG(ts_quoted(&file->arena, list.items[i])));
    ts_end(file, "],");
}

static void ts_aliases(struct ts_file *file, const struct schema_resource *resource)
{
    if (!resource->alias_count)
        return;
    ts_begin(file);
    ts_put(file, "aliases: [");
    for (size_t i = 0; i < resource->alias_count; i++)
        ts_put(file, "%s{ type: " STR_FMT " }", i ? ", " : "",
               STR_ARG(ts_quoted(&file->arena, resource->alias_types[i])));
    ts_end(file, "],");
}

static void ts_merge_options(struct ts_file *file, const struct schema_resource *resource)
{
    struct strs secrets = schema_secret_outputs(&file->arena, resource);
    struct strs replacing = schema_replace_paths(&file->arena, resource);

    ts_line(file, "opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts);");
    if (!secrets.len && !replacing.len && !resource->alias_count)
        return;
    ts_open(file, "opts = pulumi.mergeOptions(opts, {");
    ts_aliases(file, resource);
    ts_option_list(file, "additionalSecretOutputs", secrets);
    ts_option_list(file, "replaceOnChanges", replacing);
    ts_close(file, "});");
}

/* --- the constructor --- */

static void ts_constructor_doc(struct ts_file *file, const struct schema_resource *resource,
                               str class)
{
    ts_doc(file,
           arena_printf(&file->arena,
                        "Declares a " STR_FMT ".\n\n"
                        "@param name what it is called in the program; no other " STR_FMT
                        " has it\n"
                        "@param args what it is made from\n"
                        "@param opts how the engine treats it",
                        STR_ARG(class), STR_ARG(class)),
           resource->deprecation);
}

static void ts_super(struct ts_file *file, const struct schema_resource *resource, str class)
{
    const char *last = resource->is_component ? ", true /* remote */" : "";

    if (file->sdk->has_package)
        last = resource->is_component ? ", true /* remote */, utilities.getPackage()"
                                      : ", false /* dependency */, utilities.getPackage()";
    ts_line(file, "super(" STR_FMT ".__pulumiType, name, props, opts%s);", STR_ARG(class), last);
}

void ts_constructor(struct ts_file *file, const struct schema_resource *resource, str class)
{
    bool is_optional = ts_all_optional(resource->inputs) || file->sdk->is_kubernetes;
    bool has_state = resource->has_state && !resource->is_provider;
    const char *options = ts_options_type(resource);

    ts_constructor_doc(file, resource, class);
    ts_line(file, "constructor(name: string, args%s: " STR_FMT "Args, opts?: pulumi.%s)%s",
            is_optional ? "?" : "", STR_ARG(class), options, has_state ? ";" : " {");
    if (has_state)
        ts_line(file,
                "constructor(name: string, argsOrState?: " STR_FMT "Args | " STR_FMT
                "State, opts?: pulumi.%s) {",
                STR_ARG(class), STR_ARG(class), options);
    file->indent++;
    if (!resource->is_provider)
        ts_warn_deprecated(file, class, resource->deprecation);
    ts_line(file, "const props: pulumi.Inputs = {};");
    ts_line(file, "opts = opts ?? {};");
    if (resource->is_provider)
        ts_inputs_of_args(file, resource);
    else if (has_state)
        ts_inputs_by_state(file, resource, class);
    else
        ts_inputs_by_id(file, resource);
    ts_merge_options(file, resource);
    ts_super(file, resource, class);
    ts_close(file, "}");
}
