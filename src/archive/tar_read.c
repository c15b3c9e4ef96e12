/* tar_read.c — the members of a tar file, one after the other. */
#include "archive/tar_read.h"

#include "archive/archive_limits.h"
#include "archive/gzip_read.h"

#include <sys/stat.h>

enum { BLOCK = 512, PIECE = 64 * 1024, LONGEST_EXTENSION = 1 << 20 };

/* Offsets and lengths of the header fields that matter. */
enum {
    NAME_LEN = 100,
    MODE_AT = 100,
    MODE_LEN = 8,
    SIZE_AT = 124,
    SIZE_LEN = 12,
    SUM_AT = 148,
    SUM_LEN = 8,
    TYPE_AT = 156,
    LINK_AT = 157,
    LINK_LEN = 100,
    MAGIC_AT = 257,
    PREFIX_AT = 345,
    PREFIX_LEN = 155
};

struct tar {
    const struct tar_source *source;
    struct arena arena; /* of one member and the extensions before it */
    struct gzip_reader file;
    struct archive_meter meter;
    char *piece;
    size_t extended; /* bytes for extensions since the last member */
    str long_name;   /* for the next member, from an extension; NULL: none */
    str long_link;
    bool has_size;
    uint64_t size; /* likewise */
};

static fallible tar_invalid(const struct tar *tar, const char *problem)
{
    return error_new(ERROR_INVALID, "'" STR_FMT "' is not a valid tar archive: %s",
                     STR_ARG(tar->source->name), problem);
}

/* As many bytes as there are, up to `size`. */
static fallible tar_read_some(struct tar *tar, char *into, size_t size, size_t *got)
{
    struct error *failure = gzip_read(&tar->file, into, size, got);

    TRY(error_wrap(failure, "'" STR_FMT "' is not a valid tar archive",
                   STR_ARG(tar->source->name)));
    return archive_meter_bytes(&tar->meter, *got);
}

static fallible read_exactly(struct tar *tar, char *into, size_t size)
{
    size_t got;

    TRY(tar_read_some(tar, into, size, &got));
    return got == size ? NULL : tar_invalid(tar, "it ends in the middle of a member");
}

/* A number in octal digits, or in binary where the first bit is set. */
static bool tar_parse_number(const char *field, size_t len, uint64_t *out)
{
    uint64_t number = 0;
    size_t i = 0;

    if ((unsigned char)field[0] & 0x80) {
        for (i = len - 8; i < len; i++)
            number = number << 8 | (unsigned char)field[i];
        *out = number;
        return (unsigned char)field[0] == 0x80;
    }
    while (i < len && field[i] == ' ')
        i++;
    for (; i < len && field[i] >= '0' && field[i] <= '7'; i++)
        number = number << 3 | (uint64_t)(field[i] - '0');
    *out = number;
    return i == len || field[i] == '\0' || field[i] == ' ';
}

static bool has_right_sum(const char *header)
{
    uint64_t wanted, sum = 0;

    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= SUM_AT && i < SUM_AT + SUM_LEN ? ' ' : (unsigned char)header[i];
    return tar_parse_number(header + SUM_AT, SUM_LEN, &wanted) && wanted == sum;
}

static bool is_zero(const char *block)
{
    for (size_t i = 0; i < BLOCK; i++)
        if (block[i])
            return false;
    return true;
}

static str field_text(const char *field, size_t len)
{
    return (str){ field, strnlen(field, len) };
}

static str tar_member_name(struct tar *tar, const char *header)
{
    str name = field_text(header, NAME_LEN);
    str prefix = field_text(header + PREFIX_AT, PREFIX_LEN);
    bool is_posix = memcmp(header + MAGIC_AT, "ustar", 6) == 0;

    if (tar->long_name.ptr)
        return tar->long_name;
    return is_posix && prefix.len > 0 ? arena_concat(&tar->arena, prefix, STR("/"), name)
                                      : arena_copy(&tar->arena, name);
}

