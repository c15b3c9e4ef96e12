/* ts_file.c — one file of the SDK: lines, imports, the head. */
#include "nodejs/sdk/ts_file.h"

#include "model/urn.h"

#include <stdarg.h>
#include <stdio.h>

/* import { name as variable } from "path" */
struct ts_class_import {
    str name;
    str path; /* within the SDK */
};

void ts_file_init(struct ts_file *file, struct ts_sdk *sdk, str folder)
{
    *file = (struct ts_file){ .sdk = sdk, .folder = folder };
}

void ts_file_release(struct ts_file *file)
{
    map_release(&file->packages);
    map_release(&file->classes);
    strbuf_release(&file->body);
    arena_release(&file->arena);
}

/* --- lines --- */

void ts_begin(struct ts_file *file)
{
    strbuf_add_repeated(&file->body, ' ', (size_t)file->indent * 4);
}

/* A whole line. */
static void ts_line_list(struct ts_file *file, const char *format, va_list list)
{
    ts_begin(file);
    strbuf_vprintf(&file->body, format, list);
    strbuf_add_char(&file->body, '\n');
}

void ts_put(struct ts_file *file, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    strbuf_vprintf(&file->body, format, list);
    va_end(list);
}

void ts_end(struct ts_file *file, const char *text)
{
    strbuf_add(&file->body, str_from(text));
    strbuf_add_char(&file->body, '\n');
}

void ts_line(struct ts_file *file, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    ts_line_list(file, format, list);
    va_end(list);
}

void ts_blank(struct ts_file *file)
{
    strbuf_add_char(&file->body, '\n');
}

void ts_open(struct ts_file *file, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    ts_line_list(file, format, list);
    va_end(list);
    file->indent++;
}

void ts_close(struct ts_file *file, const char *text)
{
    file->indent--;
    ts_begin(file);
    ts_end(file, text);
}

/* --- what it imports --- */

/* How long a common beginning of whole parts two paths have. */
static size_t ts_common_parts(str a, str b)
{
    size_t common = 0;

    for (size_t i = 0;; i++) {
        bool ends_a = i == a.len || (i < a.len && a.ptr[i] == '/');
        bool ends_b = i == b.len || (i < b.len && b.ptr[i] == '/');
        if (ends_a && ends_b && i > 0)
            common = i;
        if (i >= a.len || i >= b.len || a.ptr[i] != b.ptr[i])
            return common;
    }
}

str ts_file_path_to(struct ts_file *file, str path)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    size_t common = ts_common_parts(file->folder, path);
    str above = str_slice(file->folder, common, file->folder.len);
    str below = str_slice(path, common, path.len);

    if (above.len && above.ptr[0] == '/')
        above = str_slice(above, 1, above.len);
    if (below.len && below.ptr[0] == '/')
        below = str_slice(below, 1, below.len);
    if (!above.len)
        strbuf_add(&out, STR("./"));
    for (size_t i = 0; i < above.len; i++)
        if (i == 0 || above.ptr[i] == '/')
            strbuf_add(&out, STR("../"));
    strbuf_add(&out, below);
    return arena_copy(&file->arena, strbuf_str(&out));
}

str ts_file_package(struct ts_file *file, const struct schema *other)
{
    str variable = ts_package_variable(&file->arena, other->name);
    str *package = ARENA_NEW(&file->arena, str);
    str renamed = schema_language_entry(file->sdk->schema, STR("nodejs"),
                                        STR("providerNameToModuleName"), other->name);

    *package = renamed.len ? renamed : ts_package_name(&file->arena, other);
    map_put(&file->packages, variable, package);
    return variable;
}

/* Where the class of a resource of this package is declared. */
static str ts_class_path(struct ts_file *file, const struct schema_type *type)
{
    const struct schema_resource *resource = schema_resource(file->sdk->schema, type->token);
    str path = ts_module_path(file->sdk, file->sdk->schema, type->token);
    const struct ts_module *module = ts_module_find(file->sdk, path);

    if (!module || !resource)
        return STR("index");
    if (resource->is_overlay)
        return arena_concat(&file->arena, module->folder, module->folder.len ? STR("/") : STR(""),
                            STR("index"));
    return arena_concat(&file->arena, module->folder, module->folder.len ? STR("/") : STR(""),
                        ts_resource_file(file->sdk, &file->arena, module, resource));
}

