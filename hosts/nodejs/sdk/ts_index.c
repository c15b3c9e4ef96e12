/* ts_index.c — index.ts of a module: what it has, loaded when it is first used, and how the SDK
 * makes its resources from references. */
#include "nodejs/sdk/ts_index.h"

#include "base/fs.h"
#include "nodejs/sdk/ts_function.h"
#include "nodejs/sdk/ts_resource.h"

/* --- folders --- */

void ts_folders_add(struct ts_folders *folders, str name)
{
    for (size_t i = 0; i < folders->len; i++)
        if (str_equal(folders->items[i], name))
            return;
    vec_add(folders, name);
}

void ts_folders_release(struct ts_folders *folders)
{
    vec_release(folders);
}

void ts_put_folders(struct ts_file *file, const struct ts_folders *folders)
{
    struct arena *arena = &file->arena;
    struct strs names = strs_sorted(arena, (struct strs){ folders->items, folders->len });

    if (!names.len)
        return;
    for (size_t i = 0; i < names.len; i++)
        ts_line(file, "import * as " STR_FMT " from \"./" STR_FMT "\";",
                STR_ARG(ts_folder_variable(arena, names.items[i])), STR_ARG(names.items[i]));
    ts_blank(file);
    ts_open(file, "export {");
    for (size_t i = 0; i < names.len; i++) {
        str variable = ts_folder_variable(arena, names.items[i]);
        str shown = ts_folder_export(arena, names.items[i]);
        if (str_equal(variable, shown))
            ts_line(file, STR_FMT ",", STR_ARG(variable));
        else
            ts_line(file, STR_FMT " as " STR_FMT ",", STR_ARG(variable), STR_ARG(shown));
    }
    ts_close(file, "};");
}

/* --- members --- */

/* One file of the module. */
struct ts_export {
    str file; /* without ".ts" */
    const struct schema_resource *resource;
    const struct schema_function *function;
};

struct ts_exports {
    VEC(struct ts_export);
};

static void ts_put_names(struct ts_file *file, struct strs names, str from)
{
    if (!names.len)
        return;
    ts_begin(file);
    ts_put(file, "export { ");
    for (size_t i = 0; i < names.len; i++)
        ts_put(file, "%s" STR_FMT, i ? ", " : "", STR_ARG(names.items[i]));
    ts_put(file, " } from \"./" STR_FMT "\";\n", STR_ARG(from));
}

static void ts_put_lazy(struct ts_file *file, struct strs names, str from)
{
    for (size_t i = 0; i < names.len; i++)
        ts_line(file,
                "export const " STR_FMT ": typeof import(\"./" STR_FMT "\")." STR_FMT
                " = null as any;",
                STR_ARG(names.items[i]), STR_ARG(from), STR_ARG(names.items[i]));
    ts_begin(file);
    ts_put(file, "utilities.lazyLoad(exports, [");
    for (size_t i = 0; i < names.len; i++)
        ts_put(file, "%s" STR_FMT, i ? ", " : "", STR_ARG(ts_quoted(&file->arena, names.items[i])));
    ts_put(file, "], () => require(\"./" STR_FMT "\"));\n", STR_ARG(from));
    file->uses_utilities = true;
}

/* A class with a namespace cannot be loaded later: both have the name. */
static void ts_export_resource(struct ts_file *file, const struct ts_export *export)
{
    struct arena *arena = &file->arena;
    str class = ts_class_name(arena, export->resource);
    str names[2] = { arena_concat(arena, class, STR("Args")),
                     arena_concat(arena, class, STR("State")) };

    if (ts_has_method_types(file->sdk, export->resource)) {
        ts_line(file, "export * from \"./" STR_FMT "\";", STR_ARG(export->file));
        ts_line(file, "import { " STR_FMT " } from \"./" STR_FMT "\";", STR_ARG(class),
                STR_ARG(export->file));
        return;
    }
    ts_put_names(file, (struct strs){ names, export->resource->has_state ? 2 : 1 }, export->file);
    ts_line(file, "export type " STR_FMT " = import(\"./" STR_FMT "\")." STR_FMT ";",
            STR_ARG(class), STR_ARG(export->file), STR_ARG(class));
    ts_put_lazy(file, (struct strs){ &class, 1 }, export->file);
}

static void ts_export_function(struct ts_file *file, const struct ts_export *export)
{
    ts_put_names(file, ts_function_interfaces(&file->arena, export->function), export->file);
    ts_put_lazy(file, ts_function_forms(&file->arena, export->function), export->file);
}