static size_t padding(uint64_t size)
{
    return (BLOCK - (size_t)(size % BLOCK)) % BLOCK;
}

/* The contents of an extension, which is read whole. A member may have several. */
static fallible read_extension(struct tar *tar, uint64_t size, str *out)
{
    if (size + BLOCK > LONGEST_EXTENSION - tar->extended)
        return tar_invalid(tar, "an extended header is too long");
    tar->extended += (size_t)size + BLOCK;
    char *text = arena_alloc_raw(&tar->arena, (size_t)size + BLOCK);
    TRY(read_exactly(tar, text, (size_t)size + padding(size)));
    *out = (str){ text, (size_t)size };
    return NULL;
}

/* Records "LEN KEY=VALUE\n". */
static fallible parse_records(struct tar *tar, str records)
{
    while (records.len > 0) {
        str digits, rest, key, value;
        uint64_t len;
        if (!str_cut(records, STR(" "), &digits, &rest) || !str_to_u64(digits, &len)
            || len > records.len || len <= digits.len + 1 || records.ptr[len - 1] != '\n')
            return tar_invalid(tar, "an extended header is malformed");
        str record = str_slice(records, digits.len + 1, (size_t)len - 1);
        if (!str_cut(record, STR("="), &key, &value))
            return tar_invalid(tar, "an extended header is malformed");
        if (str_equal(key, STR("path")))
            tar->long_name = value;
        if (str_equal(key, STR("linkpath")))
            tar->long_link = value;
        if (str_equal(key, STR("size"))) {
            tar->has_size = str_to_u64(value, &tar->size);
            if (!tar->has_size)
                return tar_invalid(tar, "an extended header is malformed");
        }
        records = str_slice(records, (size_t)len, records.len);
    }
    return NULL;
}

static fallible skip(struct tar *tar, uint64_t size)
{
    for (uint64_t left = size + padding(size); left > 0;) {
        size_t part = left < PIECE ? (size_t)left : PIECE;
        TRY(read_exactly(tar, tar->piece, part));
        left -= part;
    }
    return NULL;
}

static fallible visit_file(struct tar *tar, const struct tar_member *member,
                           const struct tar_visitor *visitor)
{
    char pad[BLOCK];

    TRY(visitor->begin(visitor->context, member));
    for (uint64_t left = member->size; left > 0;) {
        size_t part = left < PIECE ? (size_t)left : PIECE;
        TRY(read_exactly(tar, tar->piece, part));
        TRY(visitor->add(visitor->context, (str){ tar->piece, part }));
        left -= part;
    }
    TRY(read_exactly(tar, pad, padding(member->size)));
    return visitor->end(visitor->context);
}

/* An old way to write a folder is a file whose name ends in '/'. */
static enum tar_type tar_type_of(char code, str name)
{
    switch (code) {
    case '\0':
    case '0': return str_ends_with(name, STR("/")) ? TAR_FOLDER : TAR_FILE;
    case '2': return TAR_SYMLINK;
    case '5': return TAR_FOLDER;
    default: return TAR_OTHER;
    }
}

static fallible visit_member(struct tar *tar, const char *header, uint64_t size,
                             const struct tar_visitor *visitor)
{
    struct tar_member member = { .code = header[TYPE_AT], .name = tar_member_name(tar, header) };
    uint64_t mode;

    if (!tar_parse_number(header + MODE_AT, MODE_LEN, &mode))
        return tar_invalid(tar, "a header is malformed");
    member.mode = (unsigned)(mode & 07777);
    member.size = tar->has_size ? tar->size : size;
    member.link = tar->long_link.ptr ? tar->long_link : field_text(header + LINK_AT, LINK_LEN);
    member.type = tar_type_of(member.code, member.name);
    tar->long_name = tar->long_link = (str){ 0 };
    tar->has_size = false;
    if (member.name.len > ARCHIVE_LONGEST_NAME || member.link.len > ARCHIVE_LONGEST_NAME)
        return tar_invalid(tar, "a name is too long");
    TRY(archive_meter_member(&tar->meter, member.type == TAR_FILE ? member.size : 0));
    if (member.type == TAR_FILE)
        return visit_file(tar, &member, visitor);
    TRY(visitor->begin(visitor->context, &member));
    /* Only a file brings its content along; some programs note a size for others. */
    bool has_content =
        member.type == TAR_OTHER || (member.type == TAR_FOLDER && member.code != '5');
    return skip(tar, has_content ? member.size : 0);
}

