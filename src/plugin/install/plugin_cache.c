/* plugin_cache.c — reads and clears the directory of installed plugins. */
#include "plugin/plugin_cache.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/vec.h"
#include "fiber/fiber.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- names --- */

bool plugin_is_kind(str text)
{
    static const char *const kinds[] = { "resource", "language", "analyzer", "converter", "tool" };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (str_equal(text, str_from(kinds[i])))
            return true;
    return false;
}

bool plugin_is_bundled(str kind, str name)
{
    static const char *const bundled[][2] = {
        { "language", "nodejs" },        { "language", "bun" },    { "language", "go" },
        { "language", "python" },        { "language", "dotnet" }, { "language", "yaml" },
        { "language", "java" },          { "language", "pcl" },    { "resource", "pulumi-nodejs" },
        { "resource", "pulumi-python" },
    };

    for (size_t i = 0; i < sizeof(bundled) / sizeof(*bundled); i++)
        if (str_equal(kind, str_from(bundled[i][0])) && str_equal(name, str_from(bundled[i][1])))
            return true;
    return false;
}

static bool is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool plugin_is_cache_name(str name)
{
    if (name.len < 2 || !(is_alphanumeric(name.ptr[0]) || name.ptr[0] == '-')
        || !is_alphanumeric(name.ptr[name.len - 1]))
        return false;
    for (size_t i = 1; i < name.len; i++)
        if (!is_alphanumeric(name.ptr[i]) && (name.ptr[i] == '\0' || !strchr("-_.", name.ptr[i])))
            return false;
    return true;
}

/* A directory that an old installer was filling: NAME.tmp123. */
static bool is_being_installed(str entry)
{
    str suffix, head;
    uint64_t number;
    return str_cut_last(entry, STR(".tmp"), &head, &suffix) && str_to_u64(suffix, &number);
}

/* KIND-NAME-vVERSION; the last "-v" that leaves a name separates the two. Blanks around a version
 * would be lost when the name is made again, and with them the folder. */
bool plugin_cache_parse(str entry, str *kind, str *name, struct semver *version)
{
    str rest;
    if (is_being_installed(entry) || !str_cut(entry, STR("-"), kind, &rest)
        || !plugin_is_kind(*kind))
        return false;
    str head = rest, tail;
    while (str_cut_last(head, STR("-v"), &head, &tail)) {
        if (!plugin_is_cache_name(head))
            continue;
        *name = head;
        tail = str_slice(rest, head.len + 2, rest.len);
        return str_trim(tail).len == tail.len && semver_parse_tolerant(tail, version);
    }
    return false;
}

bool plugin_version_is_better(const struct semver *candidate, const struct semver *best)
{
    bool candidate_is_pre = candidate->pre.len > 0, best_is_pre = best->pre.len > 0;
    if (candidate_is_pre != best_is_pre)
        return best_is_pre;
    return semver_compare(candidate, best) > 0;
}

str plugin_cache_folder(struct arena *arena, str home, str kind, str name,
                        const struct semver *version)
{
    str entry = arena_concat(arena, kind, STR("-"), name, STR("-v"), semver_format(arena, version));
    return fs_path_join(arena, fs_path_join(arena, home, STR("plugins")), entry);
}

str plugin_entry_text(struct arena *arena, const struct plugin_entry *entry)
{
    return arena_concat(arena, entry->name, STR("-"), semver_format(arena, &entry->version));
}

bool plugin_cache_is_complete(str folder)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    return fs_is_directory(folder) && !fs_exists(arena_concat(&scratch, folder, STR(".partial")));
}

/* --- list --- */

static int plugin_cache_compare(const void *a_, const void *b_)
{
    const struct plugin_entry *a = a_, *b = b_;
    int order = str_compare(a->name, b->name);

    if (order == 0)
        order = str_compare(a->kind, b->kind);
    return order != 0 ? order : -semver_compare(&a->version, &b->version);
}

