/* policy_pack.c — installs a policy pack in the order of plugins: the lock first, and a file
 * NAME.partial beside the folder as long as something is missing. */
#include "plugin/policy_pack.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "fiber/offload.h"
#include "plugin/host/plugin_host.h"
#include "plugin/install/install_parts.h"
#include "plugin/plugin_cache.h"
#include "plugin/plugin_project.h"
#include "project/project.h"

#include <unistd.h>

#define MANIFEST STR("PulumiPolicy.yaml")
enum { MANIFEST_MAX = 1 << 20 };

struct pack_install {
    struct plugin_host *host;
    const struct policy_pack *pack;
    const struct install_listener *listener;
    struct arena *arena;
    str folder;
    str partial;
    str unpacked; /* where the archive goes first; nobody takes its name for a pack */
    int archive;  /* -1: none */
    struct strbuf output;
    struct error *failure;
};

str policy_pack_text(struct arena *arena, const struct policy_pack *pack)
{
    return arena_concat(arena, pack->name, STR("@v"), pack->version);
}

static bool pack_is_part_of_path(str text)
{
    return text.len > 0 && str_find_char(text, '/') == SIZE_MAX
           && str_find_char(text, '\0') == SIZE_MAX;
}

fallible policy_pack_folder(struct arena *arena, str home, const struct policy_pack *pack, str *out)
{
    char *name = arena_cstr(arena, pack->name);

    for (char *slash = strchr(name, '/'); slash; slash = strchr(slash, '/'))
        *slash = '_';
    if (!pack_is_part_of_path(str_from(name)) || strlen(name) != pack->name.len
        || !pack_is_part_of_path(pack->version) || !pack_is_part_of_path(pack->organization)
        || fs_path_climbs(pack->organization))
        return error_new(ERROR_INVALID,
                         "the policy pack '" STR_FMT "' in version '" STR_FMT
                         "' has a name that no folder can have",
                         STR_ARG(pack->name), STR_ARG(pack->version));
    str policies = fs_path_join(arena, home, STR("policies"));
    *out = fs_path_join(
        arena, fs_path_join(arena, policies, pack->organization),
        arena_concat(arena, STR("pulumi-analyzer-"), str_from(name), STR("-v"), pack->version));
    return NULL;
}

/* --- the files --- */

static fallible pack_download(struct pack_install *install)
{
    const struct policy_pack *pack = install->pack;

    if (!pack->location.len)
        return error_new(ERROR_NOT_FOUND, "the service does not say where it can be downloaded");
    TRY(install_open_nameless(install->arena, fs_path_directory(install->folder),
                              &install->archive));
    TRY(install_fetch(pack->location, "policy pack", install->listener, install->archive));
    if (lseek(install->archive, 0, SEEK_SET) < 0)
        return error_os("read a download");
    return NULL;
}

/* In the archive everything is in a folder `package`. */
static fallible pack_place(struct pack_install *install)
{
    str package = fs_path_join(install->arena, install->unpacked, STR("package"));
    int archive = install->archive;

    TRY(fs_replace(install->partial, STR(""), 0600));
    TRY(fs_remove_tree(install->folder));
    TRY(fs_remove_tree(install->unpacked));
    TRY(fs_make_directory(install->unpacked, 0700));
    install->archive = -1;
    TRY(error_wrap(install_unpack(archive, install->pack->name, install->unpacked),
                   "failed to extract tarball"));
    if (!fs_is_directory(package))
        return error_new(ERROR_INVALID, "its archive has no folder 'package'");
    TRY(fs_rename(package, install->folder));
    return fs_remove_tree(install->unpacked);
}

/* On a helper thread: reads and writes a lot. */
static void pack_place_apart(void *install_)
{
    struct pack_install *install = install_;
    install->failure = pack_place(install);
}

static void pack_undo(void *install_)
{
    struct pack_install *install = install_;

    install->failure = fs_remove_tree(install->unpacked);
    install->failure = error_join(install->failure, fs_remove_tree(install->folder));
    if (!install->failure)
        install->failure = fs_remove_if_present(install->partial);
}

/* --- what it is built on --- */

static void pack_keep_output(void *install_, bool is_error, str bytes)
{
    struct pack_install *install = install_;

    (void)is_error;
    strbuf_add_shown(&install->output, bytes, true);
}

