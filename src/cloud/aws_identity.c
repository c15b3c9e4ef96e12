/* aws_identity.c — the chain of sources: the first that has credentials is used, and asked again
 * when they end. */
#include "cloud/aws_identity.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "cloud/aws_sources.h"
#include "fiber/sync.h"

#include <stdlib.h>

enum { PROFILES_MAX = 8 };
/* So long before their end credentials are renewed. */
#define RENEWAL_NS ((int64_t)5 * 60 * NS_PER_S)

struct aws_identity {
    struct arena arena;
    struct aws_options options;
    struct http_client *http;
    str region;
    struct semaphore turn; /* one fiber renews */
    struct arena held_arena;
    struct aws_credentials held;
    bool has_held;
};

/* --- where --- */

static str aws_first_setting(const char *const *names)
{
    str text = STR("");

    for (; *names && text.len == 0; names++)
        text = settings_text(*names);
    return text;
}

str aws_endpoint(struct arena *arena, const char *service, str region)
{
    CLEANUP(strbuf_release) struct strbuf variable = { 0 };

    strbuf_add(&variable, STR("AWS_ENDPOINT_URL_"));
    for (const char *c = service; *c; c++)
        strbuf_add_char(&variable, (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c));
    const char *const names[] = { variable.ptr, "AWS_ENDPOINT_URL", NULL };
    str endpoint =
        settings_bool("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") ? STR("") : aws_first_setting(names);
    if (endpoint.len > 0)
        return arena_copy(arena, endpoint);
    bool is_china = str_starts_with(region, STR("cn-"));
    return arena_printf(arena, "https://%s." STR_FMT ".amazonaws.com%s", service, STR_ARG(region),
                        is_china ? ".cn" : "");
}

static str aws_profile_name(const struct aws_options *options)
{
    static const char *const names[] = { "AWS_PROFILE", "AWS_DEFAULT_PROFILE", NULL };
    str name = options->profile.len > 0 ? options->profile : aws_first_setting(names);

    return name.len > 0 ? name : STR("default");
}

static fallible aws_find_region(struct aws_identity *identity)
{
    static const char *const names[] = { "AWS_REGION", "AWS_DEFAULT_REGION", NULL };
    struct aws_profile profile;

    identity->region = identity->options.region;
    if (identity->region.len == 0)
        identity->region = aws_first_setting(names);
    if (identity->region.len > 0)
        return NULL;
    TRY(aws_profile_load(&identity->arena, identity->options.home,
                         aws_profile_name(&identity->options), &profile));
    identity->region = aws_profile_value(&profile, "region");
    return NULL;
}

/* --- profiles --- */

struct aws_chain {
    struct aws_identity *identity;
    struct aws_source source;
    struct strs visited; /* profiles, against circles */
    str visited_items[PROFILES_MAX];
};

static fallible aws_use_profile(struct aws_chain *chain, str name, bool *is_found,
                                struct aws_credentials *out);

static fallible aws_use_environment(bool *is_found, struct aws_credentials *out)
{
    static const char *const keys[] = { "AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY", NULL };
    static const char *const secrets[] = { "AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY", NULL };

    *out = (struct aws_credentials){
        .access_key = aws_first_setting(keys),
        .secret_key = secret_hide(aws_first_setting(secrets)),
        .session_token = secret_hide(settings_text("AWS_SESSION_TOKEN")),
    };
    *is_found = out->access_key.len > 0 && out->secret_key.hidden_len > 0;
    return NULL;
}

static fallible aws_use_token(struct aws_chain *chain, const struct aws_role *role, str token_file,
                              bool *is_found, struct aws_credentials *out)
{
    *is_found = role->arn.len > 0 && token_file.len > 0;
    return *is_found ? aws_assume_by_token(&chain->source, role, token_file, out) : NULL;
}

/* credential_source of a profile. */
static fallible aws_use_named_source(struct aws_chain *chain, str name, bool *is_found,
                                     struct aws_credentials *out)
{
    *is_found = true;
    if (str_equal(name, STR("Environment")))
        return aws_use_environment(is_found, out);
    if (str_equal(name, STR("EcsContainer")))
        return aws_ask_container(&chain->source, is_found, out);
    if (str_equal(name, STR("Ec2InstanceMetadata")))
        return aws_ask_machine(&chain->source, out);
    return error_new(ERROR_INVALID,
                     "credential_source is '" STR_FMT
                     "': expected Environment, EcsContainer or Ec2InstanceMetadata",
                     STR_ARG(name));
}

/* STS of the region of the profile. */
static struct aws_source aws_profile_source(const struct aws_chain *chain,
                                            const struct aws_profile *profile)
{
    struct aws_source source = chain->source;
    str region = aws_profile_value(profile, "region");

    if (region.len > 0)
        source.region = region;
    return source;
}

