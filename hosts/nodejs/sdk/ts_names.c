/* ts_names.c — what things of a schema are called in TypeScript, and in which file they are. */
#include "nodejs/sdk/ts_names.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "common/names.h"
#include "nodejs/nodejs.h"

#include <ctype.h>

str ts_type_name(struct arena *arena, str token)
{
    str name = name_title(arena, schema_member(token));

    return name_identifier(arena, name);
}

str ts_function_name(struct arena *arena, str token)
{
    return node_identifier(arena, name_camel(arena, ts_type_name(arena, token)));
}

str ts_class_name(struct arena *arena, const struct schema_resource *resource)
{
    return resource->is_provider ? STR("Provider") : ts_type_name(arena, resource->token);
}

/* --- modules --- */

str ts_namespace(struct arena *arena, str module)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str segment, part;

    while (str_next(&module, STR("/"), &segment)) {
        while (str_next(&segment, STR("."), &part)) {
            strbuf_add(&out, node_identifier(arena, part));
            strbuf_add_char(&out, '.');
        }
    }
    return arena_copy(arena, strbuf_str(&out));
}

/* Words that each file has already. */
static bool ts_is_of_node(str name)
{
    return str_equal(name, STR("module")) || str_equal(name, STR("exports"))
           || str_equal(name, STR("require"));
}

str ts_folder_variable(struct arena *arena, str folder)
{
    str name = node_identifier(arena, folder);

    return ts_is_of_node(name) ? arena_concat(arena, name, STR("_")) : name;
}

str ts_folder_export(struct arena *arena, str folder)
{
    return node_identifier(arena, folder);
}

str ts_folder_path(struct arena *arena, str module)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    str part;

    while (str_next(&module, STR("/"), &part)) {
        char *lower = arena_cstr(arena, part);
        for (size_t i = 0; i < part.len; i++)
            lower[i] = (char)tolower((unsigned char)lower[i]);
        strbuf_add(&out, ts_folder_export(arena, (str){ lower, part.len }));
        strbuf_add_char(&out, '.');
    }
    return arena_copy(arena, strbuf_str(&out));
}

/* --- properties --- */

str ts_quoted(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    node_put_quoted(&out, text);
    return arena_copy(arena, strbuf_str(&out));
}

static bool ts_is_bare(str name)
{
    if (!name.len || char_is_digit(name.ptr[0]))
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (!isalnum((unsigned char)name.ptr[i]) && name.ptr[i] != '_' && name.ptr[i] != '$')
            return false;
    return true;
}

str ts_key(struct arena *arena, str name)
{
    return ts_is_bare(name) ? name : ts_quoted(arena, name);
}

str ts_member(struct arena *arena, const char *object, str name)
{
    str base = str_from(object);
    bool may_miss = str_ends_with(base, STR("?"));

    if (ts_is_bare(name))
        return arena_concat(arena, base, STR("."), name);
    return arena_concat(arena, base, may_miss ? STR(".[") : STR("["), ts_quoted(arena, name),
                        STR("]"));
}

/* --- files --- */

/* Files and folders that the module has anyway: `import "./x"` must not find two things. */
static bool ts_is_taken(const struct ts_sdk *sdk, const struct ts_module *module, str file)
{
    if (str_equal(file, STR("index")))
        return true;
    if (!module->path.len && str_equal(file, STR("utilities")))
        return true;
    if (str_equal(file, STR("vars")) && schema_config(sdk->schema).len)
        return true;
    for (size_t i = 0; i < module->children.len; i++)
        if (str_equal(fs_path_name(module->children.items[i]->folder), file))
            return true;
    return false;
}

str ts_resource_file(const struct ts_sdk *sdk, struct arena *arena, const struct ts_module *module,
                     const struct schema_resource *resource)
{
    str file = name_camel(arena, ts_class_name(arena, resource));

    return ts_is_taken(sdk, module, file) ? arena_concat(arena, file, STR("_")) : file;
}

str ts_function_file(const struct ts_sdk *sdk, struct arena *arena, const struct ts_module *module,
                     const struct schema_function *function)
{
    str file = name_camel(arena, ts_type_name(arena, function->token));
    bool is_taken = ts_is_taken(sdk, module, file);

    for (size_t i = 0; i < module->resources.len && !is_taken; i++)
        is_taken =
            str_equal(file, ts_resource_file(sdk, arena, module, module->resources.items[i]));
    return is_taken ? arena_concat(arena, file, STR("_")) : file;
}

/* --- packages --- */

str ts_package_name(struct arena *arena, const struct schema *schema)
{
    str name = schema_language_text(schema, STR("nodejs"), STR("packageName"));

    if (name.len)
        return name;
    return arena_concat(arena, STR("@"), schema->namespace.len ? schema->namespace : STR("pulumi"),
                        STR("/"), schema->name);
}

str ts_package_variable(struct arena *arena, str package)
{
    return arena_concat(arena, STR("pulumi"), name_identifier(arena, name_pascal(arena, package)));
}
