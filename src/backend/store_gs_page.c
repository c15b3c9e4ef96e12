/* store_gs_page.c — the answer to a listing: {"items":[{"name","generation","size","updated"}],
 * "nextPageToken"}. */
#include "backend/store_gs.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/vec.h"

struct gs_item {
    str name, generation, size, updated;
};

struct gs_items {
    VEC(struct object_entry);
};

static fallible gs_item_read(struct json_reader *reader, struct gs_items *found)
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
    if (!str_to_u64(item.size, &entry.size))
        entry.size = 0;
    if (entry.key.len > 0)
        vec_add(found, entry);
    return NULL;
}

static fallible gs_items_read(struct json_reader *reader, struct gs_items *found)
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

static fallible gs_page_read(struct json_reader *reader, struct gs_page *out,
                             struct gs_items *found)
{
    bool more;
    str key;

    TRY(json_object_begin(reader));
    for (;;) {
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            return NULL;
        if (str_equal(key, STR("items")))
            TRY(gs_items_read(reader, found));
        else if (str_equal(key, STR("nextPageToken")))
            TRY(json_read_string(reader, &out->next));
        else
            TRY(json_skip(reader, NULL));
    }
}

fallible gs_page_parse(struct arena *arena, str text, struct gs_page *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct gs_items found = { 0 };

    *out = (struct gs_page){ .next = STR("") };
    json_reader_init(&reader, arena, text);
    struct error *failure = gs_page_read(&reader, out, &found);
    out->objects.items = arena_copy_bytes(arena, found.items, found.len * sizeof(*found.items));
    out->objects.len = found.len;
    vec_release(&found);
    return error_wrap(failure, "the answer is no listing of Google Cloud Storage");
}
