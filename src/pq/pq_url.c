/* pq_url.c — takes the URL of a database apart. */
#include "pq/pq_url.h"

#include "base/hex.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* --- parts --- */

/* Slices of the URL, not decoded. */
struct pq_url_parts {
    str user; /* may be empty */
    str password;
    bool has_password;
    str hosts;     /* HOST:PORT,HOST:PORT */
    str path;      /* behind the / */
    str query;     /* behind the ? */
    bool is_loose; /* the password has what has to be escaped: nothing else is certain */
};

/* "u:p/w@host/db": a password with / ? or # in it that nobody escaped looks like a host, a port and
 * something else. It must not be shown as that. */
static bool pq_url_has_loose_password(str authority, str behind)
{
    str host, port = STR(""), key;
    size_t at = str_find_char(behind, '@');
    uint64_t number;

    if (at == SIZE_MAX || !str_cut_last(authority, STR(":"), &host, &port))
        return false;
    if (!str_to_u64(port, &number) && !str_ends_with(authority, STR("]")))
        return true;
    key = str_slice(behind, 0, at);
    return str_find_char(key, '?') == SIZE_MAX || str_find_char(key, '=') == SIZE_MAX;
}

static void pq_url_split(str url, struct pq_url_parts *out)
{
    str rest = url, user, ignored;
    size_t end = 0;

    *out = (struct pq_url_parts){ 0 };
    str_cut(url, STR("://"), &ignored, &rest);
    while (end < rest.len && !strchr("/?#", rest.ptr[end]))
        end++;
    str authority = str_slice(rest, 0, end), behind = str_slice(rest, end, rest.len);
    out->hosts = authority;
    if (str_cut_last(authority, STR("@"), &user, &out->hosts)) {
        out->user = user;
        out->has_password = str_cut(user, STR(":"), &out->user, &out->password);
    } else if (pq_url_has_loose_password(authority, behind)) {
        out->is_loose = out->has_password = true;
        str_cut(rest, STR(":"), &out->user, &out->password);
        str_cut_last(out->password, STR("@"), &out->password, &behind);
    }
    str_cut(behind, STR("#"), &behind, &ignored);
    str_cut(behind, STR("?"), &behind, &out->query);
    str_cut(behind, STR("/"), &ignored, &out->path);
}

static fallible pq_url_decoded(bool is_good, const char *part, str *out)
{
    if (!is_good)
        return error_new(ERROR_INVALID,
                         "the %s has a malformed escape: %% stands before two "
                         "hexadecimal digits, or is written %%25",
                         part);
    if (str_find_char(*out, '\0') != SIZE_MAX)
        return error_new(ERROR_INVALID, "the %s has a NUL byte", part);
    return NULL;
}

static fallible pq_url_decode(struct arena *arena, str text, const char *part, str *out)
{
    return pq_url_decoded(percent_decode(arena, text, out), part, out);
}

static fallible pq_url_add(struct arena *arena, struct pair_list *list, const char *keyword,
                           str text)
{
    str value;

    TRY(pq_url_decode(arena, text, keyword, &value));
    vec_add(list, ((struct pair){ str_from(keyword), value }));
    return NULL;
}

/* --- hosts --- */

static fallible pq_url_split_port(str text, str *host, str *port)
{
    *host = text;
    *port = STR("");
    if (str_starts_with(text, STR("["))) {
        if (!str_cut(str_slice(text, 1, text.len), STR("]"), host, &text))
            return error_new(ERROR_INVALID, "an address in brackets has no closing one");
        if (text.len > 0 && text.ptr[0] != ':')
            return error_new(ERROR_INVALID, "only :PORT may follow an address in brackets");
        *port = str_slice(text, 1, text.len);
    } else {
        str_cut_last(text, STR(":"), host, port);
    }
    uint64_t number;
    if (port->len > 0 && (!str_to_u64(*port, &number) || number == 0 || number > UINT16_MAX))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is no port", STR_ARG(*port));
    return NULL;
}

/* "a:1,b" → hosts "a,b" and ports "1,". */
static fallible pq_url_add_hosts(struct arena *arena, struct pair_list *list, str text)
{
    CLEANUP(strbuf_release) struct strbuf hosts = { 0 };
    CLEANUP(strbuf_release) struct strbuf ports = { 0 };
    bool has_port = false;

    if (text.len == 0)
        return NULL;
    for (bool more = true; more;) {
        str one = text, host, port;
        more = str_cut(text, STR(","), &one, &text);
        TRY(pq_url_split_port(one, &host, &port));
        strbuf_printf(&hosts, "%s" STR_FMT, hosts.len || ports.len ? "," : "", STR_ARG(host));
        strbuf_printf(&ports, STR_FMT "%s", STR_ARG(port), more ? "," : "");
        has_port = has_port || port.len > 0;
    }
    TRY(pq_url_add(arena, list, "host", arena_copy(arena, strbuf_str(&hosts))));
    return has_port ? pq_url_add(arena, list, "port", arena_copy(arena, strbuf_str(&ports))) : NULL;
}

