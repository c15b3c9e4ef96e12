/* ts_config.c — config/vars.ts: the configuration of the package as programs read it. */
#include "nodejs/sdk/ts_types.h"

#include "nodejs/nodejs.h"

/* Text is there as it is, everything else as JSON. */
static str ts_config_reader(struct ts_file *file, const struct schema_property *variable)
{
    struct arena *arena = &file->arena;
    const struct schema_type *type = variable->type;
    str name = ts_quoted(arena, variable->name);

    if (type->kind == TYPE_STRING)
        return arena_concat(arena, STR("__config.get("), name, STR(")"));
    str text = ts_type(file, type, TS_RESULT, false);
    if (type->kind == TYPE_ENUM && type->base == TYPE_STRING)
        return arena_concat(arena, STR("(__config.get("), name, STR(") as "), text,
                            STR(" | undefined)"));
    return arena_concat(arena, STR("__config.getObject<"), text, STR(">("), name, STR(")"));
}

static void ts_config_variable(struct ts_file *file, const struct schema_property *variable)
{
    struct arena *arena = &file->arena;
    str name = node_identifier(arena, variable->name), preset = ts_default(file, variable);
    str type = ts_type(file, variable->type, TS_RESULT, !variable->has_default);
    str reader = ts_config_reader(file, variable);

    ts_blank(file);
    ts_doc(file, variable->description, variable->deprecation);
    ts_line(file, "export declare const " STR_FMT ": " STR_FMT ";", STR_ARG(name), STR_ARG(type));
    ts_open(file, "Object.defineProperty(exports, " STR_FMT ", {", STR_ARG(ts_quoted(arena, name)));
    ts_open(file, "get() {");
    ts_line(file, "return " STR_FMT "%s" STR_FMT ";", STR_ARG(reader), preset.len ? " ?? " : "",
            STR_ARG(preset));
    ts_close(file, "},");
    ts_line(file, "enumerable: true,");
    ts_close(file, "});");
}

fallible ts_write_config(struct ts_sdk *sdk, const struct ts_module *module)
{
    CLEANUP(ts_file_release) struct ts_file file;
    struct schema_properties config = schema_config(sdk->schema);

    ts_file_init(&file, sdk, module->folder);
    file.uses_pulumi = true;
    ts_line(&file, "declare var exports: any;");
    ts_line(&file, "const __config = new pulumi.Config(" STR_FMT ");",
            STR_ARG(ts_quoted(&file.arena, sdk->schema->name)));
    for (size_t i = 0; i < config.len; i++)
        ts_config_variable(&file, &config.items[i]);
    return ts_file_write(&file, STR("vars"));
}
