/* sdk_files.c — the files of an SDK, beside their place until all are there. */
#include "common/sdk.h"

#include "base/error.h"
#include "base/fs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SDK_FILE_MODE = 0644, SDK_FOLDER_MODE = 0755 };

fallible sdk_files_open(struct arena *arena, str directory, struct sdk_files *out)
{
    directory = fs_path_clean(arena, directory);
    TRY(fs_make_directory(fs_path_directory(directory), SDK_FOLDER_MODE));
    char *stage = arena_cstr(arena, arena_concat(arena, directory, STR(".XXXXXX")));
    if (!mkdtemp(stage))
        return error_os("create a folder beside '" STR_FMT "'", STR_ARG(directory));
    *out = (struct sdk_files){ .arena = arena, .directory = directory, .stage = str_from(stage) };
    return NULL;
}

fallible sdk_put_extra(struct sdk_files *files, str path, str content)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (path.len == 0 || fs_path_is_absolute(path) || fs_path_climbs(path)
        || str_find(path, STR("//")) != SIZE_MAX)
        return error_new(ERROR_INVALID, "'" STR_FMT "' is no path inside an SDK", STR_ARG(path));
    str file = fs_path_join(&scratch, files->stage, path);
    TRY(fs_make_directory(fs_path_directory(file), SDK_FOLDER_MODE));
    if (!map_has(&files->paths, path))
        map_put(&files->paths, arena_copy(files->arena, path), files);
    return fs_replace_quick(file, content, SDK_FILE_MODE);
}

fallible sdk_put(struct sdk_files *files, str path, str content)
{
    if (map_has(&files->paths, path))
        return error_new(ERROR_EXISTS,
                         "two parts of the package would both be the file '" STR_FMT
                         "': their names differ only in what the language cannot tell apart",
                         STR_ARG(path));
    return sdk_put_extra(files, path, content);
}

struct strs sdk_paths(struct arena *arena, const struct sdk_files *files, str ending)
{
    str *paths = ARENA_ARRAY(arena, str, files->paths.len);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t i = 0; map_next(&files->paths, &i, &entry);)
        if (str_ends_with(entry->key, ending))
            paths[len++] = entry->key;
    return strs_sorted(arena, (struct strs){ paths, len });
}

/* --- the end --- */

/* Into a folder that has something else already. */
static fallible sdk_move_files(struct sdk_files *files)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&files->paths, &i, &entry);) {
        CLEANUP(arena_release) struct arena scratch = { 0 };
        str to = fs_path_join(&scratch, files->directory, entry->key);
        TRY(fs_make_directory(fs_path_directory(to), SDK_FOLDER_MODE));
        if (rename(arena_cstr(&scratch, fs_path_join(&scratch, files->stage, entry->key)),
                   arena_cstr(&scratch, to))
            != 0)
            return error_os("write '" STR_FMT "'", STR_ARG(to));
    }
    return fs_remove_tree(files->stage);
}

fallible sdk_files_keep(struct sdk_files *files)
{
    char *from = arena_cstr(files->arena, files->stage);
    char *to = arena_cstr(files->arena, files->directory);
    bool is_whole = chmod(from, SDK_FOLDER_MODE) == 0 && rename(from, to) == 0;
    struct error *failure = NULL;

    if (!is_whole && errno != ENOTEMPTY && errno != EEXIST)
        failure = error_os("write '%s'", to);
    else if (!is_whole)
        failure = sdk_move_files(files);
    if (failure) {
        sdk_files_drop(files);
        return failure;
    }
    map_release(&files->paths);
    return NULL;
}

void sdk_files_drop(struct sdk_files *files)
{
    error_ignore(fs_remove_tree(files->stage), "a folder of ours that nobody needs");
    map_release(&files->paths);
}
