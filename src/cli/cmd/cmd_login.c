/* cmd_login.c — `login`, `logout`, `whoami`: which backend is used where nothing else says. */
#include "base/fs.h"
#include "base/settings.h"
#include "cli/open.h"
#include "cli/screen/json_print.h"
#include "cli/screen/prompt.h"
#include "cli/service/session.h"

#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

struct login_args {
    bool local;
    str cloud_url;
    str default_org;
    bool insecure;
    bool interactive;
    bool all;
    str oidc_token;
    str oidc_organization;
    str oidc_team;
    str oidc_user;
    str oidc_expiration;
};

static const struct option login_options[] = {
    FLAG(struct login_args, local, 'l', "local", "Keep stacks in the home directory"),
    TEXT(struct login_args, cloud_url, 'c', "cloud-url", "The URL of the backend"),
    TEXT(struct login_args, default_org, 0, "default-org",
         "The organization that names of stacks without one mean"),
    FLAG(struct login_args, insecure, 0, "insecure", "Do not check the certificate of the server"),
    FLAG(struct login_args, interactive, 0, "interactive", "Choose among the known backends"),
    TEXT(struct login_args, oidc_token, 0, "oidc-token",
         "Exchange this OIDC token (or file://PATH of one) for an access token"),
    TEXT(struct login_args, oidc_organization, 0, "oidc-org",
         "The organization that trusts the issuer of the OIDC token"),
    TEXT(struct login_args, oidc_team, 0, "oidc-team", "The team of the access token"),
    TEXT(struct login_args, oidc_user, 0, "oidc-user", "The user of the access token"),
    TEXT(struct login_args, oidc_expiration, 0, "oidc-expiration",
         "How long the access token is good for: 2h by default"),
    { 0 },
};
static const struct option logout_options[] = {
    FLAG(struct login_args, local, 'l', "local", "Forget the home directory as backend"),
    TEXT(struct login_args, cloud_url, 'c', "cloud-url", "The URL of the backend"),
    FLAG(struct login_args, all, 0, "all", "Forget all backends"),
    { 0 },
};

/* The URL that operand and options give; empty if they give none. */
static fallible chosen_url(const struct cli *cli, const struct login_args *args, str *out)
{
    *out = args->cloud_url;
    if (cli->operands.len) {
        if (args->cloud_url.len)
            return error_new(ERROR_INVALID,
                             "only one of --cloud-url or argument URL may be specified, not both");
        *out = cli->operands.items[0];
    }
    if (args->local) {
        if (out->len)
            return error_new(ERROR_INVALID,
                             "a URL may not be specified when --local mode is enabled");
        *out = STR("file://~");
    }
    return NULL;
}

static str cmd_login_user_name(struct arena *arena)
{
    const struct passwd *user = getpwuid(geteuid());

    return user ? arena_copy(arena, str_from(user->pw_name)) : STR("unknown");
}

/* Leaves `url` empty where nothing is known to choose from. */
static fallible choose_account(struct cli *cli, const struct credentials *credentials, str *url)
{
    const char **urls = ARENA_ARRAY(cli->arena, const char *, credentials->len + 1);
    size_t choice;

    if (!credentials->len)
        return NULL;
    for (size_t i = 0; i < credentials->len; i++)
        urls[i] =
            arena_cstr(cli->arena, backend_url_public(cli->arena, credentials->accounts[i].url));
    TRY(prompt_choice(cli, "Please choose an account to log in to:", urls, 0, &choice));
    *url = credentials->accounts[choice].url;
    return NULL;
}

/* Every command prefers the variable to what is logged in to. */
static void warn_of_variable(const struct cli *cli, str url)
{
    str variable = settings_text("PULUMI_BACKEND_URL");

    if (url.len && variable.len && !str_equal(url, variable))
        cli_report(cli, "warning",
                   arena_printf(cli->arena,
                                "The PULUMI_BACKEND_URL environment variable is set to '" STR_FMT
                                "', which conflicts with the login URL '" STR_FMT "'.",
                                STR_ARG(backend_url_public(cli->arena, variable)),
                                STR_ARG(backend_url_public(cli->arena, url))));
}

/* A password in a URL is used, but not kept. */
static void warn_of_password(const struct cli *cli, str given, str kept)
{
    if (!str_equal(given, kept))
        cli_report(cli, "warning",
                   STR("the password of the URL is not kept. Later commands take it from "
                       "PGPASSWORD, from ~/.pgpass or from PULUMI_BACKEND_URL"));
}

/* --- the hosted service --- */

