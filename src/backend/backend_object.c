/* backend_object.c — opens a store of objects as a backend: its layout version, its tags. */
#include "backend/backend_object_ops.h"
#include "backend/backend_object_lock.h"

#include "backend/history_json.h"
#include "backend/stack_errors.h"
#include "base/memory.h"
#include "base/uuid.h"
#include "fiber/parallel.h"

#include <stdlib.h>

str object_show(const struct object_backend *object, struct arena *arena, str key)
{
    bool ends = str_ends_with(object->store->shown, STR("/"));

    return arena_concat(arena, object->store->shown, ends ? STR("") : STR("/"), key);
}

/* --- layout version --- */

fallible object_write_meta(struct object_backend *object)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_put_result result;

    return error_wrap(object->store->ops->put(object->store, &scratch, STR(DIY_META),
                                              STR(DIY_META_TEXT), (struct object_condition){ 0 },
                                              &result),
                      "write \"" DIY_META "\"");
}

/* A new store gets the current layout; one that has stacks of the old layout keeps it. */
static fallible object_choose_version(struct object_backend *object, uint64_t *version)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_list found;
    bool is_legacy = object->backend.options.diy.uses_legacy_layout;
    str name, folder;

    TRY(object->store->ops->list(object->store, &scratch, STR(".pulumi/stacks/"), true, &found));
    for (size_t i = 0; i < found.len && !is_legacy; i++)
        is_legacy = str_cut_last(found.items[i].key, STR("/"), &folder, &name)
                    && diy_stack_of_file(name, &name);
    *version = !is_legacy;
    return is_legacy ? NULL : object_write_meta(object);
}

static fallible object_settle_layout(struct object_backend *object)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object meta;
    uint64_t version;

    TRY(object->store->ops->get(object->store, &scratch, STR(DIY_META), &meta));
    TRY(meta.exists ? diy_meta_parse(meta.bytes, &version)
                    : object_choose_version(object, &version));
    object->layout.is_legacy = version == 0;
    object->backend.has_no_projects = version == 0;
    return diy_check_version(version, &object->backend.options.diy, object->store->shown);
}

/* The layout, and at the same time what is there of the stack that will be wanted first, as if the
 * layout were the current one. */
struct object_first_look {
    struct object_backend *object;
    struct arena *arena;
    struct stack_ref stack; /* no name: none is known */
    struct object_state state;
    struct error *failure; /* of the state */
};

static struct error *object_first_part(void *look_, size_t index)
{
    struct object_first_look *look = look_;

    if (index == 0)
        return object_settle_layout(look->object);
    if (look->stack.name.len > 0)
        look->failure = object_read(look->object, look->arena, look->stack, &look->state);
    return NULL;
}

static fallible object_look_first(struct object_backend *object,
                                  const struct backend_options *options)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_first_look look = { .object = object, .arena = &scratch };

    if (options->expected.len > 0)
        error_ignore(stack_ref_parse(&scratch, options->expected, options->project, &look.stack),
                     "whoever asks for it gets the failure");
    struct error *failure = parallel_each(2, 2, object_first_part, &look);
    if (!failure && !look.failure && look.stack.name.len > 0 && !object->layout.is_legacy)
        object_remember(object, look.stack, &look.state, false);
    error_ignore(look.failure, "whoever asks for the stack asks again, and gets the failure");
    return failure;
}

/* --- open and close --- */

void object_close(struct backend *owned)
{
    struct object_backend *object = (struct object_backend *)owned;

    if (object->store)
        error_ignore(object_sweep(object, true), "the next operation removes what stays");
    object_forget_all(object);
    object_store_close(object->store);
    backend_release(owned);
    free(object);
}

static fallible object_fill(struct object_backend *object, const struct backend_options *options)
{
    const struct object_store_options store = { .url = options->url, .home = options->home };

    TRY(diy_compression(&options->diy, &object->compression));
    object->lock_id = uuid_new(&object->backend.arena);
    TRY(object_store_open(&store, &object->store));
    return object_look_first(object, options);
}

fallible object_open(const struct backend_options *options, struct backend **out)
{
    struct object_backend *object = memory_zalloc(sizeof(*object));

    backend_init(&object->backend, backend_kind(options->url), options);
    struct error *failure = object_fill(object, options);
    if (failure) {
        object_close(&object->backend);
        return failure;
    }
    *out = &object->backend;
    return NULL;
}

/* --- tags --- */

/* `found` is what there is of them now. */
static fallible object_read_tags(struct object_backend *object, struct arena *arena, str key,
                                 struct object *found, struct tags *out)
{
    *out = (struct tags){ 0 };
    TRY(object->store->ops->get(object->store, arena, key, found));
    if (!found->exists)
        return NULL;
    return error_wrap(tags_parse(arena, found->bytes, out), "stack tags in '" STR_FMT "'",
                      STR_ARG(object_show(object, arena, key)));
}

fallible object_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                     struct tags *out)
{
    struct object_backend *object = (struct object_backend *)backend;
    struct object found;

    return object_read_tags(
        object, arena, diy_stack_path(object->layout, arena, stack, ".pulumi-tags"), &found, out);
}

/* Writes on condition that nobody else has written since we read: *is_met. The last tag leaves an
 * empty set, because an object cannot be removed on a condition. */
static fallible object_try_tag(struct object_backend *object, struct stack_ref stack, str name,
                               const str *value, bool *is_met)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str key = diy_stack_path(object->layout, &scratch, stack, ".pulumi-tags");
    struct object_put_result result;
    struct object found;
    struct tags tags;
    bool is_lost;

    TRY(object_check_lock(object, stack, &is_lost));
    TRY(object_read_tags(object, &scratch, key, &found, &tags));
    tags = tags_change(&scratch, &tags, name, value);
    *is_met = tags.len == 0 && !found.exists;
    if (*is_met)
        return NULL;
    const struct object_condition condition = {
        .is_absent = !found.exists,
        .version = found.version,
        .guard = object_guard(object, &scratch, stack),
    };
    tags_format(&text, &tags);
    TRY(object->store->ops->put(object->store, &scratch, key, strbuf_str(&text), condition,
                                &result));
    *is_met = result.is_met;
    return NULL;
}

/* Each attempt that fails is a change by somebody else. */
enum { TAG_ATTEMPTS = 200 };

fallible object_change_tag(struct backend *backend, struct stack_ref stack, str name,
                           const str *value)
{
    struct object_backend *object = (struct object_backend *)backend;
    bool exists, is_met = false;

    TRY(object_exists(backend, stack, &exists));
    if (!exists)
        return stack_not_found(stack);
    for (int i = 0; i < TAG_ATTEMPTS && !is_met; i++)
        TRY(object_try_tag(object, stack, name, value, &is_met));
    return is_met ? NULL
                  : error_new(ERROR_OTHER,
                              "others change the tags of stack '" STR_FMT
                              "' all the time: run the command again",
                              STR_ARG(stack.name));
}
