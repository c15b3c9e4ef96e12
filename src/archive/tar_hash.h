/* tar_hash.h — the SHA-256 of a tar stream that is never stored: how an archive that is no file is
 * hashed. */
#pragma once

#include "base/error.h"
#include "base/hash.h"

/* The zero value is the beginning of the stream. */
struct tar_hash {
    struct sha256 sha;
    uint64_t left;    /* bytes the member still needs */
    unsigned padding; /* zeros behind them */
};

/* Begins a file of this size; all its bytes have to follow before the next one. Fails on a name
 * that no tar can hold. */
fallible tar_hash_begin(struct tar_hash *tar, str name, uint64_t size);
void tar_hash_add(struct tar_hash *tar, str bytes);
void tar_hash_end(struct tar_hash *tar);

/* Ends the stream. Lower-case hexadecimal. */
str tar_hash_finish(struct tar_hash *tar, struct arena *arena);
