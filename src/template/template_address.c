/* template_address.c — takes the addresses of templates apart: repositories and zip files. */
#include "template/template.h"

#include "base/fs.h"

#define TREE STR("/tree/")

static bool starts_with_scheme(str text)
{
    return str_starts_with(text, STR("https://")) || str_starts_with(text, STR("http://"))
           || str_starts_with(text, STR("ssh://")) || str_starts_with(text, STR("git://"));
}

/* git@HOST:OWNER/REPOSITORY */
static bool is_secure_copy_form(str text)
{
    str user, rest, host, path;

    return str_cut(text, STR("@"), &user, &rest) && str_cut(rest, STR(":"), &host, &path)
           && user.len && host.len && path.len && str_find_char(user, '/') == SIZE_MAX
           && str_find_char(host, '/') == SIZE_MAX;
}

static fallible bad_template_address(str shown)
{
    return error_new(ERROR_INVALID,
                     "'" STR_FMT "' is not the address of a template: expected "
                     "https://HOST/OWNER/REPOSITORY[/tree/BRANCH][/FOLDER], git@HOST:OWNER/"
                     "REPOSITORY, or https://…/NAME.zip",
                     STR_ARG(shown));
}

/* OWNER/REPOSITORY[.git][/tree/BRANCH…|/FOLDER]: how much of the path is the repository. */
static bool split_repository(str path, str *repository, str *behind)
{
    size_t suffix = str_find(path, STR(".git/")), first, second;

    if (suffix != SIZE_MAX || str_ends_with(path, STR(".git"))) {
        size_t end = suffix != SIZE_MAX ? suffix + 4 : path.len;
        *repository = str_slice(path, 0, end);
        *behind = str_slice(path, end, path.len);
        return true;
    }
    first = str_find_char(path, '/');
    if (first == SIZE_MAX || first + 1 >= path.len)
        return false;
    second = str_find_char(str_slice(path, first + 1, path.len), '/');
    second = second == SIZE_MAX ? path.len : first + 1 + second;
    *repository = str_slice(path, 0, second);
    *behind = str_slice(path, second, path.len);
    return true;
}

static fallible parse_repository(struct arena *arena, str scheme, str host, str path,
                                 struct template_address *out)
{
    str repository, behind;

    if (host.len == 0 || str_starts_with(host, STR("-"))
        || !split_repository(fs_path_bare(path), &repository, &behind) || fs_path_climbs(path))
        return bad_template_address(out->shown);
    out->url = arena_concat(arena, scheme, host, STR("/"), repository,
                            str_ends_with(repository, STR(".git")) ? STR("") : STR(".git"));
    if (str_starts_with(behind, TREE))
        out->reference = fs_path_bare(str_slice(behind, TREE.len, behind.len));
    else
        out->folder = fs_path_bare(behind);
    return NULL;
}

static fallible parse_url(struct arena *arena, str text, struct template_address *out)
{
    str scheme, rest, host, path, query;
    size_t at = str_find(text, STR("://")) + 3;

    scheme = str_slice(text, 0, at);
    rest = str_slice(text, at, text.len);
    str whole = rest;
    if (str_cut(whole, STR("#"), &rest, &query))
        whole = rest;
    if (str_cut(whole, STR("?"), &rest, &query))
        query = arena_concat(arena, STR("?"), query);
    else {
        rest = whole;
        query = STR("");
    }
    if (!str_cut(rest, STR("/"), &host, &path)) {
        host = rest;
        path = STR("");
    }
    if (str_cut_last(host, STR("@"), &out->login, &host) && str_equal(scheme, STR("ssh://"))
        && str_find_char(out->login, ':') == SIZE_MAX) {
        host = arena_concat(arena, out->login, STR("@"), host); /* ssh needs the user */
        out->login = STR("");
    }
    out->shown = arena_concat(arena, scheme, host, STR("/"), path);
    if (!str_ends_with(path, STR(".zip")))
        return parse_repository(arena, scheme, host, path, out);
    if (!str_starts_with(scheme, STR("http")))
        return bad_template_address(out->shown);
    out->place = TEMPLATE_ZIP;
    out->url = arena_concat(arena, out->shown, query);
    return NULL;
}

fallible template_address_parse(struct arena *arena, str text, struct template_address *out)
{
    struct template_address address = { .place = TEMPLATE_NAME, .shown = text };

    if (starts_with_scheme(text)) {
        address.place = TEMPLATE_GIT;
        TRY(parse_url(arena, text, &address));
    } else if (is_secure_copy_form(text)) {
        str host, path, repository, behind;
        address.place = TEMPLATE_GIT;
        str_cut(text, STR(":"), &host, &path);
        if (str_starts_with(host, STR("-")) || fs_path_climbs(path)
            || !split_repository(fs_path_bare(path), &repository, &behind))
            return bad_template_address(text);
        address.url = arena_concat(arena, host, STR(":"), repository);
        address.folder = fs_path_bare(behind);
    }
    *out = address;
    return NULL;
}

fallible template_address_resolve(struct template_address *address, struct strs names)
{
    str reference = address->reference, longest = STR("");

    for (size_t i = 0; i < names.len; i++) {
        str name = names.items[i];
        bool is_start = str_starts_with(reference, name)
                        && (reference.len == name.len || reference.ptr[name.len] == '/');
        if (is_start && name.len > longest.len)
            longest = name;
    }
    if (longest.len == 0)
        return error_new(ERROR_NOT_FOUND,
                         "no branch or tag of '" STR_FMT "' is at the start of '" STR_FMT "'",
                         STR_ARG(address->url), STR_ARG(reference));
    address->folder = fs_path_bare(str_slice(reference, longest.len, reference.len));
    address->reference = longest;
    return NULL;
}
