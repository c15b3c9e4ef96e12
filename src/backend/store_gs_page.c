/* store_gs_page.c — the answer to a listing: {"items":[{"name","generation","size","updated"}],
 * "nextPageToken"}. */
#include "backend/store_gs.h"

#include "base/clock.h"
#include "base/json.h"

struct gs_item {
    str name, generation, size, updated;
};

static fallible gs_item_read(struct json_reader *reader, struct store_entries *found)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct gs_item, name, json_field_string),
        JSON_FIELD("generation", struct gs_item, generation, json_field_string),
        JSON_FIELD("size", struct gs_item, size, json_field_string),
        JSON_FIELD("updated", struct gs_item, updated, json_field_string),
        { 0 },
    };
    struct gs_item item = { 0 };

    TRY(json_read_fields(reader, fields, &item));
    struct object_entry entry = { .key = item.name, .version = item.generation };
    if (!clock_parse(item.updated, &entry.modified))
        entry.modified = 0;
    store_entries_add_one(found, entry, item.size);
    return NULL;
}

static fallible gs_items_read(struct json_reader *reader, void *found)
{
    bool more;

    TRY(json_array_begin(reader));
    for (;;) {
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(gs_item_read(reader, found));
    }
}

struct gs_listing {
    struct store_entries items;
    str next;
};

fallible gs_page_parse(struct arena *arena, str text, struct store_page *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("items", struct gs_listing, items, gs_items_read),
        JSON_FIELD("nextPageToken", struct gs_listing, next, json_field_string),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct gs_listing found = { .next = STR("") };

    json_reader_init(&reader, arena, text);
    struct error *failure = json_read_fields(&reader, fields, &found);
    out->next = found.next;
    out->objects = store_entries_keep(&found.items, arena);
    return error_wrap(failure, "the answer is no listing of Google Cloud Storage");
}
