/* pysdk_resource.c — the file of a resource: its arguments, its state, and its class. */
#include "python/sdk/pysdk_parts.h"

/* A resource while its file is made. */
struct resource_file {
    struct pysdk_file file;
    const struct schema_resource *resource;
    str name;  /* of the class */
    str args;  /* of the class of its arguments */
    str state; /* of the class of its state; empty: the arguments do */
};

static struct arena *resource_arena(struct resource_file *it)
{
    return &it->file.scratch;
}

/* Two parameters have names of their own already. */
static str resource_parameter(struct resource_file *it, const struct schema_property *property)
{
    str name = python_name(resource_arena(it), property->name);
    bool is_taken = str_equal(name, STR("resource_name")) || str_equal(name, STR("opts"));

    return is_taken ? arena_concat(resource_arena(it), name, STR("_")) : name;
}

/* --- constructors --- */

static void resource_put_inputs(struct resource_file *it, struct schema_properties properties)
{
    for (size_t i = 0; i < properties.len; i++) {
        const struct schema_property *property = &properties.items[i];
        struct pysdk_place place = {
            .shape = SHAPE_ARGUMENT,
            .is_optional = true,
            .takes_dicts = true,
            .property = property,
        };
        pysdk_put(&it->file, "        " STR_FMT ": " STR_FMT " = None,\n",
                  STR_ARG(resource_parameter(it, property)),
                  STR_ARG(pysdk_annotation(&it->file, property->type, place)));
    }
}

static void resource_put_signature(struct resource_file *it, const char *function)
{
    pysdk_put(&it->file,
              "    def %s(\n        __self__,\n        resource_name: _builtins.str,\n"
              "        opts: Optional[pulumi.ResourceOptions] = None,\n",
              function);
    resource_put_inputs(it, it->resource->inputs);
    pysdk_put(&it->file, "        __props__=None,\n    ):\n");
}

static void resource_put_doc(struct resource_file *it, struct schema_properties properties,
                             bool has_args)
{
    struct pysdk *sdk = it->file.sdk;
    CLEANUP(strbuf_release) struct strbuf doc = { 0 };
    str text = pysdk_doc(sdk, resource_arena(it), it->resource->description);

    if (text.len)
        strbuf_add(&doc, text);
    else
        strbuf_printf(&doc, "A resource of the type " STR_FMT ".", STR_ARG(it->resource->token));
    pysdk_add_param(sdk, &doc, STR("resource_name"), STR("What this resource is called."));
    if (has_args)
        pysdk_add_param(sdk, &doc, STR("args"), STR("The inputs of this resource."));
    pysdk_add_param(sdk, &doc, STR("opts"), STR("How this resource is managed."));
    for (size_t i = 0; !has_args && i < properties.len; i++)
        pysdk_add_param(sdk, &doc, resource_parameter(it, &properties.items[i]),
                        properties.items[i].description);
    pysdk_put_doc(&it->file, 8, strbuf_str(&doc));
}

static bool resource_needs_inputs(const struct schema_resource *resource)
{
    for (size_t i = 0; i < resource->inputs.len; i++)
        if (resource->inputs.items[i].is_required)
            return true;
    return false;
}

static void resource_put_overloads(struct resource_file *it)
{
    bool is_needed = resource_needs_inputs(it->resource);

    pysdk_put(&it->file, "    @overload\n");
    resource_put_signature(it, "__init__");
    resource_put_doc(it, it->resource->inputs, false);
    pysdk_put(&it->file,
              "        ...\n\n    @overload\n    def __init__(\n        __self__,\n"
              "        resource_name: _builtins.str,\n        args: %s" STR_FMT "%s,\n"
              "        opts: Optional[pulumi.ResourceOptions] = None,\n    ):\n",
              is_needed ? "" : "Optional[", STR_ARG(it->args), is_needed ? "" : "] = None");
    resource_put_doc(it, it->resource->inputs, true);
    pysdk_put(&it->file,
              "        ...\n\n"
              "    def __init__(__self__, resource_name: _builtins.str, *args, **kwargs):\n"
              "        args, kwargs = _utilities.spread_args(" STR_FMT ", args, kwargs)\n"
              "        __self__._internal_init(resource_name, *args, **kwargs)\n\n",
              STR_ARG(it->args));
}

/* --- what is registered --- */

