/* diy_checkpoint.c — checkpoints to bytes and back. */
#include "backend/diy_checkpoint.h"

#include "backend/file_io.h"
#include "model/checkpoint.h"

/* --- writing --- */

struct diy_encoding {
    struct encoder *encoder;
    struct strbuf *out;
};

static fallible diy_take(void *out, str bytes)
{
    strbuf_add(out, bytes);
    return NULL;
}

static fallible diy_compress(void *encoding_, str chunk)
{
    struct diy_encoding *encoding = encoding_;
    return encoder_add(encoding->encoder, chunk, false, diy_take, encoding->out);
}

fallible diy_encode(struct strbuf *out, str text, enum compression compression)
{
    struct encoder *encoder = encoder_open(compression);
    struct error *failure = encoder_add(encoder, text, true, diy_take, out);

    encoder_close(encoder);
    return failure;
}

fallible diy_checkpoint_encode(struct strbuf *out, struct stack_ref stack,
                               const struct snapshot *snapshot, enum compression compression)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf buffer = { 0 };
    struct diy_encoding encoding = { encoder_open(compression), out };
    struct json_writer writer = { .out = &buffer,
                                  .flush = diy_compress,
                                  .flush_context = &encoding };

    checkpoint_write(&writer, stack_ref_qualified(&scratch, stack), snapshot);
    struct error *failure = json_writer_finish(&writer);
    if (!failure)
        failure = encoder_add(encoding.encoder, STR(""), true, diy_take, out);
    encoder_close(encoding.encoder);
    return failure;
}

/* --- reading --- */

static bool is_json(str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_token token;

    json_reader_init(&reader, &scratch, text);
    struct error *failure = json_skip(&reader, NULL);
    if (!failure)
        failure = json_next(&reader, &token);
    bool result = !failure;
    error_free(failure);
    return result;
}

fallible diy_checkpoint_explain(struct error *owned, const struct diy_checkpoint *checkpoint,
                                bool is_whole)
{
    if (!owned || is_whole)
        return error_wrap(owned, "stack file '" STR_FMT "'", STR_ARG(checkpoint->place));
    if (checkpoint->backup.len == 0)
        return error_wrap(owned, "stack file '" STR_FMT "' is damaged; nothing was changed",
                          STR_ARG(checkpoint->place));
    return error_wrap(owned,
                      "stack file '" STR_FMT
                      "' is damaged; nothing was changed. The version before its "
                      "last write is '" STR_FMT "': "
                      "to go back to it, copy it over the stack file",
                      STR_ARG(checkpoint->place), STR_ARG(checkpoint->backup));
}

fallible diy_checkpoint_decode(struct arena *arena, const struct diy_checkpoint *checkpoint,
                               struct snapshot *out, bool *has_deployment)
{
    str text;

    *out = (struct snapshot){ .metadata = STR("{}") };
    *has_deployment = false;
    if (!checkpoint->has_file)
        return NULL;
    TRY(diy_checkpoint_explain(compression_decode(arena, checkpoint->bytes, FILE_LIMIT, &text),
                               checkpoint, false));
    struct error *failure = checkpoint_read(arena, text, out, has_deployment);
    if (failure)
        return diy_checkpoint_explain(failure, checkpoint, is_json(text));
    if (!*has_deployment)
        *out = (struct snapshot){ .metadata = STR("{}") };
    return NULL;
}
