/* backend_file_lock.c — one small file for each holder of a stack's lock; a process that sees
 * another's file withdraws its own. */
#include "backend/backend_file.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/program.h"
#include "base/strbuf.h"
#include "model/resource.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* The protocol of the reference: look, write ours, look again. Both looks come after the other's
 * write for at least one of two rivals, so both may lose but never both win. */

struct lock_owner {
    int64_t pid;
    str user;
    str host;
    str time;
};

static str own_lock(const struct file_backend *file, struct arena *arena, struct stack_ref stack)
{
    return arena_concat(arena, file_lock_folder(file, arena, stack), STR("/"), file->lock_id,
                        STR(".json"));
}

/* --- reading others' locks --- */

static fallible read_pid(struct json_reader *reader, void *member)
{
    double pid;

    TRY(json_read_number(reader, &pid));
    *(int64_t *)member = pid > 0 && pid < 1e9 ? (int64_t)pid : 0;
    return NULL;
}

static const struct json_field owner_fields[] = {
    JSON_FIELD("pid", struct lock_owner, pid, read_pid),
    JSON_FIELD("username", struct lock_owner, user, json_field_string),
    JSON_FIELD("hostname", struct lock_owner, host, json_field_string),
    JSON_FIELD("timestamp", struct lock_owner, time, json_field_string),
    { 0 },
};

/* A lock that cannot be read is still a lock; its owner stays unknown. False if it has gone
 * meanwhile. */
static bool read_owner(struct arena *arena, str path, struct lock_owner *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    str text;

    *out = (struct lock_owner){ .user = STR("?"), .host = STR("?"), .time = STR("?") };
    struct error *failure = file_read_text(arena, path, &text);
    bool is_there = !failure || error_kind(failure) != ERROR_NOT_FOUND;
    if (!failure) {
        json_reader_init(&reader, arena, text);
        failure = json_read_fields(&reader, owner_fields, out);
    }
    error_ignore(failure, "the message does without the owner");
    return is_there;
}

/* Fractions of a second are left out, the zone is kept: 2026-01-02T03:04:05Z. */
static str without_fraction(struct arena *arena, str time)
{
    size_t dot = str_find_char(time, '.');
    if (dot == SIZE_MAX)
        return time;
    size_t end = dot + 1;
    while (end < time.len && time.ptr[end] >= '0' && time.ptr[end] <= '9')
        end++;
    return arena_concat(arena, str_slice(time, 0, dot), str_slice(time, end, time.len));
}

static bool is_gone(const struct file_backend *file, const struct lock_owner *owner)
{
    return owner->pid > 0 && file->backend.options.host.len > 0
           && str_equal(owner->host, file->backend.options.host) && kill((pid_t)owner->pid, 0) < 0
           && errno == ESRCH;
}

static void file_lock_describe(const struct file_backend *file, struct arena *arena, str path,
                               const struct lock_owner *owner, struct strbuf *out)
{
    str url = file_url_format(file, arena, path), time = without_fraction(arena, owner->time);

    strbuf_printf(out, "\n  " STR_FMT ": created by " STR_FMT "@" STR_FMT " (pid %lld) at " STR_FMT,
                  STR_ARG(url), STR_ARG(owner->user), STR_ARG(owner->host), (long long)owner->pid,
                  STR_ARG(time));
    if (is_gone(file, owner))
        strbuf_printf(out, " (that process is gone; run `%s cancel` to remove the lock)",
                      program_name());
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
        file_lock_describe(file, &scratch, path, &owner, &owners);
        count++;
    }
    if (count == 0)
        return NULL;
    return error_new(ERROR_OTHER,
                     "the stack is currently locked by %zu lock(s). Either wait for the other "
                     "process(es) to end or "
                     "delete the lock file with `%s cancel`." STR_FMT,
                     count, program_name(), STR_ARG(strbuf_str(&owners)));
}

/* --- our own --- */

static void write_owner(const struct file_backend *file, struct arena *arena, struct strbuf *out)
{
    struct json_writer writer = { .out = out };

    json_begin_object(&writer);
    json_key(&writer, STR("pid"));
    json_integer(&writer, getpid());
    json_key(&writer, STR("username"));
    json_string(&writer, file->backend.options.user);
    json_key(&writer, STR("hostname"));
    json_string(&writer, file->backend.options.host);
    json_key(&writer, STR("timestamp"));
    json_string(&writer, clock_format(arena, clock_now()));
    json_end_object(&writer);
}

static fallible write_lock(const struct file_backend *file, struct arena *scratch, str path)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    write_owner(file, scratch, &text);
    CLEANUP(fd_close)
    int fd = open(path.ptr, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file->file_mode);
    if (fd < 0) {
        struct error *failure = error_os("create lock '%s'", path.ptr);
        return error_wrap(failure, "cannot lock the stack (%s)", file_advice(failure));
    }
    /* Not synced: no process survives the power cut that would lose it. */
    if (write(fd, text.ptr, text.len) == (ssize_t)text.len)
        return NULL;
    struct error *failure = error_os("write lock '%s'", path.ptr);
    return error_join(failure, fs_remove_if_present(path));
}

fallible file_lock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    str path = own_lock(file, &scratch, stack);

    TRY(check_others(file, stack));
    TRY(file_make_room(file, path));
    TRY(write_lock(file, &scratch, path));
    struct error *failure = check_others(file, stack);
    return failure ? error_join(failure, fs_remove_if_present(path)) : NULL;
}

fallible file_unlock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    str path = own_lock(file, &scratch, stack);
    str url = file_url_format(file, &scratch, path);

    return error_wrap(fs_remove_if_present(path),
                      "there was a problem deleting the lock at " STR_FMT
                      ", manual clean up may be required",
                      STR_ARG(url));
}

fallible file_break_locks(struct backend *backend, struct stack_ref stack, size_t *count)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    str folder = file_lock_folder(file, &scratch, stack);
    struct strs names;

    TRY(folder_list(&scratch, folder, &names));
    *count = 0;
    for (size_t i = 0; i < names.len; i++) {
        TRY(fs_remove_if_present(arena_concat(&scratch, folder, STR("/"), names.items[i])));
        *count += is_lock(names.items[i], STR(""));
    }
    return NULL;
}
