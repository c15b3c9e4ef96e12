/* backend_file_list.c — a line about every stack, from a skim of its file. */
#include "backend/backend_file.h"

#include "base/fs.h"
#include "base/json.h"

/* Looks only at what the listing shows; resources are counted, not read. */

static fallible skim_manifest(struct json_reader *reader, void *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("time", struct stack_summary, last_update, json_field_string), { 0 }
    };

    return json_read_fields(reader, fields, out);
}

static fallible count_resources(struct json_reader *reader, void *out_)
{
    struct stack_summary *out = out_;
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_skip(reader, NULL));
        out->resource_count++;
    }
}

static fallible skim_deployment(struct json_reader *reader, void *out_)
{
    static const struct json_field fields[] = { { "manifest", skim_manifest, 0 },
                                                { "resources", count_resources, 0 },
                                                { 0 } };
    struct stack_summary *out = out_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    out->has_deployment = kind == JSON_OBJECT_BEGIN;
    return json_read_fields(reader, fields, out);
}

/* {"checkpoint": {"latest": …}}; the oldest files have "latest" at the top. */
static fallible skim_checkpoint(struct json_reader *reader, void *out)
{
    static const struct json_field fields[] = { { "checkpoint", skim_checkpoint, 0 },
                                                { "latest", skim_deployment, 0 },
                                                { 0 } };

    return json_read_fields(reader, fields, out);
}

static fallible skim_file(struct file_backend *file, struct arena *scratch,
                          struct stack_summary *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct stack_file current;
    str text;

    TRY(stack_file_find(file, scratch, out->stack, &current));
    TRY(file_read_text(scratch, current.path, &text));
    json_reader_init(&reader, scratch, text);
    return skim_checkpoint(&reader, out);
}

/* A journal on top may have more or fewer resources. */
static fallible load(struct file_backend *file, struct arena *scratch, struct stack_summary *out)
{
    struct snapshot snapshot;

    TRY(file_load(&file->backend, out->stack, scratch, &snapshot, &out->has_deployment));
    out->last_update = snapshot.time;
    out->resource_count = snapshot.resource_count;
    return NULL;
}

static void summarize(struct file_backend *file, struct arena *arena, struct stack_summary *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stack_summary summary = *out;
    bool has_journal = fs_exists(file_stack_path(file, &scratch, out->stack, ".journal"));

    struct error *failure =
        has_journal ? load(file, &scratch, &summary) : skim_file(file, &scratch, &summary);
    if (failure) {
        error_ignore(failure,
                     "one bad stack must not hide the others; using it tells what is wrong");
        return;
    }
    summary.last_update = arena_copy(arena, summary.last_update);
    *out = summary;
}

struct error *file_list(struct backend *backend, struct arena *arena, str project,
                        struct stack_summaries *out)
{
    struct file_backend *file = (struct file_backend *)backend;
    struct stack_summaries stacks;

    TRY(file_find_stacks(file, arena, project, &stacks));
    for (size_t i = 0; i < stacks.len; i++)
        summarize(file, arena, &stacks.items[i]);
    *out = stacks;
    return NULL;
}
