/* google_credentials.c — where credentials for Google Cloud are looked for. */
#include "cloud/google_credentials.h"

#include "base/fs.h"
#include "base/memory.h"
#include "base/settings.h"
#include "cloud/google_identity.h"

#include <stdlib.h>

enum { CREDENTIALS_MAX = 1 << 20 };

struct google_credentials {
    struct http_client *http;
    struct arena arena;
    enum { GOOGLE_BY_TOKEN, GOOGLE_BY_IDENTITY, GOOGLE_BY_METADATA } kind;
    struct secret given; /* GOOGLE_OAUTH_ACCESS_TOKEN */
    struct google_identity identity;
    str origin; /* where it was found, for messages */
    struct cloud_token token;
};

/* --- looking --- */

static fallible google_parse_found(struct google_credentials *credentials, str origin, str json)
{
    credentials->kind = GOOGLE_BY_IDENTITY;
    credentials->origin = arena_copy(&credentials->arena, origin);
    return error_wrap(google_identity_parse(&credentials->arena, json, &credentials->identity),
                      "the Google credentials in " STR_FMT, STR_ARG(credentials->origin));
}

static fallible google_read_file(struct google_credentials *credentials, str path)
{
    str text;

    TRY(fs_read(&credentials->arena, path, CREDENTIALS_MAX, &text));
    return google_parse_found(credentials,
                              arena_concat(&credentials->arena, STR("'"), path, STR("'")), text);
}

static fallible google_look(struct google_credentials *credentials)
{
    str json = settings_text("GOOGLE_CREDENTIALS");
    str token = settings_text("GOOGLE_OAUTH_ACCESS_TOKEN");
    str path = settings_text("GOOGLE_APPLICATION_CREDENTIALS"), home = settings_text("HOME");

    if (json.len && !str_starts_with(str_trim(json), STR("{")) && fs_is_file(json))
        return error_wrap(google_read_file(credentials, json), "GOOGLE_CREDENTIALS");
    if (json.len)
        return google_parse_found(credentials, STR("GOOGLE_CREDENTIALS"), json);
    if (token.len) {
        credentials->kind = GOOGLE_BY_TOKEN;
        credentials->origin = STR("GOOGLE_OAUTH_ACCESS_TOKEN");
        credentials->given = secret_hide(token);
        return NULL;
    }
    if (path.len)
        return error_wrap(google_read_file(credentials, path), "GOOGLE_APPLICATION_CREDENTIALS");
    str file = arena_concat(&credentials->arena, home,
                            STR("/.config/gcloud/application_default_credentials.json"));
    if (home.len && fs_is_file(file))
        return google_read_file(credentials, file);
    credentials->kind = GOOGLE_BY_METADATA;
    credentials->origin = STR("the metadata server");
    return NULL;
}

fallible google_credentials_open(struct http_client *http, struct google_credentials **out)
{
    struct google_credentials *credentials = memory_zalloc(sizeof(*credentials));

    credentials->http = http;
    struct error *failure = google_look(credentials);
    if (failure)
        google_credentials_close(credentials);
    else
        *out = credentials;
    return failure;
}

void google_credentials_close(struct google_credentials *owned)
{
    if (!owned)
        return;
    cloud_token_release(&owned->token);
    arena_release(&owned->arena);
    free(owned);
}

/* --- tokens --- */

/* Only on Google's own machines there is one; elsewhere nothing else is left to try. */
static fallible google_ask_metadata(struct http_client *http, struct arena *arena,
                                    struct cloud_token_grant *out)
{
    str host = settings_text("GCE_METADATA_HOST");
    const str headers[] = { STR("Metadata-Flavor: Google") };
    struct http_response response;
    const struct cloud_call call = {
        .who = "the metadata server",
        .method = STR("GET"),
        .url = arena_concat(
            arena, STR("http://"), host.len ? host : STR("169.254.169.254"),
            STR("/computeMetadata/v1/instance/service-accounts/default/token?"),
            CLOUD_FORM(arena, { STR_INIT("scopes"),
                                STR_INIT("https://www.googleapis.com/auth/cloud-platform") })),
        .headers = headers,
        .header_count = 1,
        .is_near = true,
    };

    TRY(cloud_call_send(http, &call, arena, &response));
    if (!http_response_is_good(&response))
        return cloud_call_refusal(&call, &response);
    if (!str_equal(http_response_header(&response, "Metadata-Flavor"), STR("Google")))
        return error_new(ERROR_INVALID, "it is not Google's");
    return cloud_token_parse(arena, response.body, out);
}

static struct error *google_fetch(void *credentials_, struct arena *arena,
                                  struct cloud_token_grant *out)
{
    struct google_credentials *credentials = credentials_;

    if (credentials->kind == GOOGLE_BY_METADATA)
        return error_wrap(
            google_ask_metadata(credentials->http, arena, out),
            "missing google credentials: unable to find gcp credentials: google: could not find "
            "default credentials. Set GOOGLE_CREDENTIALS, GOOGLE_OAUTH_ACCESS_TOKEN or "
            "GOOGLE_APPLICATION_CREDENTIALS, or run `gcloud auth application-default login`; "
            "there is no metadata server either");
    return error_wrap(google_identity_token(credentials->http, &credentials->identity, arena, out),
                      "the Google credentials in " STR_FMT, STR_ARG(credentials->origin));
}

fallible google_credentials_headers(struct google_credentials *credentials, struct arena *arena,
                                    str headers[GOOGLE_HEADERS], size_t *count)
{
    str project = settings_text("GOOGLE_CLOUD_QUOTA_PROJECT");
    struct secret token = credentials->given;

    if (!project.len)
        project = credentials->identity.quota_project_id;
    if (credentials->kind != GOOGLE_BY_TOKEN)
        TRY(cloud_token_get(&credentials->token, google_fetch, credentials, arena, &token));
    *count = 0;
    headers[(*count)++] = arena_concat(arena, STR("Authorization: Bearer "), secret_reveal(token));
    if (project.len)
        headers[(*count)++] = arena_concat(arena, STR("X-Goog-User-Project: "), project);
    return NULL;
}

void google_credentials_refused(struct google_credentials *credentials, str header)
{
    str before, token;

    if (str_cut(header, STR("Bearer "), &before, &token))
        cloud_token_refused(&credentials->token, secret_hide(token));
}

str google_credentials_domain(const struct google_credentials *credentials)
{
    str domain = settings_text("GOOGLE_CLOUD_UNIVERSE_DOMAIN");

    if (!domain.len)
        domain = credentials->identity.universe_domain;
    return domain.len ? domain : STR("googleapis.com");
}