/* --- parameters --- */

static bool pq_parameters_have(const struct pair_list *list, size_t start, str key)
{
    for (size_t i = start; i < list->len; i++)
        if (str_equal(list->items[i].key, key))
            return true;
    return false;
}

/* Of parameters with one name the first counts. */
static fallible pq_url_add_query(struct arena *arena, struct pair_list *list, str query,
                                 struct pq_url *out)
{
    size_t start = list->len;
    str one;

    while (str_next(&query, STR("&"), &one)) {
        str key = one, value = STR("");
        if (one.len == 0)
            continue;
        str_cut(one, STR("="), &key, &value);
        TRY(pq_url_decoded(query_decode(arena, key, &key), "name of a parameter", &key));
        TRY(pq_url_decoded(query_decode(arena, value, &value), "value of a parameter", &value));
        if (key.len == 0)
            return error_new(ERROR_INVALID, "a parameter has no name");
        if (str_equal(key, STR("table"))) {
            if (out->table.len == 0)
                out->table = value;
        } else if (!pq_parameters_have(list, start, key)) {
            vec_add(list, ((struct pair){ key, value }));
        }
    }
    return NULL;
}

static fallible pq_url_collect(struct arena *arena, const struct pq_url_parts *parts,
                               struct pair_list *list, struct pq_url *out)
{
    if (parts->is_loose)
        return error_new(ERROR_INVALID, "the password has a character that must be escaped: / as "
                                        "%%2F, ? as %%3F, # as %%23, @ as %%40, : as %%3A");
    if (parts->user.len > 0)
        TRY(pq_url_add(arena, list, "user", parts->user));
    if (parts->has_password)
        TRY(pq_url_add(arena, list, "password", parts->password));
    TRY(pq_url_add_hosts(arena, list, parts->hosts));
    TRY(pq_url_decode(arena, parts->path, "name of the database", &out->path));
    if (out->path.len > 0)
        vec_add(list, ((struct pair){ STR("dbname"), out->path }));
    return pq_url_add_query(arena, list, parts->query, out);
}

fallible pq_url_parse(struct arena *arena, str url, struct pq_url *out)
{
    struct pair_list list = { 0 };
    struct pq_url_parts parts;

    *out = (struct pq_url){ .path = STR(""), .table = STR("") };
    pq_url_split(url, &parts);
    struct error *failure = pq_url_collect(arena, &parts, &list, out);
    out->parameters = pair_list_keep(arena, &list);
    pair_list_release(&list);
    return failure;
}

/* --- without what is secret --- */

/* The name may be escaped in part: "pass%77ord". */
static bool pq_url_is_secret(struct arena *arena, str parameter)
{
    str key = parameter, value, plain;

    str_cut(parameter, STR("="), &key, &value);
    if (!percent_decode(arena, key, &plain))
        return true;
    return str_equal(plain, STR("password")) || str_equal(plain, STR("sslpassword"));
}

/* An @ in a name is escaped: with no = before it, it looks like the end of a password. */
static void pq_url_keep(struct strbuf *kept, str parameter)
{
    str before, after;
    size_t name = str_find_char(parameter, '=');

    while (str_cut(parameter, STR("@"), &before, &after) && before.len < name) {
        strbuf_add(kept, before);
        strbuf_add(kept, STR("%40"));
        name -= name == SIZE_MAX ? 0 : before.len + 1;
        parameter = after;
    }
    strbuf_add(kept, parameter);
}

str pq_url_without_password(struct arena *arena, str url)
{
    CLEANUP(strbuf_release) struct strbuf kept = { 0 };
    struct pq_url_parts parts;

    pq_url_split(url, &parts);
    size_t until = parts.query.ptr ? (size_t)(parts.query.ptr - url.ptr) - 1 : url.len;
    size_t from = 0;
    if (parts.has_password) {
        from = (size_t)(parts.password.ptr - url.ptr);
        strbuf_add(&kept, str_slice(url, 0, from - 1));
        from += parts.password.len;
    }
    strbuf_add(&kept, str_slice(url, from, until));
    str separator = STR("?");
    str query = parts.query;
    for (bool more = parts.query.len > 0; more;) {
        str one = query;
        more = str_cut(query, STR("&"), &one, &query);
        if (one.len == 0 || pq_url_is_secret(arena, one))
            continue;
        strbuf_add(&kept, separator);
        pq_url_keep(&kept, one);
        separator = STR("&");
    }
    return arena_copy(arena, strbuf_str(&kept));
}
