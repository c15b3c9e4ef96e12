/* backend_file_tags.c — the tags of a stack: {"version":1,"tags":{…}} in a file beside it. */
#include "backend/backend_file.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <stdlib.h>

enum { VERSION = 1 };

struct tag_file {
    double version;
    struct text_pairs tags;
};

fallible text_pairs_read(struct json_reader *reader, void *pairs_)
{
    struct text_pairs *pairs = pairs_;
    struct text_pair pair;
    bool more;

    TRY(json_object_begin(reader));
    while (true) {
        TRY(json_object_next(reader, &pair.key, &more));
        if (!more)
            return NULL;
        TRY(json_read_string(reader, &pair.value));
        vec_add(pairs, pair);
    }
}

static int compare_pairs(const void *a, const void *b)
{
    return str_compare(((const struct text_pair *)a)->key, ((const struct text_pair *)b)->key);
}

static fallible parse(struct arena *arena, str text, struct tags *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("version", struct tag_file, version, json_field_number),
        JSON_FIELD("tags", struct tag_file, tags, text_pairs_read),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct tag_file file = { 0 };
    struct text_pairs *list = &file.tags;
    enum json_kind end; /* what follows is refused by looking at it */

    json_reader_init(&reader, arena, text);
    struct error *failure = json_read_fields(&reader, fields, &file);
    if (!failure)
        failure = json_peek(&reader, &end);
    if (!failure && file.version != VERSION)
        failure = error_new(ERROR_INVALID, "unsupported stack tags version: %g (expected %d)",
                            file.version, VERSION);
    if (list->len > 0)
        qsort(list->items, list->len, sizeof(*list->items), compare_pairs);
    if (!failure)
        *out = (struct tags){
            arena_copy_bytes(arena, list->items, list->len * sizeof(*list->items)),
            list->len,
        };
    vec_release(list);
    return failure;
}

struct error *file_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                        struct tags *out)
{
    str path = file_stack_path((struct file_backend *)backend, arena, stack, ".pulumi-tags");
    str text;

    struct error *failure = file_read_text(arena, path, &text);
    if (!failure)
        return error_wrap(parse(arena, text, out), "stack tags in '%s'", path.ptr);
    if (error_kind(failure) != ERROR_NOT_FOUND)
        return failure;
    error_ignore(failure, "no file, no tags");
    *out = (struct tags){ 0 };
    return NULL;
}

static void format(struct strbuf *out, const struct tags *tags)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct json_writer writer = { .out = out };
    struct text_pair *sorted = arena_copy_bytes(&scratch, tags->items, tags->len * sizeof(*sorted));

    qsort(sorted, tags->len, sizeof(*sorted), compare_pairs);
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

struct error *file_set_tags(struct backend *backend, struct stack_ref stack,
                            const struct tags *tags)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    str path = file_stack_path(file, &scratch, stack, ".pulumi-tags");
    bool exists;

    TRY(file_exists(backend, stack, &exists));
    if (!exists)
        return stack_not_found(stack);
    TRY(file_remove_attributes(path));
    if (tags->len == 0)
        return fs_remove_if_present(path);
    format(&text, tags);
    return fs_replace(path, strbuf_str(&text), file->file_mode);
}
