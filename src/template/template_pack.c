/* template_pack.c — templates that are a list of files in memory: the built-in ones, and those of
 * an archive. */
#include "template/template_pack.h"

#include "base/map.h"
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

static struct template *folder_of(struct arena *arena, struct map *folders, str name)
{
    struct template *folder = map_find(folders, name);

    if (folder)
        return folder;
    folder = ARENA_NEW(arena, struct template);
    folder->name = arena_copy(arena, name);
    map_put(folders, folder->name, folder);
    return folder;
}

/* A file with its name from there; the folder is a template if one of them is a manifest. */
static void folder_add(struct arena *arena, struct template *folder, str manifest,
                       struct template_file file)
{
    struct template_files *files = &folder->files;

    if (str_equal(file.path, manifest) && !folder->manifest.ptr)
        folder->manifest = file.content;
    files->items = arena_grow(arena, files->items, files->len, sizeof(file));
    files->items[files->len++] = file;
}

/* Every file is looked at once: an archive may have very many folders. */
static void find_folders(struct arena *arena, str manifest, struct template_files files,
                         struct template *top, struct map *folders)
{
    for (size_t i = 0; i < files.len; i++) {
        struct template_file file = files.items[i];
        str folder;
        folder_add(arena, top, manifest, file);
        if (str_cut(file.path, STR("/"), &folder, &file.path))
            folder_add(arena, folder_of(arena, folders, folder), manifest, file);
    }
}

static int template_compare(const void *a, const void *b)
{
    return str_compare(((const struct template *)a)->name, ((const struct template *)b)->name);
}

void template_from_files(struct arena *arena, enum template_kind kind, str name,
                         struct template_files files, struct templates *out, bool *is_collection)
{
    struct template top = { .name = arena_copy(arena, name) };
    struct template_list list = { 0 };
    const struct map_entry *entry;
    struct map folders = { 0 };

    find_folders(arena, template_manifest_name(kind), files, &top, &folders);
    *is_collection = !top.manifest.ptr;
    if (!*is_collection)
        vec_add(&list, top);
    for (size_t i = 0; *is_collection && map_next(&folders, &i, &entry);)
        if (((const struct template *)entry->value)->manifest.ptr)
            vec_add(&list, *(const struct template *)entry->value);
    map_release(&folders);
    for (size_t i = 0; i < list.len; i++)
        list.items[i].kind = kind;
    if (list.len > 1)
        qsort(list.items, list.len, sizeof(*list.items), template_compare);
    *out = (struct templates){ arena_copy_bytes(arena, list.items, list.len * sizeof(*list.items)),
                               list.len };
    vec_release(&list);
}
