/* backend_file_history.c — what was done to a stack and when, with the checkpoint each operation
 * left. */
#include "backend/backend_file.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/resource.h"

#include <stdio.h>
#include <stdlib.h>

/* --- writing --- */

static int compare_pairs(const void *a, const void *b)
{
    return str_compare(((const struct text_pair *)a)->key, ((const struct text_pair *)b)->key);
}

static int compare_counts(const void *a, const void *b)
{
    return str_compare(((const struct op_count *)a)->op, ((const struct op_count *)b)->op);
}

static void format_environment(struct json_writer *writer, struct arena *scratch,
                               const struct history_entry *entry)
{
    size_t count = entry->environment_count;
    struct text_pair *sorted =
        arena_copy_bytes(scratch, entry->environment, count * sizeof(*sorted));

    if (count > 0)
        qsort(sorted, count, sizeof(*sorted), compare_pairs);
    json_key(writer, STR("environment"));
    json_begin_object(writer);
    for (size_t i = 0; i < count; i++) {
        json_key(writer, sorted[i].key);
        json_string(writer, sorted[i].value);
    }
    json_end_object(writer);
}

static void format_changes(struct json_writer *writer, struct arena *scratch,
                           const struct history_entry *entry)
{
    size_t count = entry->change_count;
    struct op_count *sorted = arena_copy_bytes(scratch, entry->changes, count * sizeof(*sorted));

    if (count == 0)
        return;
    qsort(sorted, count, sizeof(*sorted), compare_counts);
    json_key(writer, STR("resourceChanges"));
    json_begin_object(writer);
    for (size_t i = 0; i < count; i++) {
        json_key(writer, sorted[i].op);
        json_integer(writer, sorted[i].count);
    }
    json_end_object(writer);
}

static void format(struct strbuf *out, const struct history_entry *entry)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct json_writer writer = { .out = out };

    json_begin_object(&writer);
    json_key(&writer, STR("kind"));
    json_string(&writer, entry->kind);
    json_key(&writer, STR("startTime"));
    json_integer(&writer, entry->start_time);
    json_key(&writer, STR("message"));
    json_string(&writer, entry->message);
    format_environment(&writer, &scratch, entry);
    json_key(&writer, STR("config"));
    json_raw(&writer, entry->config.len ? entry->config : STR("{}"));
    json_key(&writer, STR("version"));
    json_integer(&writer, 0);
    json_key(&writer, STR("result"));
    json_string(&writer, entry->result);
    json_key(&writer, STR("endTime"));
    json_integer(&writer, entry->end_time);
    format_changes(&writer, &scratch, entry);
    json_end_object(&writer);
}

/* The checkpoint as it is now: a copy beside the entry, and the backup as a second name for that
 * copy. */
static fallible copy_checkpoint(const struct file_backend *file, struct arena *scratch,
                                struct stack_ref stack, str folder, int64_t stamp)
{
    struct stack_file current;

    TRY(stack_file_find(file, scratch, stack, &current));
    if (!current.exists)
        return NULL;
    const char *extension = compression_extensions[current.format];
    str copy = arena_printf(scratch, "%s/" STR_FMT "-%lld.checkpoint.json%s", folder.ptr,
                            STR_ARG(stack.name), (long long)stamp, extension);
    TRY(file_copy(current.path, copy, file->file_mode));
    if (file->backend.options.disables_backups)
        return NULL;
    str backups = file_backup_folder(file, scratch, stack);
    str backup = arena_printf(scratch, "%s/" STR_FMT ".%lld.json%s", backups.ptr,
                              STR_ARG(stack.name), (long long)stamp, extension);
    TRY(fs_make_directory(backups, file->folder_mode));
    return file_link(copy, backup, file->file_mode);
}

struct error *file_add_history(struct backend *backend, struct stack_ref stack,
                               const struct history_entry *entry)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    str folder = file_history_folder(file, &scratch, stack);
    int64_t stamp = clock_now();
    str path = arena_printf(&scratch, "%s/" STR_FMT "-%lld.history.json%s", folder.ptr,
                            STR_ARG(stack.name), (long long)stamp,
                            compression_extensions[file->compression]);

    format(&text, entry);
    TRY(fs_make_directory(folder, file->folder_mode));
    fault_point("history.before-entry");
    TRY(file_write_text(path, strbuf_str(&text), file->compression, file->file_mode));
    fault_point("history.after-entry");
    return copy_checkpoint(file, &scratch, stack, folder, stamp);
}

