/* store_azblob_url.c — azblob://CONTAINER/PREFIX?PARAMETERS, which server that means, and with
 * which key of it we come. */
#include "backend/store_azblob.h"

#include "base/hex.h"
#include "base/settings.h"
#include "cloud/cloud_url.h"

#define DEFAULT_DOMAIN STR("blob.core.windows.net")
/* Of the emulator; known to everybody. */
#define EMULATOR_ACCOUNT "devstoreaccount1"
#define EMULATOR_KEY \
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

/* --- connection strings --- */

struct azblob_connection {
    str protocol, account, key, endpoint, suffix, token, is_development;
};

static void azblob_connection_add(struct azblob_connection *connection, str name, str value)
{
    const struct {
        const char *name;
        str *value;
    } fields[] = {
        { "DefaultEndpointsProtocol", &connection->protocol },
        { "AccountName", &connection->account },
        { "AccountKey", &connection->key },
        { "BlobEndpoint", &connection->endpoint },
        { "EndpointSuffix", &connection->suffix },
        { "SharedAccessSignature", &connection->token },
        { "UseDevelopmentStorage", &connection->is_development },
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
        if (str_equal(name, str_from(fields[i].name)))
            *fields[i].value = value;
}

static fallible azblob_token_parse(struct arena *arena, str text, struct azblob_options *out)
{
    struct cloud_url url;

    if (str_starts_with(text, STR("?")))
        text = str_slice(text, 1, text.len);
    struct error *failure =
        cloud_url_parse(arena, arena_concat(arena, STR("sas://x?"), text), &url);
    if (failure || url.query.len == 0) {
        error_ignore(failure, "its text has the token");
        return error_new(ERROR_INVALID, "the shared access signature is malformed");
    }
    out->token = url.query;
    return NULL;
}

fallible azblob_connection_parse(struct arena *arena, str text, struct azblob_options *out)
{
    struct azblob_connection connection = { 0 };
    str pair, name, value;

    while (str_next(&text, STR(";"), &pair)) {
        if (str_trim(pair).len == 0)
            continue;
        if (!str_cut(pair, STR("="), &name, &value))
            return error_new(ERROR_INVALID,
                             "the connection string is not of the form NAME=VALUE;…");
        azblob_connection_add(&connection, str_trim(name), str_trim(value));
    }
    if (str_equal(connection.is_development, STR("true"))) {
        connection.account = STR(EMULATOR_ACCOUNT);
        connection.key = STR(EMULATOR_KEY);
        connection.endpoint = STR("http://127.0.0.1:10000/" EMULATOR_ACCOUNT);
    }
    if (connection.endpoint.len == 0 && connection.account.len == 0)
        return error_new(ERROR_INVALID,
                         "the connection string has neither AccountName nor BlobEndpoint");
    if (connection.endpoint.len == 0)
        connection.endpoint =
            arena_concat(arena, connection.protocol.len ? connection.protocol : STR("https"),
                         STR("://"), connection.account, STR(".blob."),
                         connection.suffix.len ? connection.suffix : STR("core.windows.net"));
    while (str_ends_with(connection.endpoint, STR("/")))
        connection.endpoint.len--;
    out->account = connection.account;
    out->service = connection.endpoint;
    if (connection.token.len > 0)
        return azblob_token_parse(arena, connection.token, out);
    if (connection.account.len == 0 || connection.key.len == 0)
        return error_new(ERROR_INVALID, "the connection string has neither AccountName and "
                                        "AccountKey nor a SharedAccessSignature");
    out->key = secret_hide(connection.key);
    return NULL;
}

/* --- where --- */

/* Of the URL, else of the environment. */
static str azblob_setting(const struct object_url *url, const char *name, const char *variable)
{
    str value = object_url_parameter(url, name);

    return value.len ? value : settings_text(variable);
}

static fallible azblob_flag(const struct object_url *url, const char *name, const char *variable,
                            bool *out)
{
    bool otherwise = false;

    str_to_bool(settings_text(variable), &otherwise);
    return object_url_bool(url, name, otherwise, out);
}

static fallible azblob_find_service(struct arena *arena, const struct object_url *url,
                                    struct azblob_options *out)
{
    str domain = azblob_setting(url, "domain", "AZURE_STORAGE_DOMAIN");
    str protocol = azblob_setting(url, "protocol", "AZURE_STORAGE_PROTOCOL");
    bool is_local, is_cdn;

    TRY(azblob_flag(url, "localemu", "AZURE_STORAGE_IS_LOCAL_EMULATOR", &is_local));
    TRY(azblob_flag(url, "cdn", "AZURE_STORAGE_IS_CDN", &is_cdn));
    if (protocol.len > 0 && !str_equal(protocol, STR("http")) && !str_equal(protocol, STR("https")))
        return error_new(ERROR_INVALID,
                         "query parameter \"protocol\" is '" STR_FMT "': expected http or https",
                         STR_ARG(protocol));
    if (protocol.len == 0)
        protocol = STR("https");
    if (domain.len == 0)
        domain = DEFAULT_DOMAIN;
    is_local = is_local || str_starts_with(domain, STR("127.0.0.1"))
               || str_starts_with(domain, STR("localhost"));
    str scheme = arena_concat(arena, protocol, STR("://"));
    if (is_local)
        out->service = arena_concat(arena, scheme, domain, STR("/"), out->account);
    else if (is_cdn)
        out->service = arena_concat(arena, scheme, domain);
    else
        out->service = arena_concat(arena, scheme, out->account, STR("."), domain);
    return NULL;
}

/* --- with what --- */

static fallible azblob_find_credentials(struct arena *arena, struct azblob_options *out,
                                        bool *has_service)
{
    str key = settings_text("AZURE_STORAGE_KEY");
    str token = settings_text("AZURE_STORAGE_SAS_TOKEN");
    str connection = settings_text("AZURE_STORAGE_CONNECTION_STRING");

    if (connection.len == 0)
        connection = settings_text("AZURE_STORAGEBLOB_CONNECTIONSTRING");
    *has_service = false;
    if (key.len > 0 && out->account.len > 0)
        out->key = secret_hide(key);
    else if (token.len > 0)
        return error_wrap(azblob_token_parse(arena, token, out), "AZURE_STORAGE_SAS_TOKEN");
    else if (connection.len > 0) {
        *has_service = true;
        return error_wrap(azblob_connection_parse(arena, connection, out),
                          "AZURE_STORAGE_CONNECTION_STRING");
    }
    return NULL;
}

static fallible azblob_fill_options(struct arena *arena, const struct object_url *url,
                                    struct azblob_options *out)
{
    bool has_service;

    out->account = azblob_setting(url, "storage_account", "AZURE_STORAGE_ACCOUNT");
    TRY(azblob_find_credentials(arena, out, &has_service));
    if (!has_service && out->account.len == 0)
        return error_new(ERROR_INVALID,
                         "azureblob: Options.AccountName is required: add storage_account=… to the "
                         "URL, or set AZURE_STORAGE_ACCOUNT");
    if (!has_service)
        TRY(azblob_find_service(arena, url, out));
    if (out->key.hidden_len > 0 || out->token.len > 0)
        return NULL;
    if (!str_starts_with(out->service, STR("https://")))
        return error_new(ERROR_INVALID,
                         "authorized requests are not permitted for non-TLS protected (https) "
                         "endpoints: set AZURE_STORAGE_KEY, or use protocol=https");
    out->resource = STR("https://storage.azure.com");
    return NULL;
}

fallible azblob_url_parse(struct arena *arena, const struct object_store_options *options,
                          struct azblob_options *out)
{
    static const char *const known[] = { "storage_account", "domain", "protocol", "cdn",
                                         "localemu",        NULL };
    struct object_url url;

    *out = (struct azblob_options){ 0 };
    TRY(object_url_parse(arena, options->url, &url));
    TRY(object_url_check(&url, known));
    if (url.bucket.len == 0)
        return error_new(ERROR_INVALID,
                         "the URL names no container: expected azblob://CONTAINER[/PREFIX]");
    out->container = percent_encode(arena, url.bucket, "");
    out->prefix = url.prefix;
    return azblob_fill_options(arena, &url, out);
}