fallible plugin_cache_list(struct arena *arena, str home, struct plugin_entries *out)
{
    str plugins = fs_path_join(arena, home, STR("plugins")), *names;
    size_t count;

    *out = (struct plugin_entries){ 0 };
    if (!fs_exists(plugins))
        return NULL;
    TRY(fs_list(arena, plugins, &names, &count));
    out->items = ARENA_ARRAY(arena, struct plugin_entry, count);
    for (size_t i = 0; i < count; i++) {
        struct plugin_entry entry = { .folder = fs_path_join(arena, plugins, names[i]) };
        if (plugin_cache_parse(names[i], &entry.kind, &entry.name, &entry.version)
            && plugin_cache_is_complete(entry.folder))
            out->items[out->len++] = entry;
    }
    if (out->len > 0)
        qsort(out->items, out->len, sizeof(*out->items), plugin_cache_compare);
    return NULL;
}

/* --- usage --- */

/* Symbolic links count as themselves. */
static fallible add_size(struct arena *arena, str path, uint64_t *size)
{
    struct stat status;

    if (lstat(path.ptr, &status) < 0)
        return error_os("look at '" STR_FMT "'", STR_ARG(path));
    if (!S_ISDIR(status.st_mode)) {
        *size += (uint64_t)status.st_size;
        return NULL;
    }
    str *names;
    size_t count;
    TRY(fs_list(arena, path, &names, &count));
    for (size_t i = 0; i < count; i++)
        TRY(add_size(arena, fs_path_join(arena, path, names[i]), size));
    return NULL;
}

static int64_t nanoseconds(int64_t seconds, uint32_t rest)
{
    return seconds * NS_PER_S + (int64_t)rest;
}

fallible plugin_cache_usage(const struct plugin_entry *entry, struct plugin_usage *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct statx status;
    struct fs_status mark;

    *out = (struct plugin_usage){ 0 };
    if (statx(AT_FDCWD, arena_cstr(&scratch, entry->folder), 0,
              STATX_BTIME | STATX_MTIME | STATX_ATIME, &status)
        < 0)
        return error_os("look at '" STR_FMT "'", STR_ARG(entry->folder));
    /* Not every file system knows when a directory was made. */
    struct statx_timestamp made =
        status.stx_mask & STATX_BTIME ? status.stx_btime : status.stx_mtime;
    out->installed = nanoseconds(made.tv_sec, made.tv_nsec);
    out->last_used = nanoseconds(status.stx_atime.tv_sec, status.stx_atime.tv_nsec);
    struct error *failure = fs_stat(arena_concat(&scratch, entry->folder, STR(".lastused")), &mark);
    if (failure)
        error_ignore(failure, "it was never used by one that leaves a mark");
    else
        out->last_used = mark.modified;
    return add_size(&scratch, arena_copy(&scratch, entry->folder), &out->size);
}

void plugin_cache_mark_used(str folder)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str path = arena_concat(&scratch, folder, STR(".lastused"));
    error_ignore(fs_replace_quick(path, STR(""), 0600),
                 "a cache that cannot be written is still good to read");
}

/* --- changes --- */

/* Whether the file that was locked is still the one others would open: a process that removes a
 * plugin removes its lock. */
static bool is_current(int fd, const char *path)
{
    struct stat held, found;

    return fstat(fd, &held) == 0 && stat(path, &found) == 0 && held.st_ino == found.st_ino
           && held.st_dev == found.st_dev;
}

static fallible wait_for_lock(int fd, const char *path)
{
    enum { POLL_MS = 50 };

    while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return error_os("lock '%s'", path);
        TRY(fiber_sleep_ms(POLL_MS));
    }
    return NULL;
}

fallible plugin_cache_lock(str folder, int *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *path = arena_concat(&scratch, folder, STR(".lock")).ptr;

    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return error_os("create '%s'", path);
        struct error *failure = wait_for_lock(fd, path);
        if (!failure && is_current(fd, path)) {
            *out = fd;
            return NULL;
        }
        close(fd);
        TRY(failure);
    }
}

fallible plugin_cache_remove(str folder)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str partial = arena_concat(&scratch, folder, STR(".partial"));

    TRY(fs_replace_quick(partial, STR(""), 0600)); /* half removed is not installed */
    TRY(fs_remove_tree(folder));
    TRY(fs_remove_if_present(arena_concat(&scratch, folder, STR(".lastused"))));
    TRY(fs_remove_if_present(partial));
    return fs_remove_if_present(arena_concat(&scratch, folder, STR(".lock")));
}
