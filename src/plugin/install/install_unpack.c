/* install_unpack.c — writes the content of a plugin below one directory, and never anywhere else.
 *
 * What must hold:
 * 1. A name is relative and has no "..". 2. Every directory on the way is opened from the one
 * before it without following links, so each is a real directory below the first. 3. A link is
 * relative, and ".." is only at its beginning, at most as often as there are directories above it.
 * It begins in a real directory (2), so it cannot climb out; what follows only descends, through
 * links that keep to the same rule. 4. A directory is never replaced, so 2 and 3 stay true. */
#include "plugin/install/install_parts.h"

#include "base/fd.h"
#include "base/fs.h"
#include "archive/tar_read.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 128 };

struct unpacking {
    int root;
    int file; /* being written; -1: none */
    str name; /* of it */
    struct arena arena;
};

static fallible escapes(str name)
{
    return error_new(ERROR_INVALID, "tar entry '" STR_FMT "' escapes destination directory",
                     STR_ARG(name));
}

/* The next part of a path; empty parts and "." are passed over. False at the end. */
static bool next_part(str *path, str *part)
{
    while (path->len > 0) {
        if (!str_cut(*path, STR("/"), part, path)) {
            *part = *path;
            *path = STR("");
        }
        if (part->len > 0 && !str_equal(*part, STR(".")))
            return true;
    }
    return false;
}

/* Rule 1, and the parts put together again. `depth` counts the directories above the last part. */
static fallible clean_name(struct arena *arena, str name, str *out, size_t *depth)
{
    str rest = name, part, clean = STR("");
    size_t count = 0;

    if (name.len == 0 || memchr(name.ptr, '\0', name.len) || str_starts_with(name, STR("/")))
        return escapes(name);
    while (next_part(&rest, &part)) {
        if (str_equal(part, STR("..")) || ++count > DEPTH_MAX)
            return escapes(name);
        clean =
            clean.len > 0 ? arena_concat(arena, clean, STR("/"), part) : arena_copy(arena, part);
    }
    *out = clean;
    *depth = count > 0 ? count - 1 : 0;
    return NULL;
}

/* Rule 3. */
static fallible check_link(str name, str target, size_t depth)
{
    str rest = target, part;
    bool descends = false;
    size_t climbs = 0;

    if (target.len == 0 || memchr(target.ptr, '\0', target.len)
        || str_starts_with(target, STR("/")))
        return escapes(name);
    while (next_part(&rest, &part)) {
        if (!str_equal(part, STR("..")))
            descends = true;
        else if (descends || ++climbs > depth)
            return escapes(name);
    }
    return NULL;
}

/* Rule 2: opens a directory below `at`, which is made if it is missing. */
static fallible enter(struct arena *arena, int at, str part, int *out)
{
    const char *name = arena_cstr(arena, part);

    if (mkdirat(at, name, 0700) < 0 && errno != EEXIST)
        return error_os("create folder '%s'", name);
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return error_as(error_os("'%s' is in the way of a folder", name), ERROR_INVALID);
    *out = fd;
    return NULL;
}

/* The directory of a clean name, and what is left: the last part. */
static fallible open_parent(struct unpacking *unpacking, str clean, int *out, const char **last)
{
    int at = dup(unpacking->root);
    str part, rest = clean;

    if (at < 0)
        return error_os("open a folder");
    while (str_cut(rest, STR("/"), &part, &rest)) {
        int next = -1;
        struct error *failure = enter(&unpacking->arena, at, part, &next);
        close(at);
        TRY(failure);
        at = next;
    }
    *last = arena_cstr(&unpacking->arena, rest);
    *out = at;
    return NULL;
}

static fallible make_folder(struct unpacking *unpacking, str clean)
{
    CLEANUP(fd_close) int parent = -1;
    CLEANUP(fd_close) int folder = -1;
    const char *last;

    if (clean.len == 0)
        return NULL;
    TRY(open_parent(unpacking, clean, &parent, &last));
    return enter(&unpacking->arena, parent, str_from(last), &folder);
}

/* The later of two members of one name wins, as tar has it. */
static fallible make_way(int parent, const char *last)
{
    if (unlinkat(parent, last, 0) == 0 || errno == ENOENT)
        return NULL;
    return error_as(error_os("'%s' is in the way of a file", last), ERROR_INVALID);
}

static fallible make_link(struct unpacking *unpacking, str clean, str target)
{
    CLEANUP(fd_close) int parent = -1;
    const char *last;

    TRY(open_parent(unpacking, clean, &parent, &last));
    TRY(make_way(parent, last));
    if (symlinkat(arena_cstr(&unpacking->arena, target), parent, last) < 0)
        return error_os("create link '%s'", last);
    return NULL;
}

