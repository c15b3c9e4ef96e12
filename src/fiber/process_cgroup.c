/* process_cgroup.c — a control group for what we start: no process can leave it, whatever it does
 * to its session, its environment and its parents.
 *
 * It counts and kills only; no controller is turned on, so that nobody gets less memory or time by
 * being in it. Where users may not make groups, as in most login sessions, the other means have to
 * suffice: process groups, the mark, and being the parent of orphans. */
#include "fiber/process_cgroup.h"

#include "base/fd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define NAME_HEAD "culumi-"

enum { ROUND_MS = 5, ROUNDS_MOST = 200, DESCRIPTION_MOST = 16 * 1024 };

/* A line for each hierarchy, "NUMBER:CONTROLLERS:PATH"; that of the second version is "0::PATH". */
bool cgroup_place(str text, str *out)
{
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        if (!str_starts_with(line, STR("0::/")))
            continue;
        *out = str_slice(line, 3, line.len);
        return !str_starts_with(*out, STR("/..")); /* outside of what this container sees */
    }
    return false;
}

/* --- where we are --- */

/* Beside the first version, the second has a folder of its own. */
static const char *find_mount(void)
{
    static const char *const places[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
    struct statfs info;

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        if (statfs(places[i], &info) == 0 && info.f_type == CGROUP2_SUPER_MAGIC)
            return places[i];
    return NULL;
}

static bool read_own_place(char *out, size_t size)
{
    static char text[DESCRIPTION_MOST];
    const char *mount = find_mount();
    str place;

    int fd = mount ? open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    ssize_t len = read(fd, text, sizeof(text));
    close(fd);
    if (len <= 0 || !cgroup_place((str){ text, (size_t)len }, &place))
        return false;
    if (str_equal(place, STR("/")))
        place = STR("");
    int written = snprintf(out, size, "%s" STR_FMT, mount, STR_ARG(place));
    return written > 0 && (size_t)written < size;
}

/* --- making and removing --- */

/* Groups of engines that were killed together with their watchers. One that holds a process cannot
 * be removed. */
static void remove_abandoned(const char *parent)
{
    DIR *directory = opendir(parent);
    const struct dirent *entry;

    if (!directory)
        return;
    while ((entry = readdir(directory))) {
        if (strncmp(entry->d_name, NAME_HEAD, sizeof(NAME_HEAD) - 1) != 0)
            continue;
        long id = strtol(entry->d_name + sizeof(NAME_HEAD) - 1, NULL, 10);
        if (id > 0 && kill((pid_t)id, 0) < 0 && errno == ESRCH)
            unlinkat(dirfd(directory), entry->d_name, AT_REMOVEDIR);
    }
    closedir(directory);
}

void cgroup_make(struct cgroup *cgroup, const char *name)
{
    enum { NAMES_MOST = 128 }; /* ours, and the kernel's inside of it */
    char parent[CGROUP_PATH_SIZE - NAMES_MOST];

    *cgroup = (struct cgroup){ .fd = -1 };
    if (!read_own_place(parent, sizeof(parent)))
        return;
    remove_abandoned(parent);
    snprintf(cgroup->folder, sizeof(cgroup->folder), "%s/" NAME_HEAD "%.64s", parent, name);
    if (mkdir(cgroup->folder, 0700) < 0) {
        cgroup->folder[0] = '\0';
        return;
    }
    snprintf(cgroup->members, sizeof(cgroup->members), "%s/" NAME_HEAD "%.64s/cgroup.procs", parent,
             name);
    snprintf(cgroup->end, sizeof(cgroup->end), "%s/" NAME_HEAD "%.64s/cgroup.kill", parent, name);
    cgroup->fd = open(cgroup->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void kill_members(const struct cgroup *cgroup)
{
    int fd = open(cgroup->end, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t ignored = write(fd, "1", 1);
    (void)ignored;
    close(fd);
}

void cgroup_remove(struct cgroup *cgroup)
{
    if (!cgroup->folder[0])
        return;
    fd_close(&cgroup->fd);
    for (int round = 0; rmdir(cgroup->folder) < 0 && errno == EBUSY && round < ROUNDS_MOST;
         round++) {
        kill_members(cgroup);
        poll(NULL, 0, ROUND_MS);
    }
    cgroup->folder[0] = '\0';
}
