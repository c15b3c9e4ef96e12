/* compression.c — gzip and zstd around the files of a backend. */
#include "backend/compression.h"

#include "base/memory.h"
#include "base/strbuf.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

enum { GZIP_WINDOW = 15 + 16, CHUNK = 64 << 10 };

const char *const compression_extensions[COMPRESSIONS] = { "", ".gz", ".zst" };

enum compression compression_detect(str bytes)
{
    if (str_starts_with(bytes, STR("\x1f\x8b\x08")))
        return COMPRESSION_GZIP;
    if (str_starts_with(bytes, STR("\x28\xb5\x2f\xfd")))
        return COMPRESSION_ZSTD;
    return COMPRESSION_NONE;
}

/* --- reading --- */

static fallible check_limit(size_t len, size_t limit)
{
    if (len > limit)
        return error_new(ERROR_INVALID, "more than %zu bytes when decompressed", limit);
    return NULL;
}

/* Several members one after the other are one text, as for gzip itself. */
static fallible inflate_all(z_stream *stream, size_t limit, struct strbuf *text)
{
    while (true) {
        strbuf_reserve(text, CHUNK);
        size_t room = text->capacity - text->len - 1;
        stream->next_out = (Bytef *)text->ptr + text->len;
        stream->avail_out = room > UINT_MAX ? UINT_MAX : (uInt)room;
        uInt before = stream->avail_out;
        int status = inflate(stream, Z_NO_FLUSH);
        text->len += before - stream->avail_out;
        TRY(check_limit(text->len, limit));
        if (status == Z_STREAM_END && stream->avail_in == 0)
            return NULL;
        if (status == Z_STREAM_END)
            status = inflateReset(stream);
        if (status != Z_OK)
            return error_new(ERROR_INVALID, "damaged gzip data: %s",
                             stream->msg ? stream->msg : "it ends too early");
    }
}

static fallible decode_gzip(str bytes, size_t limit, struct strbuf *text)
{
    z_stream stream = { .next_in = (Bytef *)(uintptr_t)bytes.ptr, .avail_in = (uInt)bytes.len };

    if (bytes.len > UINT_MAX)
        return check_limit(SIZE_MAX, limit);
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
        memory_exhausted(0);
    struct error *failure = inflate_all(&stream, limit, text);
    inflateEnd(&stream);
    return failure;
}

static fallible inflate_frames(ZSTD_DCtx *decoder, str bytes, size_t limit, struct strbuf *text)
{
    ZSTD_inBuffer in = { bytes.ptr, bytes.len, 0 };
    size_t status = 1;

    while (in.pos < in.size || status > 0) {
        strbuf_reserve(text, CHUNK);
        ZSTD_outBuffer out = { text->ptr + text->len, text->capacity - text->len - 1, 0 };
        size_t before = in.pos;
        status = ZSTD_decompressStream(decoder, &out, &in);
        if (ZSTD_isError(status))
            return error_new(ERROR_INVALID, "damaged zstd data: %s", ZSTD_getErrorName(status));
        if (out.pos == 0 && in.pos == before)
            return error_new(ERROR_INVALID, "damaged zstd data: it ends too early");
        text->len += out.pos;
        TRY(check_limit(text->len, limit));
    }
    return NULL;
}

static fallible decode_zstd(str bytes, size_t limit, struct strbuf *text)
{
    ZSTD_DCtx *decoder = ZSTD_createDCtx();

    if (!decoder)
        memory_exhausted(0);
    struct error *failure = inflate_frames(decoder, bytes, limit, text);
    ZSTD_freeDCtx(decoder);
    return failure;
}

fallible compression_decode(struct arena *arena, str bytes, size_t limit, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    enum compression kind = compression_detect(bytes);

    if (kind == COMPRESSION_NONE) {
        *out = bytes;
        return NULL;
    }
    TRY(kind == COMPRESSION_GZIP ? decode_gzip(bytes, limit, &text)
                                 : decode_zstd(bytes, limit, &text));
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}

/* --- writing --- */

struct encoder {
    enum compression kind;
    z_stream gzip;
    ZSTD_CCtx *zstd;
    char chunk[CHUNK];
};

struct encoder *encoder_open(enum compression kind)
{
    struct encoder *encoder = memory_zalloc(sizeof(*encoder));
    bool is_ready = true;

    encoder->kind = kind;
    if (kind == COMPRESSION_GZIP)
        is_ready = deflateInit2(&encoder->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8,
                                Z_DEFAULT_STRATEGY)
                   == Z_OK;
    if (kind == COMPRESSION_ZSTD)
        is_ready = (encoder->zstd = ZSTD_createCCtx()) != NULL;
    if (!is_ready)
        memory_exhausted(0);
    return encoder;
}

void encoder_close(struct encoder *owned)
{
    if (!owned)
        return;
    if (owned->kind == COMPRESSION_GZIP)
        deflateEnd(&owned->gzip);
    ZSTD_freeCCtx(owned->zstd);
    free(owned);
}

static fallible add_gzip(struct encoder *encoder, str chunk, bool is_last, compression_sink *sink,
                         void *context)
{
    z_stream *stream = &encoder->gzip;

    BUG_IF(chunk.len > UINT_MAX);
    stream->next_in = (Bytef *)(uintptr_t)chunk.ptr;
    stream->avail_in = (uInt)chunk.len;
    do {
        stream->next_out = (Bytef *)encoder->chunk;
        stream->avail_out = CHUNK;
        int status = deflate(stream, is_last ? Z_FINISH : Z_NO_FLUSH);
        BUG_IF(status == Z_STREAM_ERROR);
        if (stream->avail_out < CHUNK)
            TRY(sink(context, (str){ encoder->chunk, CHUNK - stream->avail_out }));
    } while (stream->avail_out == 0);
    return NULL;
}

static fallible add_zstd(struct encoder *encoder, str chunk, bool is_last, compression_sink *sink,
                         void *context)
{
    ZSTD_inBuffer in = { chunk.ptr, chunk.len, 0 };
    size_t left;

    do {
        ZSTD_outBuffer out = { encoder->chunk, CHUNK, 0 };
        left =
            ZSTD_compressStream2(encoder->zstd, &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
        BUG_IF(ZSTD_isError(left));
        if (out.pos > 0)
            TRY(sink(context, (str){ encoder->chunk, out.pos }));
    } while (in.pos < in.size || (is_last && left > 0));
    return NULL;
}

fallible encoder_add(struct encoder *encoder, str chunk, bool is_last, compression_sink *sink,
                     void *context)
{
    switch (encoder->kind) {
    case COMPRESSION_GZIP: return add_gzip(encoder, chunk, is_last, sink, context);
    case COMPRESSION_ZSTD: return add_zstd(encoder, chunk, is_last, sink, context);
    case COMPRESSION_NONE:
    case COMPRESSIONS: break;
    }
    return chunk.len ? sink(context, chunk) : NULL;
}