static fallible begin_file(struct unpacking *unpacking, str clean, unsigned mode)
{
    CLEANUP(fd_close) int parent = -1;
    const char *last;

    TRY(open_parent(unpacking, clean, &parent, &last));
    TRY(make_way(parent, last));
    unpacking->file =
        openat(parent, last, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode & 0777);
    if (unpacking->file < 0)
        return error_os("create '%s'", last);
    unpacking->name = arena_copy(&unpacking->arena, clean);
    return NULL;
}

static struct error *begin(void *unpacking_, const struct tar_member *member)
{
    struct unpacking *unpacking = unpacking_;
    str clean;
    size_t depth;

    arena_release(&unpacking->arena); /* what the member before needed */
    if (member->type == TAR_OTHER)
        return error_new(ERROR_INVALID, "unexpected plugin file type '" STR_FMT "' (%u)",
                         STR_ARG(member->name), (unsigned char)member->code);
    TRY(clean_name(&unpacking->arena, member->name, &clean, &depth));
    if (member->type == TAR_FOLDER)
        return make_folder(unpacking, clean);
    if (clean.len == 0)
        return escapes(member->name);
    if (member->type == TAR_FILE)
        return begin_file(unpacking, clean, member->mode);
    TRY(check_link(member->name, member->link, depth));
    return make_link(unpacking, clean, member->link);
}

static struct error *install_unpack_add(void *unpacking_, str bytes)
{
    struct unpacking *unpacking = unpacking_;

    while (bytes.len > 0) {
        ssize_t put = write(unpacking->file, bytes.ptr, bytes.len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return error_os("write '" STR_FMT "'", STR_ARG(unpacking->name));
        bytes = str_slice(bytes, (size_t)put, bytes.len);
    }
    return NULL;
}

static struct error *end(void *unpacking_)
{
    struct unpacking *unpacking = unpacking_;
    int file = unpacking->file;

    unpacking->file = -1;
    return close(file) < 0 ? error_os("write '" STR_FMT "'", STR_ARG(unpacking->name)) : NULL;
}

fallible install_unpack(int owned_fd, str name, str folder)
{
    struct unpacking unpacking = { .root = -1, .file = -1 };
    const struct tar_visitor visitor = { &unpacking, begin, install_unpack_add, end };
    const struct tar_source source = {
        .owned_fd = owned_fd, .name = name, .is_compressed = true, .is_whole = true
    };

    unpacking.root = open(arena_cstr(&unpacking.arena, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (unpacking.root < 0) {
        struct error *failure = error_os("open '" STR_FMT "'", STR_ARG(folder));
        close(owned_fd);
        arena_release(&unpacking.arena);
        return failure;
    }
    struct error *failure = tar_read(&source, &visitor);
    fd_close(&unpacking.file);
    fd_close(&unpacking.root);
    arena_release(&unpacking.arena);
    return failure;
}

/* --- directories --- */

static fallible copy_link(struct arena *arena, str from, str to)
{
    char target[PATH_MAX];
    ssize_t len = readlink(from.ptr, target, sizeof(target) - 1);

    if (len < 0)
        return error_os("read link '" STR_FMT "'", STR_ARG(from));
    target[len] = '\0';
    if (symlink(target, arena_cstr(arena, to)) < 0)
        return error_os("create link '" STR_FMT "'", STR_ARG(to));
    return NULL;
}

static fallible copy_entry(struct arena *arena, str from, str to, unsigned depth)
{
    struct stat status;
    str *names;
    size_t count;

    if (depth > DEPTH_MAX)
        return error_new(ERROR_INVALID, "'" STR_FMT "' is nested too deeply", STR_ARG(from));
    if (lstat(from.ptr, &status) < 0)
        return error_os("look at '" STR_FMT "'", STR_ARG(from));
    if (S_ISLNK(status.st_mode))
        return copy_link(arena, from, to);
    if (S_ISREG(status.st_mode))
        return fs_copy(from, to);
    if (!S_ISDIR(status.st_mode))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is neither a file nor a folder",
                         STR_ARG(from));
    TRY(fs_make_directory(to, 0700));
    TRY(fs_list(arena, from, &names, &count));
    for (size_t i = 0; i < count; i++)
        TRY(copy_entry(arena, fs_path_join(arena, from, names[i]),
                       fs_path_join(arena, to, names[i]), depth + 1));
    return NULL;
}

/* A directory that the user names is the user's own: its links are taken as they are. */
fallible install_copy_tree(str from, str folder)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    return copy_entry(&scratch, arena_copy(&scratch, from), folder, 0);
}