static fallible tar_read_member(struct tar *tar, const char *header,
                                const struct tar_visitor *visitor)
{
    str records;
    uint64_t size;

    if (!has_right_sum(header) || !tar_parse_number(header + SIZE_AT, SIZE_LEN, &size)
        || size > INT64_MAX)
        return tar_invalid(tar, "a header is malformed");
    switch (header[TYPE_AT]) {
    case 'x': TRY(read_extension(tar, size, &records)); return parse_records(tar, records);
    case 'L': /* the GNU way to write a long name */
        TRY(read_extension(tar, size, &records));
        tar->long_name = field_text(records.ptr, records.len);
        return NULL;
    case 'K': /* and the long target of a link */
        TRY(read_extension(tar, size, &records));
        tar->long_link = field_text(records.ptr, records.len);
        return NULL;
    case 'g': return skip(tar, size); /* defaults for all: nothing that matters here */
    default:
        TRY(visit_member(tar, header, size, visitor));
        arena_release(&tar->arena);
        tar->extended = 0;
        return NULL;
    }
}

/* What is behind the last member means nothing, but an archive that was cut off there is not
 * whole. */
static fallible read_rest(struct tar *tar)
{
    size_t got = 1;

    while (got > 0)
        TRY(tar_read_some(tar, tar->piece, PIECE, &got));
    return tar->file.is_cut_off ? tar_invalid(tar, "it is cut off") : NULL;
}

static fallible tar_read_members(struct tar *tar, const struct tar_visitor *visitor)
{
    char header[BLOCK];

    for (;;) {
        size_t got;
        TRY(tar_read_some(tar, header, BLOCK, &got));
        if (got == 0)
            return tar->source->is_whole ? tar_invalid(tar, "its end is missing") : NULL;
        if (got < BLOCK)
            return tar_invalid(tar, "it ends in the middle of a header");
        if (is_zero(header)) {
            TRY(tar_read_some(tar, header, BLOCK, &got));
            if (got != 0 && (got < BLOCK || !is_zero(header)))
                return tar_invalid(tar, "a header is malformed");
            return tar->source->is_whole ? read_rest(tar) : NULL;
        }
        TRY(tar_read_member(tar, header, visitor));
    }
}

/* A pipe has no size: then only the other limits hold. */
static fallible open_meter(struct tar *tar)
{
    struct stat status;
    bool is_file = fstat(tar->source->owned_fd, &status) == 0 && S_ISREG(status.st_mode);

    return archive_meter_init(&tar->meter, tar->source->name,
                              is_file ? (uint64_t)status.st_size : UINT64_MAX);
}

fallible tar_read(const struct tar_source *source, const struct tar_visitor *visitor)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct tar tar = { .source = source, .piece = arena_alloc_raw(&arena, PIECE) };

    TRY(error_wrap(gzip_open(&tar.file, source->owned_fd), "'" STR_FMT "'", STR_ARG(source->name)));
    struct error *failure = open_meter(&tar);
    if (!failure && tar.file.is_compressed != source->is_compressed)
        failure = tar_invalid(&tar, source->is_compressed ? "it is not compressed with gzip"
                                                          : "it is compressed");
    if (!failure)
        failure = tar_read_members(&tar, visitor);
    gzip_close(&tar.file);
    arena_release(&tar.arena);
    return failure;
}
