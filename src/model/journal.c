/* journal.c — one entry of the journal as JSON. */
#include "model/journal.h"

#include "model/checkpoint_parts.h"

#include <math.h>

enum { ENTRY_VERSION = 1 };

/* Beyond it a double has gaps. */
#define LARGEST_ID 9007199254740992.0

/* --- writing --- */

static void write_place(struct json_writer *writer, str key, int64_t place, bool is_always_there)
{
    if (place == JOURNAL_NONE && !is_always_there)
        return;
    json_key(writer, key);
    if (place == JOURNAL_NONE)
        json_null(writer);
    else
        json_integer(writer, place);
}

static void write_flag(struct json_writer *writer, str key, bool flag)
{
    if (!flag)
        return;
    json_key(writer, key);
    json_bool(writer, true);
}

static bool has_byte_string(const struct journal_entry *entry)
{
    bool found = entry->requires_byte_string;

    found |= entry->state && resource_has_byte_string(entry->state);
    found |= entry->operation && resource_has_byte_string(entry->operation->resource);
    for (size_t i = 0; entry->new_snapshot && !found && i < entry->new_snapshot->resource_count;
         i++)
        found = resource_has_byte_string(entry->new_snapshot->resources[i]);
    return found;
}

static void write_payload(struct json_writer *writer, const struct journal_entry *entry)
{
    write_place(writer, STR("stateOld"), entry->state_old, false);
    if (entry->state && entry->state_old == JOURNAL_NONE) {
        json_key(writer, STR("state"));
        resource_write(writer, entry->state, SECRET_CIPHERTEXT);
    }
    if (entry->operation) {
        json_key(writer, STR("operation"));
        pending_write(writer, entry->operation, SECRET_CIPHERTEXT, 0);
    }
    write_flag(writer, STR("isRefresh"), entry->is_refresh);
    if (entry->secrets_type.len) {
        json_key(writer, STR("secretsProvider"));
        secrets_provider_write(writer, entry->secrets_type, entry->secrets_state);
    }
    if (entry->snippets.len) {
        json_key(writer, STR("snippets"));
        raw_write(writer, entry->snippets);
    }
    if (entry->new_snapshot) {
        json_key(writer, STR("newSnapshot"));
        deployment_parts_write(writer, entry->new_snapshot, SECRET_CIPHERTEXT);
    }
    if (entry->extension) {
        json_key(writer, STR("extensionRef"));
        json_string(writer, entry->extension->ref);
        json_key(writer, STR("extension"));
        extension_write(writer, entry->extension);
    }
}

void journal_entry_write(struct json_writer *writer, const struct journal_entry *entry)
{
    json_begin_object(writer);
    json_key(writer, STR("version"));
    json_integer(writer, ENTRY_VERSION);
    json_key(writer, STR("kind"));
    json_integer(writer, entry->kind);
    json_key(writer, STR("sequenceID"));
    json_integer(writer, entry->sequence_id);
    json_key(writer, STR("operationID"));
    json_integer(writer, entry->operation_id);
    write_place(writer, STR("removeOld"), entry->remove_old, true);
    write_place(writer, STR("removeNew"), entry->remove_new, true);
    write_place(writer, STR("pendingReplacementOld"), entry->pending_replacement_old, false);
    write_place(writer, STR("pendingReplacementNew"), entry->pending_replacement_new, false);
    write_place(writer, STR("deleteOld"), entry->delete_old, false);
    write_place(writer, STR("deleteNew"), entry->delete_new, false);
    write_payload(writer, entry);
    write_flag(writer, STR("requiresByteString"), has_byte_string(entry));
    write_flag(writer, STR("dropsPendingCreates"), entry->drops_pending_creates);
    json_end_object(writer);
}

/* --- reading --- */

/* A whole number from 0; JOURNAL_NONE for null. */
static fallible read_place(struct json_reader *reader, int64_t *out)
{
    struct json_token token;

    TRY(json_next(reader, &token));
    if (token.kind == JSON_NULL) {
        *out = JOURNAL_NONE;
        return NULL;
    }
    if (token.kind != JSON_NUMBER || token.number < 0 || token.number > LARGEST_ID
        || token.number != floor(token.number))
        return json_fail(reader, "expected a whole number");
    *out = (int64_t)token.number;
    return NULL;
}

static fallible read_kind(struct json_reader *reader, enum journal_kind *out)
{
    int64_t number;

    TRY(read_place(reader, &number));
    if (number < JOURNAL_BEGIN || number > JOURNAL_SNIPPETS)
        return json_fail(reader, "unknown kind of journal entry");
    *out = (enum journal_kind)number;
    return NULL;
}

static fallible read_entry_version(struct json_reader *reader)
{
    int64_t version;

    TRY(read_place(reader, &version));
    if (version != ENTRY_VERSION)
        return json_fail(reader, "unknown version of a journal entry");
    return NULL;
}

