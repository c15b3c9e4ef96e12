/* asset_hash.c — SHA-256 of the contents of assets and archives. */
#include "archive/asset_hash.h"

#include "base/fd.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/hex.h"
#include "model/signatures.h"
#include "archive/archive_read.h"
#include "archive/tar_hash.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 64 * 1024 };

/* One archive that is being hashed as a tar stream. */
struct packing {
    struct arena *scratch;
    const struct asset_places *places;
    struct tar_hash tar;
    struct map seen; /* digests of the names in the stream: the first one of a name wins */
    char *piece;
    str prefix;       /* goes before the names of the archive file that is being read */
    bool is_skipping; /* its current member */
};

/* --- files --- */

/* "WHAT 'PATH': CALL PATH: no such file or directory", from errno, as programs know it. */
static fallible path_failure(const char *what, const char *call, str path)
{
    const char *reason = strerror(errno);

    return error_new(ERROR_OTHER, "%s '" STR_FMT "': %s " STR_FMT ": %c%s", what, STR_ARG(path),
                     call, STR_ARG(path), tolower((unsigned char)*reason), reason + 1);
}

static fallible asset_open_file(str path, int *out, uint64_t *size)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stat status;
    int fd = open(arena_cstr(&scratch, path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return path_failure("failed to open asset file", "open", path);
    struct error *failure = NULL;
    if (fstat(fd, &status) < 0)
        failure = error_os("failed to stat asset file '" STR_FMT "'", STR_ARG(path));
    else if (S_ISDIR(status.st_mode))
        failure = error_new(ERROR_INVALID,
                            "asset path '" STR_FMT "' is a directory; try using an archive",
                            STR_ARG(path));
    else if (!S_ISREG(status.st_mode))
        failure = error_new(ERROR_INVALID, "asset path '" STR_FMT "' is not a regular file",
                            STR_ARG(path));
    if (failure) {
        close(fd);
        return failure;
    }
    *out = fd;
    *size = (uint64_t)status.st_size;
    return NULL;
}

/* 0 at the end. */
static fallible read_piece(int fd, str path, char *piece, size_t *got)
{
    ssize_t count;

    do
        count = read(fd, piece, PIECE);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return error_os("failed to read asset file '" STR_FMT "'", STR_ARG(path));
    *got = (size_t)count;
    return NULL;
}

static fallible hash_file(struct arena *arena, str path, str *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(fd_close) int fd = -1;
    struct sha256 sha = { 0 };
    uint64_t size;
    size_t got;

    TRY(asset_open_file(path, &fd, &size));
    char *piece = arena_alloc_raw(&scratch, PIECE);
    do {
        TRY(read_piece(fd, path, piece, &got));
        sha256_add(&sha, (str){ piece, got });
    } while (got > 0);
    *out = sha256_finish_hex(&sha, arena);
    return NULL;
}

/* --- URIs --- */

bool asset_is_remote(str uri)
{
    return str_starts_with(uri, STR("http:")) || str_starts_with(uri, STR("https:"));
}

/* The file that a URI names. */
static fallible file_uri_path(struct arena *arena, str uri, str rest, str *out)
{
    if (str_find_char(rest, '?') != SIZE_MAX || str_find_char(rest, '#') != SIZE_MAX)
        return error_new(ERROR_INVALID, "file URI '" STR_FMT "' cannot have a query or a fragment",
                         STR_ARG(uri));
    if (str_starts_with(rest, STR("//"))) {
        rest = str_slice(rest, 2, rest.len);
        size_t slash = str_find_char(rest, '/');
        str host = str_slice(rest, 0, slash);
        rest = str_slice(rest, host.len, rest.len);
        if (host.len > 0 && !str_equal(host, STR("localhost")))
            return error_new(ERROR_INVALID,
                             "file:// host '" STR_FMT "' not supported (only localhost)",
                             STR_ARG(host));
    }
    if (!percent_decode(arena, rest, out))
        return error_new(ERROR_INVALID, "invalid escape in URI path '" STR_FMT "'", STR_ARG(rest));
    return NULL;
}

/* The file or folder of an asset or archive that is not given by its contents. */
struct source {
    str path;
    str name; /* says by its end what kind of archive it is */
};

static str without_query(str uri)
{
    uri = str_slice(uri, 0, str_find_char(uri, '#'));
    return str_slice(uri, 0, str_find_char(uri, '?'));
}

static fallible find_uri(struct arena *arena, const struct asset_places *places, str uri,
                         struct source *out)
{
    str scheme, rest;

    if (!str_cut(uri, STR(":"), &scheme, &rest))
        return error_new(ERROR_INVALID, "URI '" STR_FMT "' has no scheme", STR_ARG(uri));
    if (asset_is_remote(uri)) {
        const str *copy = places->fetched ? map_find(places->fetched, uri) : NULL;
        if (!copy)
            return error_new(ERROR_OTHER, "'" STR_FMT "' was not fetched", STR_ARG(uri));
        *out = (struct source){ *copy, without_query(uri) };
        return NULL;
    }
    if (!str_equal(scheme, STR("file")))
        return error_new(ERROR_INVALID, "Unrecognized or unsupported URI scheme: " STR_FMT,
                         STR_ARG(scheme));
    TRY(file_uri_path(arena, uri, rest, &out->path));
    out->name = out->path;
    return NULL;
}

static fallible find_source(struct arena *arena, const struct asset_places *places,
                            const struct asset *asset, struct source *out)
{
    if (asset->path.len == 0)
        return find_uri(arena, places, asset->uri, out);
    if (fs_path_is_absolute(asset->path))
        out->path = asset->path;
    else if (places->base_directory.len > 0)
        out->path = fs_path_join(arena, places->base_directory, asset->path);
    else
        out->path = fs_path_clean(arena, asset->path);
    out->name = out->path;
    return NULL;
}

/* --- members of an archive --- */

/* Whether the name is new; from now on it is not. Strangers choose how long names are. */
static bool mark_seen(struct packing *packing, str name)
{
    unsigned char digest[SHA256_SIZE];
    str key = { (const char *)digest, sizeof(digest) };

    hash_sha256(name, digest);
    if (map_has(&packing->seen, key))
        return false;
    map_put(&packing->seen, arena_copy(packing->scratch, key), packing);
    return true;
}

static fallible pack_text(struct packing *packing, str name, str text)
{
    if (!mark_seen(packing, name))
        return NULL;
    TRY(tar_hash_begin(&packing->tar, name, text.len));
    tar_hash_add(&packing->tar, text);
    tar_hash_end(&packing->tar);
    return NULL;
}

static fallible pack_file(struct packing *packing, str name, str path)
{
    CLEANUP(fd_close) int fd = -1;
    uint64_t size, left;
    size_t got;

    TRY(asset_open_file(path, &fd, &size));
    if (!mark_seen(packing, name))
        return NULL;
    TRY(tar_hash_begin(&packing->tar, name, size));
    for (left = size; left > 0; left -= got) {
        TRY(read_piece(fd, path, packing->piece, &got));
        if (got == 0 || got > left)
            break;
        tar_hash_add(&packing->tar, (str){ packing->piece, got });
    }
    if (left > 0)
        return error_new(ERROR_OTHER, "asset file '" STR_FMT "' changed its size while it was read",
                         STR_ARG(path));
    tar_hash_end(&packing->tar);
    return NULL;
}

/* Joins like a path: cleaned, and just the name if there is no prefix. */
static str packing_member_name(struct arena *arena, str prefix, str name)
{
    return prefix.len ? fs_path_join(arena, prefix, name) : name;
}

static fallible pack_folder(struct packing *packing, str path, str prefix, str inner);

/* One entry of a folder, or the folder itself: `inner` is its name within the archive. Links to
 * files are read, links to folders are not followed, and our own bookkeeping is left out. */
static fallible pack_entry(struct packing *packing, str path, str prefix, str inner)
{
    struct stat status;
    const char *system_path = arena_cstr(packing->scratch, path);

    if (lstat(system_path, &status) < 0)
        return path_failure("couldn't read archive path", "lstat", path);
    if (str_equal(fs_path_name(path), STR(".pulumi")))
        return NULL;
    if (S_ISDIR(status.st_mode))
        return pack_folder(packing, path, prefix, inner);
    if (S_ISLNK(status.st_mode)) {
        if (stat(system_path, &status) < 0)
            return error_os("couldn't follow the link '" STR_FMT "'", STR_ARG(path));
        if (S_ISDIR(status.st_mode))
            return NULL;
    }
    return pack_file(packing, packing_member_name(packing->scratch, prefix, inner), path);
}

static fallible pack_folder(struct packing *packing, str path, str prefix, str inner)
{
    str *names;
    size_t len;

    TRY(fs_list(packing->scratch, path, &names, &len));
    for (size_t i = 0; i < len; i++) {
        str entry = arena_concat(packing->scratch, path, STR("/"), names[i]);
        str name = inner.len ? arena_concat(packing->scratch, inner, STR("/"), names[i]) : names[i];
        TRY(pack_entry(packing, entry, prefix, name));
    }
    return NULL;
}

static fallible begin_member(void *packing_, str name, uint64_t size)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct packing *packing = packing_;
    str full = packing_member_name(&scratch, packing->prefix, name);

    packing->is_skipping = !mark_seen(packing, full);
    return packing->is_skipping ? NULL : tar_hash_begin(&packing->tar, full, size);
}

