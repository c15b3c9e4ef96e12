/* file_io.h — what a backend does with files beyond base/fs.h. All of it blocks the thread.
 * Paths come from an arena: a NUL byte is behind their end. */
#pragma once

#include "backend/compression.h"
#include "base/error.h"
#include "base/fd.h"

#include <sys/stat.h>

struct strs;

/* What a file may hold, also when decompressed; a larger state is an error in the making. */
#define FILE_LIMIT ((size_t)4 << 30)

/* Tells whether a path still names the bytes that were read. */
struct file_identity {
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec modified;
};
bool file_identity_equal(const struct file_identity *a, const struct file_identity *b);
/* Absent: *exists is false and nothing else is written. */
fallible file_identify(str path, bool *exists, struct file_identity *out);

/* The whole file, as it is. ERROR_NOT_FOUND if there is none. `identity` may be NULL. */
fallible file_read(struct arena *arena, str path, struct file_identity *identity, str *out);
/* The same decompressed. */
fallible file_read_text(struct arena *arena, str path, str *out);
/* Replaces the file, compressed, so that a crash leaves either the old content or the new. */
fallible file_write_text(str path, str text, enum compression compression, mode_t mode);

/* A second name for the same bytes, replacing what the name meant before; a copy where the file
 * system has no links. Durable with the next sync of the directory. */
fallible file_link(str path, str name, mode_t mode_of_copy);
/* A copy of its own, durable. Shares the blocks where the file system can. */
fallible file_copy(str path, str copy, mode_t mode);
/* Removes the description that the reference keeps beside each of its files, because it would be
 * wrong now. */
fallible file_remove_attributes(str path);

/* What the user can do about a file that cannot be written: "free some space there and run the
 * command again". */
const char *file_advice(const struct error *failure);
bool file_is_full(const struct error *failure);

/* Sorted names of what is in the directory; nothing if there is no directory. */
fallible folder_list(struct arena *arena, str path, struct strs *out);