/* The value of an input: a provider gets text, everything else as JSON. */
static str resource_input_value(struct resource_file *it, const struct schema_property *property)
{
    struct arena *arena = resource_arena(it);
    str name = resource_parameter(it, property);
    bool is_json = it->resource->is_provider && !pysdk_is_text(property->type);

    if (property->has_constant)
        name = pysdk_literal(arena, property->constant);
    if (is_json)
        return arena_concat(arena, STR("_utilities.as_json("), name,
                            property->is_secret ? STR(", is_secret=True)") : STR(")"));
    if (property->is_secret)
        return arena_concat(arena, STR("_utilities.as_secret("), name, STR(")"));
    return name;
}

static void resource_put_input(struct resource_file *it, const struct schema_property *property)
{
    str name = resource_parameter(it, property);
    str otherwise = pysdk_default(resource_arena(it), property);

    if (otherwise.len)
        pysdk_put(&it->file,
                  "            if " STR_FMT " is None:\n                " STR_FMT " = " STR_FMT
                  "\n",
                  STR_ARG(name), STR_ARG(name), STR_ARG(otherwise));
    if (property->is_required)
        pysdk_put(&it->file,
                  "            if " STR_FMT " is None and not opts.urn:\n"
                  "                raise TypeError(\"Missing required property '" STR_FMT "'\")\n",
                  STR_ARG(name), STR_ARG(name));
    pysdk_put(&it->file, "            __props__.__dict__[\"" STR_FMT "\"] = " STR_FMT "\n",
              STR_ARG(python_name(resource_arena(it), property->name)),
              STR_ARG(resource_input_value(it, property)));
}

/* Providers give only text back. */
static bool resource_has_output(const struct schema_resource *resource,
                                const struct schema_property *property)
{
    return !resource->is_provider || pysdk_is_text(property->type);
}

static void resource_put_props(struct resource_file *it)
{
    const struct schema_resource *resource = it->resource;

    pysdk_put(&it->file, "            __props__ = _utilities.new_props(" STR_FMT ", __props__)\n",
              STR_ARG(it->args));
    for (size_t i = 0; i < resource->inputs.len; i++)
        resource_put_input(it, &resource->inputs.items[i]);
    for (size_t i = 0; i < resource->outputs.len; i++) {
        const struct schema_property *output = &resource->outputs.items[i];
        if (resource_has_output(resource, output)
            && !schema_property(resource->inputs, output->name))
            pysdk_put(&it->file, "            __props__.__dict__[\"" STR_FMT "\"] = None\n",
                      STR_ARG(python_name(resource_arena(it), output->name)));
    }
}

/* A line of options that the schema asks for; nothing if there are no texts. */
static void resource_put_option(struct resource_file *it, const char *option, const char *item,
                                struct strs texts)
{
    bool has_lines = texts.len > 1;

    if (!texts.len)
        return;
    pysdk_put(&it->file,
              "        opts = pulumi.ResourceOptions.merge(\n"
              "            opts,\n            pulumi.ResourceOptions(%s=[",
              option);
    for (size_t i = 0; i < texts.len; i++) {
        pysdk_put(&it->file, has_lines ? "\n                " : "");
        pysdk_put(&it->file, item, STR_ARG(pysdk_quoted(resource_arena(it), texts.items[i])));
        pysdk_put(&it->file, has_lines ? "," : "");
    }
    pysdk_put(&it->file, "%s]),\n        )\n", has_lines ? "\n            " : "");
}

static void resource_put_options(struct resource_file *it)
{
    const struct schema_resource *resource = it->resource;
    str *secrets = ARENA_ARRAY(resource_arena(it), str, resource->outputs.len);
    size_t len = 0;

    for (size_t i = 0; i < resource->outputs.len; i++)
        if (resource->outputs.items[i].is_secret
            && resource_has_output(resource, &resource->outputs.items[i]))
            secrets[len++] = resource->outputs.items[i].name;
    resource_put_option(it, "aliases", "pulumi.Alias(type_=" STR_FMT ")",
                        (struct strs){ resource->alias_types, resource->alias_count });
    resource_put_option(it, "additional_secret_outputs", STR_FMT, (struct strs){ secrets, len });
    resource_put_option(it, "replace_on_changes", STR_FMT,
                        pysdk_replace_paths(it->file.sdk, resource_arena(it), resource));
}

