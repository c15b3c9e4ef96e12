/* ts_resource.c — the file of a resource: its class, its arguments, its state. */
#include "nodejs/sdk/ts_resource.h"

const char *ts_options_type(const struct schema_resource *resource)
{
    if (resource->is_component)
        return "ComponentResourceOptions";
    return resource->is_provider ? "ResourceOptions" : "CustomResourceOptions";
}

static const char *ts_base_class(const struct schema_resource *resource)
{
    if (resource->is_component)
        return "ComponentResource";
    return resource->is_provider ? "ProviderResource" : "CustomResource";
}

void ts_warn_deprecated(struct ts_file *file, str name, str deprecation)
{
    if (!deprecation.len || file->sdk->is_kubernetes)
        return;
    str text = arena_concat(&file->arena, name, STR(" is deprecated: "), deprecation);
    ts_line(file, "pulumi.log.warn(" STR_FMT ");", STR_ARG(ts_quoted(&file->arena, text)));
}

/* --- what belongs to the class itself --- */

static void ts_getter(struct ts_file *file, const struct schema_resource *resource, str class)
{
    ts_line(file, "/**");
    ts_line(file, " * Reads the " STR_FMT " that has this ID. It is not changed.", STR_ARG(class));
    ts_line(file, " *");
    ts_line(file, " * @param name what it is called in the program; no other " STR_FMT " has it",
            STR_ARG(class));
    ts_line(file, " * @param id what the provider calls it");
    if (resource->has_state)
        ts_line(file, " * @param state what else is needed to find it");
    ts_line(file, " * @param opts how it is read");
    ts_line(file, " */");
    ts_begin(file);
    ts_put(file, "public static get(name: string, id: pulumi.Input<pulumi.ID>, ");
    if (resource->has_state)
        ts_put(file, "state?: " STR_FMT "State, ", STR_ARG(class));
    ts_put(file, "opts?: pulumi.%s): " STR_FMT " {\n", ts_options_type(resource), STR_ARG(class));
    file->indent++;
    ts_warn_deprecated(file, class, resource->deprecation);
    ts_line(file, "return new " STR_FMT "(name, %s, { ...opts, id });", STR_ARG(class),
            resource->has_state ? "state as any" : "undefined as any");
    ts_close(file, "}");
    ts_blank(file);
}

static void ts_identity(struct ts_file *file, const struct schema_resource *resource, str class)
{
    str type = resource->is_provider ? file->sdk->schema->name : resource->token;

    ts_line(file, "/** @internal */");
    ts_line(file, "public static readonly __pulumiType = " STR_FMT ";",
            STR_ARG(ts_quoted(&file->arena, type)));
    ts_blank(file);
    ts_line(file, "/**");
    ts_line(file, " * Whether something is a " STR_FMT ", made by this copy of the package or by",
            STR_ARG(class));
    ts_line(file, " * another.");
    ts_line(file, " */");
    ts_open(file, "public static isInstance(obj: any): obj is " STR_FMT " {", STR_ARG(class));
    ts_line(file, "return obj?.__pulumiType === %s" STR_FMT ".__pulumiType;",
            resource->is_provider ? "\"pulumi:providers:\" + " : "", STR_ARG(class));
    ts_close(file, "}");
    ts_blank(file);
}

static void ts_outputs(struct ts_file *file, const struct schema_resource *resource)
{
    for (size_t i = 0; i < resource->outputs.len; i++) {
        const struct schema_property *property = &resource->outputs.items[i];
        str type = ts_output_type(file, property);
        ts_doc(file, property->description, property->deprecation);
        ts_line(file, "declare public readonly " STR_FMT ": pulumi.Output<" STR_FMT ">;",
                STR_ARG(ts_key(&file->arena, property->name)), STR_ARG(type));
    }
    if (resource->outputs.len)
        ts_blank(file);
}

static void ts_class(struct ts_file *file, const struct schema_resource *resource, str class)
{
    ts_doc_with_examples(file, resource->description, resource->deprecation);
    ts_open(file, "export class " STR_FMT " extends pulumi.%s {", STR_ARG(class),
            ts_base_class(resource));
    if (!resource->is_provider && !resource->is_component)
        ts_getter(file, resource, class);
    ts_identity(file, resource, class);
    ts_outputs(file, resource);
    ts_constructor(file, resource, class);
    ts_methods(file, resource, class);
    ts_close(file, "}");
}

/* --- the file --- */

static void ts_state_interface(struct ts_file *file, const struct schema_resource *resource,
                               str class)
{
    ts_blank(file);
    ts_doc(file,
           arena_concat(&file->arena, STR("What helps to find a "), class, STR(" that exists.")),
           STR(""));
    ts_interface(file, arena_concat(&file->arena, class, STR("State")), resource->state, TS_ARGS,
                 false);
}

/* A class has a constructor already. */
static fallible ts_check_resource(const struct schema_resource *resource)
{
    for (size_t i = 0; i < resource->outputs.len; i++)
        if (str_equal(resource->outputs.items[i].name, STR("constructor")))
            return error_new(ERROR_INVALID,
                             "'" STR_FMT "' has a property 'constructor', which no class of "
                             "TypeScript can have; rename it in the schema",
                             STR_ARG(resource->token));
    return NULL;
}

fallible ts_write_resource(struct ts_sdk *sdk, const struct ts_module *module,
                           const struct schema_resource *resource)
{
    CLEANUP(ts_file_release) struct ts_file file = { 0 };

    TRY(ts_check_resource(resource));
    ts_file_init(&file, sdk, module->folder);
    str class = ts_class_name(&file.arena, resource);
    file.own_token = resource->token;
    file.own_class = class;
    file.uses_pulumi = true;
    file.uses_utilities = true;
    ts_class(&file, resource, class);
    if (resource->has_state)
        ts_state_interface(&file, resource, class);
    ts_blank(&file);
    ts_doc(&file, arena_concat(&file.arena, STR("What a "), class, STR(" is made from.")), STR(""));
    ts_interface(&file, arena_concat(&file.arena, class, STR("Args")), resource->inputs, TS_ARGS,
                 false);
    ts_method_types(&file, resource, class);
    return ts_file_write(&file, ts_resource_file(sdk, &file.arena, module, resource));
}
