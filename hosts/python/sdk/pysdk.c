/* pysdk.c — GeneratePackage for Python: the plan, then the files of each module. */
#include "python/python.h"
#include "python/sdk/pysdk_parts.h"

static fallible pysdk_write_module(struct pysdk *sdk, struct pysdk_module *module)
{
    for (size_t i = 0; i < module->resources.len; i++)
        TRY(pysdk_write_resource(sdk, module, module->resources.items[i]));
    for (size_t i = 0; i < module->functions.len; i++)
        TRY(pysdk_write_function(sdk, module, module->functions.items[i]));
    TRY(pysdk_write_types(sdk, module));
    TRY(pysdk_write_enums(sdk, module));
    TRY(pysdk_write_config(sdk, module));
    return pysdk_write_init(sdk, module);
}

static fallible pysdk_write_all(struct pysdk *sdk)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);)
        TRY(pysdk_write_module(sdk, entry->value));
    TRY(pysdk_write_utilities(sdk));
    return pysdk_write_metadata(sdk);
}

/* Modes for SDKs that were published long ago: their classes have other names. */
static fallible pysdk_choose_mode(struct pysdk *sdk)
{
    str mode = value_find_text(sdk->hints, STR("compatibility"));
    str kinds = value_find_text(sdk->hints, STR("inputTypes"));

    if (kinds.len && !str_equal(kinds, STR("classes"))
        && !str_equal(kinds, STR("classes-and-dicts")))
        return error_new(ERROR_INVALID,
                         "language.python.inputTypes of the schema is '" STR_FMT
                         "'; it can be 'classes' or 'classes-and-dicts'",
                         STR_ARG(kinds));
    sdk->is_kubernetes = str_equal(mode, STR("kubernetes20"));
    sdk->is_bridged = sdk->is_kubernetes || str_equal(mode, STR("tfbridge20"));
    return NULL;
}

fallible python_generate_package(struct host *host, struct arena *arena,
                                 const struct sdk_request *request, struct sdk_files *out)
{
    static const struct sdk_naming naming = { "Python", python_name, python_member,
                                              python_enum_member };
    struct schema *schema = request->schema;
    struct pysdk sdk = {
        .arena = arena,
        .schema = schema,
        .hints = schema_language(schema, schema->language, STR("python")),
        .package = python_package(arena, schema),
        .version = schema->supports_pack ? schema->version : STR(""),
        .is_parameterized = schema->parameterization.is_given || schema->extension.is_given,
        .request = request,
        .files = out,
    };

    (void)host;
    sdk.uses_dicts = !str_equal(value_find_text(sdk.hints, STR("inputTypes")), STR("classes"));
    sdk.lifts = schema_language_bool(sdk.hints, STR("liftSingleValueMethodReturns"), false);
    TRY(pysdk_choose_mode(&sdk));
    if (schema->supports_pack && !schema->version.len)
        return error_new(ERROR_INVALID, "the schema of package '" STR_FMT "' has no version",
                         STR_ARG(schema->name));
    TRY(sdk_check_names(schema, &naming));
    out->overlays = sdk.package;
    pysdk_plan(&sdk);
    struct error *failure = pysdk_write_all(&sdk);
    pysdk_release(&sdk);
    return failure;
}
