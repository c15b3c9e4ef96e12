/* fs.c — whole files, replaced so that a crash leaves the old or the new. */
#include "base/fs.h"

#include "base/fault.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "base/strs.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 4096 };

/* errno as an error of the kind that callers decide on. */
static fallible fs_fail(const char *operation, str path)
{
    int number = errno;
    struct error *error = error_os("%s '" STR_FMT "'", operation, STR_ARG(path));

    if (number == ENOENT || number == ENOTDIR)
        return error_as(error, ERROR_NOT_FOUND);
    return number == EEXIST ? error_as(error, ERROR_EXISTS) : error;
}

/* A path for the system: a NUL byte inside would cut it short. */
static fallible system_path(struct arena *arena, str path, const char **out)
{
    if (path.len == 0)
        return error_new(ERROR_INVALID, "empty file name");
    if (str_find_char(path, '\0') != SIZE_MAX)
        return error_new(ERROR_INVALID, "invalid file name '" STR_FMT "'", STR_ARG(path));
    *out = arena_cstr(arena, path);
    return NULL;
}

/* --- reading --- */

/* One read that is not interrupted. */
static ssize_t fs_read_some(int fd, char *out, size_t size)
{
    ssize_t got;

    do
        got = fault_fails("fs.read") ? -1 : read(fd, out, size);
    while (got < 0 && errno == EINTR);
    return got;
}

static fallible refuse_size(str path, size_t limit)
{
    return error_new(ERROR_INVALID, "read '" STR_FMT "': larger than %zu bytes", STR_ARG(path),
                     limit);
}

/* For what has no size beforehand, or another one than it said. */
static fallible read_stream(int fd, struct arena *arena, str path, size_t limit, str begun,
                            str *out)
{
    CLEANUP(strbuf_release) struct strbuf content = { 0 };

    strbuf_add(&content, begun);
    for (;;) {
        strbuf_reserve(&content, CHUNK);
        ssize_t got =
            fs_read_some(fd, content.ptr + content.len, content.capacity - content.len - 1);
        if (got < 0)
            return fs_fail("read", path);
        if (got == 0)
            break;
        content.len += (size_t)got;
        if (limit && content.len > limit)
            return refuse_size(path, limit);
    }
    *out = arena_copy(arena, strbuf_str(&content));
    return NULL;
}

/* Straight into the arena: a large file is held once. */
static fallible read_sized(int fd, struct arena *arena, str path, size_t limit, size_t expected,
                           str *out)
{
    char *text = arena_alloc_raw(arena, expected + 1);
    size_t len = 0;

    while (len <= expected) {
        ssize_t got = fs_read_some(fd, text + len, expected + 1 - len);
        if (got < 0)
            return fs_fail("read", path);
        if (got == 0)
            break;
        len += (size_t)got;
    }
    if (len > expected)
        return read_stream(fd, arena, path, limit, (str){ text, len }, out);
    text[len] = '\0';
    *out = (str){ text, len };
    return NULL;
}

fallible fs_read(struct arena *arena, str path, size_t limit, str *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *name;
    struct stat status;

    TRY(system_path(&scratch, path, &name));
    CLEANUP(fd_close) int fd = fault_fails("fs.open") ? -1 : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) < 0)
        return fs_fail("open", path);
    /* Files of the kernel say that they are empty. */
    bool is_sized = S_ISREG(status.st_mode) && status.st_size > 0;
    size_t expected = (size_t)status.st_size;
    if (is_sized && limit && expected > limit)
        return refuse_size(path, limit);
    return is_sized ? read_sized(fd, arena, path, limit, expected, out)
                    : read_stream(fd, arena, path, limit, STR(""), out);
}

/* --- writing --- */

