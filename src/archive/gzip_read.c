/* gzip_read.c — decompresses a file piece by piece. */
#include "archive/gzip_read.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { INPUT_SIZE = 64 * 1024, GZIP_WINDOW = 15 + 16 };

/* Fills what is empty of the input. */
static fallible gzip_refill(struct gzip_reader *reader)
{
    z_stream *stream = &reader->stream;
    ssize_t len;

    memmove(reader->input, stream->next_in, stream->avail_in);
    do
        len =
            read(reader->owned_fd, reader->input + stream->avail_in, INPUT_SIZE - stream->avail_in);
    while (len < 0 && errno == EINTR);
    if (len < 0)
        return error_os("read");
    stream->next_in = reader->input;
    stream->avail_in += (unsigned)len;
    return NULL;
}

static bool has_magic(const struct gzip_reader *reader)
{
    const unsigned char *bytes = reader->stream.next_in;
    return reader->stream.avail_in >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static fallible gzip_begin(struct gzip_reader *reader)
{
    reader->stream.next_in = reader->input;
    TRY(gzip_refill(reader));
    reader->is_compressed = has_magic(reader);
    return NULL;
}

fallible gzip_open(struct gzip_reader *reader, int owned_fd)
{
    *reader = (struct gzip_reader){ .owned_fd = owned_fd, .input = memory_zalloc(INPUT_SIZE) };
    BUG_IF(inflateInit2(&reader->stream, GZIP_WINDOW) != Z_OK);
    struct error *failure = gzip_begin(reader);
    if (failure)
        gzip_close(reader);
    return failure;
}

void gzip_close(struct gzip_reader *reader)
{
    inflateEnd(&reader->stream);
    free(reader->input);
    close(reader->owned_fd);
}

static fallible gzip_read_plain(struct gzip_reader *reader, char *into, size_t size, size_t *got)
{
    z_stream *stream = &reader->stream;

    if (stream->avail_in == 0)
        TRY(gzip_refill(reader));
    size_t len = size < stream->avail_in ? size : stream->avail_in;
    memcpy(into, stream->next_in, len);
    stream->next_in += len;
    stream->avail_in -= (unsigned)len;
    reader->is_at_end = len == 0;
    *got = len;
    return NULL;
}

/* Another member may follow; trailing bytes that are no member are ignored. */
static fallible gzip_end_member(struct gzip_reader *reader)
{
    if (reader->stream.avail_in < 2)
        TRY(gzip_refill(reader));
    reader->is_at_end = !has_magic(reader);
    if (!reader->is_at_end)
        BUG_IF(inflateReset(&reader->stream) != Z_OK);
    return NULL;
}

static fallible read_compressed(struct gzip_reader *reader, char *into, size_t size, size_t *got)
{
    z_stream *stream = &reader->stream;

    if (stream->avail_in == 0)
        TRY(gzip_refill(reader));
    bool has_input = stream->avail_in > 0;
    stream->next_out = (unsigned char *)into;
    stream->avail_out = (unsigned)size;
    int result = inflate(stream, Z_NO_FLUSH);
    *got = size - stream->avail_out;
    if (result == Z_STREAM_END)
        return gzip_end_member(reader);
    if (result != Z_OK && result != Z_BUF_ERROR)
        return error_new(ERROR_INVALID, "%s",
                         stream->msg ? stream->msg : "it cannot be decompressed");
    reader->is_at_end = reader->is_cut_off = !has_input && *got == 0;
    return NULL;
}

fallible gzip_read(struct gzip_reader *reader, char *into, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size && !reader->is_at_end) {
        size_t part;
        if (reader->is_compressed)
            TRY(read_compressed(reader, into + *got, size - *got, &part));
        else
            TRY(gzip_read_plain(reader, into + *got, size - *got, &part));
        *got += part;
    }
    return NULL;
}
