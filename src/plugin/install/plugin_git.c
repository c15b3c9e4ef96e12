/* plugin_git.c — takes the addresses of git repositories apart. */
#include "plugin/plugin_git.h"

#include "base/fs.h"
#include "base/semver.h"

#include <regex.h>

#define GIT_SCHEME STR("git://")

bool plugin_is_git(str url)
{
    return str_starts_with(url, GIT_SCHEME);
}

static fallible bad_address(str url)
{
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' is not of the form git://HOST/OWNER/REPOSITORY[/FOLDER]",
                     STR_ARG(url));
}

/* The repository and the directory in it. Without ".git" somewhere the first two names are the
 * repository. */
static bool split_path(struct arena *arena, str path, str *repository, str *folder)
{
    size_t suffix = str_find_last(path, STR(".git"));
    str owner, name;

    *folder = STR("");
    if (suffix != SIZE_MAX) {
        *folder = fs_path_bare(str_slice(path, suffix + 4, path.len));
        *repository = str_slice(path, 0, suffix + 4);
        return true;
    }
    if (!str_cut(path, STR("/"), &owner, &name) || owner.len == 0 || name.len == 0)
        return false;
    str_cut(name, STR("/"), &name, folder);
    *folder = fs_path_bare(*folder);
    *repository = arena_concat(arena, owner, STR("/"), name, STR(".git"));
    return true;
}

static str folder_name(struct arena *arena, str text)
{
    char *copy = arena_cstr(arena, text);

    for (char *c = copy; *c; c++)
        if (*c == '/' || *c == ':')
            *c = '_';
    return str_from(copy);
}

fallible plugin_git_parse(struct arena *arena, str url, struct plugin_git *out)
{
    str address, host, path, user, repository;

    if (!plugin_is_git(url))
        return bad_address(url);
    address = str_slice(url, GIT_SCHEME.len, url.len);
    if (!str_cut(address, STR("/"), &host, &path))
        return bad_address(url);
    path = fs_path_bare(path);
    str login = host;
    if (!str_cut_last(login, STR("@"), &user, &host))
        host = login;
    if (host.len == 0 || str_starts_with(login, STR("-"))
        || !split_path(arena, path, &repository, &out->subfolder) || fs_path_climbs(path)
        || fs_path_climbs(out->subfolder) /* REPOSITORY.git.. */
        || str_find_char(url, '\0') != SIZE_MAX)
        return bad_address(url);
    out->clone_url = arena_concat(arena, STR("https://"), login, STR("/"), repository);
    out->cache_name = folder_name(arena, arena_concat(arena, host, STR("/"), repository,
                                                      out->subfolder.len > 0 ? STR("_") : STR(""),
                                                      out->subfolder));
    return NULL;
}

str plugin_cache_name(struct arena *arena, str name, str url)
{
    struct plugin_git git;

    if (!plugin_is_git(url))
        return name;
    struct error *failure = plugin_git_parse(arena, url, &git);
    if (!failure)
        return git.cache_name;
    error_ignore(failure, "reported when it is installed");
    return folder_name(arena, str_slice(url, GIT_SCHEME.len, url.len));
}

/* --- instead of a name --- */

static bool is_address(struct arena *arena, str text)
{
    regex_t regex;

    if (str_starts_with(text, STR("https://")) || str_starts_with(text, STR("http://"))
        || plugin_is_git(text))
        return true;
    if (regcomp(&regex, "^[^./].*\\.[a-z]+/[-a-zA-Z0-9_./]*[a-zA-Z0-9/](@.*)?$",
                REG_EXTENDED | REG_NOSUB)
        != 0)
        return false;
    bool is_match = regexec(&regex, arena_cstr(arena, text), 0, NULL, 0) == 0;
    regfree(&regex);
    return is_match;
}

static bool is_hash(str text)
{
    enum { SHORTEST = 4, LONGEST = 64 };

    for (size_t i = 0; i < text.len; i++)
        if (!strchr("0123456789abcdefABCDEF", text.ptr[i]) || text.ptr[i] == '\0')
            return false;
    return text.len >= SHORTEST && text.len <= LONGEST;
}

static fallible plugin_git_read_version(struct arena *arena, str text, str *out)
{
    struct semver version;

    if (semver_parse_tolerant(text, &version))
        *out = semver_format(arena, &version);
    else if (is_hash(text))
        *out = arena_concat(arena, STR("0.0.0-x"), text);
    else
        return error_new(ERROR_INVALID, "VERSION must be valid semver or git commit hash: " STR_FMT,
                         STR_ARG(text));
    return NULL;
}

fallible plugin_git_name(struct arena *arena, str *name, str *version, str *url)
{
    str address = *name, scheme = STR(""), rest, text;
    struct plugin_git git;

    if (!is_address(arena, address))
        return NULL;
    if (str_cut(address, STR("://"), &scheme, &rest))
        address = rest;
    if (scheme.len > 0 && !str_equal(scheme, STR("git")) && !str_equal(scheme, STR("https")))
        return error_new(ERROR_INVALID, "unknown URL scheme: expected \"git\" or \"https\"");
    if (url->len > 0)
        return error_new(ERROR_INVALID,
                         "cannot specify a plugin download URL when the plugin name is a URL");
    /* One before the last '/' belongs to a user's name. */
    if (str_cut_last(address, STR("@"), &rest, &text) && str_find(text, STR("/")) == SIZE_MAX) {
        if (version->len > 0)
            return error_new(ERROR_INVALID,
                             "cannot specify a version when the version is part of the name");
        TRY(plugin_git_read_version(arena, text, version));
        address = rest;
    } else if (version->len > 0) {
        TRY(plugin_git_read_version(arena, *version, version));
    }
    *url = arena_concat(arena, GIT_SCHEME, address);
    TRY(plugin_git_parse(arena, *url, &git));
    *name = git.cache_name;
    return NULL;
}