fallible fs_write_all(int fd, str path, str content)
{
    while (content.len) {
        ssize_t put = fault_fails("fs.write") ? -1 : write(fd, content.ptr, content.len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return fs_fail("write", path);
        content = str_slice(content, (size_t)put, content.len);
    }
    return NULL;
}

static fallible sync_fd(int fd, str path)
{
    if (fault_fails("fs.sync") || fsync(fd) < 0)
        return fs_fail("sync", path);
    return NULL;
}

/* Some network file systems cannot sync a directory and say so: then a name is as safe as it gets.
 */
fallible fs_sync_name(str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str directory = fs_path_directory(path);
    CLEANUP(fd_close)
    int fd = open(arena_cstr(&scratch, directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return fs_fail("open", directory);
    if (fault_fails("fs.sync") || (fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP))
        return fs_fail("sync", directory);
    return NULL;
}

fallible fs_settle(str folder)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(fd_close)
    int fd = open(arena_cstr(&scratch, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return fs_fail("open", folder);
    if (fault_fails("fs.settle") || syncfs(fd) < 0)
        return fs_fail("sync", folder);
    return NULL;
}

/* As fs_sweep expects it. */
static str temporary_name(struct arena *scratch, str path)
{
    static unsigned counter;
    unsigned number = __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED);

    return arena_printf(scratch, STR_FMT ".%ld-%u.tmp", STR_ARG(path), (long)getpid(), number);
}

/* A new file beside `path` that nobody else uses. */
static fallible create_temporary(struct arena *scratch, str path, unsigned mode, const char **name,
                                 int *fd)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        str temporary = temporary_name(scratch, path);
        *fd = fault_fails("fs.create")
                  ? -1
                  : open(temporary.ptr, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        *name = temporary.ptr;
        if (*fd >= 0) {
            flock(*fd, LOCK_EX | LOCK_NB); /* for fs_sweep: its writer is alive */
            return NULL;
        }
        if (errno != EEXIST)
            return fs_fail("create", temporary);
    }
    return fs_fail("create", path);
}

/* Who may not give it away keeps it. */
static void give_to(int fd, const struct stat *owner)
{
    struct stat own;

    if (fstat(fd, &own) < 0)
        return;
    bool is_kept = own.st_uid == owner->st_uid || fchown(fd, owner->st_uid, (gid_t)-1) == 0;
    is_kept &= own.st_gid == owner->st_gid || fchown(fd, (uid_t)-1, owner->st_gid) == 0;
    if (!is_kept)
        log_debug("fs", "a file that is replaced changes its owner or its group");
}

/* Where all files have the mode that the mount says, as on shares of Windows, nobody may change it.
 */
static fallible take_mode(int fd, str path, mode_t mode)
{
    struct stat own;

    if (fstat(fd, &own) == 0 && (own.st_mode & 07777) == (mode & 07777))
        return NULL;
    if (fault_fails("fs.mode") || fchmod(fd, mode & 07777) < 0)
        return fs_fail("change the mode of", path);
    return NULL;
}

fallible fs_keep_owner(int fd, str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stat status;

    if (stat(arena_cstr(&scratch, path), &status) < 0)
        return NULL;
    give_to(fd, &status);
    return take_mode(fd, path, status.st_mode);
}

/* What is being written is never open to more than the file that it replaces. */
static unsigned mode_while_written(str target, unsigned mode)
{
    struct fs_status status;
    struct error *failure = fs_stat(target, &status);

    if (!failure)
        return mode & status.mode;
    error_ignore(failure, "a new file");
    return mode;
}

static fallible fill_and_rename(struct arena *scratch, int fd, const char *temporary, str target,
                                str content, bool is_durable)
{
    const char *name = arena_cstr(scratch, target);

    TRY(fs_write_all(fd, str_from(temporary), content));
    TRY(fs_keep_owner(fd, target));
    if (is_durable)
        TRY(sync_fd(fd, str_from(temporary)));
    fault_point("fs.before-rename");
    if (fault_fails("fs.rename") || rename(temporary, name) < 0)
        return fs_fail("rename to", target);
    fault_point("fs.after-rename");
    return NULL;
}

static str resolve_link(struct arena *scratch, const char *name);

/* Where a symbolic link leads to nothing yet. */
static str resolve_dangling(struct arena *scratch, const char *name)
{
    char target[PATH_MAX];
    ssize_t len = readlink(name, target, sizeof(target));
    char *folder = realpath(arena_cstr(scratch, fs_path_directory(str_from(name))), NULL);
    str next = str_from(name);

    if (len > 0 && folder)
        next = fs_path_absolute(scratch, str_from(folder), (str){ target, (size_t)len });
    free(folder);
    return str_equal(next, str_from(name)) ? next
                                           : resolve_link(scratch, arena_cstr(scratch, next));
}

/* Where a symbolic link leads; the path itself otherwise, and where links go in a circle. */
static str resolve_link(struct arena *scratch, const char *name)
{
    struct stat status;

    if (lstat(name, &status) < 0 || !S_ISLNK(status.st_mode))
        return str_from(name);
    char *real = realpath(name, NULL);
    if (!real)
        return errno == ENOENT ? resolve_dangling(scratch, name) : str_from(name);
    str result = arena_copy(scratch, str_from(real));
    free(real);
    return result;
}

static fallible fs_replace_with(str path, str content, unsigned mode, bool is_durable)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *name, *temporary;
    CLEANUP(fd_close) int fd = -1;

    TRY(system_path(&scratch, path, &name));
    str target = resolve_link(&scratch, name);
    TRY(create_temporary(&scratch, target, mode_while_written(target, mode), &temporary, &fd));
    struct error *failure = fill_and_rename(&scratch, fd, temporary, target, content, is_durable);
    if (failure) {
        unlink(temporary);
        return failure;
    }
    if (!is_durable)
        return NULL;
    error_ignore(fs_sweep(fs_path_directory(target), fs_path_name(target)),
                 "the file is written; the next writer tries again");
    return fs_sync_name(target);
}

fallible fs_replace(str path, str content, unsigned mode)
{
    return fs_replace_with(path, content, mode, true);
}

fallible fs_replace_quick(str path, str content, unsigned mode)
{
    return fs_replace_with(path, content, mode, false);
}

fallible fs_create(str path, str content, unsigned mode)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *name;

    TRY(system_path(&scratch, path, &name));
    CLEANUP(fd_close)
    int fd =
        fault_fails("fs.create") ? -1 : open(name, O_EXCL | O_WRONLY | O_CREAT | O_CLOEXEC, mode);
    if (fd < 0)
        return fs_fail("create", path);
    TRY(fs_write_all(fd, path, content));
    TRY(sync_fd(fd, path));
    return fs_sync_name(path);
}

