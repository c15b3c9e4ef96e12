/* tar_read.h — everything that a tar file holds, plain or compressed with gzip. Blocks the
 * thread. */
#pragma once

#include "base/error.h"

enum tar_type { TAR_FILE, TAR_FOLDER, TAR_SYMLINK, TAR_OTHER };

struct tar_member {
    enum tar_type type;
    char code; /* as the header has it */
    str name;  /* as written: not cleaned, not checked; gone after the member */
    str link;  /* TAR_SYMLINK: its target */
    unsigned mode;
    uint64_t size; /* of a file */
};

/* Gets every member in order; the bytes of a file in pieces, then its end. */
struct tar_visitor {
    void *context;
    fallible (*begin)(void *context, const struct tar_member *member);
    fallible (*add)(void *context, str bytes); /* files only */
    fallible (*end)(void *context);            /* files only */
};

struct tar_source {
    int owned_fd;
    str name; /* for messages */
    bool is_compressed;
    bool is_whole; /* read it to its very end: nothing may be missing, checksums of gzip must fit */
};

/* What it unpacks to is bounded (archive_limits.h). Failures of the file name it; those of the
 * visitor come through as they are. */
fallible tar_read(const struct tar_source *source, const struct tar_visitor *visitor);
