/* azure_credentials.c — the chain of credentials for Azure. A link that is not set up lets the next
 * one try (ERROR_NOT_FOUND); one that is set up and refused ends the chain, except for the tools of
 * a developer, of which another may be logged in. */
#include "cloud/azure_credentials.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/uuid.h"
#include "cloud/cloud_jwt.h"
#include "cloud/cloud_program.h"
#include "cloud/cloud_token.h"

#include <stdlib.h>
#include <strings.h>

#define ASSERTION_TYPE "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

enum { FILE_MAX = 1 << 20, ASSERTION_S = 600 };

struct azure_credentials {
    struct http_client *http;
    struct arena arena;
    str resource; /* without a slash at its end */
    str tenant;
    struct cloud_token token;
};

typedef fallible azure_link_token(struct azure_credentials *credentials, struct arena *arena,
                                  struct cloud_token_grant *out);

/* --- Entra ID --- */

static fallible azure_missing(const char *variable)
{
    return error_new(ERROR_NOT_FOUND, "%s is not set", variable);
}

static str azure_token_url(const struct azure_credentials *credentials, struct arena *arena)
{
    str authority = settings_text("AZURE_AUTHORITY_HOST");
    str tenant = settings_text("AZURE_TENANT_ID");

    if (!authority.len)
        authority = STR("https://login.microsoftonline.com");
    while (str_ends_with(authority, STR("/")))
        authority.len--;
    return arena_concat(arena, authority, STR("/"), tenant.len ? tenant : credentials->tenant,
                        STR("/oauth2/v2.0/token"));
}

static fallible azure_ask(struct azure_credentials *credentials, struct arena *arena, str form,
                          struct cloud_token_grant *out)
{
    const str headers[] = { CLOUD_FORM_TYPE };
    const struct cloud_call call = {
        .who = "Azure's service of tokens",
        .method = STR("POST"),
        .url = azure_token_url(credentials, arena),
        .headers = headers,
        .header_count = 1,
        .body = form,
        .hint = "check AZURE_TENANT_ID, AZURE_CLIENT_ID and the secret",
    };
    struct error *failure = cloud_token_ask(credentials->http, &call, arena, out);

    return failure && error_kind(failure) == ERROR_NOT_FOUND ? error_as(failure, ERROR_INVALID)
                                                             : failure;
}

static str azure_scope(const struct azure_credentials *credentials, struct arena *arena)
{
    return arena_concat(arena, credentials->resource, STR("/.default"));
}

static void azure_add_member(struct json_writer *writer, const char *key, str value)
{
    json_key(writer, str_from(key));
    json_string(writer, value);
}

/* What a service principal claims, signed with the key of its certificate. */
static fallible azure_assertion(struct azure_credentials *credentials, struct arena *arena,
                                str path, str *out)
{
    CLEANUP(strbuf_release) struct strbuf header = { 0 };
    CLEANUP(strbuf_release) struct strbuf claims = { 0 };
    struct json_writer writer = { .out = &header };
    str client = settings_text("AZURE_CLIENT_ID"), pem, thumbprint;
    int64_t now = clock_now() / NS_PER_S;

    TRY(error_as(fs_read(arena, path, FILE_MAX, &pem), ERROR_INVALID));
    TRY(error_wrap(cloud_jwt_thumbprint(arena, pem, &thumbprint), "'" STR_FMT "'", STR_ARG(path)));
    json_begin_object(&writer);
    azure_add_member(&writer, "alg", STR("RS256"));
    azure_add_member(&writer, "typ", STR("JWT"));
    azure_add_member(&writer, "x5t", thumbprint);
    json_end_object(&writer);
    writer = (struct json_writer){ .out = &claims };
    json_begin_object(&writer);
    azure_add_member(&writer, "aud", azure_token_url(credentials, arena));
    azure_add_member(&writer, "iss", client);
    azure_add_member(&writer, "sub", client);
    azure_add_member(&writer, "jti", uuid_new(arena));
    json_key(&writer, STR("nbf"));
    json_integer(&writer, now);
    json_key(&writer, STR("exp"));
    json_integer(&writer, now + ASSERTION_S);
    json_end_object(&writer);
    return error_wrap(cloud_jwt_sign(arena, strbuf_str(&header), strbuf_str(&claims), pem, out),
                      "'" STR_FMT "'", STR_ARG(path));
}

static struct error *azure_by_environment(struct azure_credentials *credentials,
                                          struct arena *arena, struct cloud_token_grant *out)
{
    str client = settings_text("AZURE_CLIENT_ID"), secret = settings_text("AZURE_CLIENT_SECRET");
    str certificate = settings_text("AZURE_CLIENT_CERTIFICATE_PATH"), assertion = STR("");

