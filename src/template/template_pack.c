/* template_pack.c — templates that are a list of files in memory: the built-in ones, and those of
 * an archive. */
#include "template/template_pack.h"

#include "base/vec.h"

#include <stdlib.h>

str template_manifest_name(enum template_kind kind)
{
    static const str names[] = { [TEMPLATE_PROJECT] = STR_INIT("Pulumi.yaml"),
                                 [TEMPLATE_POLICY] = STR_INIT("PulumiPolicy.yaml"),
                                 [TEMPLATE_PACKAGE] = STR_INIT("PulumiPlugin.yaml") };

    return names[kind];
}

struct template *template_find(const struct templates *list, str name)
{
    for (size_t i = 0; i < list->len; i++)
        if (str_equal(list->items[i].name, name))
            return &list->items[i];
    return NULL;
}

/* --- the pack --- */

bool template_pack_next(str *rest, str *name, struct template_file *file)
{
    str line, mode, size;
    uint64_t length = 0;

    if (rest->len == 0)
        return false;
    bool is_whole = str_cut(*rest, STR("\n"), &line, rest) && str_cut(line, STR(" "), &mode, &line)
                    && str_cut(line, STR(" "), &size, name) && str_to_u64(size, &length)
                    && length <= rest->len;
    BUG_IF(!is_whole);
    *file = (struct template_file){
        .path = *name,
        .mode = str_equal(mode, STR("755")) ? 0755 : 0644,
        .source = STR(""),
        .content = str_slice(*rest, 0, length),
    };
    *rest = str_slice(*rest, length, rest->len);
    return true;
}

static str pack_folder(enum template_kind kind)
{
    static const str folders[] = { [TEMPLATE_PROJECT] = STR_INIT("project/"),
                                   [TEMPLATE_POLICY] = STR_INIT("policy/"),
                                   [TEMPLATE_PACKAGE] = STR_INIT("package/") };

    return folders[kind];
}

struct file_list {
    VEC(struct template_file);
};
struct template_list {
    VEC(struct template);
};

void template_built_in(struct arena *arena, enum template_kind kind, struct templates *out)
{
    struct file_list files = { 0 };
    str rest = template_pack_bytes(), name, prefix = pack_folder(kind);
    struct template_file file;
    bool is_collection;

    while (template_pack_next(&rest, &name, &file)) {
        if (!str_starts_with(name, prefix))
            continue;
        file.path = str_slice(name, prefix.len, name.len);
        vec_add(&files, file);
    }
    template_from_files(arena, kind, STR(""), (struct template_files){ files.items, files.len },
                        out, &is_collection);
    vec_release(&files);
}

/* --- files as templates --- */

/* The files below `prefix`, with their names from there. */
static struct template_files files_below(struct arena *arena, struct template_files all, str prefix)
{
    struct template_files below = { ARENA_ARRAY(arena, struct template_file, all.len), 0 };

    for (size_t i = 0; i < all.len; i++) {
        if (!str_starts_with(all.items[i].path, prefix))
            continue;
        struct template_file file = all.items[i];
        file.path = str_slice(file.path, prefix.len, file.path.len);
        below.items[below.len++] = file;
    }
    return below;
}

static int template_compare(const void *a, const void *b)
{
    return str_compare(((const struct template *)a)->name, ((const struct template *)b)->name);
}

void template_from_files(struct arena *arena, enum template_kind kind, str name,
                         struct template_files files, struct templates *out, bool *is_collection)
{
    str manifest = template_manifest_name(kind);
    struct template_list list = { 0 };

    *is_collection = true;
    for (size_t i = 0; i < files.len && *is_collection; i++) {
        str folder, file;
        bool is_top = str_equal(files.items[i].path, manifest);
        bool is_below =
            str_cut(files.items[i].path, STR("/"), &folder, &file) && str_equal(file, manifest);
        if (!is_top && !is_below)
            continue;
        if (is_top)
            list.len = 0;
        *is_collection = !is_top;
        str prefix = is_top ? STR("") : arena_concat(arena, folder, STR("/"));
        const struct template found = { .kind = kind,
                                        .name = arena_copy(arena, is_top ? name : folder),
                                        .manifest = files.items[i].content,
                                        .files = files_below(arena, files, prefix) };
        vec_add(&list, found);
    }
    if (list.len > 1)
        qsort(list.items, list.len, sizeof(*list.items), template_compare);
    *out = (struct templates){ arena_copy_bytes(arena, list.items, list.len * sizeof(*list.items)),
                               list.len };
    vec_release(&list);
}
