/* backend_object_read.c — what the store has of a stack: the checkpoint and the journals, asked for
 * at the same time. */
#include "backend/backend_object_ops.h"

#include "backend/diy_checkpoint.h"
#include "backend/journal_replay.h"
#include "backend/journal_rescue.h"
#include "backend/stack_errors.h"
#include "base/fs.h"
#include "base/vec.h"
#include "fiber/offload.h"
#include "fiber/parallel.h"

/* Others may write while we read without a lock; after so many changes under our eyes something is
 * wrong. */
enum { READ_ATTEMPTS = 20, SAME_ATTEMPTS = 3 };
/* --- requests --- */

/* All at once: which variants of the checkpoint there are, the one that is likely, the journals. */
struct object_reading {
    struct object_backend *object;
    struct stack_ref stack;
    struct arena *arena;
    str key; /* of the likely checkpoint */
    struct object_list variants;
    struct object likely;
    struct object_list journals;
    struct object *contents;
};

static struct error *object_ask(void *reading_, size_t index)
{
    enum { VARIANTS, LIKELY, JOURNALS };
    struct object_reading *reading = reading_;
    struct object_store *store = reading->object->store;
    struct diy_layout layout = reading->object->layout;
    struct arena arena = { 0 };
    struct error *failure;

    if (index == VARIANTS)
        failure =
            store->ops->list(store, &arena, diy_stack_path(layout, &arena, reading->stack, ".json"),
                             true, &reading->variants);
    else if (index == LIKELY)
        failure = store->ops->get(store, &arena, reading->key, &reading->likely);
    else
        failure = object_store_get_below(
            store, &arena,
            arena_concat(&arena, diy_journal_folder(layout, &arena, reading->stack), STR("/")),
            &reading->journals, &reading->contents);
    arena_adopt(reading->arena, &arena);
    return failure;
}

enum { OBJECT_QUESTIONS = 3 };

/* --- checkpoint --- */

static str object_checkpoint_key(const struct object_backend *object, struct arena *arena,
                                 struct stack_ref stack, enum compression format)
{
    return diy_stack_path(object->layout, arena, stack,
                          arena_printf(arena, ".json%s", compression_extensions[format]).ptr);
}

static const struct object_entry *object_variant(const struct object_list *list, str key)
{
    for (size_t i = 0; i < list->len; i++)
        if (str_equal(list->items[i].key, key))
            return &list->items[i];
    return NULL;
}

/* The newest of the variants; of two of the same time the one with the later name, as in the
 * reference. */
static const struct object_entry *object_choose(const struct object_reading *reading,
                                                enum compression *format)
{
    const struct object_entry *best = NULL;

    for (enum compression i = COMPRESSION_NONE; i < COMPRESSIONS; i++) {
        str key = object_checkpoint_key(reading->object, reading->arena, reading->stack, i);
        const struct object_entry *entry = object_variant(&reading->variants, key);
        if (entry && (!best || entry->modified >= best->modified)) {
            best = entry;
            *format = i;
        }
    }
    return best;
}

/* *is_settled is false if listing and content are of different moments. */
static fallible object_settle_checkpoint(struct object_reading *reading,
                                         struct object_checkpoint *out, bool *is_settled)
{
    struct object_backend *object = reading->object;
    struct object content = reading->likely;
    const struct object_entry *entry = object_choose(reading, &out->format);

    *is_settled = false;
    if (!entry) {
        *is_settled = !content.exists;
        out->key = reading->key;
        out->format = object->compression;
        return NULL;
    }
    if (!str_equal(entry->key, reading->key))
        TRY(object->store->ops->get(object->store, reading->arena, entry->key, &content));
    *is_settled =
        content.exists && (entry->version.len == 0 || str_equal(entry->version, content.version));
    out->exists = content.exists;
    out->key = entry->key;
    out->bytes = content.bytes;
    out->version = content.version;
    out->has_backup =
        object_variant(&reading->variants, arena_concat(reading->arena, entry->key, STR(".bak")))
        != NULL;
    return NULL;
}

/* --- journals --- */

/* "….pulumi/journals/P/S/ID/NUMBER" */
static bool object_journal_parse(str key, str *id, uint64_t *number)
{
    str folder, digits, before;

    return str_cut_last(key, STR("/"), &folder, &digits) && str_to_u64(digits, number)
           && *number > 0 && *number < UINT32_MAX && str_cut_last(folder, STR("/"), &before, id);
}