    if (!settings_text("AZURE_TENANT_ID").len)
        return azure_missing("AZURE_TENANT_ID");
    if (!client.len)
        return azure_missing("AZURE_CLIENT_ID");
    if (!secret.len && !certificate.len)
        return azure_missing("AZURE_CLIENT_SECRET or AZURE_CLIENT_CERTIFICATE_PATH");
    if (!secret.len)
        TRY(azure_assertion(credentials, arena, certificate, &assertion));
    str form = CLOUD_FORM(
        arena, { STR_INIT("grant_type"), STR_INIT("client_credentials") },
        { STR_INIT("client_id"), client }, { STR_INIT("client_secret"), secret },
        { STR_INIT("client_assertion_type"), assertion.len ? STR(ASSERTION_TYPE) : STR("") },
        { STR_INIT("client_assertion"), assertion },
        { STR_INIT("scope"), azure_scope(credentials, arena) });
    return azure_ask(credentials, arena, form, out);
}

static struct error *azure_by_workload(struct azure_credentials *credentials, struct arena *arena,
                                       struct cloud_token_grant *out)
{
    str path = settings_text("AZURE_FEDERATED_TOKEN_FILE"), token;

    if (!path.len)
        return azure_missing("AZURE_FEDERATED_TOKEN_FILE");
    if (!settings_text("AZURE_CLIENT_ID").len)
        return azure_missing("AZURE_CLIENT_ID");
    if (!settings_text("AZURE_TENANT_ID").len)
        return azure_missing("AZURE_TENANT_ID");
    TRY(error_as(fs_read(arena, path, FILE_MAX, &token), ERROR_INVALID));
    str form = CLOUD_FORM(arena, { STR_INIT("grant_type"), STR_INIT("client_credentials") },
                          { STR_INIT("client_id"), settings_text("AZURE_CLIENT_ID") },
                          { STR_INIT("client_assertion_type"), STR_INIT(ASSERTION_TYPE) },
                          { STR_INIT("client_assertion"), str_trim(token) },
                          { STR_INIT("scope"), azure_scope(credentials, arena) });
    return azure_ask(credentials, arena, form, out);
}

/* --- managed identity --- */

static fallible azure_ask_machine(struct azure_credentials *credentials, struct arena *arena,
                                  str endpoint, str version, str header,
                                  struct cloud_token_grant *out)
{
    str query = CLOUD_FORM(arena, { STR_INIT("api-version"), version },
                           { STR_INIT("resource"), credentials->resource },
                           { STR_INIT("client_id"), settings_text("AZURE_CLIENT_ID") });
    const struct cloud_call call = {
        .who = "the service of managed identities",
        .method = STR("GET"),
        .url = arena_concat(arena, endpoint, STR("?"), query),
        .headers = &header,
        .header_count = 1,
        .is_near = true,
    };

    return cloud_token_ask(credentials->http, &call, arena, out);
}

static struct error *azure_by_managed_identity(struct azure_credentials *credentials,
                                               struct arena *arena, struct cloud_token_grant *out)
{
    str endpoint = settings_text("IDENTITY_ENDPOINT"), header = settings_text("IDENTITY_HEADER");

    if (endpoint.len && header.len) {
        struct error *failure =
            azure_ask_machine(credentials, arena, endpoint, STR("2019-08-01"),
                              arena_concat(arena, STR("X-IDENTITY-HEADER: "), header), out);
        return failure && error_kind(failure) == ERROR_NOT_FOUND ? error_as(failure, ERROR_INVALID)
                                                                 : failure;
    }
    struct error *failure = azure_ask_machine(
        credentials, arena, STR("http://169.254.169.254/metadata/identity/oauth2/token"),
        STR("2018-02-01"), STR("Metadata: true"), out);
    /* Most machines have none: whatever answers or does not, the next link may do better. */
    if (failure && error_kind(failure) != ERROR_CANCELED)
        return error_as(failure, ERROR_NOT_FOUND);
    return failure;
}

/* --- tools of developers --- */

static fallible azure_ask_tool(struct arena *arena, const char *const *argv,
                               struct cloud_token_grant *out)
{
    str output;
    struct error *failure = cloud_program_run(arena, argv, &output);

    if (!failure)
        failure = error_wrap(cloud_token_parse(arena, output, out), "'%s'", argv[0]);
    if (failure && error_kind(failure) != ERROR_CANCELED)
        return error_as(failure, ERROR_NOT_FOUND);
    return failure;
}

static struct error *azure_by_az(struct azure_credentials *credentials, struct arena *arena,
                                 struct cloud_token_grant *out)
{
    const char *tenant = arena_cstr(arena, settings_text("AZURE_TENANT_ID"));
    const char *const argv[] = { "az",
                                 "account",
                                 "get-access-token",
                                 "-o",
                                 "json",
                                 "--resource",
                                 arena_cstr(arena, credentials->resource),
                                 *tenant ? "--tenant" : NULL,
                                 tenant,
                                 NULL };

