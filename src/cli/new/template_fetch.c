/* template_fetch.c — brings templates here from repositories and servers. */
#include "cli/new/template_fetch.h"

#include "base/base64.h"
#include "base/fd.h"
#include "base/fs.h"
#include "base/settings.h"
#include "cli/open.h"
#include "cli/package/plugin_open.h"
#include "http/http.h"
#include "plugin/plugin_cache.h"
#include "plugin/plugin_git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { ZIP_MAX = 512 << 20, ATTEMPTS = 4, FIRST_WAIT_MS = 200 };

/* --- repositories --- */

static str repository_name(str url)
{
    str name = fs_path_name(url);

    return str_ends_with(name, STR(".git")) ? str_slice(name, 0, name.len - 4) : name;
}

static fallible clone_template(struct cli *cli, struct plugin_host *host,
                               struct template_address *address, str folder)
{
    const struct git_remote remote = { address->url, address->login };
    struct strs references;

    if (address->reference.len) {
        TRY(plugin_git_references(host, &remote, cli->arena, &references));
        TRY(template_address_resolve(address, references));
    }
    return plugin_git_clone(host, &remote, address->reference, folder);
}

static fallible fetch_repository(struct cli *cli, enum template_kind kind,
                                 struct template_address *address, struct template_finding *out)
{
    str name = repository_name(address->url), here;
    str clone = fs_path_join(cli->arena, out->temporary, name.len ? name : STR("template"));
    struct plugin_host *host;

    TRY(cli_current_directory(cli, &here));
    TRY(cli_open_plugins(cli, here, &host));
    struct error *failure = clone_template(cli, host, address, clone);
    plugin_host_close(host);
    TRY(error_wrap(failure, "fetching the template from " STR_FMT, STR_ARG(address->shown)));
    str folder = address->folder.len ? fs_path_join(cli->arena, clone, address->folder) : clone;
    if (!fs_is_directory(folder))
        return error_new(ERROR_NOT_FOUND, "the repository " STR_FMT " has no folder '" STR_FMT "'",
                         STR_ARG(address->url), STR_ARG(address->folder));
    TRY(template_read_folder(cli->arena, kind, folder, &out->list, &out->is_collection));
    for (size_t i = 0; i < out->list.len; i++)
        out->list.items[i].confines = clone;
    return NULL;
}

/* --- zip files --- */

static str login_header(struct arena *arena, str login)
{
    CLEANUP(strbuf_release) struct strbuf encoded = { 0 };

    base64_encode(&encoded, login);
    return arena_concat(arena, STR("Authorization: Basic "), strbuf_str(&encoded));
}

static fallible download_zip(struct cli *cli, const struct template_address *address, int fd)
{
    const str header = login_header(cli->arena, address->login);
    const struct http_request request = {
        .url = address->url,
        .headers = &header,
        .header_count = address->login.len ? 1 : 0,
        .sink = { .kind = HTTP_TO_FILE, .fd = fd, .limit = ZIP_MAX },
        .retry = { .attempts = ATTEMPTS, .first_wait_ms = FIRST_WAIT_MS },
    };
    struct http_response response;
    struct http_client *client = http_client_new();
    struct error *failure = http_send(client, &request, cli->arena, &response);

    http_client_free(client);
    TRY(failure);
    return http_response_is_good(&response)
               ? NULL
               : error_new(response.status == 404 ? ERROR_NOT_FOUND : ERROR_OTHER,
                           "the server answered with status %d", response.status);
}