static int ts_export_compare(const void *a, const void *b)
{
    return str_compare(((const struct ts_export *)a)->file, ((const struct ts_export *)b)->file);
}

static void ts_collect_exports(struct ts_file *file, const struct ts_module *module,
                               struct ts_exports *out)
{
    struct arena *arena = &file->arena;

    for (size_t i = 0; i < module->resources.len; i++) {
        const struct schema_resource *resource = module->resources.items[i];
        vec_add(out,
                ((struct ts_export){ .file = ts_resource_file(file->sdk, arena, module, resource),
                                     .resource = resource }));
    }
    for (size_t i = 0; i < module->functions.len; i++) {
        const struct schema_function *function = module->functions.items[i];
        vec_add(out,
                ((struct ts_export){ .file = ts_function_file(file->sdk, arena, module, function),
                                     .function = function }));
    }
    for (size_t i = 0; i < module->extra_files.len; i++) {
        str name = fs_path_name(module->extra_files.items[i]);
        if (!str_equal(name, STR("index.ts")))
            vec_add(out, ((struct ts_export){ .file = str_slice(name, 0, name.len - 3) }));
    }
    if (str_equal(module->path, STR("config")) && schema_config(file->sdk->schema).len)
        vec_add(out, ((struct ts_export){ .file = STR("vars") }));
    if (out->len)
        qsort(out->items, out->len, sizeof(*out->items), ts_export_compare);
}

static fallible ts_claim_names(struct map *claimed, struct strs names, str token)
{
    for (size_t i = 0; i < names.len; i++) {
        if (map_has(claimed, names.items[i]))
            return error_new(ERROR_INVALID,
                             "'" STR_FMT "' would be, or have, a '" STR_FMT
                             "' in TypeScript, and so would something else in its module; rename "
                             "one of them in the schema",
                             STR_ARG(token), STR_ARG(names.items[i]));
        map_put(claimed, names.items[i], claimed);
    }
    return NULL;
}

/* A name is exported once. */
static fallible ts_claim_export(struct arena *arena, struct map *claimed,
                                const struct ts_export *export)
{
    if (export->resource) {
        str class = ts_class_name(arena, export->resource);
        str names[3] = { class, arena_concat(arena, class, STR("Args")),
                         arena_concat(arena, class, STR("State")) };
        return ts_claim_names(claimed, (struct strs){ names, export->resource->has_state ? 3 : 2 },
                              export->resource->token);
    }
    if (!export->function)
        return NULL;
    TRY(ts_claim_names(claimed, ts_function_interfaces(arena, export->function),
                       export->function->token));
    return ts_claim_names(claimed, ts_function_forms(arena, export->function),
                          export->function->token);
}

static fallible ts_check_exports(struct arena *arena, const struct ts_exports *exports)
{
    struct map claimed = { 0 };
    struct error *failure = NULL;

    for (size_t i = 0; i < exports->len && !failure; i++)
        failure = ts_claim_export(arena, &claimed, &exports->items[i]);
    map_release(&claimed);
    return failure;
}

static fallible ts_put_exports(struct ts_file *file, const struct ts_module *module)
{
    struct ts_exports exports = { 0 };

    ts_collect_exports(file, module, &exports);
    struct error *failure = ts_check_exports(&file->arena, &exports);
    for (size_t i = 0; i < exports.len && !failure; i++) {
        const struct ts_export *export = &exports.items[i];
        if (i)
            ts_blank(file);
        if (export->resource)
            ts_export_resource(file, export);
        else if (export->function)
            ts_export_function(file, export);
        else
            ts_line(file, "export * from \"./" STR_FMT "\";", STR_ARG(export->file));
    }
    vec_release(&exports);
    return failure;
}

/* --- registration --- */

/* The middle of a token. */
static str ts_runtime_module(str token)
{
    str package, rest, module = STR(""), name;

    if (str_cut(token, STR(":"), &package, &rest))
        str_cut(rest, STR(":"), &module, &name);
    return module;
}

