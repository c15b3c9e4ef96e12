/* store_s3_url.c — s3://BUCKET/PREFIX?PARAMETERS, and which server that means. */
#include "backend/store_s3.h"

#include "base/settings.h"

static const char *const s3_parameters[] = {
    "region",
    "endpoint",
    "s3ForcePathStyle",
    "use_path_style",
    "disableSSL",
    "disable_https",
    "profile",
    "role",
    "anonymous",
    "ssetype",
    "kmskeyid",
    "accelerate",
    "dualstack",
    "fips",
    "hostname_immutable",
    "rate_limiter_capacity",
    "request_checksum_calculation",
    "response_checksum_validation",
    "awssdk",
    NULL,
};

/* --- parameters --- */

static fallible s3_read_either(const struct object_url *url, const char *name, const char *other,
                               bool *out)
{
    bool by_name, by_other;

    TRY(object_url_bool(url, name, false, &by_name));
    TRY(object_url_bool(url, other, false, &by_other));
    *out = by_name || by_other;
    return NULL;
}

/* One of a few words. */
static fallible s3_read_word(const struct object_url *url, const char *name,
                             const char *const *words, str *out)
{
    *out = object_url_parameter(url, name);
    if (!object_url_has(url, name))
        return NULL;
    for (const char *const *word = words; *word; word++)
        if (str_equal(*out, str_from(*word)))
            return NULL;
    return error_new(ERROR_INVALID,
                     "query parameter \"%s\" is '" STR_FMT "': expected %s, or one of the others "
                     "that AWS knows",
                     name, STR_ARG(*out), words[0]);
}

/* Whether checksums are used; `otherwise` where neither the URL nor the environment says. */
static fallible s3_read_checksums(const struct object_url *url, const char *name,
                                  const char *variable, bool otherwise, bool *out)
{
    static const char *const words[] = { "when_supported", "when_required", NULL };
    str word;

    TRY(s3_read_word(url, name, words, &word));
    if (word.len == 0)
        word = settings_text(variable);
    *out = word.len == 0
               ? otherwise
               : !str_equal(word, STR("when_required")) && !str_equal(word, STR("WHEN_REQUIRED"));
    return NULL;
}

static fallible s3_read_encryption(const struct object_url *url, struct s3_options *out)
{
    static const char *const kinds[] = { "AES256", "aws:kms", "aws:kms:dsse", NULL };

    TRY(s3_read_word(url, "ssetype", kinds, &out->encryption));
    out->encryption_key = object_url_parameter(url, "kmskeyid");
    if (out->encryption_key.len > 0 && out->encryption.len == 0)
        out->encryption = STR("aws:kms");
    return NULL;
}

/* Parameters that are checked, and mean nothing to this client: it has one protocol, its attempts
 * are bounded, and it never rewrites a host. */
static fallible s3_check_rest(const struct object_url *url)
{
    static const char *const sdks[] = { "v2", "V2", "v1", "V1", "2", "1", NULL };
    str capacity = object_url_parameter(url, "rate_limiter_capacity"), sdk;
    uint64_t number;

    TRY(s3_read_word(url, "awssdk", sdks, &sdk));
    if (object_url_has(url, "rate_limiter_capacity") && !str_to_u64(capacity, &number))
        return error_new(ERROR_INVALID,
                         "query parameter \"rate_limiter_capacity\" is '" STR_FMT
                         "': expected a number",
                         STR_ARG(capacity));
    return NULL;
}

/* --- endpoint --- */

static fallible s3_read_endpoint(struct arena *arena, const struct object_url *url,
                                 struct s3_options *out)
{
    static const char *const variables[] = { "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL" };
    str endpoint = object_url_parameter(url, "endpoint");

    for (size_t i = 0; i < 2 && endpoint.len == 0; i++)
        if (!settings_bool("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"))
            endpoint = settings_text(variables[i]);
    if (endpoint.len > 0 && str_find(endpoint, STR("://")) == SIZE_MAX)
        endpoint = arena_concat(arena, out->uses_http ? STR("http://") : STR("https://"), endpoint);
    while (str_ends_with(endpoint, STR("/")))
        endpoint = str_slice(endpoint, 0, endpoint.len - 1);
    if (endpoint.len > 0 && !str_starts_with(endpoint, STR("http://"))
        && !str_starts_with(endpoint, STR("https://")))
        return error_new(ERROR_INVALID,
                         "query parameter \"endpoint\" is '" STR_FMT
                         "': expected a URL with http:// or https://",
                         STR_ARG(object_url_show(arena, endpoint)));
    out->endpoint = endpoint;
    return NULL;
}

