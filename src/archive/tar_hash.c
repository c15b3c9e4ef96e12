/* tar_hash.c — the SHA-256 of a tar stream, byte for byte the one that the reference writes, so
 * that hashes agree. */
#include "archive/tar_hash.h"

#include "base/fs.h"
#include "base/strbuf.h"

#include <stdio.h>

enum { BLOCK = 512, NAME_SIZE = 100, PREFIX_SIZE = 155, LONGEST_NAME = 1 << 20 };

struct header {
    char name[NAME_SIZE];
    char mode[8];
    char uid[8];
    char gid[8];
    char size[12];
    char mtime[12];
    char checksum[8];
    char type;
    char link[100];
    char magic[6];
    char version[2];
    char user[32];
    char group[32];
    char device_major[8];
    char device_minor[8];
    char prefix[PREFIX_SIZE];
    char unused[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a tar header is one block");

static const uint64_t largest_octal_size = (UINT64_C(1) << 33) - 1; /* eleven octal digits */

static void put_octal(char *field, size_t size, uint64_t number)
{
    field[size - 1] = '\0';
    for (size_t i = size - 1; i > 0; i--, number >>= 3)
        field[i - 1] = (char)('0' + (number & 7));
}

/* Cut to the field. A cut that leaves a trailing slash loses it, because some readers would see a
 * folder. */
static void put_name(char *field, size_t size, str name)
{
    size_t len = name.len < size ? name.len : size;

    memcpy(field, name.ptr, len);
    if (name.len <= size || field[size - 1] != '/')
        return;
    for (len = size - 1; len > 0 && field[len - 1] == '/';)
        len--;
    field[len] = '\0';
}

static void put_checksum(struct header *header)
{
    const unsigned char *bytes = (const unsigned char *)header;
    unsigned sum = 0;

    memset(header->checksum, ' ', sizeof(header->checksum));
    for (size_t i = 0; i < BLOCK; i++)
        sum += bytes[i];
    put_octal(header->checksum, 7, sum); /* six digits, NUL; the space stays behind it */
}

static void tar_hash_header(struct tar_hash *tar, struct header *header)
{
    memcpy(header->magic, "ustar", sizeof(header->magic));
    memcpy(header->version, "00", sizeof(header->version));
    put_checksum(header);
    sha256_add(&tar->sha, (str){ (const char *)header, BLOCK });
}

static void tar_hash_begin_data(struct tar_hash *tar, uint64_t size)
{
    tar->left = size;
    tar->padding = (unsigned)((BLOCK - size % BLOCK) % BLOCK);
}

static bool is_ascii(str name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] >= 0x80)
            return false;
    return true;
}

static str without_high_bytes(struct arena *arena, str name)
{
    char *text = arena_alloc_raw(arena, name.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] < 0x80)
            text[len++] = name.ptr[i];
    return (str){ text, len };
}

/* Whether a long name fits into the two fields of the old format, divided at a slash. */
static bool ustar_split_name(str name, str *prefix, str *rest)
{
    size_t searched = name.len;

    if (searched > PREFIX_SIZE + 1)
        searched = PREFIX_SIZE + 1;
    else if (name.ptr[searched - 1] == '/')
        searched--;
    size_t slash = str_find_last(str_slice(name, 0, searched), STR("/"));
    if (slash == SIZE_MAX || slash == 0)
        return false;
    *prefix = str_slice(name, 0, slash);
    *rest = str_slice(name, slash + 1, name.len);
    return rest->len > 0 && rest->len <= NAME_SIZE && prefix->len <= PREFIX_SIZE;
}

/* "LEN KEY=VALUE\n", where LEN counts its own digits as well. */
static void pax_add_record(struct strbuf *out, const char *key, str value)
{
    size_t bare = strlen(" =\n") + strlen(key) + value.len;
    size_t len = bare + 1;
    char digits[24];

    while (bare + (size_t)snprintf(digits, sizeof(digits), "%zu", len) != len)
        len = bare + strlen(digits);
    strbuf_printf(out, "%zu %s=", len, key);
    strbuf_add(out, value);
    strbuf_add_char(out, '\n');
}

