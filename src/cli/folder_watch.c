/* folder_watch.c — inotify: one watch for each folder, more as folders appear. */
#include "cli/folder_watch.h"

#include "base/fs.h"
#include "base/memory.h"
#include "base/strs.h"
#include "base/vec.h"
#include "fiber/fiber.h"
#include "fiber/socket.h"

#include <stdlib.h>
#include <sys/inotify.h>

enum { QUIET_MS = 100 };

/* A folder under watch, by the number that the kernel gave it. */
struct watched {
    int number;
    str path;
    str only; /* the one file in it that matters; empty: all of them */
};

struct folder_watch {
    struct arena arena;
    int fd; /* belongs to the stream */
    struct stream *stream;
    struct {
        VEC(struct watched);
    } folders;
};

bool folder_watch_ignores(str name)
{
    static const char *const names[] = { "node_modules", "__pycache__", "venv", "4913" };
    static const char *const endings[] = { "~", ".swp", ".swx", ".tmp", ".pyc", ".bak" };

    if (str_starts_with(name, STR(".")) || str_starts_with(name, STR("#")))
        return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (str_equal(name, str_from(names[i])))
            return true;
    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
        if (str_ends_with(name, str_from(endings[i])))
            return true;
    return false;
}

static fallible watch_add_folder(struct folder_watch *watch, str path, str only)
{
    const uint32_t wanted =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR;
    struct watched folder = { .path = arena_copy(&watch->arena, path),
                              .only = arena_copy(&watch->arena, only) };

    folder.number = inotify_add_watch(watch->fd, folder.path.ptr, wanted);
    if (folder.number < 0)
        return error_os("watch '" STR_FMT "'", STR_ARG(path));
    vec_add(&watch->folders, folder);
    return NULL;
}

/* A folder and all below it, one after the other: they may be nested deeply. */
static fallible watch_add_tree(struct folder_watch *watch, str root)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct str_list open = { 0 };
    struct error *failure = NULL;

    vec_add(&open, arena_copy(&scratch, root));
    while (open.len && !failure) {
        str folder = open.items[--open.len], *names;
        size_t count = 0;
        failure = watch_add_folder(watch, folder, STR(""));
        if (!failure)
            failure = fs_list(&scratch, folder, &names, &count);
        for (size_t i = 0; i < count; i++) {
            struct fs_status status;
            str path = fs_path_join(&scratch, folder, names[i]);
            struct error *gone = fs_stat(path, &status);
            if (!gone && status.is_directory && !folder_watch_ignores(names[i]))
                vec_add(&open, path);
            error_ignore(gone, "what has gone need not be watched");
        }
    }
    vec_release(&open);
    return failure;
}

static fallible watch_add_path(struct folder_watch *watch, str path)
{
    if (fs_is_directory(path))
        return watch_add_tree(watch, path);
    if (!fs_exists(path))
        return error_new(ERROR_NOT_FOUND, "'" STR_FMT "' is not there", STR_ARG(path));
    return watch_add_folder(watch, fs_path_directory(path), fs_path_name(path));
}

fallible folder_watch_open(const str *paths, size_t count, struct folder_watch **out)
{
    struct folder_watch *watch = memory_zalloc(sizeof(*watch));
    struct error *failure = NULL;

    watch->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watch->fd < 0)
        failure = error_os("watch files");
    if (!failure)
        failure = stream_from_fd(watch->fd, &watch->stream);
    for (size_t i = 0; i < count && !failure; i++)
        failure = watch_add_path(watch, paths[i]);
    if (failure) {
        folder_watch_close(watch);
        return failure;
    }
    *out = watch;
    return NULL;
}

void folder_watch_close(struct folder_watch *watch)
{
    if (watch->stream)
        stream_close(watch->stream);
    vec_release(&watch->folders);
    arena_release(&watch->arena);
    free(watch);
}

static const struct watched *watch_find(const struct folder_watch *watch, int number)
{
    for (size_t i = watch->folders.len; i-- > 0;) /* numbers may be used again */
        if (watch->folders.items[i].number == number)
            return &watch->folders.items[i];
    return NULL;
}

/* Does this event matter? A folder that appears is watched from now on. */
static bool watch_take(struct folder_watch *watch, const struct inotify_event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str name = event->len ? str_from(event->name) : STR("");

    if (event->mask & IN_Q_OVERFLOW)
        return true; /* something was lost: it may have mattered */
    const struct watched *folder = watch_find(watch, event->wd);
    if (!folder || !name.len || folder_watch_ignores(name)
        || (folder->only.len && !str_equal(folder->only, name)))
        return false;
    if (event->mask & IN_ISDIR && event->mask & (IN_CREATE | IN_MOVED_TO))
        error_ignore(watch_add_tree(watch, fs_path_join(&scratch, folder->path, name)),
                     "a folder that has gone again need not be watched");
    else if (event->mask & IN_CREATE)
        return false; /* what is written into it matters */
    return true;
}

/* Reads what there is; *is_change if some of it matters. Blocks until there is something. */
static fallible watch_read(struct folder_watch *watch, bool *is_change)
{
    char bytes[8192] __attribute__((aligned(__alignof__(struct inotify_event))));
    size_t len = 0;

    TRY(stream_read(watch->stream, bytes, sizeof(bytes), &len));
    for (size_t at = 0; at + sizeof(struct inotify_event) <= len;) {
        const struct inotify_event *event = (const void *)(bytes + at);
        *is_change |= watch_take(watch, event);
        at += sizeof(*event) + event->len;
    }
    return NULL;
}

fallible folder_watch_wait(struct folder_watch *watch)
{
    bool is_change = false;

    while (!is_change)
        TRY(watch_read(watch, &is_change));
    do {
        while (stream_has_bytes(watch->stream))
            TRY(watch_read(watch, &is_change));
        TRY(fiber_sleep_ms(QUIET_MS));
    } while (stream_has_bytes(watch->stream));
    return NULL;
}