/* Of the objects from *at on: all of the first journal among them. */
static void object_gather(const struct object_reading *reading, size_t *at,
                          struct object_journal_found *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    struct str_list keys = { 0 };
    uint64_t number;
    str id;

    *out = (struct object_journal_found){ .id = STR("") };
    for (; *at < reading->journals.len; (*at)++) {
        const struct object_entry *entry = &reading->journals.items[*at];
        const struct object *content = &reading->contents[*at];
        if (!object_journal_parse(entry->key, &id, &number) || !content->exists)
            continue;
        if (keys.len > 0 && !str_equal(id, out->id))
            break;
        out->id = id;
        vec_add(&keys, entry->key);
        out->modified = entry->modified > out->modified ? entry->modified : out->modified;
        bool is_seal = content->bytes.len == 0;
        if (out->is_sealed)
            continue; /* what came too late for the seal was promised to nobody */
        /* A seal alone is all that is left of a journal whose writer may still live. */
        if (number == out->last + 1 || (is_seal && bytes.len == 0)) {
            strbuf_add(&bytes, content->bytes);
            out->last = (unsigned)number;
            out->is_sealed = is_seal;
            out->seal = is_seal ? entry->key : STR("");
        } else {
            out->has_gap = true;
        }
    }
    out->lacks_first = out->has_gap && bytes.len == 0;
    out->bytes = arena_copy(reading->arena, strbuf_str(&bytes));
    out->keys =
        (struct strs){ arena_copy_bytes(reading->arena, keys.items, keys.len * sizeof(*keys.items)),
                       keys.len };
    vec_release(&keys);
}

static void object_settle_journals(const struct object_reading *reading, struct object_state *out,
                                   bool *has_gap)
{
    out->journals = ARENA_ARRAY(reading->arena, struct object_journal_found, reading->journals.len);
    out->journal_count = 0;
    for (size_t at = 0; at < reading->journals.len;) {
        struct object_journal_found *found = &out->journals[out->journal_count];
        object_gather(reading, &at, found);
        if (found->keys.len == 0)
            continue;
        *has_gap = *has_gap || found->has_gap;
        out->journal_count++;
    }
}

/* --- both --- */

static fallible object_read_once(struct object_backend *object, struct arena *arena,
                                 struct stack_ref stack, struct object_state *out, bool *is_settled,
                                 bool *has_gap)
{
    struct object_reading reading = {
        .object = object,
        .stack = stack,
        .arena = arena,
        .key = object_checkpoint_key(object, arena, stack, object->compression),
    };

    *out = (struct object_state){ 0 };
    *has_gap = false;
    TRY(parallel_each(OBJECT_QUESTIONS, OBJECT_QUESTIONS, object_ask, &reading));
    TRY(object_settle_checkpoint(&reading, &out->checkpoint, is_settled));
    object_settle_journals(&reading, out, has_gap);
    return NULL;
}

fallible object_read(struct object_backend *object, struct arena *arena, struct stack_ref stack,
                     struct object_state *out)
{
    int gaps = 0;

    for (int i = 0; i < READ_ATTEMPTS; i++) {
        struct arena attempt = { 0 };
        bool is_settled, has_gap;
        struct error *failure =
            object_read_once(object, &attempt, stack, out, &is_settled, &has_gap);
        /* A journal is removed after its checkpoint was replaced: a gap that stays is another. */
        gaps += has_gap;
        if (failure || (is_settled && (!has_gap || gaps >= SAME_ATTEMPTS))) {
            arena_adopt(arena, &attempt);
            return failure;
        }
        arena_release(&attempt);
    }
    return error_new(ERROR_OTHER,
                     "the stack '" STR_FMT "' is changed by others all the time; try again later",
                     STR_ARG(stack.name));
}

/* --- as a snapshot --- */

static struct error *object_journal_broken(const struct object_backend *object, struct arena *arena,
                                           const struct object_journal_found *found, size_t records)
{
    str first = object_show(object, arena, found->keys.items[0]);

    return error_new(ERROR_INVALID,
                     "the journal of an operation that was cut off is damaged after %zu good "
                     "records; nothing was changed. Its first object is '" STR_FMT
                     "'. To go on with the checkpoint alone, move the objects of that folder away; "
                     "the checkpoint does not know what that operation created, changed or deleted",
                     records, STR_ARG(first));
}

fallible object_state_journal(struct object_backend *object, struct arena *arena,
                              const struct object_state *state,
                              const struct object_journal_found **found,
                              struct journal_contents *out)
{
    *found = NULL;
    *out = (struct journal_contents){ 0 };
    for (size_t i = 0; i < state->journal_count; i++) {
        const struct object_journal_found *journal = &state->journals[i];
        struct journal_contents contents;
        if (journal->lacks_first)
            return object_journal_broken(object, arena, journal, 0);
        if (journal->bytes.len == 0)
            continue;
        TRY(error_wrap(journal_format_read(arena, journal->bytes, &contents),
                       "journal '" STR_FMT "' cannot be read; nothing was changed. Move it away to "
                       "go on with the checkpoint alone",
                       STR_ARG(object_show(object, arena, journal->keys.items[0]))));
        contents.is_damaged = contents.torn > 0; /* objects are written whole or not at all */
        if (!journal_contents_is_on_top(&contents, arena, state->checkpoint.exists,
                                        state->checkpoint.bytes))
            continue;
        if (contents.is_damaged)
            return object_journal_broken(object, arena, journal, contents.count);
        *found = journal;
        *out = contents;
    }
    return NULL;
}

