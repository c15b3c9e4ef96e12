/* template_folder.c — templates that are folders on the disk. */
#include "template/template_folder.h"

#include "base/fs.h"
#include "base/vec.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MANIFEST_MAX = 16 << 20, FILES_MAX = 100000 };

struct folder_templates {
    VEC(struct template);
};

static fallible read_manifest(struct arena *arena, enum template_kind kind, str folder, str *out)
{
    return fs_read(arena, fs_path_join(arena, folder, template_manifest_name(kind)), MANIFEST_MAX,
                   out);
}

/* Adds the template of a folder. *is_one tells if it was one. */
static fallible add_folder(struct arena *arena, enum template_kind kind, str folder,
                           struct folder_templates *list, bool *is_one)
{
    struct template template = { .kind = kind,
                                 .name = arena_copy(arena, fs_path_name(folder)),
                                 .folder = arena_copy(arena, folder) };
    struct error *failure = read_manifest(arena, kind, folder, &template.manifest);

    *is_one = failure == NULL;
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "it is no template");
        return NULL;
    }
    TRY(failure);
    vec_add(list, template);
    return NULL;
}

static fallible add_collection(struct arena *arena, enum template_kind kind, str folder,
                               struct folder_templates *list)
{
    str *names;
    size_t len;
    bool is_one;

    TRY(fs_list(arena, folder, &names, &len));
    for (size_t i = 0; i < len; i++) {
        str below = fs_path_join(arena, folder, names[i]);
        if (!str_starts_with(names[i], STR(".git")) && fs_is_directory(below))
            TRY(add_folder(arena, kind, below, list, &is_one));
    }
    return NULL;
}

fallible template_read_folder(struct arena *arena, enum template_kind kind, str folder,
                              struct templates *out, bool *is_collection)
{
    struct folder_templates list = { 0 };
    bool is_one = false;
    struct error *failure = add_folder(arena, kind, folder, &list, &is_one);

    if (!failure && !is_one)
        failure = add_collection(arena, kind, folder, &list);
    *is_collection = !is_one;
    *out = (struct templates){ arena_copy_bytes(arena, list.items, list.len * sizeof(*list.items)),
                               list.len };
    vec_release(&list);
    return failure;
}

/* --- the files of one --- */

struct folder_walk {
    struct arena *arena;
    str root;
    str confines;
    VEC(struct template_file);
};

static bool is_left_out(str path)
{
    str name = fs_path_name(path);

    return str_equal(name, STR(".git")) || str_equal(name, STR(".pulumi.template.yaml"));
}

static fallible walk_folder(struct folder_walk *walk, str below, size_t depth);

/* Who wrote a template that was fetched must not choose among the files of this machine. */
static fallible follow_link(struct folder_walk *walk, str path, str source, struct stat *status)
{
    char *real = realpath(arena_cstr(walk->arena, source), NULL);
    char *confines =
        walk->confines.len ? realpath(arena_cstr(walk->arena, walk->confines), NULL) : NULL;
    str prefix = confines ? arena_printf(walk->arena, "%s/", confines) : STR("");
    bool is_inside = real && (!walk->confines.len || str_starts_with(str_from(real), prefix));
    bool is_broken = !real || stat(real, status) < 0;

    free(confines);
    free(real);
    if (is_broken)
        return error_os("follow the link '" STR_FMT "'", STR_ARG(source));
    return is_inside ? NULL
                     : error_new(ERROR_INVALID, "the link '" STR_FMT "' leads out of the template",
                                 STR_ARG(path));
}

static fallible walk_entry(struct folder_walk *walk, str path, size_t depth)
{
    str source = fs_path_join(walk->arena, walk->root, path);
    struct stat status;

    if (lstat(arena_cstr(walk->arena, source), &status) < 0)
        return error_os("look at '" STR_FMT "'", STR_ARG(source));
    if (S_ISDIR(status.st_mode))
        return walk_folder(walk, path, depth + 1);
    if (S_ISLNK(status.st_mode))
        TRY(follow_link(walk, path, source, &status));
    if (!S_ISREG(status.st_mode))
        return error_new(ERROR_INVALID,
                         "'" STR_FMT "' is neither a file nor a folder: a template cannot have it",
                         STR_ARG(source));
    if (walk->len == FILES_MAX)
        return error_new(ERROR_INVALID, "'" STR_FMT "' has more than %d files", STR_ARG(walk->root),
                         FILES_MAX);
    const struct template_file file = { .path = path,
                                        .mode = status.st_mode & 0777,
                                        .source = source };
    vec_add(walk, file);
    return NULL;
}

static fallible walk_folder(struct folder_walk *walk, str below, size_t depth)
{
    str *names;
    size_t len;

    if (depth > TEMPLATE_DEPTH_MAX)
        return error_new(ERROR_INVALID, "'" STR_FMT "' is nested too deeply", STR_ARG(below));
    TRY(fs_list(walk->arena, fs_path_join(walk->arena, walk->root, below), &names, &len));
    for (size_t i = 0; i < len; i++) {
        str path = below.len ? arena_concat(walk->arena, below, STR("/"), names[i]) : names[i];
        if (!is_left_out(path))
            TRY(walk_entry(walk, path, depth));
    }
    return NULL;
}

fallible template_load_files(struct arena *arena, struct template *template)
{
    struct folder_walk walk = { .arena = arena,
                                .root = template->folder,
                                .confines = template->confines };

    if (template->folder.len == 0)
        return NULL;
    struct error *failure = walk_folder(&walk, STR(""), 0);
    template->files = (struct template_files){
        arena_copy_bytes(arena, walk.items, walk.len * sizeof(*walk.items)), walk.len
    };
    vec_release(&walk);
    return failure;
}