/* Whoever runs it finds its virtual environment by the manifest, the reference too. */
static fallible pack_choose_virtualenv(struct pack_install *install, struct plugin_project *project)
{
    static const struct project_option venv = { STR_INIT("virtualenv"), STR_INIT("venv"), false };
    str path = fs_path_join(install->arena, install->folder, MANIFEST), text;

    if (!str_equal(project->runtime, STR("python")) || value_has(project->options, venv.key))
        return NULL;
    TRY(fs_read(install->arena, path, MANIFEST_MAX, &text));
    TRY(project_instantiate_source(install->arena, path, text, &venv, 1, &text));
    project->options =
        value_with(install->arena, project->options, venv.key, value_string(venv.value));
    return fs_replace_quick(path, text, 0600);
}

static fallible pack_install_dependencies(struct pack_install *install)
{
    struct plugin_project project;
    struct language *language;

    TRY(plugin_project_load(install->arena, STR("analyzer"), install->folder, &project));
    TRY(pack_choose_virtualenv(install, &project));
    TRY(error_wrap(plugin_load_language(install->host, project.runtime, &language),
                   "failed to load language plugin " STR_FMT, STR_ARG(project.runtime)));
    const struct program_info program = { install->folder, install->folder, STR("."),
                                          project.options };
    const struct dependency_request request = { .program = &program,
                                                .is_plugin = true,
                                                .output = { install, pack_keep_output } };
    struct error *failure = language_install_dependencies(language, &request);
    if (!failure || install->output.len == 0)
        return error_wrap(failure, "installing dependencies");
    str said = str_trim(strbuf_str(&install->output));
    struct error *whole =
        error_new(error_kind(failure), "installing dependencies: " STR_FMT "\n\n" STR_FMT,
                  STR_ARG(error_message(failure)), STR_ARG(said));
    error_free(failure);
    return whole;
}

/* --- all of it --- */

/* From here on a failure takes back what was done. */
static fallible pack_complete(struct pack_install *install)
{
    const struct install_listener *listener = install->listener;

    if (listener && listener->begin_unpack)
        listener->begin_unpack(listener->context);
    offload(pack_place_apart, install);
    if (listener && listener->end_unpack)
        listener->end_unpack(listener->context);
    TRY(install->failure);
    if (listener && listener->begin_dependencies)
        listener->begin_dependencies(listener->context);
    struct error *failure = pack_install_dependencies(install);
    if (listener && listener->end_dependencies)
        listener->end_dependencies(listener->context);
    TRY(failure);
    return install_settle(install->folder, install->partial);
}

static fallible pack_install_locked(struct pack_install *install)
{
    if (plugin_cache_is_complete(install->folder))
        return NULL;
    struct error *failure = error_wrap(pack_download(install), "failed to download policy pack");
    if (!failure) {
        failure = error_wrap(pack_complete(install), "failed to install policy pack");
        if (failure) {
            offload(pack_undo, install);
            failure = error_join(failure, install->failure);
        }
    }
    if (install->archive >= 0)
        close(install->archive);
    return failure;
}

static fallible pack_install_now(void *install_)
{
    struct pack_install *install = install_;
    int lock;

    TRY(fs_make_directory(fs_path_directory(install->folder), 0700));
    TRY(plugin_cache_lock(install->folder, &lock));
    struct error *failure = pack_install_locked(install);
    fs_unlock(lock);
    return failure;
}

fallible policy_pack_install(struct plugin_host *host, const struct policy_pack *pack,
                             const struct install_listener *listener)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct pack_install install = {
        .host = host, .pack = pack, .listener = listener, .arena = &scratch, .archive = -1
    };

    TRY(policy_pack_folder(&scratch, host->options.world->home, pack, &install.folder));
    if (plugin_cache_is_complete(install.folder))
        return NULL;
    install.partial = arena_concat(&scratch, install.folder, STR(".partial"));
    install.unpacked = arena_concat(&scratch, install.folder, STR(".unpacked"));
    struct error *failure = install_in_scope(host, pack_install_now, &install);
    strbuf_release(&install.output);
    return error_wrap(failure, "policy pack " STR_FMT, STR_ARG(policy_pack_text(&scratch, pack)));
}
