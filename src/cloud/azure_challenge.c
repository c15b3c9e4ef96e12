/* azure_challenge.c — Bearer authorization="https://login…/TENANT", resource="https://…". */
#include "cloud/azure_challenge.h"

/* The value of a parameter, with or without quotes; empty if there is none. */
static str challenge_value(str header, str name)
{
    str before, value, rest;

    while (str_cut(header, name, &before, &value)) {
        bool is_whole = !before.len || strchr(" ,", before.ptr[before.len - 1]);
        header = value;
        if (!is_whole || !str_starts_with(value, STR("=")))
            continue;
        value = str_slice(value, 1, value.len);
        if (str_starts_with(value, STR("\""))) {
            value = str_slice(value, 1, value.len);
            return str_cut(value, STR("\""), &value, &rest) ? value : STR("");
        }
        str_cut(value, STR(","), &value, &rest);
        return str_trim(value);
    }
    return STR("");
}

/* What comes between :// and the next /. */
static str challenge_host(str url)
{
    str scheme, rest;

    if (!str_cut(url, STR("://"), &scheme, &url))
        return STR("");
    str_cut(url, STR("/"), &url, &rest);
    return url;
}

fallible azure_challenge_parse(str header, str host, struct azure_challenge *out)
{
    str resource = challenge_value(header, STR("resource"));
    str authorization = challenge_value(header, STR("authorization")), rest;

    if (!resource.len)
        resource = challenge_value(header, STR("scope"));
    if (!authorization.len)
        authorization = challenge_value(header, STR("authorization_uri"));
    if (str_ends_with(resource, STR("/.default")))
        resource.len -= STR("/.default").len;
    str owner = challenge_host(resource);
    if (!str_starts_with(resource, STR("https://")) || !owner.len)
        return error_new(ERROR_INVALID, "the answer does not say which token it wants");
    bool is_part = host.len > owner.len + 1 && str_ends_with(host, owner)
                   && host.ptr[host.len - owner.len - 1] == '.';
    if (!is_part)
        return error_new(ERROR_INVALID,
                         "it wants a token for '" STR_FMT "', to which '" STR_FMT
                         "' does not belong: none is sent",
                         STR_ARG(resource), STR_ARG(host));
    *out = (struct azure_challenge){ .resource = resource, .tenant = STR("") };
    if (str_cut(authorization, STR("://"), &rest, &authorization)
        && str_cut(authorization, STR("/"), &rest, &authorization))
        out->tenant = authorization;
    str_cut(out->tenant, STR("/"), &out->tenant, &rest);
    return NULL;
}
