/* backend_file.c — opens a directory as a backend: its URL, its layout version, its operations. */
#include "backend/backend_file.h"

#include "base/fs.h"
#include "base/memory.h"
#include "base/uuid.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* --- layout version --- */

static str meta_path(const struct file_backend *file, struct arena *arena)
{
    return arena_concat(arena, file->folder, STR("/" DIY_META));
}

fallible file_write_meta(const struct file_backend *file)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str path = meta_path(file, &scratch);

    TRY(file_make_room(file, path));
    return error_wrap(fs_replace(path, STR(DIY_META_TEXT), file->file_mode),
                      "write \"" DIY_META "\"");
}

/* A new store gets the current layout; one that has stacks of the old layout keeps it. */
static fallible file_backend_choose_version(const struct file_backend *file, uint64_t *version)
{
    bool is_legacy;

    TRY(file_has_legacy_stacks(file->folder, &is_legacy));
    *version = !is_legacy && !file->backend.options.diy.uses_legacy_layout;
    return *version == 0 ? NULL : file_write_meta(file);
}

static fallible file_backend_read_version(const struct file_backend *file, uint64_t *version)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str text;

    struct error *failure = file_read_text(&scratch, meta_path(file, &scratch), &text);
    if (!failure)
        return diy_meta_parse(text, version);
    if (error_kind(failure) != ERROR_NOT_FOUND)
        return failure;
    error_ignore(failure, "a new store, or one of the old layout");
    return file_backend_choose_version(file, version);
}

static fallible settle_layout(struct file_backend *file)
{
    uint64_t version;

    TRY(file_backend_read_version(file, &version));
    file->is_legacy = version == 0;
    file->backend.has_no_projects = file->is_legacy;
    return diy_check_version(version, &file->backend.options.diy, file->folder);
}

/* --- open and close --- */

enum { PATIENCE_MS = 10000 };

/* As the reference words it: "unable to open state directory "URL": stat PATH: no such file or
 * directory". */
static fallible cannot_open(const struct backend_options *options, str folder, const char *reason)
{
    str given = options->url;

    str_cut(given, STR("?"), &given, &(str){ 0 });
    if (str_equal(str_slice(given, STR("file://").len, given.len), folder))
        return error_new(ERROR_INVALID,
                         "unable to open state directory \"" STR_FMT "\": stat %s: %s",
                         STR_ARG(options->url), folder.ptr, reason);
    return error_new(ERROR_INVALID,
                     "unable to open state directory \"" STR_FMT
                     "\" (resolved to \"file://%s\"): stat %s: %s",
                     STR_ARG(options->url), folder.ptr, folder.ptr, reason);
}

static fallible open_folder(const struct file_backend *file, const struct file_url *url)
{
    struct stat status;

    if (url->creates_folder)
        TRY(fs_make_directory(url->folder, url->folder_mode));
    if (stat(url->folder.ptr, &status) < 0) {
        const char *text = errno == ENOENT ? "no such file or directory" : strerror(errno);
        return cannot_open(&file->backend.options, url->folder, text);
    }
    return S_ISDIR(status.st_mode)
               ? NULL
               : cannot_open(&file->backend.options, url->folder, "not a directory");
}

static fallible file_backend_fill(struct file_backend *file, const struct backend_options *options)
{
    struct arena *arena = &file->backend.arena;
    struct file_url url;

    TRY(diy_compression(&options->diy, &file->compression));
    TRY(file_url_parse(arena, file->backend.options.url, options->home, &url));
    file->folder = url.folder;
    file->query = url.query;
    file->folder_mode = url.folder_mode;
    file->file_mode = url.file_mode;
    file->lock_id = uuid_new(arena);
    file->patience_ms = PATIENCE_MS;
    TRY(open_folder(file, &url));
    return settle_layout(file);
}

static void close_file(struct backend *owned)
{
    file_locks_free(((struct file_backend *)owned)->locks);
    backend_release(owned);
    free(owned);
}

static struct error *file_backend_open_file(const struct backend_options *options,
                                            struct backend **out)
{
    struct file_backend *file = memory_zalloc(sizeof(*file));

    backend_init(&file->backend, &backend_file, options);
    file->locks = file_locks_new();
    struct error *failure = file_backend_fill(file, options);
    if (failure) {
        close_file(&file->backend);
        return failure;
    }
    *out = &file->backend;
    return NULL;
}

const struct backend_ops backend_file = {
    .scheme = "file",
    .form = "file://PATH",
    .place = BACKEND_ON_THREADS,
    .open = file_backend_open_file,
    .close = close_file,
    .create = file_create,
    .exists = file_exists,
    .list = file_list,
    .remove = file_remove_stack,
    .rename = file_rename_stack,
    .upgrade = file_upgrade,
    .load = file_load,
    .save = file_save,
    .lock = file_lock,
    .unlock = file_unlock,
    .describe_locks = file_describe_locks,
    .break_locks = file_break_locks,
    .add_history = file_add_history,
    .history = file_history,
    .tags = file_tags,
    .change_tag = file_change_tag,
    .open_journal = file_open_journal,
};
