/* history_json.c — entries of the history and tags as the texts that every store keeps. */
#include "backend/history_json.h"

#include "base/json.h"
#include "base/vec.h"

#include <stdlib.h>

/* --- an entry --- */

static int compare_counts(const void *a, const void *b)
{
    return str_compare(((const struct op_count *)a)->op, ((const struct op_count *)b)->op);
}

static void format_environment(struct json_writer *writer, struct arena *scratch,
                               const struct history_entry *entry)
{
    size_t count = entry->environment_count;
    const struct pair *sorted =
        pairs_sorted(scratch, (struct pairs){ entry->environment, count }).items;

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

void history_entry_format(struct strbuf *out, const struct history_entry *entry)
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
    json_integer(&writer, entry->version);
    json_key(&writer, STR("result"));
    json_string(&writer, entry->result);
    json_key(&writer, STR("endTime"));
    json_integer(&writer, entry->end_time);
    format_changes(&writer, &scratch, entry);
    json_end_object(&writer);
}

struct changes {
    VEC(struct op_count);
};
struct entry_file {
    struct history_entry entry;
    struct pairs environment;
    struct changes changes;
};

static fallible read_integer(struct json_reader *reader, void *member)
{
    double number;

    TRY(json_read_number(reader, &number));
    if (!(number > -4e18 && number < 4e18)) /* the difference of two is a number, too */
        return error_new(ERROR_INVALID, "number out of range");
    *(int64_t *)member = (int64_t)number;
    return NULL;
}

static fallible history_read_change(struct json_reader *reader, str key, void *changes)
{
    struct op_count change = { .op = key };

    TRY(read_integer(reader, &change.count));
    vec_add((struct changes *)changes, change);
    return NULL;
}

static fallible read_changes(struct json_reader *reader, void *changes)
{
    return json_read_members(reader, history_read_change, changes);
}

fallible history_entry_parse(struct arena *arena, str text, struct history_entry *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("kind", struct entry_file, entry.kind, json_field_string),
        JSON_FIELD("result", struct entry_file, entry.result, json_field_string),
        JSON_FIELD("message", struct entry_file, entry.message, json_field_string),
        JSON_FIELD("version", struct entry_file, entry.version, read_integer),
        JSON_FIELD("startTime", struct entry_file, entry.start_time, read_integer),
        JSON_FIELD("endTime", struct entry_file, entry.end_time, read_integer),
        JSON_FIELD("config", struct entry_file, entry.config, json_field_raw),
        JSON_FIELD("environment", struct entry_file, environment, json_field_pairs),
        JSON_FIELD("resourceChanges", struct entry_file, changes, read_changes),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct entry_file file = { .entry.config = STR("{}") };
    struct changes *changes = &file.changes;
    enum json_kind end; /* what follows is refused by looking at it */

    json_reader_init(&reader, arena, text);
    struct error *failure = json_read_fields(&reader, fields, &file);
    if (!failure)
        failure = json_peek(&reader, &end);
    *out = file.entry;
    out->environment = file.environment.items;
    out->environment_count = file.environment.len;
    if (changes->len > 1)
        qsort(changes->items, changes->len, sizeof(*changes->items), compare_counts);
    out->changes = arena_copy_bytes(arena, changes->items, changes->len * sizeof(*changes->items));
    out->change_count = changes->len;
    vec_release(changes);
    return failure;
}

/* --- tags: {"version":1,"tags":{…}} --- */

enum { VERSION = 1 };

struct tag_file {
    double version;
    struct pairs tags;
};

fallible tags_parse(struct arena *arena, str text, struct tags *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("version", struct tag_file, version, json_field_number),
        JSON_FIELD("tags", struct tag_file, tags, json_field_pairs),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct tag_file file = { 0 };
    enum json_kind end; /* what follows is refused by looking at it */

    json_reader_init(&reader, arena, text);
    struct error *failure = json_read_fields(&reader, fields, &file);
    if (!failure)
        failure = json_peek(&reader, &end);
    if (!failure && file.version != VERSION)
        failure = error_new(ERROR_INVALID, "unsupported stack tags version: %g (expected %d)",
                            file.version, VERSION);
    struct pairs sorted = pairs_sorted(arena, file.tags);
    if (!failure)
        *out = (struct tags){ sorted.items, sorted.len };
    return failure;
}

void tags_format(struct strbuf *out, const struct tags *tags)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct json_writer writer = { .out = out };
    const struct pair *sorted =
        pairs_sorted(&scratch, (struct pairs){ tags->items, tags->len }).items;

    json_begin_object(&writer);
    json_key(&writer, STR("version"));
    json_integer(&writer, VERSION);
    json_key(&writer, STR("tags"));
    json_begin_object(&writer);
    for (size_t i = 0; i < tags->len; i++) {
        json_key(&writer, sorted[i].key);
        json_string(&writer, sorted[i].value);
    }
    json_end_object(&writer);
    json_end_object(&writer);
}

struct tags tags_change(struct arena *arena, const struct tags *tags, str name, const str *value)
{
    struct pair *items = ARENA_ARRAY(arena, struct pair, tags->len + 1);
    size_t len = 0;

    for (size_t i = 0; i < tags->len; i++)
        if (!str_equal(tags->items[i].key, name))
            items[len++] = tags->items[i];
    if (value)
        items[len++] = (struct pair){ name, *value };
    struct pairs sorted = pairs_sorted(arena, (struct pairs){ items, len });
    return (struct tags){ sorted.items, sorted.len };
}