static bool s3_is_address(str host)
{
    if (str_starts_with(host, STR("[")) || str_starts_with(host, STR("localhost")))
        return true;
    for (size_t i = 0; i < host.len && host.ptr[i] != ':'; i++)
        if (!char_is_digit(host.ptr[i]) && host.ptr[i] != '.')
            return false;
    return true;
}

static fallible s3_read_options(struct arena *arena, const struct object_url *url,
                                struct s3_options *out)
{
    bool is_immutable;

    TRY(object_url_check(url, s3_parameters));
    TRY(s3_check_rest(url));
    TRY(s3_read_either(url, "s3ForcePathStyle", "use_path_style", &out->uses_path_style));
    TRY(s3_read_either(url, "disableSSL", "disable_https", &out->uses_http));
    TRY(object_url_bool(url, "hostname_immutable", false, &is_immutable));
    TRY(object_url_bool(url, "accelerate", false, &out->uses_accelerate));
    TRY(object_url_bool(url, "dualstack", settings_bool("AWS_USE_DUALSTACK_ENDPOINT"),
                        &out->uses_dualstack));
    TRY(object_url_bool(url, "fips", settings_bool("AWS_USE_FIPS_ENDPOINT"), &out->uses_fips));
    TRY(object_url_bool(url, "anonymous", false, &out->aws.is_anonymous));
    TRY(s3_read_encryption(url, out));
    TRY(s3_read_endpoint(arena, url, out));
    /* Servers that are not AWS know no checksums, unless somebody says so. */
    TRY(s3_read_checksums(url, "request_checksum_calculation", "AWS_REQUEST_CHECKSUM_CALCULATION",
                          out->endpoint.len == 0, &out->sends_checksums));
    TRY(s3_read_checksums(url, "response_checksum_validation", "AWS_RESPONSE_CHECKSUM_VALIDATION",
                          true, &out->checks_checksums));
    out->uses_path_style = out->uses_path_style || is_immutable;
    out->aws.profile = object_url_parameter(url, "profile");
    out->aws.role = object_url_parameter(url, "role");
    out->aws.region = object_url_parameter(url, "region");
    return NULL;
}

fallible s3_url_parse(struct arena *arena, const struct object_store_options *options,
                      struct s3_options *out)
{
    struct object_url url;

    *out = (struct s3_options){ .aws.home = options->home };
    TRY(object_url_parse(arena, options->url, &url));
    out->bucket = url.bucket;
    out->prefix = url.prefix;
    if (url.bucket.len == 0)
        return error_new(ERROR_INVALID, "the URL names no bucket: expected s3://BUCKET[/PREFIX]");
    return s3_read_options(arena, &url, out);
}

/* --- where that is --- */

static str s3_aws_host(struct arena *arena, const struct s3_options *options, str region)
{
    const char *suffix = str_starts_with(region, STR("cn-")) ? ".cn" : "";

    if (options->uses_accelerate)
        return options->uses_dualstack ? STR("s3-accelerate.dualstack.amazonaws.com")
                                       : STR("s3-accelerate.amazonaws.com");
    return arena_printf(arena, "s3%s%s." STR_FMT ".amazonaws.com%s",
                        options->uses_fips ? "-fips" : "",
                        options->uses_dualstack ? ".dualstack" : "", STR_ARG(region), suffix);
}

fallible s3_place_of(struct arena *arena, const struct s3_options *options, str region,
                     struct s3_place *out)
{
    str scheme = options->uses_http ? STR("http") : STR("https"), host, path = STR("");

    if (options->endpoint.len > 0) {
        str_cut(options->endpoint, STR("://"), &scheme, &host);
        if (str_cut(host, STR("/"), &host, &path))
            path = arena_concat(arena, STR("/"), path);
    } else {
        if (region.len == 0)
            return error_new(ERROR_INVALID,
                             "the region of the bucket is not known: add region=… to the URL, or "
                             "set AWS_REGION");
        host = s3_aws_host(arena, options, region);
    }
    bool has_dots = str_find_char(options->bucket, '.') != SIZE_MAX;
    if (options->uses_path_style || has_dots || s3_is_address(host)) {
        out->path = arena_concat(arena, path, STR("/"), options->bucket, STR("/"));
        out->origin = arena_concat(arena, scheme, STR("://"), host);
        return NULL;
    }
    out->path = arena_concat(arena, path, STR("/"));
    out->origin = arena_concat(arena, scheme, STR("://"), options->bucket, STR("."), host);
    return NULL;
}