static struct aws_role aws_profile_role(const struct aws_profile *profile)
{
    return (struct aws_role){
        .arn = aws_profile_value(profile, "role_arn"),
        .session_name = aws_profile_value(profile, "role_session_name"),
        .external_id = aws_profile_value(profile, "external_id"),
        .duration = aws_profile_value(profile, "duration_seconds"),
    };
}

static void aws_use_static(const struct aws_profile *profile, bool *is_found,
                           struct aws_credentials *out)
{
    *out = (struct aws_credentials){
        .access_key = aws_profile_value(profile, "aws_access_key_id"),
        .secret_key = secret_hide(aws_profile_value(profile, "aws_secret_access_key")),
        .session_token = secret_hide(aws_profile_value(profile, "aws_session_token")),
    };
    *is_found = out->access_key.len > 0 && out->secret_key.hidden_len > 0;
}

/* What a profile has by itself, before its role. A profile that names itself as source means its
 * own keys. */
static fallible aws_profile_base(struct aws_chain *chain, const struct aws_profile *profile,
                                 bool *is_found, struct aws_credentials *out)
{
    str from = aws_profile_value(profile, "source_profile");
    str named = aws_profile_value(profile, "credential_source");
    str process = aws_profile_value(profile, "credential_process");

    if (from.len > 0 && !str_equal(from, profile->name))
        return aws_use_profile(chain, from, is_found, out);
    aws_use_static(profile, is_found, out);
    if (*is_found)
        return NULL;
    if (named.len > 0)
        return aws_use_named_source(chain, named, is_found, out);
    TRY(aws_use_sso(&chain->source, profile, chain->identity->options.home, is_found, out));
    if (*is_found)
        return NULL;
    *is_found = process.len > 0;
    return *is_found ? aws_run_process(&chain->source, process, out) : NULL;
}

static fallible aws_read_profile(struct aws_chain *chain, const struct aws_profile *profile,
                                 bool *is_found, struct aws_credentials *out)
{
    struct aws_role role = aws_profile_role(profile);
    struct aws_source source = aws_profile_source(chain, profile);
    str token_file = aws_profile_value(profile, "web_identity_token_file");
    struct aws_credentials base;

    *is_found = true;
    if (role.arn.len > 0 && token_file.len > 0)
        return aws_assume_by_token(&source, &role, token_file, out);
    TRY(aws_profile_base(chain, profile, is_found, &base));
    *out = base;
    if (role.arn.len == 0)
        return NULL;
    if (aws_profile_value(profile, "mfa_serial").len > 0)
        return error_new(ERROR_INVALID,
                         "the role needs a code of a device (mfa_serial), for which nobody can be "
                         "asked here: use credential_process, or credentials in the environment "
                         "(`aws sts get-session-token --serial-number … --token-code …`)");
    if (!*is_found)
        return error_new(ERROR_INVALID,
                         "there are no credentials to take the role with: the profile needs "
                         "source_profile, credential_source or keys");
    return aws_assume_role(&source, &role, &base, out);
}

static fallible aws_use_profile(struct aws_chain *chain, str name, bool *is_found,
                                struct aws_credentials *out)
{
    struct aws_profile profile;

    *is_found = false;
    *out = (struct aws_credentials){ 0 };
    if (chain->visited.len == PROFILES_MAX)
        return error_new(ERROR_INVALID, "the source_profile of profiles leads in a circle");
    chain->visited_items[chain->visited.len++] = name;
    chain->visited.items = chain->visited_items;
    TRY(aws_profile_load(chain->source.arena, chain->identity->options.home, name, &profile));
    if (!profile.exists && chain->visited.len > 1)
        return error_new(ERROR_INVALID, "there is no AWS profile '" STR_FMT "'", STR_ARG(name));
    if (!profile.exists)
        return NULL;
    return error_wrap(aws_read_profile(chain, &profile, is_found, out), "AWS profile '" STR_FMT "'",
                      STR_ARG(name));
}

/* --- the chain --- */

/* A profile that was asked for by name has to exist. */
static fallible aws_use_chosen_profile(struct aws_chain *chain, bool *is_found,
                                       struct aws_credentials *out)
{
    const struct aws_options *options = &chain->identity->options;
    str name = aws_profile_name(options);
    bool is_chosen = options->profile.len > 0 || settings_text("AWS_PROFILE").len > 0;

    chain->visited.len = 0;
    TRY(aws_use_profile(chain, name, is_found, out));
    if (*is_found || !is_chosen)
        return NULL;
    return error_new(ERROR_INVALID,
                     "there is no AWS profile '" STR_FMT
                     "' with credentials in ~/.aws/config and ~/.aws/credentials",
                     STR_ARG(name));
}

