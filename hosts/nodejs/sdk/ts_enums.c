/* ts_enums.c — the enums of a module, below types/enums. */
#include "nodejs/sdk/ts_types.h"

#include "base/fs.h"
#include "nodejs/sdk/ts_index.h"
#include "pcl/pcl_print.h"

static void ts_enum(struct ts_file *file, const struct schema_type *type)
{
    str name = ts_type_name(&file->arena, type->token);

    ts_open(file, "export const " STR_FMT " = {", STR_ARG(name));
    for (size_t i = 0; i < type->len; i++) {
        ts_doc(file, type->value_descriptions[i], type->value_deprecations[i]);
        ts_line(file, STR_FMT ": " STR_FMT ",", STR_ARG(pcl_enum_name(&file->arena, type, i)),
                STR_ARG(ts_constant(&file->arena, type->values[i])));
    }
    ts_close(file, "} as const;");
    ts_blank(file);
    ts_doc(file, type->description, STR(""));
    ts_line(file, "export type " STR_FMT " = (typeof " STR_FMT ")[keyof typeof " STR_FMT "];",
            STR_ARG(name), STR_ARG(name), STR_ARG(name));
}

fallible ts_write_enums(struct ts_sdk *sdk, const struct ts_module *module)
{
    CLEANUP(ts_file_release) struct ts_file file;
    struct ts_folders folders = { 0 };

    ts_file_init(&file, sdk, STR(""));
    file.folder = module->folder.len
                      ? arena_concat(&file.arena, STR("types/enums/"), module->folder)
                      : STR("types/enums");
    for (size_t i = 0; i < module->children.len; i++)
        if (ts_module_has_enums(module->children.items[i]))
            ts_folders_add(&folders, fs_path_name(module->children.items[i]->folder));
    ts_put_folders(&file, &folders);
    ts_folders_release(&folders);
    for (size_t i = 0; i < module->enums.len; i++) {
        if (file.body.len)
            ts_blank(&file);
        ts_enum(&file, module->enums.items[i]);
    }
    return ts_file_write(&file, STR("index"));
}
