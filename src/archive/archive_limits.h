/* archive_limits.h — how much an archive may unpack to. Its author decides what is inside, so
 * all of it is bounded: bytes, members, and bytes for each byte of the file. */
#pragma once

#include "base/error.h"

enum { ARCHIVE_LONGEST_NAME = 4096 }; /* the system takes no longer ones */

/* What has come out of one archive so far. */
struct archive_meter {
    str name;      /* for messages */
    uint64_t file; /* bytes of the archive itself */
    uint64_t bytes;
    uint64_t members;
    uint64_t most_bytes; /* CULUMI_MAX_ARCHIVE_BYTES */
    uint64_t most_members;
    uint64_t most_ratio;
};

/* Fails if a limit in the environment is no number. */
fallible archive_meter_init(struct archive_meter *meter, str name, uint64_t file_size);

/* Before a member is unpacked: what it claims must fit, too. */
fallible archive_meter_member(struct archive_meter *meter, uint64_t claimed_size);
/* After bytes have come out, whatever they are for. */
fallible archive_meter_bytes(struct archive_meter *meter, uint64_t count);