fallible fs_copy(str from, str to)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct fs_status status;
    str content;

    TRY(fs_stat(from, &status));
    TRY(fs_read(&scratch, from, FS_ANY_SIZE, &content));
    return fs_replace(to, content, status.mode);
}

static fallible rename_file(struct arena *scratch, str from, str to)
{
    const char *old_name, *new_name;

    TRY(system_path(scratch, from, &old_name));
    TRY(system_path(scratch, to, &new_name));
    if (fault_fails("fs.rename") || rename(old_name, new_name) < 0)
        return fs_fail("rename", arena_concat(scratch, from, STR("' to '"), to));
    return NULL;
}

fallible fs_rename(str from, str to)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    TRY(rename_file(&scratch, from, to));
    return fs_sync_name(to);
}

fallible fs_rename_all(str from, str to, const struct fs_new_name *names, size_t count)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str last = { 0 };

    for (size_t i = 0; i < count; i++) {
        last = arena_concat(&scratch, to, STR("/"), names[i].new);
        TRY(rename_file(&scratch, arena_concat(&scratch, from, STR("/"), names[i].old), last));
    }
    return count > 0 ? fs_sync_name(last) : NULL;
}

fallible fs_link(str from, str to)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *name, *target;

    TRY(system_path(&scratch, from, &name));
    TRY(system_path(&scratch, to, &target));
    str temporary = temporary_name(&scratch, to);
    if (link(name, temporary.ptr) < 0)
        return fs_copy(from, to);
    struct error *failure = NULL;
    if (fault_fails("fs.rename") || rename(temporary.ptr, target) < 0)
        failure = fs_fail("rename to", to);
    unlink(temporary.ptr); /* still there if both were one file already */
    if (failure)
        return failure;
    error_ignore(fs_sweep(fs_path_directory(to), fs_path_name(to)), "the next writer tries again");
    return fs_sync_name(to);
}

fallible fs_remove(str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *name;

    TRY(system_path(&scratch, path, &name));
    if (fault_fails("fs.remove") || remove(name) < 0)
        return fs_fail("remove", path);
    return NULL;
}

