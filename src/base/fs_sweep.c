/* fs_sweep.c — temporary files whose writers are gone. */
#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

/* NAME.<process>-<number>.tmp, as fs_replace calls them. */
static bool is_temporary(str name, str prefix, pid_t *writer)
{
    str head, tail, process, number;
    uint64_t id, count;

    if (!str_starts_with(name, prefix) || !str_ends_with(name, STR(".tmp")))
        return false;
    name.len -= STR(".tmp").len;
    if (!str_cut_last(name, STR("."), &head, &tail) || head.len < prefix.len
        || !str_cut(tail, STR("-"), &process, &number) || !str_to_u64(process, &id)
        || !str_to_u64(number, &count) || id == 0 || id > INT32_MAX)
        return false;
    *writer = (pid_t)id;
    return true;
}

/* A process of this number may live in another container: whoever writes also holds a lock. */
static bool is_abandoned(int folder, const char *name, pid_t writer)
{
    if (kill(writer, 0) == 0 || errno != ESRCH)
        return false;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool result = flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return result;
}

fallible fs_sweep(str folder, str prefix)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    DIR *listing = opendir(arena_cstr(&scratch, folder));
    pid_t writer;

    if (!listing)
        return error_os("list '" STR_FMT "'", STR_ARG(folder));
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing))
        if (is_temporary(str_from(entry->d_name), prefix, &writer)
            && is_abandoned(dirfd(listing), entry->d_name, writer))
            unlinkat(dirfd(listing), entry->d_name, 0);
    closedir(listing);
    return NULL;
}