static void resource_put_registration(struct resource_file *it)
{
    const struct schema_resource *resource = it->resource;
    struct pysdk *sdk = it->file.sdk;

    resource_put_signature(it, "_internal_init");
    if (resource->deprecation.len)
        pysdk_put(
            &it->file, "        pulumi.log.warn(" STR_FMT ")\n",
            STR_ARG(pysdk_quoted(resource_arena(it),
                                 arena_concat(resource_arena(it), it->name, STR(" is deprecated: "),
                                              resource->deprecation))));
    pysdk_put(&it->file, "        opts = _utilities.with_default_opts(opts)\n");
    if (resource->is_component)
        pysdk_put(&it->file, "        _utilities.check_no_id(opts)\n");
    pysdk_put(&it->file, "        if opts.id is None:\n");
    resource_put_props(it);
    resource_put_options(it);
    pysdk_put(&it->file,
              "        super().__init__(\n            " STR_FMT
              ",\n            resource_name,\n            __props__,\n            opts,\n%s%s"
              "        )\n",
              STR_ARG(pysdk_quoted(resource_arena(it),
                                   resource->is_provider ? sdk->schema->name : resource->token)),
              resource->is_component ? "            remote=True,\n" : "",
              sdk->is_parameterized ? "            package_ref=_utilities.get_package(),\n" : "");
}

/* --- the getter --- */

static void resource_put_lookup(struct resource_file *it)
{
    const struct schema_resource *resource = it->resource;
    str class = it->state.len ? it->state : it->args;
    struct schema_properties state =
        it->state.len ? resource->state : (struct schema_properties){ 0 };

    pysdk_put(&it->file, "\n    @staticmethod\n    def get(\n"
                         "        resource_name: _builtins.str,\n"
                         "        id: pulumi.Input[_builtins.str],\n"
                         "        opts: Optional[pulumi.ResourceOptions] = None,\n");
    resource_put_inputs(it, state);
    pysdk_put(&it->file, "    ) -> \"" STR_FMT "\":\n", STR_ARG(it->name));
    CLEANUP(strbuf_release) struct strbuf doc = { 0 };
    strbuf_printf(&doc, "A " STR_FMT " that is there already, by its id.", STR_ARG(it->name));
    pysdk_add_param(it->file.sdk, &doc, STR("resource_name"), STR("What it is called here."));
    pysdk_add_param(it->file.sdk, &doc, STR("id"), STR("The id that its provider gave it."));
    pysdk_add_param(it->file.sdk, &doc, STR("opts"), STR("How this resource is managed."));
    for (size_t i = 0; i < state.len; i++)
        pysdk_add_param(it->file.sdk, &doc, resource_parameter(it, &state.items[i]),
                        state.items[i].description);
    pysdk_put_doc(&it->file, 8, strbuf_str(&doc));
    pysdk_put(&it->file,
              "        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(id=id))\n"
              "        __props__ = _utilities.new_props(" STR_FMT ")\n",
              STR_ARG(class));
    for (size_t i = 0; i < state.len; i++)
        pysdk_put(&it->file, "        __props__.__dict__[\"" STR_FMT "\"] = " STR_FMT "\n",
                  STR_ARG(python_name(resource_arena(it), state.items[i].name)),
                  STR_ARG(resource_parameter(it, &state.items[i])));
    for (size_t i = 0; i < resource->outputs.len; i++)
        if (!schema_property(state, resource->outputs.items[i].name))
            pysdk_put(&it->file, "        __props__.__dict__[\"" STR_FMT "\"] = None\n",
                      STR_ARG(python_name(resource_arena(it), resource->outputs.items[i].name)));
    pysdk_put(&it->file,
              "        return " STR_FMT "(resource_name, opts=opts, __props__=__props__)\n",
              STR_ARG(it->name));
}

/* --- the class --- */

static void resource_put_outputs(struct resource_file *it)
{
    const struct schema_resource *resource = it->resource;
    struct pysdk_properties outputs = {
        ARENA_ARRAY(resource_arena(it), const struct schema_property *, resource->outputs.len), 0
    };

    for (size_t i = 0; i < resource->outputs.len; i++)
        if (resource_has_output(resource, &resource->outputs.items[i]))
            outputs.items[outputs.len++] = &resource->outputs.items[i];
    pysdk_put_properties(&it->file, outputs, 4, SHAPE_RESULT, "pulumi.Output");
}

