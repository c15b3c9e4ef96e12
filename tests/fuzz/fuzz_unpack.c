/* fuzz_unpack.c — archives of plugins of any content: nothing outside the folder changes, no link
 * leads out of it, and there are only files, folders and links. */
#include "fuzz/fuzz_tar.h"

#include "plugin/install/install_parts.h"

#include <ftw.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

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

    REQUIRE(fuzz_accepts(fs_list(arena, path, &names, &count)));
    return count;
}

/* Inputs are tar files; the packing is not what is tested here. */
static int pack(str bytes)
{
    int fd = memfd_create("archive", MFD_CLOEXEC);
    gzFile file = fd < 0 ? NULL : gzdopen(dup(fd), "wb1");

    if (!file || (bytes.len && gzwrite(file, bytes.ptr, (unsigned)bytes.len) != (int)bytes.len)
        || gzclose(file) != Z_OK || lseek(fd, 0, SEEK_SET) != 0)
        abort();
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str parent = fs_path_join(&arena, fuzz_folder(), STR("parent"));

    folder = fs_path_join(&arena, parent, STR("a/plugin"));
    REQUIRE(fuzz_accepts(fs_make_directory(folder, 0700)));
    int file = pack(fuzz_sealed_tar(&arena, (str){ (const char *)data, size }));
    error_ignore(install_unpack(file, STR("archive"), folder), "a bad archive");
    REQUIRE(count_entries(&arena, parent) == 1);
    REQUIRE(count_entries(&arena, fs_path_join(&arena, parent, STR("a"))) == 1);
    REQUIRE(nftw(folder.ptr, look, 16, FTW_PHYS) == 0);
    REQUIRE(fuzz_accepts(fs_remove_tree(parent)));
    return 0;
}
