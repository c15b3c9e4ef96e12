/* journal_format.h — the bytes of a journal file, without the file.
 *
 * magic (8 bytes), then frames: u32 length, u32 CRC-32 of all the rest, u64 synced, payload.
 * Numbers are little-endian. The first payload is the header, JSON:
 * {"version":1,"stack":NAME,"base":{"sha256":HEX,"length":BYTES}}, or "base":null where there was
 * no checkpoint file. Each further payload is the text of one journal entry. `synced` says how much
 * of the file was durable for certain when the frame was written. Without it a hole before a good
 * frame could be the work of a power cut that kept only the later half of an unfinished batch, or
 * real damage; with it the two can be distinguished. */
#pragma once

#include "base/error.h"
#include "base/strbuf.h"

enum { JOURNAL_FRAME_HEADER = 16 };

/* What a journal is on top of: the checkpoint file, byte by byte. */
struct journal_base {
    bool has_file;
    uint64_t length;
    str sha256; /* hexadecimal */
};
struct journal_base journal_base_of(struct arena *arena, bool has_file, str bytes);
bool journal_base_equal(struct journal_base a, struct journal_base b);

/* Adds magic and header frame, unsealed. */
void journal_format_header(struct strbuf *out, str stack, struct journal_base base);
/* Adds a frame, unsealed. */
void journal_format_record(struct strbuf *out, str record);
/* Fills in `synced` and the checksums of all frames from `start` (which is a frame's beginning). */
void journal_format_seal(struct strbuf *frames, size_t start, uint64_t synced);
/* Where the frames of a file begin. */
size_t journal_format_start(void);

struct journal_contents {
    bool has_header; /* false: the file was never finished, nothing in it was ever promised */
    struct journal_base base;
    const str *records; /* the whole ones, slices of the bytes */
    size_t count;
    size_t end;      /* behind the last whole one */
    size_t torn;     /* bytes after that: a write that was cut off, promised to nobody */
    bool is_damaged; /* what follows `end` is no such write: it was durable once */
};

/* ERROR_INVALID if the bytes are no journal, or one of a later version. */
fallible journal_format_read(struct arena *arena, str bytes, struct journal_contents *out);

/* Does it hold records (whole or damaged) over exactly these bytes? */
bool journal_contents_is_on_top(const struct journal_contents *contents, struct arena *arena,
                                bool has_file, str bytes);
