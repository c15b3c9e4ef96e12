/* loopback.c — stacks as blobs on a server: a kind of backend for tests, on fibers. */
#include "loopback/loopback.h"

#include "backend/history_json.h"
#include "backend/journal_replay.h"
#include "backend/stack_errors.h"
#include "backend/stack_summary.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/uuid.h"
#include "model/checkpoint.h"

#include <stdlib.h>

enum { READ_ATTEMPTS = 20 };

/* --- names and texts --- */

str loopback_key(struct arena *arena, const char *folder, struct stack_ref stack, const char *end)
{
    return arena_concat(arena, str_from(folder), STR("/"), stack.project, STR("/"), stack.name,
                        str_from(end));
}

str loopback_checkpoint(struct arena *arena, struct stack_ref stack,
                        const struct snapshot *snapshot)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    checkpoint_write(&writer, stack_ref_qualified(arena, stack), snapshot);
    return arena_copy(arena, strbuf_str(&text));
}

static const struct loopback *loopback_of(const struct backend *backend)
{
    return (const struct loopback *)backend;
}

/* --- reading --- */

static bool is_same_blob(const struct blob_content *a, const struct blob_content *b)
{
    return a->exists == b->exists && str_equal(a->etag, b->etag);
}

fallible loopback_read(const struct loopback *loopback, struct arena *arena, struct stack_ref stack,
                       struct loopback_state *out)
{
    str key = loopback_key(arena, "stacks", stack, ".json");
    struct blob_content again;

    for (int i = 0; i < READ_ATTEMPTS; i++) {
        TRY(blob_get(&loopback->blobs, arena, key, &out->checkpoint));
        TRY(loopback_find_journal(loopback, arena, stack, &out->checkpoint, &out->journal));
        TRY(blob_get(&loopback->blobs, arena, key, &again));
        if (is_same_blob(&again, &out->checkpoint))
            return NULL;
    }
    return error_new(ERROR_OTHER, "the stack '" STR_FMT "' is changed by others all the time",
                     STR_ARG(stack.name));
}

fallible loopback_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                       struct snapshot *out, bool *has_deployment)
{
    struct loopback_state state;

    *out = (struct snapshot){ .metadata = STR("{}") };
    *has_deployment = false;
    TRY(loopback_read(loopback_of(backend), arena, stack, &state));
    if (!state.checkpoint.exists)
        return stack_not_found(stack);
    TRY(error_wrap(checkpoint_read(arena, state.checkpoint.bytes, out, has_deployment),
                   "the checkpoint of stack '" STR_FMT "' is damaged; nothing was changed",
                   STR_ARG(stack.name)));
    if (state.journal.count == 0)
        return NULL;
    *has_deployment = true;
    return journal_contents_replay(arena, &state.journal, out);
}

static struct error *loopback_exists(struct backend *backend, struct stack_ref stack, bool *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct blob_content content;

    TRY(blob_get(&loopback_of(backend)->blobs, &scratch,
                 loopback_key(&scratch, "stacks", stack, ".json"), &content));
    *out = content.exists;
    return NULL;
}

/* "stacks/P/S.json" */
static bool stack_of_key(str key, struct stack_ref *out)
{
    str folder, name;

    if (!str_cut(key, STR("/"), &folder, &name)
        || !str_cut(name, STR("/"), &out->project, &out->name)
        || !str_ends_with(out->name, STR(".json")))
        return false;
    out->name = str_slice(out->name, 0, out->name.len - STR(".json").len);
    return true;
}

static fallible summarize(struct backend *backend, struct arena *arena, struct stack_summary *out)
{
    struct snapshot snapshot;

    TRY(loopback_load(backend, out->stack, arena, &snapshot, &out->has_deployment));
    out->last_update = snapshot.time;
    out->resource_count = snapshot.resource_count;
    return NULL;
}

static struct error *loopback_list(struct backend *backend, struct arena *arena, str project,
                                   struct stack_summaries *out)
{
    struct strs keys;

    TRY(blob_list(&loopback_of(backend)->blobs, arena, STR("stacks/"), &keys));
    *out = (struct stack_summaries){ ARENA_ARRAY(arena, struct stack_summary, keys.len), 0 };
    for (size_t i = 0; i < keys.len; i++) {
        struct stack_summary *summary = &out->items[out->len];
        if (!stack_of_key(keys.items[i], &summary->stack)
            || (project.len > 0 && !str_equal(summary->stack.project, project)))
            continue;
        TRY(summarize(backend, arena, summary));
        out->len++;
    }
    return NULL;
}