static fallible add_to_member(void *packing_, str bytes)
{
    struct packing *packing = packing_;

    if (!packing->is_skipping)
        tar_hash_add(&packing->tar, bytes);
    return NULL;
}

static fallible packing_end_member(void *packing_)
{
    struct packing *packing = packing_;

    if (!packing->is_skipping)
        tar_hash_end(&packing->tar);
    return NULL;
}

/* A file or a folder with members of its own. */
static fallible pack_source(struct packing *packing, str prefix, const struct asset *archive)
{
    enum archive_format format;
    struct stat status;
    struct source source;

    TRY(find_source(packing->scratch, packing->places, archive, &source));
    str path = source.path;
    format = archive_format_of(source.name);
    if (format != ARCHIVE_NONE) {
        struct archive_visitor visitor = { packing, begin_member, add_to_member,
                                           packing_end_member };
        packing->prefix = prefix;
        return archive_read(path, format, &visitor);
    }
    if (archive->path.len == 0)
        return error_new(ERROR_INVALID,
                         "file at URL '" STR_FMT "' is not a recognized archive format",
                         STR_ARG(archive->uri));
    if (stat(arena_cstr(packing->scratch, path), &status) < 0)
        return path_failure("couldn't read archive path", "stat", path);
    if (!S_ISDIR(status.st_mode))
        return error_new(ERROR_INVALID,
                         "'" STR_FMT "' is neither a recognized archive type nor a directory",
                         STR_ARG(path));
    return pack_entry(packing, path, prefix, STR(""));
}

