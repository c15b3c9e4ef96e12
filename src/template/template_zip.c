/* template_zip.c — templates in a zip file, read into memory. */
#include "template/template_pack.h"

#include "archive/archive_read.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum { ZIP_FILES_MAX = 100000 };
static const uint64_t zip_bytes_max = 512 << 20;

struct zip_files {
    struct arena *arena;
    VEC(struct template_file);
    struct strbuf content; /* of the file under way */
    uint64_t total;
};

static fallible zip_begin(void *zip_, str name, uint64_t size)
{
    struct zip_files *zip = zip_;
    const struct template_file file = { .path = arena_copy(zip->arena, name), .mode = 0644 };

    zip->total += size;
    if (zip->len == ZIP_FILES_MAX || size > zip_bytes_max || zip->total > zip_bytes_max)
        return error_new(ERROR_INVALID, "the archive is too large for a template");
    strbuf_clear(&zip->content);
    vec_add(zip, file);
    return NULL;
}

static fallible zip_add(void *zip_, str bytes)
{
    struct zip_files *zip = zip_;

    strbuf_add(&zip->content, bytes);
    return NULL;
}

/* A script can be run: the archive's own word on that is not passed on to us. */
static fallible zip_end(void *zip_)
{
    struct zip_files *zip = zip_;
    struct template_file *file = &zip->items[zip->len - 1];

    file->content = arena_copy(zip->arena, strbuf_str(&zip->content));
    if (str_starts_with(file->content, STR("#!")))
        file->mode = 0755;
    return NULL;
}

/* The archives of GitHub and others have one folder, in which everything is. */
static struct template_files enter_only_folder(struct arena *arena, struct template_files files)
{
    str first, rest;

    if (files.len == 0 || !str_cut(files.items[0].path, STR("/"), &first, &rest))
        return files;
    str prefix = arena_concat(arena, first, STR("/"));
    for (size_t i = 0; i < files.len; i++)
        if (!str_starts_with(files.items[i].path, prefix))
            return files;
    for (size_t i = 0; i < files.len; i++)
        files.items[i].path = str_slice(files.items[i].path, prefix.len, files.items[i].path.len);
    return files;
}

fallible template_read_zip(struct arena *arena, enum template_kind kind, str path, str name,
                           struct templates *out, bool *is_collection)
{
    struct zip_files zip = { .arena = arena };
    const struct archive_visitor visitor = { &zip, zip_begin, zip_add, zip_end };
    struct error *failure = archive_read(path, ARCHIVE_ZIP, &visitor);

    strbuf_release(&zip.content);
    struct template_files files = {
        arena_copy_bytes(arena, zip.items, zip.len * sizeof(*zip.items)), zip.len
    };
    vec_release(&zip);
    TRY(failure);
    template_from_files(arena, kind, name, enter_only_folder(arena, files), out, is_collection);
    return NULL;
}
