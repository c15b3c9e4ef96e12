/* file_writer.h — a file that is written beside its place and moved there when it is whole and
 * durable. */
#pragma once

#include "backend/compression.h"
#include "base/error.h"

#include <sys/types.h>

/* The zero value is closed. open, add any number of times, finish, then commit or commit_new.
 * Blocks the thread. */
struct file_writer {
    int fd; /* meaningful while is_open */
    bool is_open;
    bool is_in_place;
    struct arena arena;
    str path;
    str temporary;
    struct encoder *encoder;
};

/* The file is new and gets `mode` less the umask. */
fallible file_writer_open(struct file_writer *writer, str path, enum compression compression,
                          mode_t mode);
/* Takes the writer as a void pointer, so that it can be the flush of a json_writer. */
fallible file_writer_add(void *writer, str chunk);
/* All bytes are durable in the temporary file. */
fallible file_writer_finish(struct file_writer *writer);
/* Replaces what is there; durable. */
fallible file_writer_commit(struct file_writer *writer);
/* ERROR_EXISTS if there is something already. */
fallible file_writer_commit_new(struct file_writer *writer);
/* Removes the temporary file unless it was committed. */
void file_writer_release(struct file_writer *writer);