    return azure_ask_tool(arena, argv, out);
}

static struct error *azure_by_azd(struct azure_credentials *credentials, struct arena *arena,
                                  struct cloud_token_grant *out)
{
    const char *const argv[] = { "azd",     "auth",
                                 "token",   "-o",
                                 "json",    "--no-prompt",
                                 "--scope", arena_cstr(arena, azure_scope(credentials, arena)),
                                 NULL };

    return azure_ask_tool(arena, argv, out);
}

/* --- the chain --- */

static const struct azure_link {
    const char *name;
    const char *group; /* of AZURE_TOKEN_CREDENTIALS */
    azure_link_token *token;
} azure_links[] = {
    { "EnvironmentCredential", "prod", azure_by_environment },
    { "WorkloadIdentityCredential", "prod", azure_by_workload },
    { "ManagedIdentityCredential", "prod", azure_by_managed_identity },
    { "AzureCLICredential", "dev", azure_by_az },
    { "AzureDeveloperCLICredential", "dev", azure_by_azd },
};
enum { AZURE_LINKS = sizeof(azure_links) / sizeof(*azure_links) };

static bool azure_link_is_wanted(const struct azure_link *link, str wanted)
{
    const char *names[] = { link->name, link->group };

    if (!wanted.len)
        return true;
    for (size_t i = 0; i < 2; i++)
        if (wanted.len == strlen(names[i]) && strncasecmp(wanted.ptr, names[i], wanted.len) == 0)
            return true;
    return false;
}

static fallible azure_check_wanted(str wanted)
{
    for (size_t i = 0; i < AZURE_LINKS; i++)
        if (azure_link_is_wanted(&azure_links[i], wanted))
            return NULL;
    return error_new(ERROR_INVALID,
                     "AZURE_TOKEN_CREDENTIALS is '" STR_FMT
                     "': expected dev, prod, EnvironmentCredential, WorkloadIdentityCredential, "
                     "ManagedIdentityCredential, AzureCLICredential or "
                     "AzureDeveloperCLICredential",
                     STR_ARG(wanted));
}

static struct error *azure_fetch(void *credentials_, struct arena *arena,
                                 struct cloud_token_grant *out)
{
    struct azure_credentials *credentials = credentials_;
    str wanted = settings_text("AZURE_TOKEN_CREDENTIALS");
    CLEANUP(strbuf_release) struct strbuf tried = { 0 };

    for (size_t i = 0; i < AZURE_LINKS; i++) {
        if (!azure_link_is_wanted(&azure_links[i], wanted))
            continue;
        struct error *failure = azure_links[i].token(credentials, arena, out);
        if (!failure)
            return NULL;
        if (error_kind(failure) != ERROR_NOT_FOUND)
            return error_wrap(failure, "%s", azure_links[i].name);
        strbuf_printf(&tried, "\n    %s: " STR_FMT, azure_links[i].name,
                      STR_ARG(error_message(failure)));
        error_ignore(failure, "the next one may do better");
    }
    return error_new(ERROR_INVALID,
                     "there are no credentials for Azure: set AZURE_TENANT_ID, AZURE_CLIENT_ID and "
                     "AZURE_CLIENT_SECRET, or log in with `az login`. Tried:" STR_FMT,
                     STR_ARG(strbuf_str(&tried)));
}

fallible azure_credentials_open(struct http_client *http, str resource, str tenant,
                                struct azure_credentials **out)
{
    TRY(azure_check_wanted(settings_text("AZURE_TOKEN_CREDENTIALS")));
    struct azure_credentials *credentials = memory_zalloc(sizeof(*credentials));

    while (str_ends_with(resource, STR("/")))
        resource.len--;
    credentials->http = http;
    credentials->resource = arena_copy(&credentials->arena, resource);
    credentials->tenant = arena_copy(&credentials->arena, tenant);
    *out = credentials;
    return NULL;
}

void azure_credentials_close(struct azure_credentials *owned)
{
    if (!owned)
        return;
    cloud_token_release(&owned->token);
    arena_release(&owned->arena);
    free(owned);
}

fallible azure_credentials_header(struct azure_credentials *credentials, struct arena *arena,
                                  str *out)
{
    struct secret token;

    TRY(cloud_token_get(&credentials->token, azure_fetch, credentials, arena, &token));
    *out = arena_concat(arena, STR("Authorization: Bearer "), secret_reveal(token));
    return NULL;
}

void azure_credentials_refused(struct azure_credentials *credentials, str header)
{
    str before, token;

    if (str_cut(header, STR("Bearer "), &before, &token))
        cloud_token_refused(&credentials->token, secret_hide(token));
}