/* --- writing --- */

static struct error *loopback_create(struct backend *backend, struct stack_ref stack,
                                     const struct snapshot *initial)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool is_met;
    str etag;

    TRY(blob_put_if(&loopback_of(backend)->blobs, &scratch,
                    loopback_key(&scratch, "stacks", stack, ".json"),
                    loopback_checkpoint(&scratch, stack, initial),
                    (struct blob_condition){ .is_absent = true }, &is_met, &etag));
    return is_met ? NULL : stack_exists_already(stack);
}

static struct error *loopback_save(struct backend *backend, struct stack_ref stack,
                                   const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    TRY(error_wrap(blob_put(&loopback_of(backend)->blobs,
                            loopback_key(&scratch, "stacks", stack, ".json"),
                            loopback_checkpoint(&scratch, stack, snapshot)),
                   "cannot save the state (the former state is untouched)"));
    return loopback_end_journals(loopback_of(backend), stack);
}

static fallible delete_below(const struct blob_client *blobs, str prefix)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct strs keys;

    TRY(blob_list(blobs, &scratch, prefix, &keys));
    for (size_t i = 0; i < keys.len; i++)
        TRY(blob_delete(blobs, keys.items[i]));
    return NULL;
}

static fallible delete_stack(const struct loopback *loopback, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    TRY(blob_delete(&loopback->blobs, loopback_key(&scratch, "stacks", stack, ".json")));
    TRY(loopback_end_journals(loopback, stack));
    TRY(blob_delete(&loopback->blobs, loopback_key(&scratch, "tags", stack, ".json")));
    return delete_below(&loopback->blobs, loopback_key(&scratch, "history", stack, "/"));
}

static struct error *loopback_remove(struct backend *backend, struct stack_ref stack, bool force,
                                     bool removes_backups)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct snapshot snapshot;
    bool has_deployment;

    (void)removes_backups; /* there are none */
    TRY(loopback_load(backend, stack, &scratch, &snapshot, &has_deployment));
    if (!force)
        TRY(stack_check_empty(stack, &snapshot));
    return delete_stack(loopback_of(backend), stack);
}

static fallible copy_blob(const struct blob_client *blobs, str from, str to)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct blob_content content;

    TRY(blob_get(blobs, &scratch, from, &content));
    return content.exists ? blob_put(blobs, to, content.bytes) : NULL;
}

static struct error *loopback_rename(struct backend *backend, struct stack_ref stack,
                                     struct stack_ref renamed, const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct loopback *loopback = loopback_of(backend);
    str from = loopback_key(&scratch, "history", stack, "/");
    str to = loopback_key(&scratch, "history", renamed, "/");
    struct strs keys;
    bool exists;

    TRY(loopback_exists(backend, stack, &exists));
    if (!exists)
        return stack_not_found(stack);
    TRY(loopback_create(backend, renamed, snapshot));
    TRY(copy_blob(&loopback->blobs, loopback_key(&scratch, "tags", stack, ".json"),
                  loopback_key(&scratch, "tags", renamed, ".json")));
    TRY(blob_list(&loopback->blobs, &scratch, from, &keys));
    for (size_t i = 0; i < keys.len; i++)
        TRY(copy_blob(
            &loopback->blobs, keys.items[i],
            arena_concat(&scratch, to, str_slice(keys.items[i], from.len, keys.items[i].len))));
    return delete_stack(loopback, stack);
}

/* --- locks --- */

static fallible refused(const struct loopback *loopback, struct arena *arena, str key)
{
    struct blob_content lock;

    TRY(blob_get(&loopback->blobs, arena, key, &lock));
    return error_new(ERROR_OTHER, "the stack is currently locked by 1 lock(s): " STR_FMT,
                     STR_ARG(lock.bytes));
}

static str lock_text(const struct loopback *loopback, struct arena *arena)
{
    return arena_concat(arena, loopback->backend.options.user, STR("@"),
                        loopback->backend.options.host, STR(" "), loopback->lock_id);
}

static struct error *loopback_lock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct loopback *loopback = loopback_of(backend);
    str key = loopback_key(&scratch, "locks", stack, ".json"), etag;
    bool is_met;

    TRY(blob_put_if(&loopback->blobs, &scratch, key, lock_text(loopback, &scratch),
                    (struct blob_condition){ .is_absent = true }, &is_met, &etag));
    return is_met ? NULL : refused(loopback, &scratch, key);
}

