/* fuzz_tar.h — tar files whose headers have the right sum: a byte that is changed changes what a
 * header says, and not only whether it is one. */
#pragma once

#include "fuzz/fuzz_support.h"

enum { TAR_BLOCK = 512, TAR_SIZE_AT = 124, TAR_SIZE_LEN = 12, TAR_SUM_AT = 148, TAR_SUM_LEN = 8 };

static inline void fuzz_seal_header(char *header)
{
    char digits[TAR_SUM_LEN];
    unsigned sum = 0;
    bool is_empty = true;

    for (size_t i = 0; i < TAR_BLOCK; i++) {
        bool is_sum = i >= TAR_SUM_AT && i < TAR_SUM_AT + TAR_SUM_LEN;
        is_empty = is_empty && !header[i];
        sum += is_sum ? ' ' : (unsigned char)header[i];
    }
    if (is_empty)
        return; /* the end of the file */
    snprintf(digits, sizeof(digits), "%06o", sum);
    memcpy(header + TAR_SUM_AT, digits, TAR_SUM_LEN - 1);
    header[TAR_SUM_AT + TAR_SUM_LEN - 1] = ' ';
}

/* How many bytes follow it, in whole blocks. */
static inline size_t fuzz_member_len(const char *header, size_t most)
{
    size_t len = 0;

    for (size_t i = 0; i < TAR_SIZE_LEN && len < most; i++) {
        char c = header[TAR_SIZE_AT + i];
        if (c >= '0' && c <= '7')
            len = len * 8 + (size_t)(c - '0');
    }
    return len < most ? (len + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK : most;
}

static inline str fuzz_sealed_tar(struct arena *arena, str bytes)
{
    char *copy = arena_copy_bytes(arena, bytes.ptr, bytes.len);

    for (size_t at = 0; at + TAR_BLOCK <= bytes.len;) {
        fuzz_seal_header(copy + at);
        at += TAR_BLOCK + fuzz_member_len(copy + at, bytes.len);
    }
    return (str){ copy, bytes.len };
}
