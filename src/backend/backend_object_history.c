/* backend_object_history.c — what was done to a stack and when, with the checkpoint each operation
 * left. */
#include "backend/backend_object_ops.h"
#include "backend/backend_object_lock.h"

#include "backend/diy_checkpoint.h"
#include "backend/file_io.h"
#include "backend/history_json.h"
#include "backend/stack_errors.h"
#include "base/clock.h"
#include "base/fault.h"
#include "fiber/parallel.h"

/* --- writing --- */

struct object_recording {
    struct object_backend *object;
    struct stack_ref stack;
    struct diy_history_names names;
    str text;
    str checkpoint; /* the key that is copied; empty: there is none */
};

/* Everything at the same time. */
static struct error *object_record_part(void *recording_, size_t index)
{
    enum { ENTRY, CHECKPOINT, BACKUP };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_recording *recording = recording_;
    struct object_backend *object = recording->object;
    struct object_put_result result;

    if (index == ENTRY) {
        TRY(object->store->ops->put(
            object->store, &scratch, recording->names.entry, recording->text,
            (struct object_condition){ .guard = object_guard(object, &scratch, recording->stack) },
            &result));
        return result.is_met ? NULL : stack_replaced(recording->stack);
    }
    if (index > BACKUP)
        return object_sweep(object, false);
    if (recording->checkpoint.len == 0
        || (index == BACKUP && object->backend.options.diy.disables_backups))
        return NULL;
    return object_copy(object, recording->stack, recording->checkpoint,
                       index == CHECKPOINT ? recording->names.checkpoint : recording->names.backup);
}

enum { RECORD_PARTS = 4 };

fallible object_add_history(struct backend *backend, struct stack_ref stack,
                            const struct history_entry *entry)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 }, bytes = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_state state;

    TRY(object_look(object, &scratch, stack, &state));
    history_entry_format(&text, entry);
    TRY(diy_encode(&bytes, strbuf_str(&text), object->compression));
    struct object_recording recording = {
        .object = object,
        .stack = stack,
        .names = diy_history_names(object->layout, &scratch, stack, clock_now(),
                                   object->compression, state.checkpoint.format),
        .text = strbuf_str(&bytes),
        .checkpoint = state.checkpoint.exists ? state.checkpoint.key : STR(""),
    };
    fault_point("history.before-entry");
    TRY(parallel_each(RECORD_PARTS, RECORD_PARTS, object_record_part, &recording));
    fault_point("history.after-entry");
    return NULL;
}

/* --- reading --- */

/* Newest first: the names end in the time. */
static fallible object_list_entries(struct object_backend *object, struct arena *arena,
                                    struct stack_ref stack, struct strs *out)
{
    str folder = arena_concat(arena, diy_history_folder(object->layout, arena, stack), STR("/"));
    struct object_list list;
    size_t len = 0;

    TRY(object->store->ops->list(object->store, arena, folder, true, &list));
    str *keys = ARENA_ARRAY(arena, str, list.len);
    for (size_t i = list.len; i > 0; i--)
        if (diy_is_history_entry(list.items[i - 1].key))
            keys[len++] = list.items[i - 1].key;
    *out = (struct strs){ keys, len };
    return NULL;
}

static fallible object_read_entry(struct object_backend *object, struct arena *arena, str key,
                                  const struct object *found, struct history_entry *out)
{
    str shown = object_show(object, arena, key), text;

    if (!found->exists)
        return error_new(ERROR_OTHER, "history entry '" STR_FMT "' was removed meanwhile",
                         STR_ARG(shown));
    struct error *failure = compression_decode(arena, found->bytes, FILE_LIMIT, &text);
    if (!failure)
        failure = history_entry_parse(arena, text, out);
    return error_wrap(failure, "history entry '" STR_FMT "' is damaged (remove it to go on)",
                      STR_ARG(shown));
}

fallible object_history(struct backend *backend, struct stack_ref stack, struct arena *arena,
                        size_t page, size_t page_size, struct history *out)
{
    struct object_backend *object = (struct object_backend *)backend;
    struct strs keys;
    size_t start, end;

    TRY(object_list_entries(object, arena, stack, &keys));
    diy_page(keys.len, page, page_size, &start, &end);
    struct strs shown = { keys.items + start, end - start };
    struct object *contents = ARENA_ARRAY(arena, struct object, shown.len);
    TRY(object_store_get_many(object->store, arena, shown, contents));
    struct history_entry *items = ARENA_ARRAY(arena, struct history_entry, shown.len);
    for (size_t i = 0; i < shown.len; i++)
        TRY(object_read_entry(object, arena, shown.items[i], &contents[i], &items[i]));
    *out = (struct history){ items, shown.len };
    return NULL;
}
