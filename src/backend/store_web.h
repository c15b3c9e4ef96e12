/* store_web.h — what stores of objects that are reached over HTTP have in common; private to
 * them. */
#pragma once

#include "backend/object_store.h"
#include "base/vec.h"
#include "http/http.h"

/* How often and how long a request is tried; `may_pass` as in http.h. */
struct http_retry store_web_retry(bool (*may_pass)(int status));

/* One page of a listing; keys as the server has them. */
struct store_page {
    struct object_list objects;
    str next; /* what the next page is asked for with; empty: it was the last */
};

/* Where a listing is; the zero value is its beginning. */
struct store_pages {
    str token; /* what the page is asked for with; empty: the first one */
    size_t count;
};
/* Goes on behind this page; the token is empty if it was the last. A server that leads back, or on
 * and on, is refused. */
fallible store_pages_turn(struct store_pages *pages, const struct object_store *store,
                          const struct store_page *page);

/* What a listing in XML calls its parts. */
struct store_xml {
    const char *document, *object; /* the whole, and one entry */
    const char *key, *version, *modified, *size;
    bool (*parse_time)(str text, int64_t *out);
};
/* False if the text is no such listing. *document gets its inside, for what else it says. */
bool store_xml_read(struct arena *arena, str text, const struct store_xml *names,
                    struct object_list *out, str *document);

/* The entries of a listing, page by page. The zero value is empty. */
struct store_entries {
    VEC(struct object_entry);
};
/* Those that begin so; keys lose the prefix of the store. */
void store_entries_add(struct store_entries *entries, const struct object_list *page, str prefix,
                       str store_prefix);
/* One more, with its size as the server writes it; what has no key is left out. */
void store_entries_add_one(struct store_entries *entries, struct object_entry entry, str size);
/* As they are, in the arena; empties it. */
struct object_list store_entries_keep(struct store_entries *entries, struct arena *arena);
/* The same, sorted. */
void store_entries_finish(struct store_entries *entries, struct arena *arena,
                          struct object_list *out);

/* A conditional write was sent twice and met what the first had written: looks whether that is so.
 */
fallible store_web_was_ours(struct object_store *store, struct arena *arena, str key, str bytes,
                            struct object_put_result *out);

/* What the bytes look like: "text/plain; charset=utf-8", "application/x-gzip", … */
str store_web_content_type(str bytes);
