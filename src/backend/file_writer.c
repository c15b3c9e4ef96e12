/* file_writer.c — writes a file beside its place and moves it there when it is whole and
 * durable. */
#include "backend/file_writer.h"

#include "backend/file_io.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/uuid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE /* a C library without the call */
#include <linux/fs.h>
#include <sys/syscall.h>

static int renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
#endif

enum { LARGEST_WRITE = 1 << 30 };

fallible file_writer_open(struct file_writer *writer, str path, enum compression compression,
                          mode_t mode)
{
    uint64_t random;

    random_bytes(&random, sizeof(random)); /* two writers never meet */
    writer->path = arena_copy(&writer->arena, path);
    writer->temporary = arena_printf(&writer->arena, "%s.%016llx.tmp", writer->path.ptr,
                                     (unsigned long long)random);
    writer->fd = fault_fails("fs.create")
                     ? -1
                     : open(writer->temporary.ptr, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (writer->fd < 0)
        return error_os("create '%s'", writer->temporary.ptr);
    writer->is_open = true;
    writer->encoder = encoder_open(compression);
    return NULL;
}

static struct error *write_chunk(void *writer_, str chunk)
{
    struct file_writer *writer = writer_;

    while (chunk.len > 0) {
        size_t len = chunk.len < LARGEST_WRITE ? chunk.len : LARGEST_WRITE;
        ssize_t count = fault_fails("fs.write") ? -1 : write(writer->fd, chunk.ptr, len);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return error_os("write '%s'", writer->temporary.ptr);
        chunk = str_slice(chunk, (size_t)count, chunk.len);
    }
    return NULL;
}

fallible file_writer_add(void *writer_, str chunk)
{
    struct file_writer *writer = writer_;
    return encoder_add(writer->encoder, chunk, false, write_chunk, writer);
}

fallible file_writer_finish(struct file_writer *writer)
{
    TRY(encoder_add(writer->encoder, STR(""), true, write_chunk, writer));
    if (fault_fails("fs.sync") || fsync(writer->fd) < 0)
        return error_os("sync '%s'", writer->temporary.ptr);
    return NULL;
}

fallible file_writer_commit(struct file_writer *writer)
{
    if (fault_fails("fs.rename") || rename(writer->temporary.ptr, writer->path.ptr) < 0)
        return error_os("rename to '%s'", writer->path.ptr);
    writer->is_in_place = true;
    return fs_sync_name(writer->path);
}

fallible file_writer_commit_new(struct file_writer *writer)
{
    const char *from = writer->temporary.ptr, *to = writer->path.ptr;

    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        writer->is_in_place = true;
        return fs_sync_name(writer->path);
    }
    if (errno == EEXIST)
        return error_as(error_os("create '%s'", to), ERROR_EXISTS);
    if (errno != EINVAL && errno != ENOSYS)
        return error_os("rename to '%s'", to);
    /* The file system cannot do that in one step; the stack's lock has to do. */
    if (access(to, F_OK) == 0)
        return error_new(ERROR_EXISTS, "create '%s': File exists", to);
    return file_writer_commit(writer);
}

void file_writer_release(struct file_writer *writer)
{
    if (writer->is_open)
        close(writer->fd);
    if (writer->is_open && !writer->is_in_place)
        unlink(writer->temporary.ptr);
    encoder_close(writer->encoder);
    arena_release(&writer->arena);
    *writer = (struct file_writer){ 0 };
}
