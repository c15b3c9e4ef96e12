/* backend_file_lock.c — one small file for each holder of a stack's lock; a process that sees
 * another's file withdraws its own. */
#include "backend/backend_file.h"

#include "backend/diy_lock.h"
#include "base/fs.h"
#include "base/strbuf.h"
#include "model/resource.h"

#include <fcntl.h>
#include <unistd.h>

/* The protocol of the reference: look, write ours, look again. Both looks come after the other's
 * write for at least one of two rivals, so both may lose but never both win. Whoever had the lock
 * before us, and lost it, has ended its last write by then (backend_file_fence.c). */

/* --- reading others' locks --- */

/* False if it has gone meanwhile. */
static bool read_owner(struct arena *arena, str path, struct lock_owner *out)
{
    str text = STR("");

    struct error *failure = file_read_text(arena, path, &text);
    bool is_there = !failure || error_kind(failure) != ERROR_NOT_FOUND;
    error_ignore(failure, "the message does without the owner");
    lock_owner_parse(arena, text, out);
    return is_there;
}

/* The reference keeps a description of each file beside it; it is no lock. Neither is a file that
 * it is about to rename. */
static bool is_lock(str name, str own)
{
    return !str_ends_with(name, STR(".attrs")) && !str_ends_with(name, STR(".tmp"))
           && !str_equal(name, own);
}

/* Refuses if anybody but us has a lock. */
static fallible check_others(const struct file_backend *file, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf owners = { 0 };
    str folder = file_lock_folder(file, &scratch, stack);
    str own = arena_concat(&scratch, file->lock_id, STR(".json"));
    struct strs names;
    size_t count = 0;

    TRY(folder_list(&scratch, folder, &names));
    for (size_t i = 0; i < names.len; i++) {
        struct lock_owner owner;
        str path = arena_concat(&scratch, folder, STR("/"), names.items[i]);
        if (!is_lock(names.items[i], own) || !read_owner(&scratch, path, &owner))
            continue;
        lock_owner_describe(&owners, &scratch, file_url_format(file, &scratch, path), &owner,
                            &file->backend.options);
        count++;
    }
    return lock_refused(count, strbuf_str(&owners));
}

/* --- our own --- */

static fallible write_lock(const struct file_backend *file, struct arena *scratch, str path)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    lock_owner_format(&text, scratch, &file->backend.options, false);
    CLEANUP(fd_close)
    int fd = open(path.ptr, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file->file_mode);
    if (fd < 0) {
        struct error *failure = error_os("create lock '%s'", path.ptr);
        return error_wrap(failure, "cannot lock the stack (%s)", file_advice(failure));
    }
    struct stat status;
    /* Not synced: no process survives the power cut that would lose it. */
    struct error *failure = fs_write_all(fd, path, strbuf_str(&text));
    if (!failure && fstat(fd, &status) < 0)
        failure = error_os("look at '%s'", path.ptr);
    if (!failure) {
        file_locks_add(file->locks, path, &status);
        return NULL;
    }
    failure = error_wrap(failure, "cannot lock the stack (%s)", file_advice(failure));
    return error_join(failure, fs_remove_if_present(path));
}

static fallible remove_lock(const struct file_backend *file, str path)
{
    file_locks_remove(file->locks, path);
    return fs_remove_if_present(path);
}

fallible file_lock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    str path = file_own_lock(file, &scratch, stack);

    CLEANUP(fd_close) int fence = -1;
    TRY(check_others(file, stack));
    TRY(file_make_room(file, path));
    TRY(file_shut_out(file, stack, &fence));
    TRY(write_lock(file, &scratch, path));
    struct error *failure = check_others(file, stack);
    return failure ? error_join(failure, remove_lock(file, path)) : NULL;
}

fallible file_unlock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    str path = file_own_lock(file, &scratch, stack);
    str url = file_url_format(file, &scratch, path);

    return error_wrap(remove_lock(file, path),
                      "there was a problem deleting the lock at " STR_FMT
                      ", manual clean up may be required",
                      STR_ARG(url));
}

fallible file_drop_dead_locks(const struct file_backend *file, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str folder = file_lock_folder(file, &scratch, stack);
    CLEANUP(fd_close) int fence = -1;
    struct strs names;

    TRY(file_shut_out(file, stack, &fence));
    TRY(folder_list(&scratch, folder, &names));
    for (size_t i = 0; i < names.len; i++) {
        struct lock_owner owner;
        str path = arena_concat(&scratch, folder, STR("/"), names.items[i]);
        if (is_lock(names.items[i], STR("")) && read_owner(&scratch, path, &owner)
            && lock_owner_is_gone(&owner, &file->backend.options))
            TRY(fs_remove_if_present(path));
    }
    return NULL;
}

/* --- all of a stack --- */

/* Where locks of a stack may be: an upgrade of the layout that was cut off has left some of the old
 * one, where a folder that is in the way belongs to the present one. */
struct lock_places {
    struct file_backend kinds[2];
    size_t len;
};

static void find_places(const struct file_backend *file, struct lock_places *out)
{
    out->kinds[0] = out->kinds[1] = *file;
    out->kinds[1].is_legacy = true;
    out->len = file->is_legacy ? 1 : 2;
}

static fallible list_locks(const struct file_backend *file, struct arena *arena,
                           struct stack_ref stack, struct strs *out)
{
    str folder = file_lock_folder(file, arena, stack);
    struct strs names;
    size_t len = 0;

    TRY(folder_list(arena, folder, &names));
    str *paths = ARENA_ARRAY(arena, str, names.len);
    for (size_t i = 0; i < names.len; i++) {
        str path = arena_concat(arena, folder, STR("/"), names.items[i]);
        if (!fs_is_directory(path))
            paths[len++] = path;
    }
    *out = (struct strs){ paths, len };
    return NULL;
}

fallible file_describe_locks(struct backend *backend, struct stack_ref stack, struct arena *arena,
                             struct strs *out)
{
    struct lock_places places;
    struct strs paths[2] = { 0 };
    struct lock_owner owner;
    size_t len = 0;

    find_places((struct file_backend *)backend, &places);
    for (size_t i = 0; i < places.len; i++)
        TRY(list_locks(&places.kinds[i], arena, stack, &paths[i]));
    str *lines = ARENA_ARRAY(arena, str, paths[0].len + paths[1].len);
    for (size_t i = 0; i < places.len; i++)
        for (size_t j = 0; j < paths[i].len; j++)
            if (is_lock(paths[i].items[j], STR("")) && read_owner(arena, paths[i].items[j], &owner))
                lines[len++] = lock_owner_text(arena, &owner);
    *out = (struct strs){ lines, len };
    return NULL;
}

static fallible break_at(const struct file_backend *file, struct stack_ref stack, size_t *count)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(fd_close) int fence = -1;
    struct strs paths;

    TRY(file_shut_out(file, stack, &fence));
    TRY(list_locks(file, &scratch, stack, &paths));
    for (size_t i = 0; i < paths.len; i++) {
        TRY(fs_remove_if_present(paths.items[i]));
        *count += is_lock(paths.items[i], STR(""));
    }
    return NULL;
}

fallible file_break_locks(struct backend *backend, struct stack_ref stack, size_t *count)
{
    struct lock_places places;

    *count = 0;
    find_places((struct file_backend *)backend, &places);
    for (size_t i = 0; i < places.len; i++)
        TRY(break_at(&places.kinds[i], stack, count));
    return NULL;
}
