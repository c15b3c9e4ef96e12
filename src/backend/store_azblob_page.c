/* store_azblob_page.c — the answer to a listing. */
#include "backend/store_azblob.h"

#include "base/clock.h"
#include "base/vec.h"
#include "cloud/xml.h"

/* A listing leaves out the quotes that belong to an ETag. */
static str azblob_etag(struct arena *arena, str text)
{
    if (text.len == 0 || str_starts_with(text, STR("\"")))
        return text;
    return arena_concat(arena, STR("\""), text, STR("\""));
}

fallible azblob_page_parse(struct arena *arena, str text, struct azblob_page *out)
{
    struct {
        VEC(struct object_entry);
    } found = { 0 };
    str rest = text, document, blob;

    *out = (struct azblob_page){ .next = STR("") };
    if (!xml_next(&rest, "EnumerationResults", &document))
        return error_new(ERROR_INVALID, "the answer is no listing of Azure's blob storage");
    rest = document;
    while (xml_next(&rest, "Blob", &blob)) {
        struct object_entry entry = {
            .key = xml_text(arena, blob, "Name"),
            .version = azblob_etag(arena, xml_text(arena, blob, "Etag")),
        };
        if (!clock_parse_http(xml_text(arena, blob, "Last-Modified"), &entry.modified))
            entry.modified = 0;
        if (!str_to_u64(xml_text(arena, blob, "Content-Length"), &entry.size))
            entry.size = 0;
        if (entry.key.len > 0)
            vec_add(&found, entry);
    }
    out->objects.items = arena_copy_bytes(arena, found.items, found.len * sizeof(*found.items));
    out->objects.len = found.len;
    vec_release(&found);
    out->next = xml_text(arena, document, "NextMarker");
    return NULL;
}
