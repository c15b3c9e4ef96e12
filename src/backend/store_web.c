/* store_web.c — attempts, listings and lost answers of stores over HTTP. */
#include "backend/store_web.h"

#include "cloud/xml.h"

enum {
    ATTEMPTS = 7,
    FIRST_WAIT_MS = 25,
    LONGEST_WAIT_MS = 5000,
    SNIFFED = 512,
    PAGES_MAX = 10 * 1000, /* of a thousand objects, most often */
};

/* A write of the same bytes is the same twice as once: also what is sent as POST. */
struct http_retry store_web_retry(bool (*may_pass)(int status))
{
    return (struct http_retry){ .attempts = ATTEMPTS,
                                .first_wait_ms = FIRST_WAIT_MS,
                                .longest_wait_ms = LONGEST_WAIT_MS,
                                .may_pass = may_pass,
                                .repeats_unsafe = true };
}

fallible store_pages_turn(struct store_pages *pages, const struct object_store *store,
                          const struct store_page *page)
{
    if (page->next.len > 0 && str_equal(page->next, pages->token))
        return error_new(ERROR_INVALID,
                         STR_FMT ": the server gives the same page of a listing again and again",
                         STR_ARG(store->shown));
    if (++pages->count == PAGES_MAX)
        return error_new(ERROR_INVALID, STR_FMT ": a listing has more than %d pages",
                         STR_ARG(store->shown), PAGES_MAX);
    pages->token = page->next;
    return NULL;
}

void store_entries_add(struct store_entries *entries, const struct object_list *page, str prefix,
                       str store_prefix)
{
    for (size_t i = 0; i < page->len; i++) {
        struct object_entry entry = page->items[i];
        if (!str_starts_with(entry.key, prefix))
            continue;
        entry.key = str_slice(entry.key, store_prefix.len, entry.key.len);
        vec_add(entries, entry);
    }
}

void store_entries_add_one(struct store_entries *entries, struct object_entry entry, str size)
{
    if (!str_to_u64(size, &entry.size))
        entry.size = 0;
    if (entry.key.len > 0)
        vec_add(entries, entry);
}

struct object_list store_entries_keep(struct store_entries *entries, struct arena *arena)
{
    struct object_list list = {
        arena_copy_bytes(arena, entries->items, entries->len * sizeof(*entries->items)),
        entries->len,
    };

    vec_release(entries);
    return list;
}

bool store_xml_read(struct arena *arena, str text, const struct store_xml *names,
                    struct object_list *out, str *document)
{
    struct store_entries found = { 0 };
    str rest = text, object;

    *out = (struct object_list){ 0 };
    if (!xml_next(&rest, names->document, document))
        return false;
    rest = *document;
    while (xml_next(&rest, names->object, &object)) {
        struct object_entry entry = { .key = xml_text(arena, object, names->key),
                                      .version = xml_text(arena, object, names->version) };
        if (!names->parse_time(xml_text(arena, object, names->modified), &entry.modified))
            entry.modified = 0;
        store_entries_add_one(&found, entry, xml_text(arena, object, names->size));
    }
    *out = store_entries_keep(&found, arena);
    return true;
}

static int store_entry_compare(const void *a, const void *b)
{
    return str_compare(((const struct object_entry *)a)->key,
                       ((const struct object_entry *)b)->key);
}

void store_entries_finish(struct store_entries *entries, struct arena *arena,
                          struct object_list *out)
{
    if (entries->len > 0)
        qsort(entries->items, entries->len, sizeof(*entries->items), store_entry_compare);
    *out = store_entries_keep(entries, arena);
}

fallible store_web_was_ours(struct object_store *store, struct arena *arena, str key, str bytes,
                            struct object_put_result *out)
{
    struct object found;

    TRY(store->ops->get(store, arena, key, &found));
    out->is_met = found.exists && str_equal(found.bytes, bytes);
    out->version = found.version;
    return NULL;
}

str store_web_content_type(str bytes)
{
    if (str_starts_with(bytes, STR("\x1f\x8b\x08")))
        return STR("application/x-gzip");
    for (size_t i = 0; i < bytes.len && i < SNIFFED; i++) {
        unsigned char c = (unsigned char)bytes.ptr[i];
        if (c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b)
            return STR("application/octet-stream");
    }
    return STR("text/plain; charset=utf-8");
}
