/* journal_rescue.c — reads the records of a journal without the checkpoint that they were on top
 * of. */
#include "backend/journal_rescue.h"

#include "base/map.h"
#include "base/program.h"
#include "base/vec.h"
#include "model/journal.h"
#include "model/value_json.h"

/* One operation as far as the records have come. */
struct rescued {
    int64_t id;
    const struct pending_operation *begun; /* NULL: it has ended */
    struct resource *created;              /* NULL: nothing, or it is gone again */
};

struct rescue_reading {
    VEC(struct rescued);
    str secrets_type;
    str secrets_state;
};

/* --- the records --- */

static struct rescued *rescue_operation(struct rescue_reading *reading, int64_t id)
{
    for (size_t i = reading->len; i > 0; i--)
        if (reading->items[i - 1].id == id)
            return &reading->items[i - 1];
    return NULL;
}

static void rescue_forget_created(struct rescue_reading *reading, int64_t id)
{
    struct rescued *gone = id == JOURNAL_NONE ? NULL : rescue_operation(reading, id);

    if (gone)
        gone->created = NULL;
}

static void rescue_end(struct rescue_reading *reading, const struct journal_entry *entry)
{
    struct rescued *operation = rescue_operation(reading, entry->operation_id);

    if (operation && operation->begun) {
        if (entry->kind == JOURNAL_SUCCESS && operation->begun->kind == PENDING_CREATING)
            operation->created = entry->state;
        operation->begun = NULL;
    }
    rescue_forget_created(reading, entry->remove_new);
}

static void rescue_begin(struct rescue_reading *reading, const struct journal_entry *entry)
{
    const struct rescued begun = { .id = entry->operation_id, .begun = entry->operation };

    if (entry->operation && entry->operation->resource)
        vec_add(reading, begun);
}

/* From here on the records name resources by their places in a list that is not known. */
static void rescue_settle(struct rescue_reading *reading)
{
    for (size_t i = 0; i < reading->len; i++)
        reading->items[i].created = NULL;
}

static void rescue_take(struct rescue_reading *reading, const struct journal_entry *entry)
{
    switch (entry->kind) {
    case JOURNAL_BEGIN: rescue_begin(reading, entry); break;
    case JOURNAL_SUCCESS:
    case JOURNAL_FAILURE:
    case JOURNAL_REFRESH_SUCCESS:
    case JOURNAL_OUTPUTS: rescue_end(reading, entry); break;
    case JOURNAL_WRITE:
    case JOURNAL_REBUILT_BASE: rescue_settle(reading); break;
    case JOURNAL_SECRETS_MANAGER:
        reading->secrets_type = entry->secrets_type;
        reading->secrets_state = entry->secrets_state;
        break;
    case JOURNAL_EXTENSION:
    case JOURNAL_SNIPPETS: break;
    }
}

/* --- what the snapshot has --- */

static str rescue_key(struct arena *arena, const struct resource *resource)
{
    return arena_concat(arena, resource->urn, STR("\n"), resource->id);
}

static bool rescue_is_pending(const struct snapshot *snapshot,
                              const struct pending_operation *operation)
{
    for (size_t i = 0; i < snapshot->pending_count; i++)
        if (snapshot->pending[i].kind == operation->kind
            && str_equal(snapshot->pending[i].resource->urn, operation->resource->urn))
            return true;
    return false;
}

static void rescue_compare(struct arena *arena, const struct rescue_reading *reading,
                           const struct snapshot *snapshot, struct journal_rescue *out)
{
    struct map known = { 0 };

    for (size_t i = 0; i < snapshot->resource_count; i++)
        map_put(&known, rescue_key(arena, snapshot->resources[i]), snapshot->resources[i]);
    out->items = ARENA_ARRAY(arena, struct pending_operation, reading->len);
    for (size_t i = 0; i < reading->len; i++) {
        const struct rescued *rescued = &reading->items[i];
        struct pending_operation operation = { rescued->created, PENDING_CREATING };
        if (rescued->begun)
            operation = *rescued->begun;
        else if (!rescued->created || !rescued->created->id.len
                 || map_has(&known, rescue_key(arena, rescued->created)))
            continue;
        if (!rescue_is_pending(snapshot, &operation))
            out->items[out->len++] = operation;
    }
    map_release(&known);
}