static fallible read_operation(struct json_reader *reader, struct journal_entry *entry)
{
    struct pending_operation *operation = ARENA_NEW(reader->arena, struct pending_operation);

    entry->operation = operation;
    return pending_read(reader, 3, operation);
}

static fallible read_snapshot(struct json_reader *reader, struct journal_entry *entry)
{
    struct snapshot *snapshot = ARENA_NEW(reader->arena, struct snapshot);

    entry->new_snapshot = snapshot;
    return deployment_parts_read(reader, 3, snapshot);
}

static int64_t *entry_place_of(struct journal_entry *entry, str key)
{
    const struct {
        str key;
        int64_t *place;
    } places[] = {
        { STR("sequenceID"), &entry->sequence_id },
        { STR("operationID"), &entry->operation_id },
        { STR("removeOld"), &entry->remove_old },
        { STR("removeNew"), &entry->remove_new },
        { STR("pendingReplacementOld"), &entry->pending_replacement_old },
        { STR("pendingReplacementNew"), &entry->pending_replacement_new },
        { STR("deleteOld"), &entry->delete_old },
        { STR("deleteNew"), &entry->delete_new },
        { STR("stateOld"), &entry->state_old },
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (str_equal(key, places[i].key))
            return places[i].place;
    return NULL;
}

/* The two halves of an extension are members of their own. */
static fallible read_extension_part(struct json_reader *reader, str key,
                                    struct extension *extension)
{
    if (str_equal(key, STR("extensionRef")))
        return json_read_string(reader, &extension->ref);
    return extension_read(reader, extension);
}

static fallible entry_read_value(struct json_reader *reader, str key, struct journal_entry *entry,
                                 struct extension *extension)
{
    int64_t *place = entry_place_of(entry, key);

    if (place)
        return read_place(reader, place);
    if (str_equal(key, STR("version")))
        return read_entry_version(reader);
    if (str_equal(key, STR("kind")))
        return read_kind(reader, &entry->kind);
    if (str_equal(key, STR("state")))
        return resource_read(reader, &entry->state);
    if (str_equal(key, STR("operation")))
        return read_operation(reader, entry);
    if (str_equal(key, STR("isRefresh")))
        return json_read_bool(reader, &entry->is_refresh);
    if (str_equal(key, STR("secretsProvider")))
        return secrets_provider_read(reader, &entry->secrets_type, &entry->secrets_state);
    if (str_equal(key, STR("snippets")))
        return raw_read(reader, &entry->snippets);
    if (str_equal(key, STR("newSnapshot")))
        return read_snapshot(reader, entry);
    if (str_equal(key, STR("extensionRef")) || str_equal(key, STR("extension")))
        return read_extension_part(reader, key, extension);
    if (str_equal(key, STR("requiresByteString")))
        return json_read_bool(reader, &entry->requires_byte_string);
    if (str_equal(key, STR("dropsPendingCreates")))
        return json_read_bool(reader, &entry->drops_pending_creates);
    return json_skip(reader, NULL);
}

/* What a kind cannot do without. */
static fallible entry_check(const struct json_reader *reader, const struct journal_entry *entry)
{
    if (entry->sequence_id < 0 || entry->operation_id < 0)
        return json_fail(reader, "a journal entry needs a sequence id and an operation id");
    if (entry->kind == JOURNAL_WRITE && !entry->new_snapshot)
        return json_fail(reader, "a write entry needs a snapshot");
    if (entry->kind == JOURNAL_SECRETS_MANAGER && entry->secrets_type.len == 0)
        return json_fail(reader, "a secrets-manager entry needs a secrets provider");
    if (entry->kind == JOURNAL_EXTENSION && (!entry->extension || entry->extension->ref.len == 0))
        return json_fail(reader, "an extension entry needs an extension and its reference");
    return NULL;
}

struct entry_reader {
    struct journal_entry *entry;
    struct extension *extension;
};

static fallible entry_read_member(struct json_reader *reader, str key, void *context_)
{
    const struct entry_reader *context = context_;

    TRY(error_wrap(entry_read_value(reader, key, context->entry, context->extension),
                   "'" STR_FMT "'", STR_ARG(key)));
    if (str_equal(key, STR("extension")))
        context->entry->extension = context->extension;
    return NULL;
}

static fallible entry_read(struct json_reader *reader, struct journal_entry *entry)
{
    struct entry_reader context = { entry, ARENA_NEW(reader->arena, struct extension) };
    struct json_token token;

    TRY(json_read_members(reader, entry_read_member, &context));
    TRY(json_next(reader, &token));
    if (entry->new_snapshot && entry->requires_byte_string)
        ((struct snapshot *)entry->new_snapshot)->had_byte_strings = true;
    return entry_check(reader, entry);
}

fallible journal_entry_read(struct arena *arena, str text, struct journal_entry *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;

    json_reader_init(&reader, arena, text);
    TRY(error_wrap(entry_read(&reader, &entry), "journal entry"));
    *out = entry;
    return NULL;
}
