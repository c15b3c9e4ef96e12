/* store_s3_page.c — the answer to a listing. */
#include "backend/store_s3.h"

#include "base/clock.h"
#include "cloud/xml.h"

fallible s3_page_parse(struct arena *arena, str text, struct store_page *out)
{
    static const struct store_xml names = {
        "ListBucketResult", "Contents", "Key", "ETag", "LastModified", "Size", clock_parse,
    };
    str document;

    *out = (struct store_page){ .next = STR("") };
    if (!store_xml_read(arena, text, &names, &out->objects, &document))
        return error_new(ERROR_INVALID, "the answer is no listing of S3");
    if (!str_equal(xml_text(arena, document, "IsTruncated"), STR("true")))
        return NULL;
    out->next = xml_text(arena, document, "NextContinuationToken");
    if (out->next.len > 0)
        return NULL;
    return error_new(ERROR_INVALID, "the answer is a part of a listing and says not how to ask for "
                                    "the rest (ListObjectsV2 is needed)");
}