static void ts_put_construct(struct ts_file *file, const struct ts_module *module)
{
    struct arena *arena = &file->arena;

    ts_open(file, "const _module = {");
    ts_line(file, "version: utilities.getVersion(),");
    ts_open(file, "construct: (name: string, type: string, urn: string): pulumi.Resource => {");
    ts_open(file, "switch (type) {");
    for (size_t i = 0; i < module->resources.len; i++) {
        const struct schema_resource *resource = module->resources.items[i];
        if (resource->is_provider)
            continue;
        ts_line(file, "case " STR_FMT ":", STR_ARG(ts_quoted(arena, resource->token)));
        ts_line(file, "    return new " STR_FMT "(name, undefined as any, { urn });",
                STR_ARG(ts_class_name(arena, resource)));
    }
    ts_line(file, "default:");
    ts_line(file, "    throw new Error(`unknown resource type ${type}`);");
    ts_close(file, "}");
    ts_close(file, "},");
    ts_close(file, "};");
}

static void ts_put_registrations(struct ts_file *file, const struct ts_module *module)
{
    struct arena *arena = &file->arena;
    struct map seen = { 0 };
    str package = ts_quoted(arena, file->sdk->schema->name);

    for (size_t i = 0; i < module->resources.len; i++)
        if (!module->resources.items[i]->is_provider)
            map_put(&seen, ts_runtime_module(module->resources.items[i]->token), file);
    if (seen.len) {
        struct strs names = ts_sorted_keys(arena, &seen);
        ts_blank(file);
        ts_put_construct(file, module);
        for (size_t i = 0; i < names.len; i++)
            ts_line(file,
                    "pulumi.runtime.registerResourceModule(" STR_FMT ", " STR_FMT ", _module);",
                    STR_ARG(package), STR_ARG(ts_quoted(arena, names.items[i])));
    }
    map_release(&seen);
}

static void ts_put_provider(struct ts_file *file, const struct ts_module *module)
{
    struct arena *arena = &file->arena;

    for (size_t i = 0; i < module->resources.len; i++) {
        const struct schema_resource *resource = module->resources.items[i];
        if (!resource->is_provider)
            continue;
        ts_blank(file);
        ts_open(file, "pulumi.runtime.registerResourcePackage(" STR_FMT ", {",
                STR_ARG(ts_quoted(arena, file->sdk->schema->name)));
        ts_line(file, "version: utilities.getVersion(),");
        ts_open(file, "constructProvider: (name: string, type: string, urn: string): "
                      "pulumi.ProviderResource => {");
        ts_open(file, "if (type !== " STR_FMT ") {", STR_ARG(ts_quoted(arena, resource->token)));
        ts_line(file, "throw new Error(`unknown provider type ${type}`);");
        ts_close(file, "}");
        ts_line(file, "return new Provider(name, undefined as any, { urn });");
        ts_close(file, "},");
        ts_close(file, "});");
    }
}

/* --- the file --- */

static void ts_put_module_folders(struct ts_file *file, const struct ts_module *module)
{
    struct ts_folders folders = { 0 };

    for (size_t i = 0; i < module->children.len; i++)
        ts_folders_add(&folders, fs_path_name(module->children.items[i]->folder));
    if (str_equal(module->path, STR("types"))) {
        ts_folders_add(&folders, STR("input"));
        ts_folders_add(&folders, STR("output"));
        if (file->sdk->has_enums)
            ts_folders_add(&folders, STR("enums"));
    }
    if (folders.len && file->body.len)
        ts_blank(file);
    ts_put_folders(file, &folders);
    ts_folders_release(&folders);
}

fallible ts_write_index(struct ts_sdk *sdk, const struct ts_module *module)
{
    CLEANUP(ts_file_release) struct ts_file file;

    ts_file_init(&file, sdk, module->folder);
    for (size_t i = 0; i < module->extra_files.len; i++)
        if (str_equal(fs_path_name(module->extra_files.items[i]), STR("index.ts")))
            return NULL;
    TRY(ts_put_exports(&file, module));
    if (module->enums.len && !str_equal(module->path, STR("types"))) {
        str below = module->folder.len
                        ? arena_concat(&file.arena, STR("types/enums/"), module->folder)
                        : STR("types/enums");
        if (file.body.len)
            ts_blank(&file);
        ts_line(&file, "export * from \"" STR_FMT "\";", STR_ARG(ts_file_path_to(&file, below)));
    }
    ts_put_module_folders(&file, module);
    file.uses_pulumi = module->resources.len > 0;
    file.uses_utilities = file.uses_utilities || module->resources.len > 0;
    ts_put_registrations(&file, module);
    ts_put_provider(&file, module);
    return ts_file_write(&file, STR("index"));
}