static fallible fetch_zip(struct cli *cli, enum template_kind kind,
                          const struct template_address *address, struct template_finding *out)
{
    str file = fs_path_name(address->shown);
    str path = fs_path_join(cli->arena, out->temporary, STR("template.zip"));
    str name = str_slice(file, 0, file.len - strlen(".zip"));
    CLEANUP(fd_close)
    int fd = open(arena_cstr(cli->arena, path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0)
        return error_os("create '" STR_FMT "'", STR_ARG(path));
    TRY(error_wrap(download_zip(cli, address, fd), "fetching the template from " STR_FMT,
                   STR_ARG(address->shown)));
    return error_wrap(
        template_read_zip(cli->arena, kind, path, name, &out->list, &out->is_collection),
        "reading the template from " STR_FMT, STR_ARG(address->shown));
}

fallible template_fetch(struct cli *cli, enum template_kind kind, struct template_address *address,
                        struct template_finding *out)
{
    TRY(fs_make_temporary(cli->arena, "template-", &out->temporary));
    out->shown = address->shown;
    struct error *failure = address->place == TEMPLATE_ZIP
                                ? fetch_zip(cli, kind, address, out)
                                : fetch_repository(cli, kind, address, out);
    if (!failure && out->list.len == 0)
        failure = error_new(ERROR_NOT_FOUND,
                            "there is no template at " STR_FMT ": no folder has a " STR_FMT,
                            STR_ARG(address->shown), STR_ARG(template_manifest_name(kind)));
    if (failure)
        template_finding_release(out);
    return failure;
}

/* --- the cache --- */

static const struct cache_place {
    const char *folder;                     /* of the home */
    const char *path, *repository, *branch; /* variables */
    const char *usual;                      /* repository; NULL: none */
} cache_places[] = {
    [TEMPLATE_PROJECT] = { "templates", "PULUMI_TEMPLATE_PATH", "PULUMI_TEMPLATE_GIT_REPOSITORY",
                           "PULUMI_TEMPLATE_BRANCH", "https://github.com/pulumi/templates.git" },
    [TEMPLATE_POLICY] = { "templates-policy", "PULUMI_POLICY_TEMPLATE_PATH",
                          "PULUMI_POLICY_TEMPLATE_GIT_REPOSITORY", "PULUMI_POLICY_TEMPLATE_BRANCH",
                          "https://github.com/pulumi/templates-policy.git" },
    [TEMPLATE_PACKAGE] = { "templates-packages", "PULUMI_PACKAGE_TEMPLATE_PATH",
                           "PULUMI_PACKAGE_TEMPLATE_GIT_REPOSITORY",
                           "PULUMI_PACKAGE_TEMPLATE_BRANCH", NULL },
};

fallible template_cache_folder(struct cli *cli, enum template_kind kind, str *out)
{
    str here, home, chosen = settings_text(cache_places[kind].path);

    if (chosen.len) {
        TRY(cli_current_directory(cli, &here));
        *out = fs_path_absolute(cli->arena, here, chosen);
        return NULL;
    }
    TRY(cli_home(cli, &home));
    *out = fs_path_join(cli->arena, home, str_from(cache_places[kind].folder));
    return NULL;
}

bool template_cache_is_wanted(enum template_kind kind)
{
    return settings_text(cache_places[kind].repository).len > 0;
}

/* Under another name until all of it is there and on the disk: what was cut short is no clone. */
static fallible clone_cache(struct cli *cli, const struct git_remote *remote, str branch,
                            str folder, struct plugin_host *host)
{
    str beside = arena_concat(cli->arena, folder, STR(".clone"));
    int lock;

    TRY(fs_make_directory(fs_path_directory(folder), 0700));
    TRY(plugin_cache_lock(folder, &lock));
    struct error *failure = fs_exists(folder) ? NULL : fs_remove_tree(beside);
    if (!failure && !fs_exists(folder)) {
        failure = plugin_git_clone(host, remote, branch, beside);
        if (!failure)
            failure = fs_settle(beside);
        failure = failure ? error_join(failure, fs_remove_tree(beside)) : fs_rename(beside, folder);
    }
    fs_unlock(lock);
    return failure;
}

static fallible update_cache(struct cli *cli, const struct cache_place *place, str folder,
                             struct plugin_host *host)
{
    str text = settings_text(place->repository), branch = settings_text(place->branch);
    struct template_address address = { .url = STR("") };
    bool is_clone = fs_exists(fs_path_join(cli->arena, folder, STR(".git")));

    if (is_clone)
        return plugin_git_pull(host, folder);
    if (fs_exists(folder))
        return NULL; /* the user's own */
    if (text.len) {
        TRY(template_address_parse(cli->arena, text, &address));
        if (address.place != TEMPLATE_GIT)
            address.url = text; /* a folder, for who has a clone */
    } else if (place->usual) {
        address.url = str_from(place->usual);
    } else {
        return NULL;
    }
    const struct git_remote remote = { address.url, address.login };
    return clone_cache(cli, &remote, branch, folder, host);
}

fallible template_cache_update(struct cli *cli, enum template_kind kind)
{
    struct plugin_host *host;
    str folder, here;

    TRY(template_cache_folder(cli, kind, &folder));
    TRY(cli_current_directory(cli, &here));
    TRY(cli_open_plugins(cli, here, &host));
    struct error *failure = update_cache(cli, &cache_places[kind], folder, host);
    plugin_host_close(host);
    return failure;
}
