/* store_s3_page.c — the answer to a listing. */
#include "backend/store_s3.h"

#include "base/clock.h"
#include "base/vec.h"
#include "cloud/xml.h"

fallible s3_page_parse(struct arena *arena, str text, struct s3_page *out)
{
    struct {
        VEC(struct object_entry);
    } found = { 0 };
    str rest = text, document, content;

    *out = (struct s3_page){ .next = STR("") };
    if (!xml_next(&rest, "ListBucketResult", &document))
        return error_new(ERROR_INVALID, "the answer is no listing of S3");
    rest = document;
    while (xml_next(&rest, "Contents", &content)) {
        struct object_entry entry = { .key = xml_text(arena, content, "Key"),
                                      .version = xml_text(arena, content, "ETag") };
        if (!clock_parse(xml_text(arena, content, "LastModified"), &entry.modified))
            entry.modified = 0;
        if (!str_to_u64(xml_text(arena, content, "Size"), &entry.size))
            entry.size = 0;
        if (entry.key.len > 0)
            vec_add(&found, entry);
    }
    out->objects.items = arena_copy_bytes(arena, found.items, found.len * sizeof(*found.items));
    out->objects.len = found.len;
    vec_release(&found);
    if (str_equal(xml_text(arena, document, "IsTruncated"), STR("true")))
        out->next = xml_text(arena, document, "NextContinuationToken");
    return NULL;
}
