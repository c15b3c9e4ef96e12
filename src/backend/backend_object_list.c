/* backend_object_list.c — a line about every stack: one listing of the store, then all checkpoints
 * at a time. */
#include "backend/backend_object_ops.h"

#include "backend/file_io.h"
#include "backend/stack_summary.h"
#include "base/log.h"
#include "base/vec.h"
#include "fiber/parallel.h"
#include "http/http.h"

/* --- what there is --- */

struct found_stacks {
    VEC(struct stack_summary);
};

/* "….pulumi/stacks/P/S.json", or without the project in the old layout. */
static bool object_stack_of_key(const struct object_backend *object, str rest,
                                struct stack_ref *out)
{
    str name = rest;

    *out = (struct stack_ref){ .project = STR("") };
    if (!object->layout.is_legacy && !str_cut(rest, STR("/"), &out->project, &name))
        return false;
    return str_find_char(name, '/') == SIZE_MAX && diy_stack_of_file(name, &out->name);
}

fallible object_find_stacks(struct object_backend *object, struct arena *arena, str project,
                            struct object_list *keys, struct stack_summaries *out)
{
    str folder = arena_concat(arena, diy_stacks_folder(object->layout, arena), STR("/"));
    bool is_narrow = project.len > 0 && !object->layout.is_legacy;
    struct found_stacks found = { 0 };

    TRY(object->store->ops->list(
        object->store, arena, is_narrow ? arena_concat(arena, folder, project, STR("/")) : folder,
        object->layout.is_legacy, keys));
    for (size_t i = 0; i < keys->len; i++) {
        str rest = str_slice(keys->items[i].key, folder.len, keys->items[i].key.len);
        struct stack_summary summary = { 0 };
        if (object_stack_of_key(object, rest, &summary.stack))
            vec_add(&found, summary);
    }
    diy_sort_stacks(found.items, &found.len);
    out->items = arena_copy_bytes(arena, found.items, found.len * sizeof(*found.items));
    out->len = found.len;
    vec_release(&found);
    return NULL;
}

/* --- a line of each --- */

struct object_listing {
    struct object_backend *object;
    struct arena *arena;
    str project;
    struct object_list keys;
    struct object_list journals;
    struct stack_summaries stacks;
};

/* Stacks and journals at the same time. */
static struct error *object_list_ask(void *listing_, size_t index)
{
    struct object_listing *listing = listing_;
    struct object_backend *object = listing->object;
    struct arena arena = { 0 };
    struct error *failure;

    if (index == 0)
        failure =
            object_find_stacks(object, &arena, listing->project, &listing->keys, &listing->stacks);
    else
        failure = object->store->ops->list(object->store, &arena, STR(".pulumi/journals/"), false,
                                           &listing->journals);
    arena_adopt(listing->arena, &arena);
    return failure;
}

static bool object_has_journal(const struct object_listing *listing, struct arena *scratch,
                               struct stack_ref stack)
{
    str folder = arena_concat(scratch, diy_journal_folder(listing->object->layout, scratch, stack),
                              STR("/"));

    for (size_t i = 0; i < listing->journals.len; i++)
        if (str_starts_with(listing->journals.items[i].key, folder))
            return true;
    return false;
}

static str object_newest_key(const struct object_listing *listing, struct arena *scratch,
                             struct stack_ref stack)
{
    str best = STR("");
    int64_t modified = 0;

    for (enum compression i = COMPRESSION_NONE; i < COMPRESSIONS; i++) {
        str key = diy_stack_path(listing->object->layout, scratch, stack,
                                 arena_printf(scratch, ".json%s", compression_extensions[i]).ptr);
        for (size_t j = 0; j < listing->keys.len; j++) {
            const struct object_entry *entry = &listing->keys.items[j];
            if (str_equal(entry->key, key) && (best.len == 0 || entry->modified >= modified)) {
                best = entry->key;
                modified = entry->modified;
            }
        }
    }
    return best;
}

static fallible object_skim(const struct object_listing *listing, struct arena *scratch,
                            struct stack_summary *out)
{
    struct object_store *store = listing->object->store;
    struct object found;
    str text;

    TRY(store->ops->get(store, scratch, object_newest_key(listing, scratch, out->stack), &found));
    TRY(compression_decode(scratch, found.bytes, FILE_LIMIT, &text));
    return found.exists ? stack_summary_skim(scratch, text, out) : NULL;
}

static struct error *object_summarize(void *listing_, size_t index)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_listing *listing = listing_;
    struct stack_summary summary = listing->stacks.items[index];

    struct error *failure = object_has_journal(listing, &scratch, summary.stack)
                                ? stack_summary_load(&listing->object->backend, &scratch, &summary)
                                : object_skim(listing, &scratch, &summary);
    if (failure && (error_kind(failure) == ERROR_CANCELED || http_may_pass(failure)))
        return failure;
    if (failure) {
        log_warn("backend", "stack " STR_FMT ": " STR_FMT, STR_ARG(summary.stack.name),
                 STR_ARG(error_message(failure)));
        error_ignore(failure,
                     "one bad stack must not hide the others; using it tells what is wrong");
        return NULL;
    }
    summary.last_update = arena_copy(listing->arena, summary.last_update);
    listing->stacks.items[index] = summary;
    return NULL;
}

fallible object_list(struct backend *backend, struct arena *arena, str project,
                     struct stack_summaries *out)
{
    struct object_listing listing = { .object = (struct object_backend *)backend,
                                      .arena = arena,
                                      .project = project };

    TRY(parallel_each(2, 2, object_list_ask, &listing));
    TRY(parallel_each(listing.stacks.len, OBJECT_STORE_PARALLEL, object_summarize, &listing));
    *out = listing.stacks;
    return NULL;
}
