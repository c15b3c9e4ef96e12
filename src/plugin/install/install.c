/* install.c — the steps of an installation, in an order that lets nobody see half a plugin.
 *
 * The lock is taken first, so that of several processes one downloads and the others find it done.
 * Beside the directory there is KIND-NAME-vVERSION.partial from before its first file until after
 * its last: a directory with that file beside it is not installed, after a crash either. After a
 * power cut neither: the file is on the disk before the first one, and all of them are before it
 * goes. */
#include "plugin/install/install_parts.h"

#include "base/fs.h"
#include "base/semver.h"
#include "fiber/offload.h"
#include "plugin/plugin_cache.h"
#include "plugin/plugin_git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct installation {
    struct install_request request; /* its version in the usual form */
    struct arena *arena;
    str plugins;
    str folder;
    str partial;
    int archive; /* -1: none */
    bool is_git;
    struct plugin_git git;
    str clone; /* where the repository goes first; a name that nobody takes for a plugin */
    struct error *failure;
};

/* --- the content --- */

fallible install_open_nameless(struct arena *arena, str folder, int *out)
{
    char *path = arena_cstr(arena, arena_concat(arena, folder, STR("/download-XXXXXX")));
    int fd = mkostemp(path, O_CLOEXEC);

    if (fd < 0)
        return error_os("create '%s'", path);
    unlink(path);
    *out = fd;
    return NULL;
}

static bool is_compressed(int fd)
{
    unsigned char magic[2];
    return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && magic[0] == 0x1f
           && magic[1] == 0x8b;
}

/* A tar.gz is opened; anything else is copied later. */
static fallible open_file(struct installation *installation)
{
    const struct install_request *request = &installation->request;

    if (fs_is_directory(request->file)) {
        if (request->checksum.len > 0)
            return error_new(ERROR_INVALID,
                             "a checksum is of an archive, and '" STR_FMT "' is a folder",
                             STR_ARG(request->file));
        return NULL;
    }
    int fd = open(arena_cstr(installation->arena, request->file), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_os("open '" STR_FMT "'", STR_ARG(request->file));
    installation->archive = fd;
    TRY(install_check(request, fd));
    if (is_compressed(fd))
        return NULL;
    close(fd);
    installation->archive = -1;
    if (!fs_is_executable(request->file))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is neither a tar.gz archive nor executable",
                         STR_ARG(request->file));
    return NULL;
}

static fallible obtain(struct installation *installation)
{
    if (installation->is_git)
        return install_clone(&installation->request, &installation->git, installation->clone);
    if (installation->request.file.len > 0)
        return open_file(installation);
    TRY(install_open_nameless(installation->arena, installation->plugins, &installation->archive));
    TRY(install_download(&installation->request, installation->archive));
    if (lseek(installation->archive, 0, SEEK_SET) < 0)
        return error_os("read a download");
    return NULL;
}

/* --- its place --- */

struct settling {
    str folder;
    str partial;
    struct error *failure;
};

/* On a helper thread: waits for the disk. */
static void settle_apart(void *settling_)
{
    struct settling *settling = settling_;

    settling->failure = fs_settle(settling->folder);
    if (!settling->failure)
        settling->failure = fs_remove(settling->partial);
}

fallible install_settle(str folder, str partial)
{
    struct settling settling = { folder, partial, NULL };

    offload(settle_apart, &settling);
    return settling.failure;
}

static fallible install_fill(struct installation *installation)
{
    const struct install_request *request = &installation->request;
    int archive = installation->archive;

    if (archive >= 0) {
        installation->archive = -1;
        str name = request->file.len > 0 ? request->file
                                         : install_archive_name(installation->arena, request);
        return install_unpack(archive, name, installation->folder);
    }
    if (fs_is_directory(request->file))
        return install_copy_tree(request->file, installation->folder);
    str name = arena_concat(installation->arena, STR("pulumi-"), request->package.kind, STR("-"),
                            request->package.name);
    return fs_copy(request->file, fs_path_join(installation->arena, installation->folder, name));
}

/* What was begun and is not complete is not left lying. */
static void undo(void *installation_)
{
    struct installation *installation = installation_;

    installation->failure = fs_remove_tree(installation->folder);
    if (!installation->failure)
        installation->failure = fs_remove_if_present(installation->partial);
}

