/* pysdk_file.c — one Python file of an SDK: imports that its text turned out to need, then the
 * text. */
#include "base/fs.h"
#include "python/sdk/pysdk.h"

#include <stdarg.h>
#include <stdio.h>

void pysdk_file_open(struct pysdk_file *file, struct pysdk *sdk, struct pysdk_module *module)
{
    *file = (struct pysdk_file){ .sdk = sdk, .module = module };
}

void pysdk_file_release(struct pysdk_file *file)
{
    strbuf_release(&file->body);
    map_release(&file->packages);
    map_release(&file->neighbours);
    arena_release(&file->scratch);
}

void pysdk_put(struct pysdk_file *file, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    strbuf_vprintf(&file->body, format, args);
    va_end(args);
}

str pysdk_path(struct pysdk *sdk, struct arena *arena, const struct pysdk_module *module, str name)
{
    return fs_path_join(arena, fs_path_join(arena, sdk->package, module->path), name);
}

void pysdk_put_notice(const struct pysdk *sdk, struct strbuf *out)
{
    strbuf_printf(out,
                  "# Generated from the schema of package " STR_FMT
                  ". What is changed here is lost with the next generation.\n",
                  STR_ARG(sdk->schema->name));
}

str pysdk_dots(struct arena *arena, const struct pysdk_module *module)
{
    CLEANUP(strbuf_release) struct strbuf dots = { 0 };

    for (; module; module = module->parent)
        strbuf_add_char(&dots, '.');
    return arena_copy(arena, strbuf_str(&dots));
}

/* --- imports --- */

/* Whether a word stands in the text; inside a docstring counts too, and does no harm. */
static bool file_has_word(str text, str word)
{
    for (size_t at = 0; at + word.len <= text.len;) {
        size_t found = str_find(str_slice(text, at, text.len), word);
        if (found == SIZE_MAX)
            return false;
        at += found;
        bool begins = at == 0 || !(name_is_part(text.ptr[at - 1]) || text.ptr[at - 1] == '.');
        bool ends = at + word.len == text.len || !name_is_part(text.ptr[at + word.len]);
        if (begins && ends)
            return true;
        at += word.len;
    }
    return false;
}

/* "from typing import A, B", of those that are used. */
static void file_put_typing(str body, struct strbuf *out)
{
    static const char *const names[] = { "Any",      "Awaitable", "Literal", "Mapping",
                                         "Optional", "Sequence",  "Union",   "overload" };
    const char *before = "from typing import ";

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (file_has_word(body, str_from(names[i]))) {
            strbuf_printf(out, "%s%s", before, names[i]);
            before = ", ";
        }
    if (before[0] == ',')
        strbuf_add_char(out, '\n');
}

static void file_put_typed_dicts(str body, struct strbuf *out)
{
    const char *names =
        file_has_word(body, STR("NotRequired")) ? "NotRequired, TypedDict" : "TypedDict";

    if (file_has_word(body, STR("TypedDict")))
        strbuf_printf(out,
                      "\nif sys.version_info >= (3, 11):\n    from typing import %s\nelse:\n"
                      "    from typing_extensions import %s\n",
                      names, names);
}

static void file_put_standard_imports(str body, struct strbuf *out)
{
    if (file_has_word(body, STR("_builtins")))
        strbuf_add(out, STR("import builtins as _builtins\n"));
    if (file_has_word(body, STR("TypedDict")))
        strbuf_add(out, STR("import sys\n"));
    if (file_has_word(body, STR("types.ModuleType")))
        strbuf_add(out, STR("import types\n"));
    if (file_has_word(body, STR("warnings")))
        strbuf_add(out, STR("import warnings\n"));
    if (file_has_word(body, STR("Enum")))
        strbuf_add(out, STR("from enum import Enum\n"));
    file_put_typing(body, out);
    file_put_typed_dicts(body, out);
}

static void file_put_keys(struct arena *arena, const struct map *lines, const char *before,
                          struct strbuf *out)
{
    str *keys = ARENA_ARRAY(arena, str, lines->len);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t i = 0; map_next(lines, &i, &entry);)
        keys[len++] = entry->key;
    struct strs sorted = strs_sorted(arena, (struct strs){ keys, len });
    for (size_t i = 0; i < sorted.len; i++)
        strbuf_printf(out, "%s" STR_FMT "\n", before, STR_ARG(sorted.items[i]));
}

static void file_put_imports(struct pysdk_file *file, struct strbuf *out)
{
    str body = strbuf_str(&file->body);
    bool uses_pulumi = file_has_word(body, STR("pulumi"));
    bool uses_utilities = file_has_word(body, STR("_utilities"));
    size_t start = out->len;

    file_put_standard_imports(body, out);
    if (out->len > start)
        strbuf_add_char(out, '\n');
    if (uses_pulumi)
        strbuf_add(out, STR("import pulumi\n"));
    if (file_has_word(body, STR("pulumi.runtime")))
        strbuf_add(out, STR("import pulumi.runtime\n"));
    file_put_keys(&file->scratch, &file->packages, "import ", out);
    if (uses_pulumi || file->packages.len)
        strbuf_add_char(out, '\n');
    start = out->len;
    if (uses_utilities)
        strbuf_printf(out, "from " STR_FMT " import _utilities\n",
                      STR_ARG(pysdk_dots(&file->scratch, file->module)));
    file_put_keys(&file->scratch, &file->neighbours, "", out);
    if (out->len > start)
        strbuf_add_char(out, '\n');
}

fallible pysdk_file_close(struct pysdk_file *file, str name)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    pysdk_put_notice(file->sdk, &text);
    file_put_imports(file, &text);
    strbuf_add(&text, strbuf_str(&file->body));
    struct error *failure = sdk_put(
        file->sdk->files, pysdk_path(file->sdk, &scratch, file->module, name), strbuf_str(&text));
    pysdk_file_release(file);
    return failure;
}
