/* object_url.c — SCHEME://BUCKET/PREFIX?NAME=VALUE: the parts, decoded. */
#include "backend/object_store.h"

#include "base/hex.h"

/* "/a//b/" → "a/b/": keys have no empty parts. */
static str object_url_prefix(struct arena *arena, str path)
{
    str part, out = STR("");

    while (str_next(&path, STR("/"), &part)) {
        if (part.len > 0)
            out = arena_concat(arena, out, part, STR("/"));
    }
    return out;
}

fallible object_url_parse(struct arena *arena, str url, struct object_url *out)
{
    str rest, query = STR(""), path = STR("");

    *out = (struct object_url){ .prefix = STR("") };
    if (!str_cut(url, STR("://"), &out->scheme, &rest))
        return error_new(ERROR_INVALID, "a URL of a store begins with its scheme and ://");
    str_cut(rest, STR("?"), &rest, &query);
    out->bucket = rest;
    str_cut(rest, STR("/"), &out->bucket, &path);
    if (!percent_decode(arena, path, &path) || str_find_char(path, '\0') != SIZE_MAX)
        return error_new(ERROR_INVALID, "the path of the URL has an invalid escape");
    out->prefix = object_url_prefix(arena, path);
    if (!query_parse(arena, query, &out->parameters))
        return error_new(ERROR_INVALID, "a query parameter has an invalid escape");
    return NULL;
}

static const str *object_url_find(const struct object_url *url, const char *name)
{
    for (size_t i = url->parameters.len; i > 0; i--)
        if (str_equal(url->parameters.items[i - 1].key, str_from(name)))
            return &url->parameters.items[i - 1].value;
    return NULL;
}

str object_url_parameter(const struct object_url *url, const char *name)
{
    const str *found = object_url_find(url, name);
    return found ? *found : STR("");
}

bool object_url_has(const struct object_url *url, const char *name)
{
    return object_url_find(url, name) != NULL;
}

fallible object_url_bool(const struct object_url *url, const char *name, bool otherwise, bool *out)
{
    const str *found = object_url_find(url, name);

    *out = otherwise;
    if (!found || str_to_bool(*found, out))
        return NULL;
    return error_new(ERROR_INVALID,
                     "query parameter \"%s\" is '" STR_FMT "': expected true or false", name,
                     STR_ARG(*found));
}

fallible object_url_check(const struct object_url *url, const char *const *known)
{
    for (size_t i = 0; i < url->parameters.len; i++) {
        const char *const *name = known;
        while (*name && !str_equal(url->parameters.items[i].key, str_from(*name)))
            name++;
        if (!*name)
            return error_new(ERROR_INVALID, "unknown query parameter \"" STR_FMT "\"",
                             STR_ARG(url->parameters.items[i].key));
    }
    return NULL;
}

str object_url_show(struct arena *arena, str url)
{
    str scheme = STR(""), rest = url, before;

    str_cut(url, STR("://"), &scheme, &rest);
    str_cut(rest, STR("?"), &rest, &before);
    size_t slash = str_find_char(rest, '/');
    str host = str_slice(rest, 0, slash == SIZE_MAX ? rest.len : slash);
    size_t at = str_find_last(host, STR("@"));
    if (at != SIZE_MAX)
        rest = arena_concat(arena, STR("****:****"), str_slice(rest, at, rest.len));
    return arena_concat(arena, scheme, STR("://"), rest);
}
