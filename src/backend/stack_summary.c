/* stack_summary.c — what a listing says of a stack. */
#include "backend/stack_summary.h"

#include "backend/backend_ops.h"
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

    out->resource_count = 0; /* of two lists the last counts, as where they are read */
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
    out->resource_count = 0;
    out->last_update = STR("");
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

fallible stack_summary_skim(struct arena *arena, str text, struct stack_summary *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    json_reader_init(&reader, arena, text);
    return skim_checkpoint(&reader, out);
}

fallible stack_summary_load(struct backend *backend, struct arena *arena, struct stack_summary *out)
{
    struct snapshot snapshot;

    TRY(backend->ops->load(backend, out->stack, arena, &snapshot, &out->has_deployment));
    out->last_update = snapshot.time;
    out->resource_count = snapshot.resource_count;
    return NULL;
}
