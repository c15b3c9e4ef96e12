/* archive_zip.c — the members of a zip file, in the order of its directory; and which format a name
 * stands for. */
#include "archive/archive_read.h"

#include "base/fs.h"
#include "archive/archive_limits.h"

#include <zlib.h>

enum { PIECE = 64 * 1024 };

/* Sizes and signatures of the fixed parts. */
enum {
    END_LEN = 22,
    END64_LEN = 56,
    LOCATOR_LEN = 20,
    ENTRY_LEN = 46,
    LOCAL_LEN = 30,
    LONGEST_COMMENT = 65535
};
enum {
    END_MARK = 0x06054b50,
    END64_MARK = 0x06064b50,
    LOCATOR_MARK = 0x07064b50,
    ENTRY_MARK = 0x02014b50,
    LOCAL_MARK = 0x04034b50
};
enum { STORED = 0, DEFLATED = 8, FLAG_ENCRYPTED = 1 };

struct zip {
    str path;
    str bytes; /* the whole file: its directory is at the end */
    char *piece;
    struct archive_meter meter;
};

struct entry {
    str name;
    unsigned method;
    unsigned flags;
    uint64_t packed;
    uint64_t size;
    uint64_t offset; /* of the local header */
    uint32_t checksum;
};

static fallible zip_invalid(const struct zip *zip, const char *problem)
{
    return error_new(ERROR_INVALID, "'" STR_FMT "' is not a valid zip archive: %s",
                     STR_ARG(zip->path), problem);
}

/* `size` bytes at `at`, little-endian. The caller has checked that they are there. */
static uint64_t number(str bytes, uint64_t at, size_t size)
{
    uint64_t result = 0;

    for (size_t i = size; i > 0; i--)
        result = result << 8 | (unsigned char)bytes.ptr[at + i - 1];
    return result;
}

static bool zip_has_range(str bytes, uint64_t at, uint64_t size)
{
    return at <= bytes.len && size <= bytes.len - at;
}

/* Where the directory begins and how many entries it has. */
static fallible find_directory(const struct zip *zip, uint64_t *offset, uint64_t *count)
{
    str bytes = zip->bytes;

    for (size_t back = END_LEN; back <= bytes.len && back <= END_LEN + LONGEST_COMMENT; back++) {
        uint64_t end = bytes.len - back;
        if (number(bytes, end, 4) != END_MARK)
            continue;
        *count = number(bytes, end + 10, 2);
        *offset = number(bytes, end + 16, 4);
        bool is_large = *count == UINT16_MAX || *offset == UINT32_MAX;
        if (!is_large || end < LOCATOR_LEN || number(bytes, end - LOCATOR_LEN, 4) != LOCATOR_MARK)
            return NULL;
        uint64_t large = number(bytes, end - LOCATOR_LEN + 8, 8);
        if (!zip_has_range(bytes, large, END64_LEN) || number(bytes, large, 4) != END64_MARK)
            return zip_invalid(zip, "its directory is malformed");
        *count = number(bytes, large + 32, 8);
        *offset = number(bytes, large + 48, 8);
        return NULL;
    }
    return zip_invalid(zip, "it has no directory");
}

/* Replaces the numbers that did not fit into four bytes by those of the 64-bit extension. */
static void apply_large_numbers(struct entry *entry, str extras)
{
    uint64_t *const wanted[] = { &entry->size, &entry->packed, &entry->offset };

    while (extras.len >= 4) {
        uint64_t id = number(extras, 0, 2), len = number(extras, 2, 2);
        str extra = str_slice(extras, 4, 4 + (size_t)len);
        for (size_t i = 0; id == 1 && i < 3; i++) {
            if (*wanted[i] != UINT32_MAX || extra.len < 8)
                continue;
            *wanted[i] = number(extra, 0, 8);
            extra = str_slice(extra, 8, extra.len);
        }
        extras = str_slice(extras, 4 + (size_t)len, extras.len);
    }
}

static fallible zip_read_entry(const struct zip *zip, uint64_t *at, struct entry *out)
{
    str bytes = zip->bytes;

    if (!zip_has_range(bytes, *at, ENTRY_LEN) || number(bytes, *at, 4) != ENTRY_MARK)
        return zip_invalid(zip, "its directory is malformed");
    size_t name_len = (size_t)number(bytes, *at + 28, 2);
    size_t extra_len = (size_t)number(bytes, *at + 30, 2);
    size_t comment_len = (size_t)number(bytes, *at + 32, 2);
    if (!zip_has_range(bytes, *at + ENTRY_LEN, name_len + extra_len + comment_len))
        return zip_invalid(zip, "its directory is malformed");
    *out = (struct entry){
        .name = { bytes.ptr + *at + ENTRY_LEN, name_len },
        .flags = (unsigned)number(bytes, *at + 8, 2),
        .method = (unsigned)number(bytes, *at + 10, 2),
        .checksum = (uint32_t)number(bytes, *at + 16, 4),
        .packed = number(bytes, *at + 20, 4),
        .size = number(bytes, *at + 24, 4),
        .offset = number(bytes, *at + 42, 4),
    };
    apply_large_numbers(out, (str){ out->name.ptr + name_len, extra_len });
    *at += ENTRY_LEN + name_len + extra_len + comment_len;
    return NULL;
}