/* "90m", "2h", "3600s", "1h30m" in seconds. */
static fallible read_duration(str text, int64_t *out)
{
    int64_t total = 0, number = 0;
    bool has_digits = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        int64_t unit = c == 'h' ? 3600 : c == 'm' ? 60 : c == 's' ? 1 : 0;
        if (char_is_digit(c) && number < 1000000) {
            number = number * 10 + (c - '0');
            has_digits = true;
        } else if (unit && has_digits) {
            total += number * unit;
            number = 0;
            has_digits = false;
        } else {
            break;
        }
        *out = total;
        if (i + 1 == text.len && !has_digits && total > 0)
            return NULL;
    }
    return error_new(ERROR_INVALID,
                     "invalid --oidc-expiration '" STR_FMT "': it is a duration such as 2h or 90m",
                     STR_ARG(text));
}

static fallible read_proof(struct cli *cli, const struct login_args *args,
                           struct service_proof *out)
{
    enum { PROOF_MAX = 64 << 10 };
    str token = args->oidc_token;

    if (!args->oidc_organization.len)
        return error_new(ERROR_INVALID, "--oidc-org must be set when --oidc-token is used");
    if (args->oidc_team.len && args->oidc_user.len)
        return error_new(ERROR_INVALID, "only one of --oidc-team and --oidc-user may be given");
    if (str_starts_with(token, STR("file://")))
        TRY(fs_read(cli->arena, str_slice(token, strlen("file://"), token.len), PROOF_MAX, &token));
    *out = (struct service_proof){ .token = secret_hide(str_trim(token)),
                                   .organization = args->oidc_organization,
                                   .team = args->oidc_team,
                                   .user = args->oidc_user };
    return args->oidc_expiration.len ? read_duration(args->oidc_expiration, &out->seconds) : NULL;
}

static fallible login_service(struct cli *cli, const struct login_args *args, str url)
{
    struct service_proof proof;
    struct login_wish wish = { .url = url, .is_insecure = args->insecure };

    if (args->oidc_token.len) {
        TRY(read_proof(cli, args, &proof));
        wish.proof = &proof;
    }
    TRY(session_login(cli, &wish, &cli->session));
    if (args->default_org.len)
        TRY(session_choose_organization(cli->session, args->default_org));
    printf("Logged in to " STR_FMT " as " STR_FMT " (" STR_FMT ")\n", STR_ARG(url),
           STR_ARG(session_user(cli->session)), STR_ARG(session_console(cli->session, cli->arena)));
    return NULL;
}

static struct error *run_login(struct cli *cli, const void *args_)
{
    const struct login_args *args = args_;
    struct credentials credentials = { 0 };
    str url;

    TRY(chosen_url(cli, args, &url));
    if (args->insecure && url.len && !url_is_service(url))
        cli_report(cli, "warning",
                   STR("--insecure has no effect here: it is about connections to the hosted "
                       "service"));
    TRY(credentials_load(cli->arena, &cli->workspace, &credentials));
    if (!url.len && args->interactive && cli->terminal.is_interactive)
        TRY(choose_account(cli, &credentials, &url));
    warn_of_variable(cli, url);
    if (!url.len)
        TRY(cli_backend_url(cli, &url));
    if (url_is_service(url))
        return login_service(cli, args, url);
    if (args->oidc_token.len || args->oidc_organization.len || args->oidc_team.len
        || args->oidc_user.len || args->oidc_expiration.len)
        return error_new(ERROR_INVALID,
                         "the --oidc options are for the hosted service; '" STR_FMT
                         "' is no URL of it",
                         STR_ARG(url));
    TRY(cli_open_backend(cli, url));
    warn_of_password(cli, url, backend_url(cli->backend));
    url = backend_url(cli->backend);
    TRY(credentials_edit(cli->arena, &cli->workspace, &credentials));
    credentials_login(
        cli->arena, &credentials,
        (struct account){ .url = url, .last_validated = STR("0001-01-01T00:00:00Z") });
    TRY(credentials_save(&cli->workspace, &credentials));
    if (args->default_org.len)
        return error_new(ERROR_INVALID, "unable to set default org for this type of backend");
    printf("Logged in to " STR_FMT " as " STR_FMT " (" STR_FMT ")\n", STR_ARG(cli_host_name(cli)),
           STR_ARG(cmd_login_user_name(cli->arena)), STR_ARG(url));
    return NULL;
}

const struct command cmd_login = {
    .path = "login",
    .operands = "[URL]",
    .summary = "Choose where stacks are kept",
    .example = "login file://~\n"
               "login --local\n"
               "login s3://my-bucket",
    .details = "file://PATH keeps them in a directory, file://~ in the home directory, "
               "s3://BUCKET[/PREFIX] in a bucket, postgres://USER@HOST/DATABASE in a database. "
               "https://HOST is the API of the hosted service: its access token comes from "
               "PULUMI_ACCESS_TOKEN, or is asked for.",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct login_args),
    .options = OPTIONS(login_options),
    .run = run_login,
};

static struct error *run_logout(struct cli *cli, const void *args_)
{
    const struct login_args *args = args_;
    struct credentials credentials = { 0 };
    str url;