static fallible aws_use_identity_token(struct aws_chain *chain, bool *is_found,
                                       struct aws_credentials *out)
{
    const struct aws_role role = { .arn = settings_text("AWS_ROLE_ARN"),
                                   .session_name = settings_text("AWS_ROLE_SESSION_NAME") };

    return aws_use_token(chain, &role, settings_text("AWS_WEB_IDENTITY_TOKEN_FILE"), is_found, out);
}

static fallible aws_use_container(struct aws_chain *chain, bool *is_found,
                                  struct aws_credentials *out)
{
    return aws_ask_container(&chain->source, is_found, out);
}

static fallible aws_walk(struct aws_chain *chain, struct aws_credentials *out)
{
    static struct error *(*const links[])(struct aws_chain *, bool *, struct aws_credentials *) = {
        aws_use_identity_token,
        aws_use_chosen_profile,
        aws_use_container,
    };
    bool is_found = false;

    if (chain->identity->options.profile.len > 0)
        return aws_use_chosen_profile(chain, &is_found, out);
    TRY(aws_use_environment(&is_found, out));
    for (size_t i = 0; i < sizeof(links) / sizeof(*links) && !is_found; i++)
        TRY(links[i](chain, &is_found, out));
    if (is_found)
        return NULL;
    return error_wrap(
        aws_ask_machine(&chain->source, out),
        "no AWS credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a "
        "profile in ~/.aws (AWS_PROFILE). Tried: the environment, a web identity token, the "
        "profile '" STR_FMT "', a container, and last",
        STR_ARG(aws_profile_name(&chain->identity->options)));
}

static fallible aws_find(struct aws_identity *identity, struct arena *arena,
                         struct aws_credentials *out)
{
    struct aws_chain chain = { .identity = identity,
                               .source = { identity->http, arena, identity->region } };
    struct aws_credentials base;

    TRY(aws_walk(&chain, &base));
    if (identity->options.role.len == 0) {
        *out = base;
        return NULL;
    }
    const struct aws_role role = { .arn = identity->options.role };
    return aws_assume_role(&chain.source, &role, &base, out);
}

/* --- held credentials --- */

fallible aws_identity_new(const struct aws_options *options, struct http_client *http,
                          struct aws_identity **out)
{
    struct aws_identity *identity = memory_zalloc(sizeof(*identity));
    struct arena *arena = &identity->arena;

    identity->http = http;
    identity->turn.available = 1;
    identity->options = (struct aws_options){
        .profile = arena_copy(arena, options->profile),
        .role = arena_copy(arena, options->role),
        .region = arena_copy(arena, options->region),
        .is_anonymous = options->is_anonymous,
        .home = arena_copy(arena, options->home),
    };
    struct error *failure = aws_find_region(identity);
    if (failure) {
        aws_identity_free(identity);
        return failure;
    }
    *out = identity;
    return NULL;
}

void aws_identity_free(struct aws_identity *owned)
{
    if (!owned)
        return;
    arena_release(&owned->held_arena);
    arena_release(&owned->arena);
    free(owned);
}

str aws_identity_region(const struct aws_identity *identity)
{
    return identity->region;
}

void aws_identity_expire(struct aws_identity *identity)
{
    identity->has_held = false;
}

static bool aws_is_good(const struct aws_identity *identity)
{
    return identity->has_held
           && (identity->held.expires == 0 || identity->held.expires - clock_now() > RENEWAL_NS);
}

/* Those that have not quite ended are better than none. */
static fallible aws_renew(struct aws_identity *identity)
{
    struct arena arena = { 0 };
    struct aws_credentials found;

    struct error *failure = aws_find(identity, &arena, &found);
    if (failure) {
        arena_release(&arena);
        if (!identity->has_held || identity->held.expires <= clock_now())
            return failure;
        error_ignore(failure, "what is held still counts for a while");
        return NULL;
    }
    arena_release(&identity->held_arena);
    identity->held_arena = arena;
    identity->held = found;
    identity->has_held = true;
    return NULL;
}

fallible aws_identity_get(struct aws_identity *identity, struct arena *arena,
                          struct aws_credentials *out)
{
    struct error *failure = NULL;

    *out = (struct aws_credentials){ .access_key = STR("") };
    if (identity->options.is_anonymous)
        return NULL;
    TRY(semaphore_wait(&identity->turn));
    if (!aws_is_good(identity))
        failure = aws_renew(identity);
    if (!failure) {
        const struct aws_credentials *held = &identity->held;
        out->access_key = arena_copy(arena, held->access_key);
        out->secret_key = secret_hide(arena_copy(arena, secret_reveal(held->secret_key)));
        out->session_token = secret_hide(arena_copy(arena, secret_reveal(held->session_token)));
        out->expires = held->expires;
    }
    semaphore_post(&identity->turn);
    return failure;
}
