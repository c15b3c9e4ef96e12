/* file_io.c — what a backend does with files beyond base/fs.h. */
#include "backend/file_io.h"

#include "backend/file_writer.h"
#include "base/fault.h"
#include "base/fs.h"
#include "model/resource.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/fs.h>

enum { LARGEST_READ = 1 << 30, COPY_CHUNK = 1 << 17 };

/* --- identity --- */

bool file_identity_equal(const struct file_identity *a, const struct file_identity *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size
           && a->modified.tv_sec == b->modified.tv_sec
           && a->modified.tv_nsec == b->modified.tv_nsec;
}

static struct file_identity identity_of(const struct stat *status)
{
    return (struct file_identity){
        .device = status->st_dev,
        .inode = status->st_ino,
        .size = status->st_size,
        .modified = status->st_mtim,
    };
}

fallible file_identify(str path, bool *exists, struct file_identity *out)
{
    struct stat status;

    if (stat(path.ptr, &status) == 0) {
        *exists = true;
        *out = identity_of(&status);
        return NULL;
    }
    if (errno != ENOENT && errno != ENOTDIR)
        return error_os("look at '%s'", path.ptr);
    *exists = false;
    return NULL;
}

/* --- reading --- */

static fallible read_fully(int fd, str path, char *to, size_t wanted, size_t *got)
{
    *got = 0;
    while (*got < wanted) {
        size_t left = wanted - *got;
        ssize_t count = fault_fails("fs.read")
                            ? -1
                            : read(fd, to + *got, left < LARGEST_READ ? left : LARGEST_READ);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return error_os("read '%s'", path.ptr);
        if (count == 0)
            return NULL;
        *got += (size_t)count;
    }
    return NULL;
}

fallible file_read(struct arena *arena, str path, struct file_identity *identity, str *out)
{
    CLEANUP(fd_close)
    int fd = fault_fails("fs.open") ? -1 : open(path.ptr, O_RDONLY | O_CLOEXEC);
    struct stat status;
    size_t len;

    if (fd < 0) {
        bool is_absent = errno == ENOENT || errno == ENOTDIR;
        return error_as(error_os("open '%s'", path.ptr), is_absent ? ERROR_NOT_FOUND : ERROR_OS);
    }
    if (fstat(fd, &status) < 0)
        return error_os("look at '%s'", path.ptr);
    if (!S_ISREG(status.st_mode))
        return error_new(ERROR_INVALID, "'%s' is not a file", path.ptr);
    if ((size_t)status.st_size > FILE_LIMIT)
        return error_new(ERROR_INVALID, "'%s' is too large: %zu bytes", path.ptr,
                         (size_t)status.st_size);

    char *bytes = arena_alloc_raw(arena, (size_t)status.st_size + 1);
    TRY(read_fully(fd, path, bytes, (size_t)status.st_size, &len));
    bytes[len] = '\0';
    *out = (str){ bytes, len };
    if (identity)
        *identity = identity_of(&status);
    return NULL;
}

fallible file_read_text(struct arena *arena, str path, str *out)
{
    str bytes;

    TRY(file_read(arena, path, NULL, &bytes));
    return error_wrap(compression_decode(arena, bytes, FILE_LIMIT, out), "'%s'", path.ptr);
}

/* --- directories --- */

fallible folder_list(struct arena *arena, str path, struct strs *out)
{
    str *names;
    size_t len;

    struct error *failure = fs_list(arena, path, &names, &len);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "no folder, no files");
        *out = (struct strs){ 0 };
        return NULL;
    }
    TRY(failure);
    *out = (struct strs){ names, len };
    return NULL;
}

/* --- failures --- */

bool file_is_full(const struct error *failure)
{
    int number = error_errno(failure);
    return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

const char *file_advice(const struct error *failure)
{
    int number = error_errno(failure);

    if (file_is_full(failure))
        return "free some space there and run the command again";
    if (number == EROFS || number == EACCES || number == EPERM)
        return "make the folder writable and run the command again";
    return "run the command again";
}

/* --- single files --- */

fallible file_remove_attributes(str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    return fs_remove_if_present(arena_concat(&scratch, path, STR(".attrs")));
}

fallible file_link(str path, str name, mode_t mode_of_copy)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str temporary = arena_concat(&scratch, name, STR(".link.tmp"));

    TRY(fs_remove_if_present(temporary));
    if (link(path.ptr, temporary.ptr) < 0)
        return file_copy(path, name, mode_of_copy);
    fault_point("file.before-link");
    if (rename(temporary.ptr, name.ptr) == 0)
        return fs_remove_if_present(
            temporary); /* rename leaves it if both were the same file already */
    struct error *failure = error_os("rename to '%s'", name.ptr);
    return error_join(failure, fs_remove_if_present(temporary));
}

static fallible copy_bytes(int from, str path, struct file_writer *writer)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    char *chunk = arena_alloc_raw(&scratch, COPY_CHUNK);
    size_t len;

    do {
        TRY(read_fully(from, path, chunk, COPY_CHUNK, &len));
        TRY(file_writer_add(writer, (str){ chunk, len }));
    } while (len == COPY_CHUNK);
    return NULL;
}

fallible file_copy(str path, str copy, mode_t mode)
{
    CLEANUP(file_writer_release) struct file_writer writer = { 0 };
    CLEANUP(fd_close) int from = open(path.ptr, O_RDONLY | O_CLOEXEC);

    if (from < 0)
        return error_os("open '%s'", path.ptr);
    TRY(file_writer_open(&writer, copy, COMPRESSION_NONE, mode));
    if (ioctl(writer.fd, FICLONE, from) < 0)
        TRY(copy_bytes(from, path, &writer));
    TRY(file_writer_finish(&writer));
    fault_point("file.before-rename");
    return file_writer_commit(&writer);
}

fallible file_write_text(str path, str text, enum compression compression, mode_t mode)
{
    CLEANUP(file_writer_release) struct file_writer writer = { 0 };

    TRY(file_writer_open(&writer, path, compression, mode));
    TRY(file_writer_add(&writer, text));
    TRY(file_writer_finish(&writer));
    fault_point("file.before-rename");
    return file_writer_commit(&writer);
}