    TRY(chosen_url(cli, args, &url));
    TRY(credentials_load(cli->arena, &cli->workspace, &credentials));
    if (args->all) {
        credentials = (struct credentials){ 0 };
        TRY(credentials_save(&cli->workspace, &credentials));
        puts("Logged out of everything");
        return NULL;
    }
    if (!url.len)
        url = settings_text("PULUMI_BACKEND_URL");
    if (!url.len)
        url = credentials.current;
    if (!url.len)
        return error_new(ERROR_INVALID, "no backend URL was given and none is in use");
    /* The reference keeps it as it was given. */
    str kept = backend_url_public(cli->arena, url);
    TRY(credentials_edit(cli->arena, &cli->workspace, &credentials));
    credentials_logout(&credentials, url);
    credentials_logout(&credentials, kept);
    TRY(credentials_save(&cli->workspace, &credentials));
    printf("Logged out of " STR_FMT "\n", STR_ARG(kept));
    return NULL;
}

const struct command cmd_logout = {
    .path = "logout",
    .operands = "[URL]",
    .summary = "Forget a backend",
    .example = "logout\n"
               "logout --all",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct login_args),
    .options = OPTIONS(logout_options),
    .run = run_logout,
};

struct whoami_args {
    str output;
    bool json;
    bool verbose;
};

static const struct option whoami_options[] = {
    TEXT(struct whoami_args, output, 0, "output", "How to print: default or json"),
    FLAG(struct whoami_args, json, 'j', "json", NULL),
    FLAG(struct whoami_args, verbose, 'v', "verbose", "Show more than the name"),
    { 0 },
};

/* Who it is, in whichever kind of backend. */
struct whoami_facts {
    str user;
    str url;
    struct strs organizations;
    str token_name, token_organization, token_team;
};

static struct whoami_facts gather_whoami(struct cli *cli)
{
    struct service_session *session = cli->session;
    struct arena *arena = cli->arena;

    if (!session)
        return (struct whoami_facts){ .user = cmd_login_user_name(arena),
                                      .url = backend_url(cli->backend) };
    str console = session_console(session, arena);
    return (struct whoami_facts){
        .user = session_user(session),
        .url = console.len ? console : backend_url(cli->backend),
        .organizations = session_organizations(session, arena),
        .token_name = session_token_fact(session, arena, "name"),
        .token_organization = session_token_fact(session, arena, "organization"),
        .token_team = session_token_fact(session, arena, "team"),
    };
}

static void whoami_member(struct json_writer *writer, const char *key, str text)
{
    if (!text.len)
        return;
    json_key(writer, str_from(key));
    json_string(writer, text);
}

static void whoami_print_json(const struct cli *cli, const struct whoami_facts *facts)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_object(writer);
    json_key(writer, STR("user"));
    json_string(writer, facts->user);
    if (facts->organizations.len) {
        json_key(writer, STR("organizations"));
        json_strings(writer, facts->organizations.items, facts->organizations.len);
    }
    json_key(writer, STR("url"));
    json_string(writer, facts->url);
    if (cli->session) {
        json_key(writer, STR("tokenInformation"));
        json_begin_object(writer);
        json_key(writer, STR("name"));
        json_string(writer, facts->token_name);
        whoami_member(writer, "organization", facts->token_organization);
        whoami_member(writer, "team", facts->token_team);
        json_end_object(writer);
    }
    json_end_object(writer);
    json_print_end(&print);
}

static void whoami_print_more(const struct whoami_facts *facts)
{
    printf("User: " STR_FMT "\nOrganizations: ", STR_ARG(facts->user));
    for (size_t i = 0; i < facts->organizations.len; i++)
        printf("%s" STR_FMT, i ? ", " : "", STR_ARG(facts->organizations.items[i]));
    printf("\nBackend URL: " STR_FMT "\n", STR_ARG(facts->url));
    if (facts->token_team.len)
        printf("Token type: team: " STR_FMT "\n", STR_ARG(facts->token_team));
    else if (facts->token_organization.len)
        printf("Token type: organization: " STR_FMT "\n", STR_ARG(facts->token_organization));
    else
        printf("Token type: personal\n");
    if (facts->token_name.len)
        printf("Token name: " STR_FMT "\n", STR_ARG(facts->token_name));
}

static struct error *run_whoami(struct cli *cli, const void *args_)
{
    const struct whoami_args *args = args_;
    struct whoami_facts facts = gather_whoami(cli);
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    if (is_json)
        whoami_print_json(cli, &facts);
    else if (args->verbose)
        whoami_print_more(&facts);
    else
        printf(STR_FMT "\n", STR_ARG(facts.user));
    return NULL;
}

const struct command cmd_whoami = {
    .path = "whoami",
    .summary = "Show who uses which backend",
    .example = "whoami\n"
               "whoami --output json",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct whoami_args),
    .options = OPTIONS(whoami_options),
    .exclusive = EXCLUSIVE("output json"),
    .run = run_whoami,
};
