/* fuzz_archive.c — tar and zip files of any content: every member gets exactly the bytes it was
 * announced with. */
#include "fuzz/fuzz_tar.h"

#include "archive/archive_read.h"

#include <sys/mman.h>
#include <unistd.h>

struct seen {
    bool is_open;
    uint64_t left;
    uint64_t total;
};

/* More than any honest file of this size unpacks to would take the machine's time, not ours to lose
 * in a test. */
enum { ENOUGH = 64 << 20 };

static struct error *begin(void *seen_, str name, uint64_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct seen *seen = seen_;

    if (seen->is_open || !str_equal(name, fs_path_clean(&arena, name)))
        abort();
    seen->is_open = true;
    seen->left = size;
    return NULL;
}

static struct error *add(void *seen_, str bytes)
{
    struct seen *seen = seen_;

    if (!seen->is_open || bytes.len > seen->left)
        abort();
    seen->left -= bytes.len;
    seen->total += bytes.len;
    return seen->total > ENOUGH ? error_new(ERROR_OTHER, "enough") : NULL;
}

static struct error *end(void *seen_)
{
    struct seen *seen = seen_;

    if (!seen->is_open || seen->left > 0)
        abort();
    seen->is_open = false;
    return NULL;
}

static void try_archive(str bytes, enum archive_format format)
{
    struct seen seen = { 0 };
    struct archive_visitor visitor = { &seen, begin, add, end };
    char path[64];
    int fd = memfd_create("archive", MFD_CLOEXEC);

    REQUIRE(fd >= 0 && write(fd, bytes.ptr, bytes.len) == (ssize_t)bytes.len);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (fuzz_accepts(archive_read(str_from(path), format, &visitor)))
        REQUIRE(!seen.is_open);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str bytes = { (const char *)data, size };

    try_archive(fuzz_sealed_tar(&arena, bytes), ARCHIVE_TAR);
    try_archive(bytes, ARCHIVE_TAR_GZ);
    try_archive(bytes, ARCHIVE_ZIP);
    return 0;
}