/* --- reading --- */

struct changes {
    VEC(struct op_count);
};
struct entry_file {
    struct history_entry entry;
    struct text_pairs environment;
    struct changes changes;
};

static fallible read_integer(struct json_reader *reader, void *member)
{
    double number;

    TRY(json_read_number(reader, &number));
    if (!(number > -9e18 && number < 9e18))
        return error_new(ERROR_INVALID, "number out of range");
    *(int64_t *)member = (int64_t)number;
    return NULL;
}

static fallible read_changes(struct json_reader *reader, void *changes_)
{
    struct changes *changes = changes_;
    struct op_count change;
    bool more;

    TRY(json_object_begin(reader));
    while (true) {
        TRY(json_object_next(reader, &change.op, &more));
        if (!more)
            return NULL;
        TRY(read_integer(reader, &change.count));
        vec_add(changes, change);
    }
}

static fallible parse(struct arena *arena, str text, struct history_entry *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("kind", struct entry_file, entry.kind, json_field_string),
        JSON_FIELD("result", struct entry_file, entry.result, json_field_string),
        JSON_FIELD("message", struct entry_file, entry.message, json_field_string),
        JSON_FIELD("startTime", struct entry_file, entry.start_time, read_integer),
        JSON_FIELD("endTime", struct entry_file, entry.end_time, read_integer),
        JSON_FIELD("config", struct entry_file, entry.config, json_field_raw),
        JSON_FIELD("environment", struct entry_file, environment, text_pairs_read),
        JSON_FIELD("resourceChanges", struct entry_file, changes, read_changes),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct entry_file file = { .entry.config = STR("{}") };
    struct text_pairs *environment = &file.environment;
    struct changes *changes = &file.changes;
    enum json_kind end; /* what follows is refused by looking at it */

    json_reader_init(&reader, arena, text);
    struct error *failure = json_read_fields(&reader, fields, &file);
    if (!failure)
        failure = json_peek(&reader, &end);
    *out = file.entry;
    out->environment =
        arena_copy_bytes(arena, environment->items, environment->len * sizeof(*environment->items));
    out->environment_count = environment->len;
    out->changes = arena_copy_bytes(arena, changes->items, changes->len * sizeof(*changes->items));
    out->change_count = changes->len;
    vec_release(environment);
    vec_release(changes);
    return failure;
}

static bool is_entry(str name)
{
    return str_ends_with(name, STR(".history.json")) || str_ends_with(name, STR(".history.json.gz"))
           || str_ends_with(name, STR(".history.json.zst"));
}

/* Newest first: the names end in the time. */
static fallible list_entries(struct arena *arena, str folder, struct strs *out)
{
    struct strs names;
    size_t len = 0;

    TRY(folder_list(arena, folder, &names));
    str *entries = ARENA_ARRAY(arena, str, names.len);
    for (size_t i = names.len; i > 0; i--)
        if (is_entry(names.items[i - 1]))
            entries[len++] = names.items[i - 1];
    *out = (struct strs){ entries, len };
    return NULL;
}

struct error *file_history(struct backend *backend, struct stack_ref stack, struct arena *arena,
                           size_t page, size_t page_size, struct history *out)
{
    str folder = file_history_folder((struct file_backend *)backend, arena, stack);
    struct strs names;
    size_t start = 0;

    TRY(list_entries(arena, folder, &names));
    size_t end = names.len;
    if (page_size > 0) {
        size_t before = page > 0 ? page - 1 : 0;
        start = before > names.len / page_size ? names.len : before * page_size;
        end = names.len - start > page_size ? start + page_size : names.len;
    }
    struct history_entry *items = ARENA_ARRAY(arena, struct history_entry, end - start);
    for (size_t i = start; i < end; i++) {
        str text, path = arena_concat(arena, folder, STR("/"), names.items[i]);
        TRY(file_read_text(arena, path, &text));
        TRY(error_wrap(parse(arena, text, &items[i - start]),
                       "history entry '%s' is damaged (remove it to go on)", path.ptr));
    }
    *out = (struct history){ items, end - start };
    return NULL;
}
