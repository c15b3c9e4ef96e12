/* archive_tar.c — the files in a tar file, as assets see them. */
#include "archive/archive_read.h"

#include "base/fs.h"
#include "archive/tar_read.h"

#include <fcntl.h>

struct reading {
    str path;
    const struct archive_visitor *visitor;
};

static fallible tar_reading_begin(void *reading_, const struct tar_member *member)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct reading *reading = reading_;

    switch (member->type) {
    case TAR_FOLDER: return NULL;
    case TAR_FILE:
        return reading->visitor->begin(reading->visitor->context,
                                       fs_path_clean(&scratch, member->name), member->size);
    case TAR_SYMLINK:
    case TAR_OTHER: break;
    }
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' in '" STR_FMT "' is neither a file nor a directory",
                     STR_ARG(member->name), STR_ARG(reading->path));
}

static fallible tar_reading_add(void *reading_, str bytes)
{
    struct reading *reading = reading_;
    return reading->visitor->add(reading->visitor->context, bytes);
}

static fallible tar_reading_end(void *reading_)
{
    struct reading *reading = reading_;
    return reading->visitor->end(reading->visitor->context);
}

fallible archive_read_tar(str path, bool is_compressed, const struct archive_visitor *visitor)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct reading reading = { .path = path, .visitor = visitor };
    const struct tar_visitor files = { &reading, tar_reading_begin, tar_reading_add,
                                       tar_reading_end };
    int fd = open(arena_cstr(&arena, path), O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return error_os("open '" STR_FMT "'", STR_ARG(path));
    return tar_read(
        &(struct tar_source){ .owned_fd = fd, .name = path, .is_compressed = is_compressed },
        &files);
}