static fallible place(struct installation *installation)
{
    TRY(fs_replace(installation->partial, STR(""), 0600));
    TRY(fs_remove_tree(installation->folder));
    if (installation->is_git)
        return fs_rename(installation->clone, installation->folder);
    TRY(fs_make_directory(installation->folder, 0700));
    return install_fill(installation);
}

/* On a helper thread: reads and writes a lot. */
static void place_apart(void *installation_)
{
    struct installation *installation = installation_;
    installation->failure = place(installation);
}

/* From here on a failure takes back what was done. */
static fallible install_complete(struct installation *installation)
{
    const struct install_request *request = &installation->request;
    const struct install_listener *listener = request->listener;
    str folder = installation->folder;

    if (listener && listener->begin_unpack)
        listener->begin_unpack(listener->context);
    offload(place_apart, installation);
    if (listener && listener->end_unpack)
        listener->end_unpack(listener->context);
    TRY(installation->failure);
    if (installation->git.subfolder.len > 0) {
        folder = fs_path_join(installation->arena, folder, installation->git.subfolder);
        if (!fs_is_directory(folder))
            return error_new(ERROR_NOT_FOUND, "the repository has no folder '" STR_FMT "'",
                             STR_ARG(installation->git.subfolder));
    }
    if (request->host)
        TRY(plugin_install_dependencies(request->host, folder, &request->output));
    return install_settle(installation->folder, installation->partial);
}

/* Directories that an old installer began: KIND-NAME-vVERSION.tmp123. */
static fallible sweep(struct installation *installation)
{
    str *names,
        prefix = arena_concat(installation->arena, fs_path_name(installation->folder), STR(".tmp"));
    size_t count;
    uint64_t number;

    TRY(fs_list(installation->arena, installation->plugins, &names, &count));
    for (size_t i = 0; i < count; i++)
        if (str_starts_with(names[i], prefix)
            && str_to_u64(str_slice(names[i], prefix.len, names[i].len), &number))
            TRY(fs_remove_tree(fs_path_join(installation->arena, installation->plugins, names[i])));
    return fs_sweep(installation->plugins, STR(""));
}

static fallible install_locked(struct installation *installation)
{
    if (plugin_cache_is_complete(installation->folder) && !installation->request.reinstalls)
        return NULL;
    TRY(sweep(installation));
    struct error *failure = obtain(installation);
    if (!failure) {
        failure = install_complete(installation);
        if (failure) {
            offload(undo, installation);
            failure = error_join(failure, installation->failure);
        }
    }
    if (installation->is_git)
        failure = error_join(failure, fs_remove_tree(installation->clone));
    if (installation->archive >= 0)
        close(installation->archive);
    return failure;
}

/* --- the request --- */

static fallible install_check_request(const struct install_request *request, str name,
                                      struct semver *version)
{
    if (!plugin_is_kind(request->package.kind))
        return error_new(ERROR_INVALID, "unrecognized plugin kind: " STR_FMT,
                         STR_ARG(request->package.kind));
    if (!plugin_is_cache_name(name))
        return error_new(ERROR_INVALID, "invalid plugin name '" STR_FMT "'", STR_ARG(name));
    if (!semver_parse_tolerant(request->package.version, version))
        return error_new(ERROR_INVALID, "invalid plugin semver: '" STR_FMT "'",
                         STR_ARG(request->package.version));
    return NULL;
}

fallible plugin_install(const struct install_request *request)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct installation installation = { .request = *request, .arena = &scratch, .archive = -1 };
    struct semver version;
    int lock;

    str name = plugin_cache_name(&scratch, request->package.name, request->package.download_url);
    TRY(install_check_request(request, name, &version));
    if (request->file.len == 0 && plugin_is_git(request->package.download_url)) {
        BUG_IF(!request->host);
        installation.is_git = true;
        TRY(plugin_git_parse(&scratch, request->package.download_url, &installation.git));
    }
    installation.request.package.version = semver_format(&scratch, &version);
    installation.plugins = fs_path_join(&scratch, request->home, STR("plugins"));
    installation.folder =
        plugin_cache_folder(&scratch, request->home, request->package.kind, name, &version);
    installation.clone =
        arena_printf(&scratch, STR_FMT ".tmp%d", STR_ARG(installation.folder), (int)getpid());
    installation.partial = arena_concat(&scratch, installation.folder, STR(".partial"));
    TRY(fs_make_directory(installation.plugins, 0700));
    TRY(plugin_cache_lock(installation.folder, &lock));
    struct error *failure = install_locked(&installation);
    fs_unlock(lock);
    return failure;
}
