/* store_s3_list.c — many objects of a bucket at a time: which there are, and their removal. */
#include "backend/store_s3.h"

#include "base/base64.h"
#include "base/hash.h"
#include "fiber/parallel.h"

/* --- listing --- */

static fallible s3_list_page(struct s3_store *s3, struct arena *arena, str prefix, bool is_flat,
                             str token, struct store_page *out)
{
    struct pair query[5] = {
        { STR("list-type"), STR("2") },
        { STR("max-keys"), STR("1000") },
        { STR("prefix"), prefix },
    };
    size_t count = 3;
    struct http_response response;

    if (is_flat)
        query[count++] = (struct pair){ STR("delimiter"), STR("/") };
    if (token.len > 0)
        query[count++] = (struct pair){ STR("continuation-token"), token };
    struct s3_call call = { .method = "GET", .query = { query, count } };
    TRY(s3_explain(s3, s3_send(s3, arena, &call, &response)));
    if (!http_response_is_good(&response))
        return s3_failed(s3, arena, &call, &response);
    return error_wrap(s3_page_parse(arena, response.body, out),
                      STR_FMT ": check the URL: is this a server that speaks S3?",
                      STR_ARG(s3->store.shown));
}

static fallible s3_list_pages(struct s3_store *s3, struct arena *arena, str prefix, bool is_flat,
                              struct store_entries *found)
{
    str whole = s3_key(s3, arena, prefix);
    struct store_pages pages = { 0 };

    do {
        struct store_page page;
        TRY(s3_list_page(s3, arena, whole, is_flat, pages.token, &page));
        store_entries_add(found, &page.objects, whole, s3->options.prefix);
        TRY(store_pages_turn(&pages, &s3->store, &page));
    } while (pages.token.len > 0);
    return NULL;
}

fallible s3_list(struct object_store *store, struct arena *arena, str prefix, bool is_flat,
                 struct object_list *out)
{
    struct store_entries found = { 0 };
    struct error *failure = s3_list_pages((struct s3_store *)store, arena, prefix, is_flat, &found);

    store_entries_finish(&found, arena, out);
    return failure;
}

/* --- removal --- */

/* What one request takes. */
enum { S3_REMOVE_MAX = 1000 };

static void s3_add_escaped(struct strbuf *out, str text)
{
    for (size_t i = 0; i < text.len; i++) {
        switch (text.ptr[i]) {
        case '&': strbuf_add(out, STR("&amp;")); break;
        case '<': strbuf_add(out, STR("&lt;")); break;
        case '>': strbuf_add(out, STR("&gt;")); break;
        default: strbuf_add_char(out, text.ptr[i]);
        }
    }
}

static str s3_md5_base64(struct arena *arena, str bytes)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    unsigned char digest[MD5_SIZE];

    hash_md5(bytes, digest);
    base64_encode(&text, (str){ (const char *)digest, MD5_SIZE });
    return arena_copy(arena, strbuf_str(&text));
}

/* *is_done is false if the server does not know this request, or did not remove all. */
static fallible s3_remove_together(struct s3_store *s3, struct strs keys, bool *is_done)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    const struct pair query = { STR("delete"), STR("") };
    struct s3_call call = { .method = "POST", .query = { &query, 1 }, .is_repeatable = true };
    struct http_response response;

    strbuf_add(&body, STR("<Delete><Quiet>true</Quiet>"));
    for (size_t i = 0; i < keys.len; i++) {
        strbuf_add(&body, STR("<Object><Key>"));
        s3_add_escaped(&body, s3_key(s3, &scratch, keys.items[i]));
        strbuf_add(&body, STR("</Key></Object>"));
    }
    strbuf_add(&body, STR("</Delete>"));
    call.body = strbuf_str(&body);
    s3_add_header(&call, STR("content-type"), STR("application/xml"));
    s3_add_header(&call, STR("content-md5"), s3_md5_base64(&scratch, call.body));
    TRY(s3_explain(s3, s3_send(s3, &scratch, &call, &response)));
    *is_done =
        http_response_is_good(&response) && str_find(response.body, STR("<Error>")) == SIZE_MAX;
    return NULL;
}

struct s3_removal {
    struct s3_store *s3;
    struct strs keys;
};

static struct error *s3_remove_one(void *removal_, size_t index)
{
    struct s3_removal *removal = removal_;

    return s3_remove(&removal->s3->store, removal->keys.items[index]);
}

fallible s3_remove_all(struct object_store *store, struct strs keys)
{
    struct s3_store *s3 = (struct s3_store *)store;

    for (size_t start = 0; start < keys.len; start += S3_REMOVE_MAX) {
        size_t left = keys.len - start;
        struct s3_removal part = {
            s3, { keys.items + start, left < S3_REMOVE_MAX ? left : S3_REMOVE_MAX }
        };
        bool is_done;
        TRY(s3_remove_together(s3, part.keys, &is_done));
        if (!is_done) /* one by one, which also tells what is wrong */
            TRY(parallel_each(part.keys.len, OBJECT_STORE_PARALLEL, s3_remove_one, &part));
    }
    return NULL;
}
