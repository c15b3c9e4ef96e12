/* cloud_url.c — takes URLs of keys apart. */
#include "cloud/cloud_url.h"

#include "base/hex.h"

static fallible cloud_url_decode(struct arena *arena, str text, str *out)
{
    if (!percent_decode(arena, text, out))
        return error_new(ERROR_INVALID, "invalid URL escape in '" STR_FMT "'", STR_ARG(text));
    return NULL;
}

fallible cloud_url_parse(struct arena *arena, str text, struct cloud_url *out)
{
    struct cloud_url url = { .text = arena_copy(arena, text) };
    str rest, fragment, query = STR(""), path = STR("");

    if (!str_cut(url.text, STR("://"), &url.scheme, &rest) || url.scheme.len == 0)
        return error_new(ERROR_INVALID, "'" STR_FMT "' is no URL of a key: it has no ://",
                         STR_ARG(cloud_url_show(arena, text)));
    str_cut(rest, STR("#"), &rest, &fragment);
    str_cut(rest, STR("?"), &rest, &query);
    url.host = rest;
    str_cut(rest, STR("/"), &url.host, &path);
    TRY(cloud_url_decode(arena, path, &url.path));
    if (!query_parse(arena, query, &url.query))
        return error_new(ERROR_INVALID, "invalid URL escape in the query of '" STR_FMT "'",
                         STR_ARG(cloud_url_show(arena, text)));
    *out = url;
    return NULL;
}

str cloud_url_parameter(const struct cloud_url *url, const char *name)
{
    str value = STR("");

    for (size_t i = 0; i < url->query.len; i++)
        if (str_equal(url->query.items[i].key, str_from(name)))
            value = url->query.items[i].value;
    return value;
}

static bool cloud_url_names(const char *pattern, str name)
{
    str known = str_from(pattern);

    return str_ends_with(known, STR("*"))
               ? str_starts_with(name, str_slice(known, 0, known.len - 1))
               : str_equal(name, known);
}

fallible cloud_url_check(const struct cloud_url *url, const char *const *known)
{
    for (size_t i = 0; i < url->query.len; i++) {
        str name = url->query.items[i].key;
        size_t at = 0;
        while (known[at] && !cloud_url_names(known[at], name))
            at++;
        if (!known[at])
            return error_new(ERROR_INVALID,
                             "unknown query parameter \"" STR_FMT "\" of " STR_FMT "://",
                             STR_ARG(name), STR_ARG(url->scheme));
    }
    return NULL;
}

str cloud_url_show(struct arena *arena, str text)
{
    str scheme, rest, dropped;

    str_cut(text, STR("?"), &text, &dropped);
    if (!str_cut(text, STR("://"), &scheme, &rest))
        return arena_copy(arena, text);
    str_cut_last(rest, STR("@"), &dropped, &rest);
    return arena_concat(arena, scheme, STR("://"), rest);
}
