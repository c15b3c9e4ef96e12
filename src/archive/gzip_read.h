/* gzip_read.h — the bytes of a file that may be compressed with gzip, and whether it came to its
 * proper end: zlib's own file functions do not always notice that the last bytes are missing.
 * Private to this folder. Blocks the thread. */
#pragma once

#include "base/error.h"

#include <zlib.h>

struct gzip_reader {
    int owned_fd;
    bool is_compressed; /* by its first two bytes */
    bool is_at_end;
    bool is_cut_off; /* known once it is at its end: the file stops in the middle of what is
                        compressed */
    z_stream stream;
    unsigned char *input;
};

/* Takes over the descriptor, on failure too. */
fallible gzip_open(struct gzip_reader *reader, int owned_fd);
void gzip_close(struct gzip_reader *reader);

/* As many bytes as there are, up to `size`. ERROR_INVALID if they cannot be decompressed. */
fallible gzip_read(struct gzip_reader *reader, char *into, size_t size, size_t *got);