static fallible find_contents(const struct zip *zip, const struct entry *entry, str *out)
{
    str bytes = zip->bytes;

    if (!zip_has_range(bytes, entry->offset, LOCAL_LEN)
        || number(bytes, entry->offset, 4) != LOCAL_MARK)
        return zip_invalid(zip, "a member is not where the directory says");
    uint64_t skipped =
        LOCAL_LEN + number(bytes, entry->offset + 26, 2) + number(bytes, entry->offset + 28, 2);
    if (!zip_has_range(bytes, entry->offset + skipped, entry->packed))
        return zip_invalid(zip, "a member is not where the directory says");
    *out = (str){ bytes.ptr + entry->offset + skipped, (size_t)entry->packed };
    return NULL;
}

/* Hands on the inflated pieces; more than the directory promised is as wrong as less. */
static fallible zip_inflate_all(const struct zip *zip, z_stream *stream, const struct entry *entry,
                                str packed, const struct archive_visitor *visitor)
{
    uint64_t made = 0;
    uLong checksum = crc32(0, NULL, 0);
    int code = Z_OK;

    while (code != Z_STREAM_END) {
        if (stream->avail_in == 0) {
            size_t part = packed.len < PIECE ? packed.len : PIECE;
            stream->next_in = (Bytef *)(uintptr_t)packed.ptr;
            stream->avail_in = (uInt)part;
            packed = str_slice(packed, part, packed.len);
        }
        stream->next_out = (Bytef *)zip->piece;
        stream->avail_out = PIECE;
        code = inflate(stream, Z_NO_FLUSH);
        size_t part = PIECE - stream->avail_out;
        if ((code != Z_OK && code != Z_STREAM_END) || part > entry->size - made)
            return zip_invalid(zip, "a member cannot be unpacked");
        made += part;
        checksum = crc32(checksum, (const Bytef *)zip->piece, (uInt)part);
        TRY(visitor->add(visitor->context, (str){ zip->piece, part }));
    }
    return made == entry->size && checksum == entry->checksum
               ? NULL
               : zip_invalid(zip, "a member cannot be unpacked");
}

static fallible add_inflated(const struct zip *zip, const struct entry *entry, str packed,
                             const struct archive_visitor *visitor)
{
    z_stream stream = { 0 };

    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return error_new(ERROR_OTHER, "cannot begin to unpack '" STR_FMT "'", STR_ARG(zip->path));
    struct error *failure = zip_inflate_all(zip, &stream, entry, packed, visitor);
    inflateEnd(&stream);
    return failure;
}

static fallible visit(struct zip *zip, const struct entry *entry,
                      const struct archive_visitor *visitor)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str packed;

    if (str_ends_with(entry->name, STR("/")))
        return NULL;
    if ((entry->flags & FLAG_ENCRYPTED) || (entry->method != STORED && entry->method != DEFLATED))
        return error_new(ERROR_INVALID,
                         "'" STR_FMT "' in '" STR_FMT "' is packed in a way that is not supported",
                         STR_ARG(entry->name), STR_ARG(zip->path));
    if (entry->name.len > ARCHIVE_LONGEST_NAME)
        return zip_invalid(zip, "a name is too long");
    TRY(archive_meter_member(&zip->meter, entry->size));
    TRY(archive_meter_bytes(&zip->meter, entry->size)); /* more than it claims it does not get */
    TRY(find_contents(zip, entry, &packed));
    if (entry->method == STORED && packed.len != entry->size)
        return zip_invalid(zip, "a member has two sizes");
    TRY(visitor->begin(visitor->context, fs_path_clean(&scratch, entry->name), entry->size));
    if (entry->method == STORED)
        TRY(visitor->add(visitor->context, packed));
    else
        TRY(add_inflated(zip, entry, packed, visitor));
    return visitor->end(visitor->context);
}

static fallible zip_read_members(struct zip *zip, const struct archive_visitor *visitor)
{
    uint64_t at, count;

    TRY(find_directory(zip, &at, &count));
    for (uint64_t i = 0; i < count; i++) {
        struct entry entry;
        TRY(zip_read_entry(zip, &at, &entry));
        TRY(visit(zip, &entry, visitor));
    }
    return NULL;
}

fallible archive_read_zip(str path, const struct archive_visitor *visitor)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct zip zip = { .path = path, .piece = arena_alloc_raw(&arena, PIECE) };

    TRY(fs_read(&arena, path, FS_ANY_SIZE, &zip.bytes));
    TRY(archive_meter_init(&zip.meter, path, zip.bytes.len));
    return zip_read_members(&zip, visitor);
}

enum archive_format archive_format_of(str path)
{
    static const struct {
        str end;
        enum archive_format format;
    } formats[] = {
        { STR_INIT(".tar"), ARCHIVE_TAR },       { STR_INIT(".tgz"), ARCHIVE_TAR_GZ },
        { STR_INIT(".tar.gz"), ARCHIVE_TAR_GZ }, { STR_INIT(".zip"), ARCHIVE_ZIP },
        { STR_INIT(".jar"), ARCHIVE_ZIP },
    };

    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        if (str_ends_with(path, formats[i].end))
            return formats[i].format;
    return ARCHIVE_NONE;
}

fallible archive_read(str path, enum archive_format format, const struct archive_visitor *visitor)
{
    if (format == ARCHIVE_ZIP)
        return archive_read_zip(path, visitor);
    return archive_read_tar(path, format == ARCHIVE_TAR_GZ, visitor);
}