static bool rescue_is_same_json(struct arena *arena, str a, str b)
{
    struct value values[2] = { value_null(), value_null() };
    str texts[2] = { a, b };

    for (int i = 0; i < 2; i++) {
        CLEANUP(json_reader_release) struct json_reader reader;
        json_reader_init(&reader, arena, texts[i]);
        struct error *failure = value_read_plain(&reader, &values[i]);
        bool is_bad = failure != NULL;
        error_ignore(failure, "what cannot be read is the same as nothing");
        if (is_bad)
            return false;
    }
    return value_equal(values[0], values[1]);
}

static bool rescue_has_secrets(const struct journal_rescue *rescue)
{
    for (size_t i = 0; i < rescue->len; i++)
        if (value_contains_secret(rescue->items[i].resource->inputs)
            || value_contains_secret(rescue->items[i].resource->outputs))
            return true;
    return false;
}

fallible journal_rescue_find(struct arena *arena, const struct journal_contents *contents,
                             const struct snapshot *snapshot, struct journal_rescue *out)
{
    struct rescue_reading reading = { 0 };
    struct error *failure = NULL;

    *out = (struct journal_rescue){ .is_damaged = contents->is_damaged };
    for (size_t i = 0; !failure && i < contents->count; i++) {
        struct journal_entry entry = JOURNAL_ENTRY_EMPTY;
        failure = error_wrap(journal_entry_read(arena, contents->records[i], &entry), "record %zu",
                             i + 1);
        if (!failure)
            rescue_take(&reading, &entry);
    }
    if (!failure) {
        rescue_compare(arena, &reading, snapshot, out);
        out->is_sealed_by_another =
            rescue_has_secrets(out) && reading.secrets_type.len
            && !(str_equal(reading.secrets_type, snapshot->secrets_type)
                 && rescue_is_same_json(arena, reading.secrets_state, snapshot->secrets_state));
    }
    vec_release(&reading);
    return failure;
}

/* --- what becomes of it --- */

bool journal_rescue_has_news(const struct journal_rescue *rescue)
{
    return rescue->len > 0 || rescue->is_damaged;
}

bool journal_rescue_add(struct arena *arena, const struct journal_rescue *rescue,
                        struct snapshot *inout)
{
    size_t count = inout->pending_count;

    if (rescue->len == 0 || rescue->is_sealed_by_another)
        return false;
    struct pending_operation *all =
        ARENA_ARRAY(arena, struct pending_operation, count + rescue->len);
    for (size_t i = 0; i < count + rescue->len; i++)
        all[i] = i < count ? inout->pending[i] : rescue->items[i - count];
    inout->pending = all;
    inout->pending_count = count + rescue->len;
    return true;
}

static void rescue_list(struct strbuf *text, const struct journal_rescue *rescue)
{
    for (size_t i = 0; i < rescue->len; i++) {
        const struct resource *resource = rescue->items[i].resource;
        strbuf_printf(text, "  * " STR_FMT, STR_ARG(resource->urn));
        if (resource->id.len && rescue->items[i].kind == PENDING_CREATING)
            strbuf_printf(text, ", created with the ID '" STR_FMT "'\n", STR_ARG(resource->id));
        else
            strbuf_printf(text, ", interrupted while %s\n", pending_names[rescue->items[i].kind]);
    }
    if (rescue->is_damaged)
        strbuf_printf(text, "  * what its journal told behind the place where it is damaged\n");
    if (rescue->len == 0)
        return;
    strbuf_printf(text, rescue->is_sealed_by_another
                            ? "Its secrets were sealed with another key, so it cannot be kept in "
                              "the state. "
                        : rescue->is_damaged
                            ? "What is known of it is kept in the state as pending operations. "
                            : "It is kept in the state as pending operations. ");
}

str journal_rescue_text(struct arena *arena, const struct journal_rescue *rescue, str stack,
                        str place, str kept)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_printf(&text,
                  "an operation on the stack '" STR_FMT
                  "' was cut off, and another program has changed the stack since, which does not "
                  "know what that operation did:\n",
                  STR_ARG(stack));
    rescue_list(&text, rescue);
    strbuf_printf(&text,
                  "Its journal is '" STR_FMT
                  "'; the next operation that changes the stack moves it to '" STR_FMT
                  "'. Look with the provider whether these resources exist, import or delete "
                  "them, then run `%s refresh --clear-pending-creates`",
                  STR_ARG(place), STR_ARG(kept), program_name());
    return arena_copy(arena, strbuf_str(&text));
}