/* Where nothing may be changed, the system says so before it looks whether anything is there. */
static bool fs_is_absent(str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stat status;

    return lstat(arena_cstr(&scratch, path), &status) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

fallible fs_remove_if_present(str path)
{
    struct error *failure = fs_remove(path);

    if (!failure || error_kind(failure) == ERROR_INVALID
        || (error_kind(failure) != ERROR_NOT_FOUND && !fs_is_absent(path)))
        return failure;
    error_ignore(failure, "it is gone, which is what was wanted");
    return NULL;
}

static str fs_temporary_folder(void)
{
    str folder = settings_text("TMPDIR");

    return folder.len ? folder : STR("/tmp");
}

fallible fs_make_temporary(struct arena *arena, const char *name, str *out)
{
    char *path = arena_cstr(
        arena, arena_concat(arena, fs_temporary_folder(), STR("/"), str_from(name), STR("XXXXXX")));

    if (!mkdtemp(path))
        return fs_fail("create", str_from(path));
    *out = str_from(path);
    return NULL;
}

fallible fs_open_nameless(const char *name, int *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    *out = open(arena_cstr(&scratch, fs_temporary_folder()), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (*out < 0)
        *out = memfd_create(name, MFD_CLOEXEC);
    return *out < 0 ? error_os("create a temporary file") : NULL;
}

fallible fs_remove_tree(str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *name;
    struct stat status;
    str *names;
    size_t len;

    TRY(system_path(&scratch, path, &name));
    if (lstat(name, &status) < 0)
        return errno == ENOENT ? NULL : fs_fail("stat", path);
    if (S_ISDIR(status.st_mode)) {
        TRY(fs_list(&scratch, path, &names, &len));
        for (size_t i = 0; i < len; i++)
            TRY(fs_remove_tree(fs_path_join(&scratch, path, names[i])));
    }
    return fs_remove_if_present(path);
}

/* --- folders --- */

fallible fs_make_directory(str path, unsigned mode)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *name;

    TRY(system_path(&scratch, path, &name));
    if (fault_fails("fs.mkdir"))
        return fs_fail("create the directory", path);
    if (mkdir(name, mode) == 0)
        return NULL;
    if (errno == EEXIST && fs_is_directory(path))
        return NULL;
    str parent = fs_path_directory(path);
    if (errno != ENOENT || parent.len == path.len)
        return fs_fail("create the directory", path);
    TRY(fs_make_directory(parent, mode));
    if (mkdir(name, mode) < 0 && errno != EEXIST)
        return fs_fail("create the directory", path);
    return NULL;
}

static int fs_compare_names(const void *a, const void *b)
{
    return str_compare(*(const str *)a, *(const str *)b);
}

/* NULL at the end, with errno 0 unless it came too early: what is done with one may leave another
 * number there, although it went well. */
static struct dirent *fs_next_entry(DIR *listing)
{
    errno = 0;
    return readdir(listing);
}

fallible fs_list(struct arena *arena, str path, str **out, size_t *len)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct str_list names = { 0 };
    const char *name;

    TRY(system_path(&scratch, path, &name));
    DIR *listing = fault_fails("fs.list") ? NULL : opendir(name);
    if (!listing)
        return fs_fail("list", path);
    for (struct dirent *entry; (entry = fs_next_entry(listing));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            vec_add(&names, arena_copy(arena, str_from(entry->d_name)));
    struct error *failure = errno ? fs_fail("list", path) : NULL;
    closedir(listing);
    if (!failure) {
        if (names.len)
            qsort(names.items, names.len, sizeof(names.items[0]), fs_compare_names);
        *out = arena_copy_bytes(arena, names.items, names.len * sizeof(names.items[0]));
        *len = names.len;
    }
    vec_release(&names);
    return failure;
}

/* --- asking --- */

static bool fs_look(str path, struct stat *status)
{
    char small[512];

    if (path.len == 0 || str_find_char(path, '\0') != SIZE_MAX)
        return false;
    if (path.len < sizeof(small)) {
        memcpy(small, path.ptr, path.len);
        small[path.len] = '\0';
        return stat(small, status) == 0;
    }
    CLEANUP(arena_release) struct arena scratch = { 0 };
    return stat(arena_cstr(&scratch, path), status) == 0;
}

bool fs_exists(str path)
{
    struct stat status;
    return fs_look(path, &status);
}

bool fs_is_directory(str path)
{
    struct stat status;
    return fs_look(path, &status) && S_ISDIR(status.st_mode);
}

bool fs_is_file(str path)
{
    struct stat status;
    return fs_look(path, &status) && S_ISREG(status.st_mode);
}

bool fs_is_executable(str path)
{
    struct stat status;
    return fs_look(path, &status) && S_ISREG(status.st_mode) && (status.st_mode & 0111);
}

str fs_find_program(struct arena *arena, str search_path, str name)
{
    str directory;

    while (str_next(&search_path, STR(":"), &directory)) {
        str path = fs_path_join(arena, directory, name);
        if (fs_path_is_absolute(directory) && fs_is_executable(path) && fs_is_file(path))
            return path;
    }
    return STR("");
}

fallible fs_stat(str path, struct fs_status *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *name;
    struct stat status;

    TRY(system_path(&scratch, path, &name));
    if (fault_fails("fs.stat") || stat(name, &status) < 0)
        return fs_fail("stat", path);
    *out = (struct fs_status){
        .is_directory = S_ISDIR(status.st_mode),
        .is_file = S_ISREG(status.st_mode),
        .mode = status.st_mode & 07777,
        .size = (uint64_t)status.st_size,
        .modified = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
    };
    return NULL;
}

/* --- locks --- */

/* Waits; false, with errno, where it cannot be had. */
static bool fs_take_lock(int fd)
{
    while (flock(fd, LOCK_EX) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

fallible fs_lock(str path, int *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *name;

    TRY(system_path(&scratch, path, &name));
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return fs_fail("create", path);
    if (!fs_take_lock(fd)) {
        struct error *failure = fs_fail("lock", path);
        close(fd);
        return failure;
    }
    *out = fd;
    return NULL;
}

int fs_lock_folder(str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    int fd = open(arena_cstr(&scratch, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0 && !fs_take_lock(fd))
        fd_close(&fd);
    return fd;
}

bool fs_try_lock_folder(str path, int *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    int fd = open(arena_cstr(&scratch, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_taken = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0;
    bool is_others = is_taken && (errno == EWOULDBLOCK || errno == EINTR);

    if (is_taken)
        fd_close(&fd);
    *out = fd;
    return !is_others;
}

void fs_unlock(int fd)
{
    if (fd >= 0)
        close(fd);
}
