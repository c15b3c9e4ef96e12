/* fs_path.c — paths as text. */
#include "base/fs.h"

#include "base/strbuf.h"

#include <stdlib.h>
#include <unistd.h>

bool fs_path_is_absolute(str path)
{
    return str_starts_with(path, STR("/"));
}

bool fs_path_climbs(str path)
{
    str part, rest = path;

    while (str_next(&rest, STR("/"), &part)) {
        if (str_equal(part, STR("..")))
            return true;
    }
    return false;
}

str fs_path_bare(str path)
{
    while (str_starts_with(path, STR("/")))
        path = str_slice(path, 1, path.len);
    while (str_ends_with(path, STR("/")))
        path = str_slice(path, 0, path.len - 1);
    return path;
}

/* Removes the last component that was written, but never a leading "..". */
static void drop_last(struct strbuf *out, size_t floor)
{
    while (out->len > floor && out->ptr[out->len - 1] != '/')
        out->len--;
    if (out->len > floor)
        out->len--;
}

str fs_path_clean(struct arena *arena, str path)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    bool is_absolute = fs_path_is_absolute(path);
    size_t floor = is_absolute ? 1 : 0; /* what ".." cannot remove */

    if (is_absolute)
        strbuf_add_char(&out, '/');
    for (size_t at = 0; at < path.len;) {
        size_t end = at;
        while (end < path.len && path.ptr[end] != '/')
            end++;
        str part = str_slice(path, at, end);
        at = end + 1;
        if (part.len == 0 || str_equal(part, STR(".")))
            continue;
        bool is_up = str_equal(part, STR(".."));
        if (is_up && out.len > floor) {
            drop_last(&out, floor);
            continue;
        }
        if (is_up && is_absolute)
            continue;
        if (out.len > (is_absolute ? 1 : 0))
            strbuf_add_char(&out, '/');
        strbuf_add(&out, part);
        if (is_up)
            floor = out.len;
    }
    return out.len ? arena_copy(arena, strbuf_str(&out)) : STR(".");
}

str fs_path_join(struct arena *arena, str directory, str name)
{
    if (directory.len == 0)
        return fs_path_clean(arena, name);
    return fs_path_clean(arena, arena_concat(arena, directory, STR("/"), name));
}

str fs_path_absolute(struct arena *arena, str directory, str path)
{
    return fs_path_is_absolute(path) ? fs_path_clean(arena, path)
                                     : fs_path_join(arena, directory, path);
}

str fs_path_directory(str path)
{
    size_t at = str_find_last(path, STR("/"));

    if (at == SIZE_MAX)
        return STR(".");
    while (at > 0 && path.ptr[at - 1] == '/')
        at--;
    return at ? str_slice(path, 0, at) : STR("/");
}

str fs_path_name(str path)
{
    size_t at = str_find_last(path, STR("/"));
    return at == SIZE_MAX ? path : str_slice(path, at + 1, path.len);
}

str fs_path_extension(str path)
{
    str name = fs_path_name(path);
    size_t at = str_find_last(name, STR("."));
    return at == SIZE_MAX ? STR("") : str_slice(name, at, name.len);
}

fallible fs_working_directory(struct arena *arena, str *out)
{
    char *path = getcwd(NULL, 0);

    if (!path)
        return error_os("find the working directory");
    *out = arena_copy(arena, str_from(path));
    free(path);
    return NULL;
}
