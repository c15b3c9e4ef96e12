/* cmd_login.c — `login`, `logout`, `whoami`: which backend is used where nothing else says. */
#include "cli/screen/json_print.h"
#include "base/settings.h"
#include "cli/open.h"
#include "cli/screen/prompt.h"

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
};

static const struct option login_options[] = {
    FLAG(struct login_args, local, 'l', "local", "Keep stacks in the home directory"),
    TEXT(struct login_args, cloud_url, 'c', "cloud-url", "The URL of the backend"),
    TEXT(struct login_args, default_org, 0, "default-org", NULL),
    FLAG(struct login_args, insecure, 0, "insecure", NULL),
    FLAG(struct login_args, interactive, 0, "interactive", "Choose among the known backends"),
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

static struct error *run_login(struct cli *cli, const void *args_)
{
    const struct login_args *args = args_;
    struct credentials credentials = { 0 };
    str url;

    TRY(chosen_url(cli, args, &url));
    TRY(credentials_load(cli->arena, &cli->workspace, &credentials));
    if (!url.len && args->interactive && cli->terminal.is_interactive)
        TRY(choose_account(cli, &credentials, &url));
    warn_of_variable(cli, url);
    if (!url.len)
        TRY(cli_backend_url(cli, &url));
    TRY(cli_open_backend(cli, url));
    warn_of_password(cli, url, backend_url(cli->backend));
    url = backend_url(cli->backend);
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
               "login --local",
    .details = "file://PATH keeps them in a directory, file://~ in the home directory, "
               "s3://BUCKET[/PREFIX] in a bucket, postgres://USER@HOST/DATABASE in a database.",
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

static struct error *run_whoami(struct cli *cli, const void *args_)
{
    const struct whoami_args *args = args_;
    str user = cmd_login_user_name(cli->arena), url = backend_url(cli->backend);
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    if (is_json) {
        struct json_print print;
        struct json_writer *writer = json_print_begin(&print, 2);
        json_begin_object(writer);
        json_key(writer, STR("user"));
        json_string(writer, user);
        json_key(writer, STR("url"));
        json_string(writer, url);
        json_end_object(writer);
        json_print_end(&print);
    } else if (args->verbose) {
        printf("User: " STR_FMT "\nOrganizations: \nBackend URL: " STR_FMT
               "\nToken type: personal\n",
               STR_ARG(user), STR_ARG(url));
    } else {
        printf(STR_FMT "\n", STR_ARG(user));
    }
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