/* Nobody else's: it may have been broken, and taken by another. */
static struct error *loopback_unlock(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct loopback *loopback = loopback_of(backend);
    str key = loopback_key(&scratch, "locks", stack, ".json");
    struct blob_content lock;

    TRY(blob_get(&loopback->blobs, &scratch, key, &lock));
    if (!lock.exists || !str_equal(lock.bytes, lock_text(loopback, &scratch)))
        return NULL;
    return blob_delete(&loopback->blobs, key);
}

static struct error *loopback_break_locks(struct backend *backend, struct stack_ref stack,
                                          size_t *count)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct loopback *loopback = loopback_of(backend);
    str key = loopback_key(&scratch, "locks", stack, ".json");
    struct blob_content lock;

    TRY(blob_get(&loopback->blobs, &scratch, key, &lock));
    *count = lock.exists;
    return lock.exists ? blob_delete(&loopback->blobs, key) : NULL;
}

/* --- history and tags --- */

static struct error *loopback_add_history(struct backend *backend, struct stack_ref stack,
                                          const struct history_entry *entry)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str name = arena_printf(&scratch, "/%020lld.json", (long long)clock_now());

    history_entry_format(&text, entry);
    return blob_put(&loopback_of(backend)->blobs,
                    loopback_key(&scratch, "history", stack, name.ptr), strbuf_str(&text));
}

static struct error *loopback_history(struct backend *backend, struct stack_ref stack,
                                      struct arena *arena, size_t page, size_t page_size,
                                      struct history *out)
{
    const struct blob_client *blobs = &loopback_of(backend)->blobs;
    struct blob_content content;
    struct strs keys;

    TRY(blob_list(blobs, arena, loopback_key(arena, "history", stack, "/"), &keys));
    size_t start = page_size > 0 ? (page > 0 ? page - 1 : 0) * page_size : 0;
    *out = (struct history){ ARENA_ARRAY(arena, struct history_entry, keys.len), 0 };
    for (size_t i = start; i < keys.len && (page_size == 0 || out->len < page_size); i++) {
        TRY(blob_get(blobs, arena, keys.items[keys.len - 1 - i], &content));
        TRY(history_entry_parse(arena, content.bytes, &out->items[out->len]));
        out->len++;
    }
    return NULL;
}

static struct error *loopback_tags(struct backend *backend, struct stack_ref stack,
                                   struct arena *arena, struct tags *out)
{
    struct blob_content content;

    *out = (struct tags){ 0 };
    TRY(blob_get(&loopback_of(backend)->blobs, arena, loopback_key(arena, "tags", stack, ".json"),
                 &content));
    return content.exists ? tags_parse(arena, content.bytes, out) : NULL;
}

static struct error *loopback_set_tags(struct backend *backend, struct stack_ref stack,
                                       const struct tags *tags)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    bool exists;

    TRY(loopback_exists(backend, stack, &exists));
    if (!exists)
        return stack_not_found(stack);
    tags_format(&text, tags);
    return blob_put(&loopback_of(backend)->blobs, loopback_key(&scratch, "tags", stack, ".json"),
                    strbuf_str(&text));
}

/* --- open and close --- */

static void loopback_close(struct backend *owned)
{
    http_client_free(((struct loopback *)owned)->blobs.http);
    backend_release(owned);
    free(owned);
}

static struct error *loopback_open(const struct backend_options *options, struct backend **out)
{
    struct loopback *loopback = memory_zalloc(sizeof(*loopback));
    struct arena *arena = &loopback->backend.arena;
    str rest = str_slice(options->url, STR("loopback://").len, options->url.len);

    backend_init(&loopback->backend, &backend_loopback, options);
    loopback->blobs = (struct blob_client){
        .http = http_client_new(),
        .base = arena_concat(arena, STR("http://"), rest, STR("/")),
    };
    loopback->lock_id = uuid_new(arena);
    *out = &loopback->backend;
    return NULL;
}

const struct backend_ops backend_loopback = {
    .scheme = "loopback",
    .form = "loopback://HOST:PORT/PREFIX",
    .place = BACKEND_ON_FIBERS,
    .open = loopback_open,
    .close = loopback_close,
    .create = loopback_create,
    .exists = loopback_exists,
    .list = loopback_list,
    .remove = loopback_remove,
    .rename = loopback_rename,
    .load = loopback_load,
    .save = loopback_save,
    .lock = loopback_lock,
    .unlock = loopback_unlock,
    .break_locks = loopback_break_locks,
    .add_history = loopback_add_history,
    .history = loopback_history,
    .tags = loopback_tags,
    .set_tags = loopback_set_tags,
    .open_journal = loopback_open_journal,
};
