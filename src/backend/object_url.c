/* object_url.c — SCHEME://BUCKET/PREFIX?NAME=VALUE: the parts, decoded. */
#include "backend/object_store.h"

#include "base/hex.h"
#include "base/vec.h"

struct parameters {
    VEC(struct object_url_parameter);
};

/* A + is a space in a query. */
static bool object_url_decode(struct arena *arena, str text, str *out)
{
    str decoded;

    char *spaced = arena_cstr(arena, text);
    for (size_t i = 0; i < text.len; i++)
        if (spaced[i] == '+')
            spaced[i] = ' ';
    if (!percent_decode(arena, (str){ spaced, text.len }, &decoded))
        return false;
    *out = decoded;
    return str_find_char(decoded, '\0') == SIZE_MAX;
}

static fallible object_url_add(struct arena *arena, str pair, struct parameters *out)
{
    struct object_url_parameter parameter = { .name = pair, .value = STR("") };

    str_cut(pair, STR("="), &parameter.name, &parameter.value);
    if (!object_url_decode(arena, parameter.name, &parameter.name)
        || !object_url_decode(arena, parameter.value, &parameter.value))
        return error_new(ERROR_INVALID, "a query parameter has an invalid escape");
    vec_add(out, parameter);
    return NULL;
}

static fallible object_url_split(struct arena *arena, str query, struct parameters *out)
{
    str pair;

    while (query.len > 0) {
        if (!str_cut(query, STR("&"), &pair, &query)) {
            pair = query;
            query = STR("");
        }
        if (pair.len > 0)
            TRY(object_url_add(arena, pair, out));
    }
    return NULL;
}

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
    struct parameters parameters = { 0 };
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
    struct error *failure = object_url_split(arena, query, &parameters);
    out->parameters =
        arena_copy_bytes(arena, parameters.items, parameters.len * sizeof(*parameters.items));
    out->parameter_count = parameters.len;
    vec_release(&parameters);
    return failure;
}

static const struct object_url_parameter *object_url_find(const struct object_url *url,
                                                          const char *name)
{
    for (size_t i = url->parameter_count; i > 0; i--)
        if (str_equal(url->parameters[i - 1].name, str_from(name)))
            return &url->parameters[i - 1];
    return NULL;
}

str object_url_parameter(const struct object_url *url, const char *name)
{
    const struct object_url_parameter *found = object_url_find(url, name);
    return found ? found->value : STR("");
}

bool object_url_has(const struct object_url *url, const char *name)
{
    return object_url_find(url, name) != NULL;
}

fallible object_url_bool(const struct object_url *url, const char *name, bool otherwise, bool *out)
{
    const struct object_url_parameter *found = object_url_find(url, name);

    *out = otherwise;
    if (!found || str_to_bool(found->value, out))
        return NULL;
    return error_new(ERROR_INVALID,
                     "query parameter \"%s\" is '" STR_FMT "': expected true or false", name,
                     STR_ARG(found->value));
}

fallible object_url_check(const struct object_url *url, const char *const *known)
{
    for (size_t i = 0; i < url->parameter_count; i++) {
        const char *const *name = known;
        while (*name && !str_equal(url->parameters[i].name, str_from(*name)))
            name++;
        if (!*name)
            return error_new(ERROR_INVALID, "unknown query parameter \"" STR_FMT "\"",
                             STR_ARG(url->parameters[i].name));
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
