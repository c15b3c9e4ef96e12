/* http_url.c — takes URLs apart and follows references. */
#include "http/http_url.h"

/* Neither the password nor the query is repeated: both may be secret. */
static fallible invalid(str text, const char *problem)
{
    str credentials;

    str_cut(text, STR("?"), &text, &credentials);
    str_cut_last(text, STR("@"), &credentials, &text);
    return error_new(ERROR_INVALID, "invalid URL '" STR_FMT "': %s", STR_ARG(text), problem);
}

/* A control character or a blank would become part of the request's own lines. */
static bool is_printable(str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 0x7f)
            return false;
    return true;
}

static bool parse_authority(str authority, struct http_url *url)
{
    str host = authority, port = STR("");
    uint64_t number;

    if (str_starts_with(authority, STR("["))) {
        if (!str_cut(str_slice(authority, 1, authority.len), STR("]"), &host, &port))
            return false;
        if (port.len > 0 && port.ptr[0] != ':')
            return false;
        port = str_slice(port, 1, port.len);
    } else {
        str_cut_last(authority, STR(":"), &host, &port);
    }
    url->host = host;
    url->port = url->is_https ? 443 : 80;
    if (port.len > 0) {
        if (!str_to_u64(port, &number) || number == 0 || number > UINT16_MAX)
            return false;
        url->port = (uint16_t)number;
    }
    return host.len > 0;
}

static size_t authority_len(str rest)
{
    size_t len = 0;

    while (len < rest.len && !strchr("/?#", rest.ptr[len]))
        len++;
    return len;
}

fallible http_url_parse(str text, struct http_url *out)
{
    struct http_url url = { .is_https = str_starts_with(text, STR("https://")) };
    str fragment, credentials;

    if (!url.is_https && !str_starts_with(text, STR("http://")))
        return invalid(text, "it begins with neither http:// nor https://");
    if (!is_printable(text))
        return invalid(text, "it contains a blank or a control character");
    str rest = str_slice(text, url.is_https ? strlen("https://") : strlen("http://"), text.len);
    url.authority = str_slice(rest, 0, authority_len(rest));
    url.target = str_slice(rest, url.authority.len, rest.len);
    str_cut(url.target, STR("#"), &url.target, &fragment);
    url.has_credentials = str_cut_last(url.authority, STR("@"), &credentials, &url.authority);
    if (!parse_authority(url.authority, &url))
        return invalid(text, "the host or the port is malformed");
    *out = url;
    return NULL;
}

/* A path, a query or a fragment may have a whole URL in it. */
static bool has_scheme(str location)
{
    size_t len = 0;

    while (len < location.len && !strchr(":/?#", location.ptr[len]))
        len++;
    return len > 0 && str_starts_with(str_slice(location, len, location.len), STR("://"));
}

fallible http_url_resolve(struct arena *arena, str base, str location, str *out)
{
    struct http_url url;

    if (has_scheme(location)) {
        *out = arena_copy(arena, location);
        return NULL;
    }
    TRY(http_url_parse(base, &url));
    str scheme = url.is_https ? STR("https:") : STR("http:");
    if (str_starts_with(location, STR("//")))
        *out = arena_concat(arena, scheme, location);
    else if (str_starts_with(location, STR("/")))
        *out = arena_concat(arena, scheme, STR("//"), url.authority, location);
    else {
        str path = url.target, query, folder = STR(""), name;
        str_cut(path, STR("?"), &path, &query);
        str_cut_last(path, STR("/"), &folder, &name);
        folder = str_starts_with(location, STR("?")) ? path : arena_concat(arena, folder, STR("/"));
        *out = arena_concat(arena, scheme, STR("//"), url.authority, folder, location);
    }
    return NULL;
}

str http_url_show(struct arena *arena, const struct http_url *url)
{
    str path = url->target, query;
    bool has_query = str_cut(path, STR("?"), &path, &query);

    return arena_concat(arena, url->is_https ? STR("https://") : STR("http://"), url->authority,
                        path, has_query ? STR("?…") : STR(""));
}

bool http_url_is_near(const struct http_url *url)
{
    return str_equal(url->host, STR("localhost")) || str_starts_with(url->host, STR("127."))
           || str_starts_with(url->host, STR("169.254.")) || str_equal(url->host, STR("::1"));
}
