/* node_workspace.c — workspaces: many packages in one repository, installed from its root. */
#include "nodejs/node_manager.h"

#include "base/fs.h"
#include "base/yaml.h"

#include <fnmatch.h>

enum { MANIFEST_MAX = 4 << 20 };

/* "packages/(star)(star)" means any depth, which fnmatch does not know. */
static bool matches(struct arena *arena, str pattern, str path)
{
    str head, tail;

    if (str_starts_with(pattern, STR("./")))
        pattern = str_slice(pattern, 2, pattern.len);
    while (str_ends_with(pattern, STR("/")))
        pattern = str_slice(pattern, 0, pattern.len - 1);
    if (str_cut(pattern, STR("**"), &head, &tail))
        return str_starts_with(path, head);
    return fnmatch(arena_cstr(arena, pattern), arena_cstr(arena, path), FNM_PATHNAME) == 0;
}

/* JSON is YAML, so one reader reads both manifests. */
static const struct yaml_node *read_patterns(struct arena *arena, str folder)
{
    static const struct {
        str file;
        str key;
    } manifests[] = { { STR_INIT("pnpm-workspace.yaml"), STR_INIT("packages") },
                      { STR_INIT("package.json"), STR_INIT("workspaces") } };

    for (size_t i = 0; i < sizeof(manifests) / sizeof(*manifests); i++) {
        struct yaml_node *root = NULL;
        str text;
        struct error *failure =
            fs_read(arena, fs_path_join(arena, folder, manifests[i].file), MANIFEST_MAX, &text);
        if (!failure)
            failure = yaml_read(arena, text, &root);
        error_ignore(failure, "no manifest, no workspace");
        const struct yaml_node *list = root ? yaml_find(root, manifests[i].key) : NULL;
        if (list && list->kind == YAML_MAPPING)
            list = yaml_find(list, STR("packages"));
        if (list && list->kind == YAML_SEQUENCE)
            return list;
    }
    return NULL;
}

str node_workspace_root(struct arena *arena, str directory)
{
    str folder = fs_path_directory(directory);

    while (fs_path_is_absolute(folder)) {
        const struct yaml_node *patterns = read_patterns(arena, folder);
        size_t skipped = folder.len > 1 ? folder.len + 1 : 1;
        for (size_t i = 0; patterns && i < patterns->len; i++)
            if (patterns->items[i]->kind == YAML_SCALAR
                && matches(arena, patterns->items[i]->text,
                           str_slice(directory, skipped, directory.len)))
                return folder;
        if (folder.len <= 1)
            break;
        folder = fs_path_directory(folder);
    }
    return STR("");
}
