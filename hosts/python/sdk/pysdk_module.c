/* pysdk_module.c — files that modules have besides their members: enums, configuration, and the
 * list of what the module exports. */
#include "python/sdk/pysdk_parts.h"

/* --- enums --- */

static void module_put_enum(struct pysdk_file *file, str token)
{
    const struct schema_type *type = schema_named_type(file->sdk->schema, token);
    str doc = pysdk_doc(file->sdk, &file->scratch, type->description);
    const char *base = pysdk_simple_type(type->base);
    bool has_base = base && type->base != TYPE_BOOL; /* of which Python allows no subclass */

    pysdk_put(file, "\n\n@pulumi.type_token(" STR_FMT ")\nclass " STR_FMT "(%s%s%sEnum):\n",
              STR_ARG(pysdk_quoted(&file->scratch, token)),
              STR_ARG(python_class_name(&file->scratch, schema_member(token))),
              has_base ? "_builtins." : "", has_base ? base : "", has_base ? ", " : "");
    pysdk_put_doc(file, 4, doc);
    if (doc.len)
        pysdk_put(file, "\n");
    for (size_t i = 0; i < type->len; i++) {
        pysdk_put(file, "    " STR_FMT " = " STR_FMT "\n",
                  STR_ARG(python_enum_member(&file->scratch, type, i)),
                  STR_ARG(pysdk_literal(&file->scratch, type->values[i])));
        pysdk_put_doc(file, 4, pysdk_doc(file->sdk, &file->scratch, type->value_descriptions[i]));
    }
}

fallible pysdk_write_enums(struct pysdk *sdk, struct pysdk_module *module)
{
    struct pysdk_file file;

    if (!module->enums.len)
        return NULL;
    pysdk_file_open(&file, sdk, module);
    pysdk_put(&file, "__all__ = [\n");
    for (size_t i = 0; i < module->enums.len; i++)
        pysdk_put(&file, "    \"" STR_FMT "\",\n",
                  STR_ARG(python_class_name(&file.scratch, schema_member(module->enums.items[i]))));
    pysdk_put(&file, "]\n");
    for (size_t i = 0; i < module->enums.len; i++)
        module_put_enum(&file, module->enums.items[i]);
    vec_add(&module->exports, STR("_enums"));
    return pysdk_file_close(&file, STR("_enums.py"));
}

/* --- configuration --- */

/* What the configuration of a program has is text; only simple types are read from it. */
static const char *config_type(const struct schema_property *property)
{
    const char *type = pysdk_simple_type(property->type->kind);
    return type ? type : "str";
}

static bool config_is_always_set(const struct schema_property *property)
{
    return property->has_default && property->preset.kind != VALUE_NULL;
}

static void config_put_annotation(struct pysdk_file *file, const struct schema_property *property)
{
    pysdk_put(file, config_is_always_set(property) ? "_builtins.%s" : "Optional[_builtins.%s]",
              config_type(property));
}

/* A module has no properties: those of a class that the module then is of. */
static void config_put_variable(struct pysdk_file *file, const struct schema_property *property)
{
    const char *type = config_type(property);
    bool is_text = strcmp(type, "str") == 0;
    str otherwise = pysdk_default(&file->scratch, property);

    pysdk_put(file, "\n    @_builtins.property\n    def " STR_FMT "(self) -> ",
              STR_ARG(python_name(&file->scratch, property->name)));
    config_put_annotation(file, property);
    pysdk_put(file, ":\n");
    pysdk_put_doc(file, 8, pysdk_doc(file->sdk, &file->scratch, property->description));
    str call =
        arena_printf(&file->scratch, "__config__.get%s%s(" STR_FMT ")", is_text ? "" : "_",
                     is_text ? "" : type, STR_ARG(pysdk_quoted(&file->scratch, property->name)));
    if (otherwise.len)
        pysdk_put(file,
                  "        value = " STR_FMT "\n        return " STR_FMT
                  " if value is None else value\n",
                  STR_ARG(call), STR_ARG(otherwise));
    else
        pysdk_put(file, "        return " STR_FMT "\n", STR_ARG(call));
}

