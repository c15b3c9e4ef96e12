/* journal_format.c — the bytes of a journal file: frames with checksums, and how far they can be
 * trusted. */
#include "backend/journal_format.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/strs.h"
#include "base/vec.h"

#include <zlib.h>

enum { VERSION = 1, LARGEST_RECORD = 1 << 30 };

static const char magic[8] = { 'C', 'U', 'L', 'U', 'M', 'I', 'J', '\n' };

size_t journal_format_start(void)
{
    return sizeof(magic);
}

/* --- numbers --- */

static void put_number(char *to, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (char)(unsigned char)(number >> (8 * i));
}

static uint64_t get_number(const char *from, size_t size)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number |= (uint64_t)(unsigned char)from[i] << (8 * i);
    return number;
}

/* --- base --- */

struct journal_base journal_base_of(struct arena *arena, bool has_file, str bytes)
{
    if (!has_file)
        return (struct journal_base){ 0 };
    return (struct journal_base){ .has_file = true,
                                  .length = bytes.len,
                                  .sha256 = hash_sha256_hex(arena, bytes) };
}

bool journal_base_equal(struct journal_base a, struct journal_base b)
{
    return a.has_file == b.has_file && a.length == b.length && str_equal(a.sha256, b.sha256);
}

/* --- writing --- */

void journal_format_record(struct strbuf *out, str record)
{
    char header[JOURNAL_FRAME_HEADER] = { 0 };

    BUG_IF(record.len > LARGEST_RECORD);
    put_number(header, record.len, 4);
    strbuf_add(out, (str){ header, sizeof(header) });
    strbuf_add(out, record);
}

void journal_format_header(struct strbuf *out, str stack, struct journal_base base)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    json_begin_object(&writer);
    json_key(&writer, STR("version"));
    json_integer(&writer, VERSION);
    json_key(&writer, STR("stack"));
    json_string(&writer, stack);
    json_key(&writer, STR("base"));
    if (base.has_file) {
        json_begin_object(&writer);
        json_key(&writer, STR("sha256"));
        json_string(&writer, base.sha256);
        json_key(&writer, STR("length"));
        json_integer(&writer, (int64_t)base.length);
        json_end_object(&writer);
    } else {
        json_null(&writer);
    }
    json_end_object(&writer);
    strbuf_add(out, (str){ magic, sizeof(magic) });
    journal_format_record(out, strbuf_str(&text));
}

/* Over the length, `synced` and the payload. */
static uint32_t checksum(const char *frame, size_t length)
{
    uLong sum = crc32(0, (const Bytef *)frame, 4);
    return (uint32_t)crc32_z(sum, (const Bytef *)frame + 8, 8 + length);
}

void journal_format_seal(struct strbuf *frames, size_t start, uint64_t synced)
{
    while (start < frames->len) {
        char *frame = frames->ptr + start;
        size_t length = get_number(frame, 4);
        put_number(frame + 8, synced, 8);
        put_number(frame + 4, checksum(frame, length), 4);
        start += JOURNAL_FRAME_HEADER + length;
    }
    BUG_IF(start != frames->len);
}

/* --- reading --- */

/* A whole frame at this place, wherever it was written. */
static bool journal_format_find_frame(str bytes, size_t at, str *payload, uint64_t *synced)
{
    if (bytes.len - at < JOURNAL_FRAME_HEADER)
        return false;
    const char *frame = bytes.ptr + at;
    size_t length = get_number(frame, 4);
    if (length > bytes.len - at - JOURNAL_FRAME_HEADER)
        return false;
    if (get_number(frame + 4, 4) != checksum(frame, length))
        return false;
    *payload = (str){ frame + JOURNAL_FRAME_HEADER, length };
    *synced = get_number(frame + 8, 8);
    return true;
}

/* One that was written here: what was durable then is before it. */
static bool journal_format_read_frame(str bytes, size_t at, str *payload)
{
    uint64_t synced;

    return journal_format_find_frame(bytes, at, payload, &synced) && synced <= at;
}

/* Where the frame ends that begins at this place, if its length can be believed. */
static size_t journal_format_claimed_end(str bytes, size_t place)
{
    if (bytes.len - place < JOURNAL_FRAME_HEADER)
        return bytes.len;
    return place + JOURNAL_FRAME_HEADER + get_number(bytes.ptr + place, 4);
}

