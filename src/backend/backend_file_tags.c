/* backend_file_tags.c — the tags of a stack, in a file beside it. */
#include "backend/backend_file.h"
#include "backend/history_json.h"
#include "backend/stack_errors.h"
#include "base/fs.h"

fallible file_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                   struct tags *out)
{
    str path = file_stack_path((struct file_backend *)backend, arena, stack, ".pulumi-tags");
    str text;

    struct error *failure = file_read_text(arena, path, &text);
    if (!failure)
        return error_wrap(tags_parse(arena, text, out), "stack tags in '%s'", path.ptr);
    if (error_kind(failure) != ERROR_NOT_FOUND)
        return failure;
    error_ignore(failure, "no file, no tags");
    *out = (struct tags){ 0 };
    return NULL;
}

static fallible write_tags(const struct file_backend *file, str path, const struct tags *tags)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    TRY(file_remove_attributes(path));
    if (tags->len == 0)
        return fs_remove_if_present(path);
    tags_format(&text, tags);
    return fs_replace(path, strbuf_str(&text), file->file_mode);
}

static fallible change_tag(struct backend *backend, struct stack_ref stack, str name,
                           const str *value)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    CLEANUP(fd_close) int fence = -1;
    struct tags tags;

    TRY(file_may_write(file, stack, &fence));
    TRY(file_tags(backend, stack, &scratch, &tags));
    tags = tags_change(&scratch, &tags, name, value);
    return write_tags(file, file_stack_path(file, &scratch, stack, ".pulumi-tags"), &tags);
}

fallible file_change_tag(struct backend *backend, struct stack_ref stack, str name,
                         const str *value)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    str path = file_stack_path(file, &scratch, stack, ".pulumi-tags");
    bool exists;

    TRY(file_exists(backend, stack, &exists));
    if (!exists)
        return stack_not_found(stack);
    /* From reading to writing: others who change tags wait. */
    int turn = fs_lock_folder(fs_path_directory(path));
    struct error *failure = change_tag(backend, stack, name, value);
    fs_unlock(turn);
    return failure;
}
