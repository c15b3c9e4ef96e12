/* backend_file_fence.c — who may write to a stack, and whether it still may: a process whose lock
 * file is gone writes nothing more. */
#include "backend/backend_file.h"

#include "backend/stack_errors.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <time.h>

/* A lock file says who may write. Before each write its owner looks whether it is still there; the
 * directory that it is in is locked (flock) from the look to the end of the write: shared by who
 * writes, exclusively by who takes or breaks a lock. So once `lock` or `break_locks` of another
 * process has returned, nothing of the former owner follows. Who removes the file without that (the
 * reference, `rm`) may come between a look and its write; the next look sees it. */

/* A lock file that this process has written. */
struct held_lock {
    struct arena arena;
    str path;
    dev_t device;
    ino_t inode;
};

/* Helper threads share it. */
struct file_locks {
    VEC(struct held_lock);
    pthread_mutex_t mutex;
};

struct file_locks *file_locks_new(void)
{
    struct file_locks *locks = memory_zalloc(sizeof(*locks));

    pthread_mutex_init(&locks->mutex, NULL);
    return locks;
}

void file_locks_free(struct file_locks *owned)
{
    for (size_t i = 0; i < owned->len; i++)
        arena_release(&owned->items[i].arena);
    vec_release(owned);
    pthread_mutex_destroy(&owned->mutex);
    free(owned);
}

/* --- what we hold --- */

static size_t find_held(const struct file_locks *locks, str path)
{
    size_t i = 0;

    while (i < locks->len && !str_equal(locks->items[i].path, path))
        i++;
    return i;
}

void file_locks_add(struct file_locks *locks, str path, const struct stat *status)
{
    struct held_lock held = { .device = status->st_dev, .inode = status->st_ino };

    held.path = arena_copy(&held.arena, path);
    pthread_mutex_lock(&locks->mutex);
    vec_add(locks, held);
    pthread_mutex_unlock(&locks->mutex);
}

void file_locks_remove(struct file_locks *locks, str path)
{
    pthread_mutex_lock(&locks->mutex);
    size_t index = find_held(locks, path);
    if (index < locks->len) {
        arena_release(&locks->items[index].arena);
        vec_remove(locks, index);
    }
    pthread_mutex_unlock(&locks->mutex);
}

/* False if we have not locked it. */
static bool look_up(struct file_locks *locks, str path, dev_t *device, ino_t *inode)
{
    pthread_mutex_lock(&locks->mutex);
    size_t index = find_held(locks, path);
    bool is_held = index < locks->len;
    if (is_held) {
        *device = locks->items[index].device;
        *inode = locks->items[index].inode;
    }
    pthread_mutex_unlock(&locks->mutex);
    return is_held;
}

/* --- the directory of the locks --- */

/* *fence is -1 where the file system has no such locks, or the directory is gone. */
static fallible lock_folder(str folder, int how, unsigned patience_ms, int *fence)
{
    const struct timespec moment = { .tv_nsec = NS_PER_MS };

    *fence = open(folder.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (*fence >= 0 && flock(*fence, how | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            fd_close(fence);
            return NULL;
        }
        if (patience_ms-- == 0) {
            fd_close(fence);
            return error_new(ERROR_OTHER,
                             "another process is in the middle of a change to the stack and does "
                             "not end it: if it was stopped, let it go on or kill it, then run the "
                             "command again");
        }
        nanosleep(&moment, NULL);
    }
    return NULL;
}

fallible file_shut_out(const struct file_backend *file, struct stack_ref stack, int *fence)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    return lock_folder(file_lock_folder(file, &scratch, stack), LOCK_EX, file->patience_ms, fence);
}

/* Whether the lock file that we wrote is still there. */
static fallible check_own_lock(struct stack_ref stack, str path, dev_t device, ino_t inode)
{
    struct stat status;

    if (stat(path.ptr, &status) == 0)
        return status.st_dev == device && status.st_ino == inode ? NULL : stack_replaced(stack);
    return errno == ENOENT || errno == ENOTDIR ? stack_replaced(stack)
                                               : error_os("look at lock '%s'", path.ptr);
}

fallible file_may_write(const struct file_backend *file, struct stack_ref stack, int *fence)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str path = file_own_lock(file, &scratch, stack);
    dev_t device;
    ino_t inode;

    *fence = -1;
    if (!look_up(file->locks, path, &device, &inode))
        return NULL;
    TRY(lock_folder(file_lock_folder(file, &scratch, stack), LOCK_SH, file->patience_ms, fence));
    return check_own_lock(stack, path, device, inode);
}