static fallible config_write_variables(struct pysdk *sdk, struct pysdk_module *module,
                                       struct schema_properties config)
{
    struct pysdk_file file;

    pysdk_file_open(&file, sdk, module);
    pysdk_put(&file,
              "__config__ = pulumi.Config(" STR_FMT ")\n\n\n"
              "class _ExportableConfig(types.ModuleType):\n"
              "    \"\"\"Each property is asked for anew when it is read.\"\"\"\n",
              STR_ARG(pysdk_quoted(&file.scratch, sdk->schema->name)));
    for (size_t i = 0; i < config.len; i++)
        config_put_variable(&file, &config.items[i]);
    return pysdk_file_close(&file, STR("vars.py"));
}

static fallible config_write_stub(struct pysdk *sdk, struct pysdk_module *module,
                                  struct schema_properties config)
{
    struct pysdk_file file;

    pysdk_file_open(&file, sdk, module);
    for (size_t i = 0; i < config.len; i++) {
        pysdk_put(&file, STR_FMT ": ", STR_ARG(python_name(&file.scratch, config.items[i].name)));
        config_put_annotation(&file, &config.items[i]);
        pysdk_put(&file, "\n");
        pysdk_put_doc(&file, 0, pysdk_doc(sdk, &file.scratch, config.items[i].description));
    }
    return pysdk_file_close(&file, STR("__init__.pyi"));
}

fallible pysdk_write_config(struct pysdk *sdk, struct pysdk_module *module)
{
    struct schema_properties config = schema_config(sdk->schema);

    if (!module->has_config)
        return NULL;
    TRY(config_write_variables(sdk, module, config));
    return config_write_stub(sdk, module, config);
}

/* --- __init__.py --- */

static bool module_is_empty(const struct pysdk_module *module)
{
    if (module->exports.len || module->objects.len || module->has_config || module->resources.len
        || module->functions.len)
        return false;
    for (size_t i = 0; i < module->children.len; i++)
        if (!module_is_empty(module->children.items[i]))
            return false;
    return true;
}

static int module_compare_names(const void *a, const void *b)
{
    return str_compare(*(const str *)a, *(const str *)b);
}

/* pulumi_acme.store.deep */
static str module_full_name(struct pysdk *sdk, struct arena *arena,
                            const struct pysdk_module *module)
{
    char *path = arena_cstr(arena, module->path);

    for (size_t i = 0; i < module->path.len; i++)
        if (path[i] == '/')
            path[i] = '.';
    return module->path.len ? arena_concat(arena, sdk->package, STR("."), str_from(path))
                            : sdk->package;
}

static str module_own_name(const struct pysdk_module *module)
{
    str above, name;
    return str_cut_last(module->path, STR("/"), &above, &name) ? name : module->path;
}

static void init_put_exports(struct pysdk *sdk, struct pysdk_module *module, struct strbuf *out)
{
    bool has_inputs = false, has_outputs = false;

    for (size_t i = 0; i < module->objects.len; i++) {
        unsigned shapes = pysdk_shapes(sdk, module->objects.items[i]);
        has_inputs |= (shapes & (SHAPE_ARGUMENT | SHAPE_PLAIN)) != 0;
        has_outputs |= (shapes & SHAPE_RESULT) != 0;
    }
    if (module->exports.len > 1)
        qsort(module->exports.items, module->exports.len, sizeof(str), module_compare_names);
    if (has_outputs)
        strbuf_add(out, STR("from . import outputs\n"));
    if (has_inputs)
        strbuf_add(out, STR("from ._inputs import *\n"));
    for (size_t i = 0; i < module->exports.len; i++)
        strbuf_printf(out, "from ." STR_FMT " import *\n", STR_ARG(module->exports.items[i]));
}