static void resource_put_class(struct resource_file *it)
{
    const struct schema_resource *resource = it->resource;
    const char *base = resource->is_provider    ? "Provider"
                       : resource->is_component ? "Component"
                                                : "Custom";
    str why = pysdk_quoted(resource_arena(it), resource->deprecation);

    if (resource->deprecation.len && !resource->is_provider)
        pysdk_put(&it->file, "\n\nwarnings.warn(" STR_FMT ", DeprecationWarning)\n", STR_ARG(why));
    pysdk_put(&it->file,
              "\n\n@pulumi.type_token(" STR_FMT ")\nclass " STR_FMT "(pulumi.%sResource):\n",
              STR_ARG(pysdk_quoted(resource_arena(it), resource->token)), STR_ARG(it->name), base);
    if (resource->deprecation.len)
        pysdk_put(&it->file, "    warnings.warn(" STR_FMT ", DeprecationWarning)\n\n",
                  STR_ARG(why));
    resource_put_overloads(it);
    resource_put_registration(it);
    if (!resource->is_provider && !resource->is_component)
        resource_put_lookup(it);
    resource_put_outputs(it);
    pysdk_put_methods(&it->file, resource);
}

/* A type of the package may have the name that the arguments would get. */
static fallible resource_name_args(struct resource_file *it, str *out)
{
    static const char *const endings[] = { "Args", "InitArgs" };
    const struct pysdk_module *module = it->file.module;

    for (size_t i = 0; i < 2; i++) {
        bool is_taken = false;
        *out = arena_concat(it->file.sdk->arena, it->name, str_from(endings[i]));
        for (size_t k = 0; k < module->objects.len && !is_taken; k++) {
            str token = module->objects.items[k];
            unsigned shapes = pysdk_shapes(it->file.sdk, token);
            is_taken = ((shapes & SHAPE_ARGUMENT)
                        && str_equal(*out, pysdk_object_name(it->file.sdk, resource_arena(it),
                                                             token, SHAPE_ARGUMENT)))
                       || ((shapes & SHAPE_PLAIN)
                           && str_equal(*out, pysdk_object_name(it->file.sdk, resource_arena(it),
                                                                token, SHAPE_PLAIN)));
        }
        if (!is_taken)
            return NULL;
    }
    return error_new(ERROR_INVALID,
                     "the arguments of resource '" STR_FMT "' would have the same name as a type",
                     STR_ARG(it->resource->token));
}

fallible pysdk_write_resource(struct pysdk *sdk, struct pysdk_module *module, str token)
{
    struct resource_file it = { .resource = schema_resource(sdk->schema, token) };

    if (it.resource->is_overlay)
        return NULL;
    pysdk_file_open(&it.file, sdk, module);
    it.file.token = token;
    it.name = pysdk_resource_name(sdk->arena, it.resource);
    struct error *failure = resource_name_args(&it, &it.args);
    if (failure) {
        pysdk_file_release(&it.file);
        return failure;
    }
    pysdk_put(&it.file, "__all__ = [\"" STR_FMT "\", \"" STR_FMT "\"]\n", STR_ARG(it.args),
              STR_ARG(it.name));
    struct pysdk_class args = {
        .name = it.args,
        .doc = arena_concat(&it.file.scratch, STR("The inputs of a "), it.name, STR(".")),
        .properties = it.resource->inputs,
        .shape = SHAPE_ARGUMENT,
    };
    pysdk_put_class(&it.file, &args);
    if (it.resource->has_state && it.resource->state.len && !it.resource->is_provider
        && !it.resource->is_component) {
        it.state = arena_concat(sdk->arena, STR("_"), it.name, STR("State"));
        struct pysdk_class state = {
            .name = it.state,
            .doc = arena_concat(&it.file.scratch, STR("What is known of a "), it.name,
                                STR(" that is looked up.")),
            .properties = it.resource->state,
            .shape = SHAPE_ARGUMENT,
        };
        pysdk_put_class(&it.file, &state);
    }
    resource_put_class(&it);
    return pysdk_file_close(
        &it.file, arena_concat(&it.file.scratch, pysdk_resource_file(sdk, token), STR(".py")));
}
