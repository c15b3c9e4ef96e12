/* ts_sdk.c — all files of an SDK, one after the other. */
#include "nodejs/sdk/ts_sdk.h"

#include "nodejs/nodejs.h"
#include "pcl/pcl_print.h"

static fallible ts_write_module(struct ts_sdk *sdk, const struct ts_module *module)
{
    bool is_config = str_equal(module->path, STR("config"));
    bool is_types = str_equal(module->path, STR("types"));

    if (is_config && schema_config(sdk->schema).len)
        TRY(ts_write_config(sdk, module));
    for (size_t i = 0; i < module->resources.len; i++)
        TRY(ts_write_resource(sdk, module, module->resources.items[i]));
    for (size_t i = 0; i < module->functions.len; i++)
        TRY(ts_write_function(sdk, module, module->functions.items[i]));
    if (!is_types && ts_module_has_enums(module))
        TRY(ts_write_enums(sdk, module));
    if (is_types)
        TRY(ts_write_types(sdk));
    return ts_write_index(sdk, module);
}

static fallible ts_write_all(struct ts_sdk *sdk)
{
    static const struct sdk_naming naming = { "TypeScript", NULL, NULL, pcl_enum_name };
    const struct map_entry *entry;

    TRY(sdk_check_names(sdk->schema, &naming));
    TRY(ts_plan(sdk));
    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);)
        TRY(ts_write_module(sdk, entry->value));
    TRY(ts_write_utilities(sdk));
    return ts_write_metadata(sdk);
}

fallible ts_sdk_generate(const struct sdk_request *request, struct sdk_files *files)
{
    struct ts_sdk sdk = { .schema = request->schema, .request = request, .files = files };
    struct error *failure = ts_write_all(&sdk);

    ts_plan_release(&sdk);
    return failure;
}

fallible node_generate_package(struct host *host, struct arena *arena,
                               const struct sdk_request *request, struct sdk_files *out)
{
    (void)host;
    (void)arena;
    return ts_sdk_generate(request, out);
}