/* No whole frame begins at this place. Is that the work of a power cut, which leaves any part of
 * the batch that nobody was promised, with zeros for the rest? It is not if a whole frame says
 *   1. that the place was durable before: somebody changed these bytes, or cut out some before the
 *      frame, which then says more than is in front of it;
 *   2. by where it is that it is inside the one that begins here and ends at `claimed`: bytes were
 *      cut out of that. Zeros instead of a length claim nothing, and no payload has a frame in it.
 * Few bytes pass for a number before it comes to a checksum. */
static bool journal_format_is_damage(str bytes, size_t place, size_t claimed)
{
    str payload;
    uint64_t synced;

    for (size_t at = place; bytes.len - at >= JOURNAL_FRAME_HEADER; at++) {
        bool is_inside = at > place && at < claimed;
        if ((is_inside || get_number(bytes.ptr + at + 8, 8) > place)
            && journal_format_find_frame(bytes, at, &payload, &synced))
            return true;
    }
    return false;
}

static fallible read_length(struct json_reader *reader, void *member)
{
    double length;

    TRY(json_read_number(reader, &length));
    if (!(length >= 0 && length < 1e15))
        return error_new(ERROR_INVALID, "length out of range");
    *(uint64_t *)member = (uint64_t)length;
    return NULL;
}

static fallible journal_format_read_base(struct json_reader *reader, void *base_)
{
    static const struct json_field fields[] = {
        JSON_FIELD("sha256", struct journal_base, sha256, json_field_string),
        JSON_FIELD("length", struct journal_base, length, read_length),
        { 0 },
    };
    struct journal_base *base = base_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    base->has_file = kind != JSON_NULL;
    return json_read_fields(reader, fields, base);
}

struct header {
    double version;
    struct journal_base base;
};

static fallible read_header(struct arena *arena, str text, struct journal_contents *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("version", struct header, version, json_field_number),
        JSON_FIELD("base", struct header, base, journal_format_read_base),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct header header = { .base = out->base };

    json_reader_init(&reader, arena, text);
    TRY(error_wrap(json_read_fields(&reader, fields, &header), "header"));
    if (header.version != VERSION)
        return error_new(ERROR_INVALID, "written by a newer version of this program (format %g)",
                         header.version);
    out->base = header.base;
    out->has_header = true;
    return NULL;
}

/* Nothing but zeros: the blocks of the file were there after a power cut, their content was not. */
static bool is_blank(str bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        if (bytes.ptr[i] != 0)
            return false;
    return true;
}

static fallible check_magic(str bytes)
{
    size_t len = bytes.len < sizeof(magic) ? bytes.len : sizeof(magic);

    if (len == 0 || memcmp(bytes.ptr, magic, len) == 0)
        return NULL;
    if (is_blank((str){ bytes.ptr, len }) && !journal_format_is_damage(bytes, 0, 0))
        return NULL;
    return error_new(ERROR_INVALID, "not a journal, or damaged at byte 0");
}

fallible journal_format_read(struct arena *arena, str bytes, struct journal_contents *out)
{
    struct str_list records = { 0 };
    size_t at = sizeof(magic);
    str payload;

    *out = (struct journal_contents){ .torn = bytes.len };
    TRY(check_magic(bytes));
    if (bytes.len < sizeof(magic) || bytes.ptr[0] == 0)
        return NULL;
    while (journal_format_read_frame(bytes, at, &payload)) {
        vec_add(&records, payload);
        at += JOURNAL_FRAME_HEADER + payload.len;
    }
    struct error *failure = NULL;
    if (records.len > 0) {
        failure = read_header(arena, records.items[0], out);
        out->count = records.len - 1;
        out->records = arena_copy_bytes(arena, records.items + 1, out->count * sizeof(str));
    }
    vec_release(&records);
    out->end = at;
    out->torn = bytes.len - at;
    out->is_damaged =
        out->torn > 0 && journal_format_is_damage(bytes, at, journal_format_claimed_end(bytes, at));
    return failure;
}

bool journal_contents_is_on_top(const struct journal_contents *contents, struct arena *arena,
                                bool has_file, str bytes)
{
    if (contents->count == 0 && !contents->is_damaged)
        return false;
    /* A damaged header could have named this checkpoint: the safe answer makes the user check. */
    return !contents->has_header
           || journal_base_equal(contents->base, journal_base_of(arena, has_file, bytes));
}