/* On a helper thread: a large state takes its time. */
struct object_decoding {
    struct object_backend *object;
    struct arena *arena;
    struct stack_ref stack;
    const struct object_state *state;
    struct snapshot *out;
    bool *has_deployment;
    bool is_rescued; /* journals that are not on top have added something */
    struct error *failure;
};

/* Journals that were left behind by somebody who wrote the checkpoint without them. */
static fallible object_rescue(struct object_decoding *decoding)
{
    struct object_backend *object = decoding->object;
    struct arena *arena = decoding->arena;

    for (size_t i = 0; i < decoding->state->journal_count; i++) {
        const struct object_journal_found *journal = &decoding->state->journals[i];
        struct journal_contents contents;
        struct journal_rescue rescue;
        if (journal->bytes.len == 0)
            continue;
        str place = object_show(object, arena, journal->keys.items[0]);
        TRY(journal_format_read(arena, journal->bytes, &contents));
        contents.is_damaged = contents.torn > 0;
        TRY(error_wrap(journal_rescue_find(arena, &contents, decoding->out, &rescue),
                       "journal '" STR_FMT "' cannot be read; nothing was changed. Move its folder "
                       "away to go on with the checkpoint alone",
                       STR_ARG(place)));
        if (!journal_rescue_has_news(&rescue))
            continue;
        decoding->is_rescued |= journal_rescue_add(arena, &rescue, decoding->out);
        str kept = object_show(object, arena, object_aside_key(arena, journal->keys.items[0]));
        backend_note(&object->backend,
                     journal_rescue_text(arena, &rescue, decoding->stack.name,
                                         fs_path_directory(place), fs_path_directory(kept)));
    }
    return NULL;
}

static fallible object_decode(struct object_decoding *decoding)
{
    const struct object_checkpoint *checkpoint = &decoding->state->checkpoint;
    struct arena *arena = decoding->arena;
    const struct object_journal_found *journal;
    struct journal_contents contents;
    struct diy_checkpoint file = {
        .has_file = checkpoint->exists,
        .bytes = checkpoint->bytes,
        .place = object_show(decoding->object, arena, checkpoint->key),
    };

    if (checkpoint->has_backup)
        file.backup = arena_concat(arena, file.place, STR(".bak"));
    TRY(object_state_journal(decoding->object, arena, decoding->state, &journal, &contents));
    if (!checkpoint->exists && !journal)
        return stack_not_found(decoding->stack);
    TRY(diy_checkpoint_decode(arena, &file, decoding->out, decoding->has_deployment));
    if (!journal)
        return *decoding->has_deployment ? object_rescue(decoding) : NULL;
    *decoding->has_deployment = true;
    return error_wrap(
        journal_contents_replay(arena, &contents, decoding->out),
        "journal '" STR_FMT "' cannot be replayed; nothing was changed. Move its folder away to go "
        "on with the checkpoint alone, which does not know what the operation that was cut off did",
        STR_ARG(object_show(decoding->object, arena, journal->keys.items[0])));
}

static void object_decode_on_thread(void *decoding_)
{
    struct object_decoding *decoding = decoding_;
    decoding->failure = object_decode(decoding);
}

fallible object_state_snapshot(struct object_backend *object, struct arena *arena,
                               struct stack_ref stack, const struct object_state *state,
                               struct snapshot *out, bool *has_deployment, bool *is_rescued)
{
    struct object_decoding decoding = {
        .object = object,
        .arena = arena,
        .stack = stack,
        .state = state,
        .out = out,
        .has_deployment = has_deployment,
    };

    offload(object_decode_on_thread, &decoding);
    *is_rescued = decoding.is_rescued;
    return decoding.failure;
}

/* --- operations --- */

fallible object_exists(struct backend *backend, struct stack_ref stack, bool *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_state state;

    TRY(object_look(object, &scratch, stack, &state));
    *out = state.checkpoint.exists;
    if (!object_is_locked(object, stack))
        object_remember(object, stack, &state, false);
    return NULL;
}

fallible object_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                     struct snapshot *out, bool *has_deployment)
{
    struct object_backend *object = (struct object_backend *)backend;
    struct object_state state;
    bool is_rescued;

    TRY(object_look(object, arena, stack, &state));
    return object_state_snapshot(object, arena, stack, &state, out, has_deployment, &is_rescued);
}
