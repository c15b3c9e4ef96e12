/* go_modules.c — reads go.mod, what it requires and what it replaces, and go.work, which puts
 * modules on this machine in their place. */
#include "go/golang.h"

#include "base/fs.h"
#include "base/settings.h"
#include "common/search.h"

enum { GO_MOD_MAX = 4 << 20, WORDS_MAX = 6 };

void go_modules_release(struct modules *modules)
{
    vec_release(modules);
}

/* A line without its comment, in words. */
struct line {
    str words[WORDS_MAX];
    size_t len;
    bool is_indirect;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_comment(str text, size_t start)
{
    return str_starts_with(str_slice(text, start, text.len), STR("//"));
}

/* The end of the word that begins here. In quotes there may be anything. */
static size_t word_end(str text, size_t start, str *word)
{
    bool is_quoted = text.ptr[start] == '"' || text.ptr[start] == '`';
    size_t end = start + is_quoted;

    while (end < text.len
           && (is_quoted ? text.ptr[end] != text.ptr[start]
                         : !is_blank(text.ptr[end]) && !is_comment(text, end)))
        end++;
    *word = str_slice(text, start + is_quoted, end);
    return is_quoted && end < text.len ? end + 1 : end;
}

static struct line line_split(str text)
{
    struct line line = { 0 };

    for (size_t i = 0; i < text.len && line.len < WORDS_MAX;) {
        if (is_blank(text.ptr[i])) {
            i++;
        } else if (is_comment(text, i)) {
            str comment = str_trim(str_slice(text, i + 2, text.len));
            line.is_indirect = str_starts_with(comment, STR("indirect"));
            break;
        } else {
            i = word_end(text, i, &line.words[line.len++]);
        }
    }
    return line;
}

static void modules_add_requirement(struct modules *modules, const str *words, size_t len,
                                    bool is_indirect)
{
    struct module module = { .path = words[0], .version = words[1], .is_indirect = is_indirect };
    if (len >= 2)
        vec_add(modules, module);
}

/* old [version] => new [version] */
static void add_replacement(struct modules *replacements, const str *words, size_t len)
{
    size_t arrow = 0;

    while (arrow < len && !str_equal(words[arrow], STR("=>")))
        arrow++;
    if (arrow == 0 || arrow + 1 >= len)
        return;
    struct module module = { .path = words[0], .replacement = words[arrow + 1] };
    if (arrow == 2)
        module.version = words[1];
    if (arrow + 2 < len)
        module.replacement_version = words[arrow + 2];
    vec_add(replacements, module);
}

static void modules_replace(struct modules *modules, const struct modules *replacements)
{
    for (size_t i = 0; i < modules->len; i++) {
        struct module *module = &modules->items[i];
        for (size_t j = 0; j < replacements->len; j++) {
            const struct module *other = &replacements->items[j];
            if (!str_equal(module->path, other->path)
                || (other->version.len > 0 && !str_equal(module->version, other->version)))
                continue;
            module->is_replaced = true;
            module->replacement = other->replacement;
            module->replacement_version = other->replacement_version;
        }
    }
}

/* What a go.mod or a go.work says. */
struct go_file {
    str module;
    struct modules required;
    struct modules replaced;
    struct {
        VEC(str);
    } used; /* folders */
};

static void go_file_release(struct go_file *file)
{
    vec_release(&file->required);
    vec_release(&file->replaced);
    vec_release(&file->used);
}

static void take_directive(struct go_file *file, str verb, const str *words, size_t len,
                           bool is_indirect)
{
    if (str_equal(verb, STR("require")))
        modules_add_requirement(&file->required, words, len, is_indirect);
    else if (str_equal(verb, STR("replace")))
        add_replacement(&file->replaced, words, len);
    else if (str_equal(verb, STR("use")) && len > 0)
        vec_add(&file->used, words[0]);
    else if (str_equal(verb, STR("module")) && len > 0)
        file->module = words[0];
}

static void go_file_parse(str text, struct go_file *out)
{
    str block = STR(""), rest;

    while (str_next(&text, STR("\n"), &rest)) {
        struct line line = line_split(rest);
        const str *words = line.words;
        size_t len = line.len;
        str verb = block;
        if (len == 0)
            continue;
        if (block.len == 0) {
            verb = words[0];
            words++;
            len--;
            if (len > 0 && str_equal(words[0], STR("("))) {
                block = verb;
                continue;
            }
        } else if (str_equal(words[0], STR(")"))) {
            block = STR("");
            continue;
        }
        take_directive(out, verb, words, len, line.is_indirect);
    }
}

static fallible go_file_read(struct arena *arena, str path, struct go_file *out)
{
    str text;

    TRY(fs_read(arena, path, GO_MOD_MAX, &text));
    go_file_parse(text, out);
    return NULL;
}

fallible go_modules_read(struct arena *arena, str directory, struct modules *out)
{
    CLEANUP(go_file_release) struct go_file file = { 0 };

    out->root = search_up(arena, directory, STR("go.mod"));
    if (out->root.len == 0)
        return error_new(ERROR_NOT_FOUND, "no go.mod found (searching upwards from '" STR_FMT "')",
                         STR_ARG(directory));
    TRY(go_file_read(arena, fs_path_join(arena, out->root, STR("go.mod")), &file));
    for (size_t i = 0; i < file.required.len; i++)
        vec_add(out, file.required.items[i]);
    modules_replace(out, &file.replaced);
    return NULL;
}

/* --- workspaces --- */

/* Empty: none. */
static str workspace_file(struct arena *arena, str directory)
{
    str given = settings_text("GOWORK");

    if (str_equal(given, STR("off")))
        return STR("");
    if (given.len > 0)
        return given;
    str folder = search_up(arena, directory, STR("go.work"));
    return folder.len > 0 ? fs_path_join(arena, folder, STR("go.work")) : STR("");
}

/* Its sources are taken instead of what was required, whichever version that is. */
static void use_folder(struct modules *modules, str path, str folder)
{
    struct module module = { .path = path, .is_replaced = true, .replacement = folder };
    struct modules one = { .items = &module, .len = 1 };

    for (size_t i = 0; i < modules->len; i++) {
        if (str_equal(modules->items[i].path, path)) {
            modules_replace(modules, &one);
            return;
        }
    }
    vec_add(modules, module);
}

fallible go_workspace_read(struct arena *arena, struct modules *modules)
{
    CLEANUP(go_file_release) struct go_file file = { 0 };
    str path = workspace_file(arena, modules->root);

    if (path.len == 0)
        return NULL;
    TRY(go_file_read(arena, path, &file));
    for (size_t i = 0; i < file.replaced.len; i++)
        if (file.replaced.items[i].replacement_version.len == 0)
            file.replaced.items[i].replacement = fs_path_absolute(
                arena, fs_path_directory(path), file.replaced.items[i].replacement);
    modules_replace(modules, &file.replaced);
    for (size_t i = 0; i < file.used.len; i++) {
        CLEANUP(go_file_release) struct go_file used = { 0 };
        str folder = fs_path_absolute(arena, fs_path_directory(path), file.used.items[i]);
        if (str_equal(folder, modules->root))
            continue;
        TRY(go_file_read(arena, fs_path_join(arena, folder, STR("go.mod")), &used));
        if (used.module.len > 0)
            use_folder(modules, used.module, folder);
    }
    return NULL;
}
