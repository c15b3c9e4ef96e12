/* compression.h — gzip and zstd around the files of a backend: recognised by content, written as a
 * stream. */
#pragma once

#include "base/error.h"

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD, COMPRESSIONS };

/* "", ".gz", ".zst" */
extern const char *const compression_extensions[COMPRESSIONS];

enum compression compression_detect(str bytes);

/* The plain text: the bytes themselves if they are not compressed, else in the arena. At most
 * `limit` bytes. */
fallible compression_decode(struct arena *arena, str bytes, size_t limit, str *out);

/* Where compressed bytes go. */
typedef fallible compression_sink(void *context, str bytes);

struct encoder;
struct encoder *encoder_open(enum compression kind);
void encoder_close(struct encoder *owned); /* NULL is fine */
/* Passes what it can to the sink; `is_last` ends the stream. */
fallible encoder_add(struct encoder *encoder, str chunk, bool is_last, compression_sink *sink,
                     void *context);
