/* go_link.c — Pack and Link: an SDK as a folder for others, and go.mod that leads to one. */
#include "common/sdk.h"
#include "go/golang.h"
#include "go/sdk/go_sdk.h"

#include "base/fs.h"
#include "base/strbuf.h"

enum { GO_MOD_LIMIT = 4 << 20 };

/* --- packing --- */

static fallible copy_folder(str from, str to)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str *names;
    size_t len;

    TRY(fs_make_directory(to, 0755));
    TRY(fs_list(&scratch, from, &names, &len));
    for (size_t i = 0; i < len; i++) {
        str source = fs_path_join(&scratch, from, names[i]);
        str target = fs_path_join(&scratch, to, names[i]);
        if (fs_is_directory(source))
            TRY(copy_folder(source, target));
        else
            TRY(fs_copy(source, target));
    }
    return NULL;
}

/* What go.mod calls the module. */
static str module_statement(str text)
{
    str line, rest = text;

    while (str_next(&rest, STR("\n"), &line)) {
        line = str_trim(line);
        if (str_starts_with(line, STR("module ")) || str_starts_with(line, STR("module\t"))) {
            str name = str_slice(line, sizeof("module"), line.len), comment;
            str_cut(name, STR("//"), &name, &comment);
            name = str_trim(name);
            bool is_quoted = name.len > 2 && name.ptr[0] == '"';
            return is_quoted ? str_slice(name, 1, name.len - 1) : name;
        }
    }
    return STR("");
}

/* There is nothing to build: the folder itself, under the name of its module. */
fallible go_pack(struct host *host, struct arena *arena, str directory, str destination,
                 str *artifact)
{
    str text;

    (void)host;
    TRY(fs_read(arena, fs_path_join(arena, directory, STR("go.mod")), GO_MOD_LIMIT, &text));
    str module = module_statement(text);
    if (!module.len)
        return error_new(ERROR_INVALID, "go.mod in '" STR_FMT "' does not name its module",
                         STR_ARG(directory));
    char *name = arena_cstr(arena, module);
    for (size_t i = 0; i < module.len; i++)
        if (name[i] == '/')
            name[i] = '_';
    str target = fs_path_join(arena, destination, str_from(name));
    TRY(fs_make_directory(destination, 0755));
    TRY(error_wrap(copy_folder(directory, target), "copying the SDK to '" STR_FMT "'",
                   STR_ARG(target)));
    *artifact = target;
    return NULL;
}

/* --- linking --- */

/* The first word of a line, and what follows it. */
static str first_word(str line, str *rest)
{
    line = str_trim(line);
    size_t end = 0;
    while (end < line.len && line.ptr[end] != ' ' && line.ptr[end] != '\t')
        end++;
    *rest = str_trim(str_slice(line, end, line.len));
    return str_slice(line, 0, end);
}

/* "MODULE => …", without a version: what holds for all of them. */
static bool replaces_module(str line, str module)
{
    str rest, word = first_word(line, &rest);

    if (word.len > 2 && word.ptr[0] == '"')
        word = str_slice(word, 1, word.len - 1);
    return str_equal(word, module) && str_starts_with(rest, STR("=>"));
}

/* The text with the module replaced: in its old place, or at the end. */
static void add_replacement_line(struct strbuf *out, str text, str module, str path)
{
    bool is_done = false, in_block = false;
    str line, rest = text, after;

    while (str_next(&rest, STR("\n"), &line)) {
        str word = first_word(line, &after);
        bool is_statement = str_equal(word, STR("replace")) && !str_starts_with(after, STR("("));
        str body = is_statement ? after : in_block ? line : STR("");
        if (str_equal(word, STR("replace")) && str_starts_with(after, STR("(")))
            in_block = true;
        else if (str_equal(word, STR(")")))
            in_block = false;
        if (replaces_module(body, module)) {
            if (!is_done)
                strbuf_printf(out, "%s" STR_FMT " => " STR_FMT "\n", in_block ? "\t" : "replace ",
                              STR_ARG(module), STR_ARG(path));
            is_done = true;
            continue;
        }
        strbuf_add(out, line);
        strbuf_add_char(out, '\n');
    }
    if (!is_done)
        strbuf_printf(out, "\nreplace " STR_FMT " => " STR_FMT "\n", STR_ARG(module),
                      STR_ARG(path));
}

/* A path that go.mod in `directory` can have for one below `root`: those that are not absolute
 * begin with a dot. */
static str replacement_path(struct arena *arena, str root, str directory, str path)
{
    if (fs_path_is_absolute(path))
        return path;
    str from = fs_path_clean(arena, directory), base = fs_path_clean(arena, root);
    if (str_equal(from, base) || !root.len)
        return str_starts_with(path, STR("./")) || str_starts_with(path, STR("../"))
                   ? path
                   : arena_concat(arena, STR("./"), path);
    return fs_path_clean(arena, fs_path_join(arena, base, path));
}

static fallible link_module(struct arena *arena, const struct sdk_link *link, str *module,
                            str *import)
{
    struct go_settings settings;

    *import = STR("");
    *module = STR("github.com/pulumi/pulumi/sdk/v3");
    if (!link->schema)
        return NULL;
    TRY(go_read_settings(arena, link->schema, &settings));
    *module = go_module_path(arena, link->schema, &settings);
    *import = go_import_base(arena, link->schema, &settings);
    return NULL;
}

fallible go_link(struct host *host, struct arena *arena, const struct program *program,
                 struct sdk_links links, str *instructions)
{
    CLEANUP(strbuf_release) struct strbuf imports = { 0 };
    str path = fs_path_join(arena, program->directory, STR("go.mod")), text;
    struct fs_status status;

    (void)host;
    TRY(fs_read(arena, path, GO_MOD_LIMIT, &text));
    TRY(fs_stat(path, &status));
    for (size_t i = 0; i < links.len; i++) {
        CLEANUP(strbuf_release) struct strbuf changed = { 0 };
        str module, import;
        TRY(link_module(arena, &links.items[i], &module, &import));
        add_replacement_line(
            &changed, text, module,
            replacement_path(arena, program->root, program->directory, links.items[i].path));
        text = arena_copy(arena, strbuf_str(&changed));
        if (import.len)
            strbuf_printf(&imports, "    \"" STR_FMT "\"\n", STR_ARG(import));
    }
    TRY(fs_replace(path, text, status.mode));
    *instructions = arena_printf(
        arena, "You can import the SDK%s in your Go code with:\n\n  import (\n" STR_FMT "  )\n",
        links.len > 1 ? "s" : "", STR_ARG(strbuf_str(&imports)));
    return NULL;
}
