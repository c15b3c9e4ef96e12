/* backend_file_history.c — what was done to a stack and when, with the checkpoint each operation
 * left. */
#include "backend/backend_file.h"
#include "backend/history_json.h"
#include "base/clock.h"
#include "base/fault.h"
#include "model/resource.h"

/* --- writing --- */

/* The checkpoint as it is now: a copy beside the entry, and the backup as a second name for that
 * copy. */
static fallible copy_checkpoint(const struct file_backend *file, struct arena *scratch,
                                struct stack_ref stack, int64_t stamp)
{
    struct stack_file current;

    TRY(stack_file_find(file, scratch, stack, &current));
    if (!current.exists)
        return NULL;
    struct diy_history_names names =
        file_history_names(file, scratch, stack, stamp, current.format);
    TRY(file_copy(current.path, names.checkpoint, file->file_mode));
    if (file->backend.options.diy.disables_backups)
        return NULL;
    TRY(file_make_room(file, names.backup));
    return file_link(names.checkpoint, names.backup, file->file_mode);
}

fallible file_add_history(struct backend *backend, struct stack_ref stack,
                          const struct history_entry *entry)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    CLEANUP(fd_close) int fence = -1;
    int64_t stamp = clock_now();
    str path = file_history_names(file, &scratch, stack, stamp, file->compression).entry;

    history_entry_format(&text, entry);
    TRY(file_may_write(file, stack, &fence));
    TRY(file_make_room(file, path));
    fault_point("history.before-entry");
    TRY(file_write_text(path, strbuf_str(&text), file->compression, file->file_mode));
    fault_point("history.after-entry");
    return copy_checkpoint(file, &scratch, stack, stamp);
}

/* --- reading --- */

/* Newest first: the names end in the time. */
static fallible list_entries(struct arena *arena, str folder, struct strs *out)
{
    struct strs names;
    size_t len = 0;

    TRY(folder_list(arena, folder, &names));
    str *entries = ARENA_ARRAY(arena, str, names.len);
    for (size_t i = names.len; i > 0; i--)
        if (diy_is_history_entry(names.items[i - 1]))
            entries[len++] = names.items[i - 1];
    *out = (struct strs){ entries, len };
    return NULL;
}

fallible file_history(struct backend *backend, struct stack_ref stack, struct arena *arena,
                      size_t page, size_t page_size, struct history *out)
{
    str folder = file_history_folder((struct file_backend *)backend, arena, stack);
    struct strs names;
    size_t start, end;

    TRY(list_entries(arena, folder, &names));
    diy_page(names.len, page, page_size, &start, &end);
    struct history_entry *items = ARENA_ARRAY(arena, struct history_entry, end - start);
    for (size_t i = start; i < end; i++) {
        str text, path = arena_concat(arena, folder, STR("/"), names.items[i]);
        TRY(file_read_text(arena, path, &text));
        TRY(error_wrap(history_entry_parse(arena, text, &items[i - start]),
                       "history entry '%s' is damaged (remove it to go on)", path.ptr));
    }
    *out = (struct history){ items, end - start };
    return NULL;
}