/* An extra member in front that says what the header of the real one cannot. */
static void tar_hash_extension(struct tar_hash *tar, struct arena *arena, str name, str records)
{
    size_t slash = str_find_last(name, STR("/"));
    str directory = slash == SIZE_MAX ? STR("") : str_slice(name, 0, slash + 1);
    str base = slash == SIZE_MAX ? name : str_slice(name, slash + 1, name.len);
    str joined = fs_path_clean(arena, arena_concat(arena, directory, STR("PaxHeaders.0/"), base));
    str shown = str_slice(without_high_bytes(arena, joined), 0, NAME_SIZE);
    struct header header = { .type = 'x' };

    while (str_ends_with(shown, STR("/"))) /* where it was cut */
        shown.len--;
    put_name(header.name, NAME_SIZE, shown);
    put_octal(header.mode, sizeof(header.mode), 0);
    put_octal(header.uid, sizeof(header.uid), 0);
    put_octal(header.gid, sizeof(header.gid), 0);
    put_octal(header.size, sizeof(header.size), records.len);
    put_octal(header.mtime, sizeof(header.mtime), 0);
    tar_hash_header(tar, &header);
    tar_hash_begin_data(tar, records.len);
    tar_hash_add(tar, records);
    tar_hash_end(tar);
}

fallible tar_hash_begin(struct tar_hash *tar, str name, uint64_t size)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf records = { 0 };
    struct header header = { .type = '0' };
    str prefix = { 0 }, shown = name;

    BUG_IF(tar->left > 0);
    if (memchr(name.ptr, '\0', name.len) || name.len > LONGEST_NAME)
        return error_new(ERROR_INVALID,
                         "archive member '" STR_FMT "' has a name that no archive can hold",
                         STR_ARG(name));
    if (str_ends_with(name, STR("/"))) {
        if (size > 0)
            return error_new(ERROR_INVALID,
                             "archive member '" STR_FMT "' is a directory but has data",
                             STR_ARG(name));
        header.type = '5';
    }
    bool is_plain = is_ascii(name) && name.len <= NAME_SIZE;
    bool is_split = !is_plain && is_ascii(name) && ustar_split_name(name, &prefix, &shown);
    if (!is_plain && !is_split)
        pax_add_record(&records, "path", name);
    if (size > largest_octal_size) {
        if (is_split) /* the extension says it all, so the name is not divided */
            pax_add_record(&records, "path", name);
        pax_add_record(&records, "size", arena_printf(&scratch, "%llu", (unsigned long long)size));
    }
    if (records.len > 0) {
        tar_hash_extension(tar, &scratch, name, strbuf_str(&records));
        shown = without_high_bytes(&scratch, name);
        prefix = (str){ 0 };
    }
    put_name(header.name, NAME_SIZE, shown);
    if (prefix.len)
        memcpy(header.prefix, prefix.ptr, prefix.len);
    put_octal(header.mode, sizeof(header.mode), 0600);
    put_octal(header.uid, sizeof(header.uid), 0);
    put_octal(header.gid, sizeof(header.gid), 0);
    put_octal(header.size, sizeof(header.size), size > largest_octal_size ? 0 : size);
    put_octal(header.mtime, sizeof(header.mtime), 0);
    put_octal(header.device_major, sizeof(header.device_major), 0);
    put_octal(header.device_minor, sizeof(header.device_minor), 0);
    tar_hash_header(tar, &header);
    tar_hash_begin_data(tar, size);
    return NULL;
}

void tar_hash_add(struct tar_hash *tar, str bytes)
{
    BUG_IF(bytes.len > tar->left);
    tar->left -= bytes.len;
    sha256_add(&tar->sha, bytes);
}

static const char zeros[2 * BLOCK];

void tar_hash_end(struct tar_hash *tar)
{
    BUG_IF(tar->left > 0);
    sha256_add(&tar->sha, (str){ zeros, tar->padding });
    tar->padding = 0;
}

str tar_hash_finish(struct tar_hash *tar, struct arena *arena)
{
    sha256_add(&tar->sha, (str){ zeros, sizeof(zeros) });
    return sha256_finish_hex(&tar->sha, arena);
}
