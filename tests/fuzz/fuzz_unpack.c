/* fuzz_unpack.c — archives of plugins of any content: nothing outside the folder changes, no link
 * leads out of it, and there are only files, folders and links. */
#include "base/fs.h"
#include "plugin/install/install_parts.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* nftw has no room for it. */
static str folder;

static int look(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    char target[PATH_MAX];

    (void)type, (void)walk;
    if (S_ISDIR(status->st_mode) || S_ISREG(status->st_mode))
        return 0;
    if (!S_ISLNK(status->st_mode))
        abort();
    if (realpath(path, target) && !str_starts_with(str_from(target), folder))
        abort();
    return 0;
}

static size_t count_entries(struct arena *arena, str path)
{
    str *names;
    size_t count;
    struct error *failure = fs_list(arena, path, &names, &count);

    if (failure)
        abort();
    return count;
}

/* Inputs are tar files; the packing is not what is tested here. */
static int pack(const uint8_t *data, size_t size)
{
    int fd = memfd_create("archive", MFD_CLOEXEC);
    gzFile file = fd < 0 ? NULL : gzdopen(dup(fd), "wb1");

    if (!file || (size > 0 && gzwrite(file, data, (unsigned)size) != (int)size)
        || gzclose(file) != Z_OK || lseek(fd, 0, SEEK_SET) != 0)
        abort();
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    char pattern[] = "/tmp/fuzz-unpack-XXXXXX";

    if (!mkdtemp(pattern))
        abort();
    str parent = str_from(pattern);
    folder = arena_concat(&arena, parent, STR("/a/plugin"));
    if (fs_make_directory(folder, 0700))
        abort();
    error_ignore(install_unpack(pack(data, size), STR("archive"), folder), "a bad archive");
    if (count_entries(&arena, parent) != 1
        || count_entries(&arena, arena_concat(&arena, parent, STR("/a"))) != 1)
        abort();
    if (nftw(folder.ptr, look, 16, FTW_PHYS) != 0)
        abort();
    if (fs_remove_tree(parent))
        abort();
    return 0;
}