/* Modules below are loaded when something of them is asked for: there may be hundreds. */
static void init_put_children(struct pysdk *sdk, struct arena *arena,
                              const struct pysdk_module *module, struct strbuf *out)
{
    size_t count = 0;

    for (int is_lazy = 0; is_lazy < 2; is_lazy++)
        for (size_t i = 0; i < module->children.len; i++) {
            const struct pysdk_module *child = module->children.items[i];
            str name = module_own_name(child);
            if (module_is_empty(child))
                continue;
            if (!count++)
                strbuf_add(out, STR("\nif typing.TYPE_CHECKING:\n"));
            if (is_lazy)
                strbuf_printf(out, "    " STR_FMT " = _utilities.lazy_import(\"" STR_FMT "\")\n",
                              STR_ARG(name), STR_ARG(module_full_name(sdk, arena, child)));
            else
                strbuf_printf(out, "    from . import " STR_FMT " as " STR_FMT "\n", STR_ARG(name),
                              STR_ARG(name));
            bool is_last_of_pass = !is_lazy;
            for (size_t k = i + 1; is_last_of_pass && k < module->children.len; k++)
                is_last_of_pass = module_is_empty(module->children.items[k]);
            if (is_last_of_pass)
                strbuf_add(out, STR("else:\n"));
        }
}

static void init_put_classes(struct pysdk *sdk, struct arena *arena, struct strbuf *out)
{
    struct strs tokens = schema_resource_tokens(sdk->schema);

    for (size_t i = 0; i < tokens.len; i++) {
        const struct schema_resource *resource = schema_resource(sdk->schema, tokens.items[i]);
        if (!resource || resource->is_overlay)
            continue;
        strbuf_printf(out, "        " STR_FMT ": \"" STR_FMT ":" STR_FMT "\",\n",
                      STR_ARG(pysdk_quoted(arena, tokens.items[i])),
                      STR_ARG(module_full_name(sdk, arena, pysdk_module_of(sdk, tokens.items[i]))),
                      STR_ARG(pysdk_resource_name(arena, resource)));
    }
}

static void init_put_registration(struct pysdk *sdk, struct arena *arena, struct strbuf *out)
{
    strbuf_printf(out, "\n_utilities.register(\n    " STR_FMT ",\n    {\n",
                  STR_ARG(pysdk_quoted(arena, sdk->schema->name)));
    init_put_classes(sdk, arena, out);
    strbuf_add(out, STR("    },\n"));
    if (!sdk->schema->extension.is_given)
        strbuf_printf(out, "    provider=\"" STR_FMT ":Provider\",\n", STR_ARG(sdk->package));
    strbuf_add(out, STR(")\n"));
}

static void init_put_config(struct strbuf *out)
{
    strbuf_add(out, STR("import sys\n\nfrom .vars import _ExportableConfig\n\n"
                        "sys.modules[__name__].__class__ = _ExportableConfig\n"));
}

fallible pysdk_write_init(struct pysdk *sdk, struct pysdk_module *module)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 }, parts = { 0 };

    if (module_is_empty(module))
        return NULL;
    pysdk_put_notice(sdk, &out);
    if (module->has_config) {
        init_put_config(&out);
    } else {
        init_put_exports(sdk, module, &parts);
        init_put_children(sdk, &scratch, module, &parts);
        if (!module->path.len)
            init_put_registration(sdk, &scratch, &parts);
        if (str_find(strbuf_str(&parts), STR("typing.")) != SIZE_MAX)
            strbuf_add(&out, STR("import typing\n\n"));
        if (str_find(strbuf_str(&parts), STR("_utilities.")) != SIZE_MAX)
            strbuf_printf(&out, "from " STR_FMT " import _utilities\n",
                          STR_ARG(pysdk_dots(&scratch, module)));
        strbuf_add(&out, strbuf_str(&parts));
    }
    return sdk_put(sdk->files, pysdk_path(sdk, &scratch, module, STR("__init__.py")),
                   strbuf_str(&out));
}