str ts_file_class(struct ts_file *file, const struct schema_type *type)
{
    bool is_provider = type_is_provider(type->token);
    str name = is_provider ? STR("Provider") : ts_type_name(&file->arena, type->token);
    struct ts_class_import *import = ARENA_NEW(&file->arena, struct ts_class_import);
    const struct ts_class_import *other = NULL;
    str variable = name;

    if (str_equal(file->own_token, type->token))
        return name;
    *import = (struct ts_class_import){ name, ts_class_path(file, type) };
    for (unsigned i = 2;; i++) {
        other = map_find(&file->classes, variable);
        bool is_own = file->own_class.len && str_equal(variable, file->own_class);
        if (!is_own && (!other || str_equal(other->path, import->path)))
            break;
        variable = arena_printf(&file->arena, STR_FMT "%u", STR_ARG(name), i);
    }
    if (!other)
        map_put(&file->classes, variable, import);
    return variable;
}

/* --- the head --- */

struct strs ts_sorted_keys(struct arena *arena, const struct map *map)
{
    str *keys = ARENA_ARRAY(arena, str, map->len + 1);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t i = 0; map_next(map, &i, &entry);)
        keys[len++] = entry->key;
    return strs_sorted(arena, (struct strs){ keys, len });
}

static void ts_import_all(struct ts_file *file, struct strbuf *out, const char *variable, str from)
{
    strbuf_printf(out, "import * as %s from ", variable);
    strbuf_add(out, ts_quoted(&file->arena, from));
    strbuf_add(out, STR(";\n"));
}

static void ts_import_packages(struct ts_file *file, struct strbuf *out)
{
    struct strs names = ts_sorted_keys(&file->arena, &file->packages);

    for (size_t i = 0; i < names.len; i++) {
        const str *package = map_find(&file->packages, names.items[i]);
        ts_import_all(file, out, names.items[i].ptr, *package);
    }
}

static void ts_import_classes(struct ts_file *file, struct strbuf *out)
{
    struct strs names = ts_sorted_keys(&file->arena, &file->classes);

    for (size_t i = 0; i < names.len; i++) {
        const struct ts_class_import *import = map_find(&file->classes, names.items[i]);
        strbuf_add(out, STR("import { "));
        strbuf_add(out, import->name);
        if (!str_equal(import->name, names.items[i])) {
            strbuf_add(out, STR(" as "));
            strbuf_add(out, names.items[i]);
        }
        strbuf_add(out, STR(" } from "));
        strbuf_add(out, ts_quoted(&file->arena, ts_file_path_to(file, import->path)));
        strbuf_add(out, STR(";\n"));
    }
}

static void ts_put_head(struct ts_file *file, struct strbuf *out)
{
    strbuf_add(out, STR("// Made from the schema of the package '"));
    strbuf_add(out, file->sdk->schema->name);
    strbuf_add(out, STR("'. What is changed here is lost when it is made again.\n\n"));
    size_t before = out->len;
    if (file->uses_pulumi)
        ts_import_all(file, out, "pulumi", STR("@pulumi/pulumi"));
    ts_import_packages(file, out);
    if (file->uses_inputs)
        ts_import_all(file, out, "inputs", ts_file_path_to(file, STR("types/input")));
    if (file->uses_outputs)
        ts_import_all(file, out, "outputs", ts_file_path_to(file, STR("types/output")));
    if (file->uses_enums)
        ts_import_all(file, out, "enums", ts_file_path_to(file, STR("types/enums")));
    if (file->uses_utilities)
        ts_import_all(file, out, "utilities", ts_file_path_to(file, STR("utilities")));
    ts_import_classes(file, out);
    if (out->len > before)
        strbuf_add_char(out, '\n');
}

fallible ts_file_write(struct ts_file *file, str name)
{
    CLEANUP(strbuf_release) struct strbuf whole = { 0 };
    str path = arena_concat(&file->arena, file->folder, file->folder.len ? STR("/") : STR(""), name,
                            STR(".ts"));

    ts_put_head(file, &whole);
    strbuf_add(&whole, strbuf_str(&file->body));
    return sdk_put(file->sdk->files, path, strbuf_str(&whole));
}
