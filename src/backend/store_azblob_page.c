/* store_azblob_page.c — the answer to a listing. */
#include "backend/store_azblob.h"

#include "base/clock.h"
#include "cloud/xml.h"

/* A listing leaves out the quotes that belong to an ETag. */
static str azblob_etag(struct arena *arena, str text)
{
    if (text.len == 0 || str_starts_with(text, STR("\"")))
        return text;
    return arena_concat(arena, STR("\""), text, STR("\""));
}

fallible azblob_page_parse(struct arena *arena, str text, struct store_page *out)
{
    static const struct store_xml names = {
        "EnumerationResults", "Blob",           "Name",           "Etag",
        "Last-Modified",      "Content-Length", clock_parse_http,
    };
    str document;

    *out = (struct store_page){ .next = STR("") };
    if (!store_xml_read(arena, text, &names, &out->objects, &document))
        return error_new(ERROR_INVALID, "the answer is no listing of Azure's blob storage");
    for (size_t i = 0; i < out->objects.len; i++)
        out->objects.items[i].version = azblob_etag(arena, out->objects.items[i].version);
    out->next = xml_text(arena, document, "NextMarker");
    return NULL;
}
