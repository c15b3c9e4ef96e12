/* archive_read.h — the members of tar and zip files, one after the other. Reads files, so it blocks
 * the thread. */
#pragma once

#include "base/error.h"

enum archive_format { ARCHIVE_NONE, ARCHIVE_TAR, ARCHIVE_TAR_GZ, ARCHIVE_ZIP };

/* By the end of the name: .tar, .tgz, .tar.gz, .zip, .jar. */
enum archive_format archive_format_of(str path);

/* Gets every file of an archive in order; folders are passed over. */
struct archive_visitor {
    void *context;
    /* `name` is cleaned, and gone after the call. Exactly `size` bytes follow in pieces, then the
     * end. */
    fallible (*begin)(void *context, str name, uint64_t size);
    fallible (*add)(void *context, str bytes);
    fallible (*end)(void *context);
};

/* Failures of the file name it; those of the visitor come through as they are. */
fallible archive_read(str path, enum archive_format format, const struct archive_visitor *visitor);

/* Private to archive_*.c. */
fallible archive_read_tar(str path, bool is_compressed, const struct archive_visitor *visitor);
fallible archive_read_zip(str path, const struct archive_visitor *visitor);