static fallible pack_asset(struct packing *packing, str name, const struct asset *asset)
{
    struct source source;

    if (asset->path.len == 0 && asset->uri.len == 0) {
        if (!asset->has_text)
            return error_new(ERROR_INVALID, "its contents were left out, only a hash remains");
        return pack_text(packing, name, asset->text);
    }
    TRY(find_source(packing->scratch, packing->places, asset, &source));
    return pack_file(packing, name, source.path);
}

static fallible pack_archive(struct packing *packing, str prefix, const struct asset *archive);

static fallible pack_member(struct packing *packing, str prefix, const struct member *member)
{
    str name = packing_member_name(packing->scratch, prefix, member->key);

    if (member->value.kind == VALUE_ASSET)
        return error_wrap(pack_asset(packing, name, member->value.asset),
                          "failed to expand archive asset '" STR_FMT "'", STR_ARG(member->key));
    return error_wrap(pack_archive(packing, name, member->value.asset),
                      "failed to expand sub-archive '" STR_FMT "'", STR_ARG(member->key));
}

static fallible pack_archive(struct packing *packing, str prefix, const struct asset *archive)
{
    if (archive->path.len > 0 || archive->uri.len > 0)
        return pack_source(packing, prefix, archive);
    if (archive->members.len == 0 && archive->hash.len > 0
        && !str_equal(archive->hash, ARCHIVE_EMPTY_HASH))
        return error_new(ERROR_INVALID, "its contents were left out, only a hash remains");
    for (size_t i = 0; i < archive->members.len; i++)
        TRY(pack_member(packing, prefix, &archive->members.members[i]));
    return NULL;
}

/* --- hashes --- */

static void packing_release(struct packing *packing)
{
    map_release(&packing->seen);
}

static fallible hash_packed(struct arena *arena, const struct asset_places *places,
                            const struct asset *archive, str *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(packing_release)
    struct packing packing = { .scratch = &scratch, .places = places };

    packing.piece = arena_alloc_raw(&scratch, PIECE);
    TRY(pack_archive(&packing, STR(""), archive));
    *out = tar_hash_finish(&packing.tar, arena);
    return NULL;
}

static fallible asset_compute(struct arena *arena, const struct asset_places *places,
                              struct value value, str *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct asset *asset = value.asset;
    bool is_archive = value.kind == VALUE_ARCHIVE;
    struct source source;

    if (asset->path.len == 0 && asset->uri.len == 0 && !is_archive) {
        *out = hash_sha256_hex(arena, asset->text);
        return NULL;
    }
    if (asset->path.len > 0 || asset->uri.len > 0) {
        TRY(find_source(&scratch, places, asset, &source));
        if (!is_archive || archive_format_of(source.name) != ARCHIVE_NONE)
            return hash_file(arena, source.path, out);
    }
    return hash_packed(arena, places, asset, out);
}

fallible asset_hash(struct arena *arena, const struct asset_places *places, struct value asset,
                    struct value *out)
{
    str hash;

    BUG_IF(asset.kind != VALUE_ASSET && asset.kind != VALUE_ARCHIVE);
    if (asset.asset->hash.len > 0) {
        *out = asset;
        return NULL;
    }
    TRY(asset_compute(arena, places, asset, &hash));
    struct asset *hashed = arena_copy_bytes(arena, asset.asset, sizeof(*hashed));
    hashed->hash = hash;
    *out = (struct value){ .kind = asset.kind, .asset = hashed };
    return NULL;
}
