/* session.c — the account that a command uses with the hosted service: found, checked, kept. */
#include "cli/service/session.h"

#include "base/clock.h"
#include "base/exit_codes.h"
#include "base/json.h"
#include "base/program.h"
#include "base/settings.h"
#include "cli/open.h"
#include "cli/screen/prompt.h"
#include "cli/service/browser_login.h"
#include "model/value_json.h"

#include <stdio.h>

#define TRUSTED_FOR ((int64_t)3600 * NS_PER_S) /* then an account is checked again */

bool url_is_service(str url)
{
    return str_starts_with(url, STR("https://")) || str_starts_with(url, STR("http://"));
}

/* --- facts in the credentials file --- */

static struct value account_facts(const struct service_session *session, struct arena *arena)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value facts = VALUE_EMPTY_OBJECT;

    if (!session->account.json.len)
        return facts;
    json_reader_init(&reader, arena, session->account.json);
    error_ignore(value_read_plain(&reader, &facts), "then nothing more is known of the account");
    return facts.kind == VALUE_OBJECT ? facts : VALUE_EMPTY_OBJECT;
}

str session_user(const struct service_session *session)
{
    return session->account.username;
}

struct strs session_organizations(const struct service_session *session, struct arena *arena)
{
    const struct value *list = value_find(account_facts(session, arena), STR("organizations"));
    size_t len = 0;

    if (!list || list->kind != VALUE_ARRAY)
        return (struct strs){ 0 };
    str *names = ARENA_ARRAY(arena, str, list->len);
    for (size_t i = 0; i < list->len; i++)
        if (list->items[i].kind == VALUE_STRING)
            names[len++] = value_text(list->items[i]);
    return (struct strs){ names, len };
}

str session_token_fact(const struct service_session *session, struct arena *arena, const char *fact)
{
    const struct value *token = value_find(account_facts(session, arena), STR("tokenInformation"));

    return token && token->kind == VALUE_OBJECT ? value_find_text(*token, str_from(fact)) : STR("");
}

str session_console(const struct service_session *session, struct arena *arena)
{
    str console =
        service_console_url(arena, session->account.url, settings_text("PULUMI_CONSOLE_DOMAIN"));

    return console.len ? arena_concat(arena, console, STR("/"), session->account.username)
                       : STR("");
}

static void write_fact(struct json_writer *writer, const char *key, str text)
{
    if (!text.len)
        return;
    json_key(writer, str_from(key));
    json_string(writer, text);
}

static int64_t end_of_grant(const struct service_grant *grant)
{
    int64_t now = clock_now(), duration = clock_of_seconds(grant->expires_in);

    return duration < INT64_MAX - now ? now + duration : INT64_MAX;
}

/* What the service says of a token, in the form of the credentials file. */
static str facts_text(struct arena *arena, const struct service_user *user,
                      const struct service_grant *grant)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    json_begin_object(&writer);
    write_fact(&writer, "refreshToken", grant->refresh_token);
    json_key(&writer, STR("organizations"));
    json_strings(&writer, user->organizations.items, user->organizations.len);
    json_key(&writer, STR("tokenInformation"));
    json_begin_object(&writer);
    json_key(&writer, STR("name"));
    json_string(&writer, user->token_name);
    write_fact(&writer, "organization", user->token_organization);
    write_fact(&writer, "team", user->token_team);
    if (grant->expires_in > 0)
        write_fact(&writer, "expiresAt", clock_format(arena, end_of_grant(grant)));
    json_end_object(&writer);
    json_end_object(&writer);
    return arena_copy(arena, strbuf_str(&text));
}

/* --- a session --- */

static void session_warn(void *session_, str text)
{
    const struct service_session *session = session_;

    cli_report(session->cli, "warning", text);
}

static fallible session_store(struct service_session *session, bool is_current)
{
    struct cli *cli = session->cli;
    struct credentials credentials = { 0 };

    TRY(credentials_edit(cli->arena, &cli->workspace, &credentials));
    str current = credentials.current;
    credentials_login(cli->arena, &credentials, session->account);
    if (!is_current)
        credentials.current = current;
    return credentials_save(&cli->workspace, &credentials);
}

/* A token that has ended is exchanged, if the account has what it takes. */
static struct error *session_renew(void *session_, struct arena *arena, struct secret *token)
{
    struct service_session *session = session_;
    struct arena *kept = session->cli->arena;
    struct service_grant grant;
    str refresh = value_find_text(account_facts(session, kept), STR("refreshToken"));

    if (!refresh.len)
        return NULL;
    struct error *failure =
        service_refresh_token(session->service, secret_hide(refresh), kept, &grant);
    if (failure) {
        error_ignore(failure, "then the refusal of the token itself is reported");
        return NULL;
    }
    struct service_user user = {
        .organizations = session_organizations(session, kept),
        .token_name = session_token_fact(session, kept, "name"),
        .token_organization = session_token_fact(session, kept, "organization"),
        .token_team = session_token_fact(session, kept, "team"),
    };
    if (!grant.refresh_token.len)
        grant.refresh_token = refresh;
    session->account.access_token = grant.access_token;
    session->account.json = facts_text(kept, &user, &grant);
    *token = secret_hide(arena_copy(arena, grant.access_token));
    return session_store(session, false);
}

/* "stack-new" */
static str command_word(struct cli *cli)
{
    char *word = arena_cstr(cli->arena, str_from(cli->command->path));

    for (char *c = word; *c; c++)
        if (*c == ' ')
            *c = '-';
    return str_from(word);
}

static struct service_session *session_new(struct cli *cli, const struct account *account)
{
    struct service_session *session = ARENA_NEW(cli->arena, struct service_session);

    session->cli = cli;
    session->account = *account;
    const struct service_options options = {
        .url = account->url,
        .token = secret_hide(account->access_token),
        .is_insecure = account->is_insecure,
        .command = command_word(cli),
        .warn = session_warn,
        .renew = session_renew,
        .context = session,
    };
    session->service = service_open(&options);
    vec_add(&cli->sessions, session);
    return session;
}

void sessions_close(struct cli *cli)
{
    for (size_t i = 0; i < cli->sessions.len; i++)
        service_close(cli->sessions.items[i]->service);
    vec_release(&cli->sessions);
}

/* Asks the service who it is, and keeps that. */
static fallible session_check(struct service_session *session, const struct service_grant *grant,
                              bool is_current)
{
    struct arena *arena = session->cli->arena;
    struct service_user user;

    TRY(error_wrap(service_user(session->service, arena, &user),
                   "could not log in to the state backend \"" STR_FMT "\"",
                   STR_ARG(session->account.url)));
    session->account.username = user.name;
    session->account.last_validated = clock_format(arena, clock_now());
    struct service_grant kept = *grant;
    if (!kept.refresh_token.len)
        kept.refresh_token = value_find_text(account_facts(session, arena), STR("refreshToken"));
    session->account.json = facts_text(arena, &user, &kept);
    return session_store(session, is_current);
}

/* --- finding an account --- */

static bool is_fresh(const struct account *account)
{
    int64_t checked;

    return account->username.len && clock_parse(account->last_validated, &checked)
           && clock_now() - checked < TRUSTED_FOR && checked <= clock_now();
}

/* Paths of the console for the token are the service's own; people paste what it shows there. */
static fallible ask_for_token(struct cli *cli, str url, struct secret *out)
{
    str console = service_console_url(cli->arena, url, settings_text("PULUMI_CONSOLE_DOMAIN"));

    if (!cli->terminal.is_interactive)
        return error_with_exit_code(error_new(ERROR_INVALID,
                                              "PULUMI_ACCESS_TOKEN must be set for login during "
                                              "non-interactive CLI sessions"),
                                    EXIT_AUTHENTICATION);
    printf("Manage your stacks by logging in to " STR_FMT ".\n"
           "Run `%s login --help` for other places to keep them.\n",
           STR_ARG(url), program_name());
    if (console.len)
        printf("Press <ENTER> to log in with your browser, or\n");
    str question = console.len ? arena_concat(cli->arena, STR("paste an access token from "),
                                              console, STR("/user/settings/tokens"))
                               : STR("Enter your access token");
    TRY(prompt_passphrase(cli, question, cli->arena, out));
    if (str_trim(secret_reveal(*out)).len == 0 && console.len)
        return browser_login(cli, console, out);
    if (str_trim(secret_reveal(*out)).len == 0)
        return error_with_exit_code(error_new(ERROR_INVALID, "no access token was entered"),
                                    EXIT_AUTHENTICATION);
    *out = secret_hide(str_trim(secret_reveal(*out)));
    return NULL;
}

/* A token for this URL: the variable, a person, or a proof that is exchanged. */
static fallible find_token(struct cli *cli, const struct login_wish *wish,
                           struct service_grant *out)
{
    str variable = settings_text("PULUMI_ACCESS_TOKEN");
    struct secret answer;

    if (wish->proof) {
        const struct account nobody = { .url = wish->url, .is_insecure = wish->is_insecure };
        struct service_session *session = session_new(cli, &nobody);
        return service_exchange_proof(session->service, wish->proof, cli->arena, out);
    }
    if (variable.len) {
        fprintf(stderr, "Logging in using access token from PULUMI_ACCESS_TOKEN\n");
        out->access_token = variable;
        return NULL;
    }
    TRY(ask_for_token(cli, wish->url, &answer));
    out->access_token = secret_reveal(answer);
    return NULL;
}

static fallible log_in(struct cli *cli, const struct login_wish *wish, bool is_current,
                       struct service_session **out)
{
    struct service_grant grant = { 0 };

    TRY(find_token(cli, wish, &grant));
    const struct account account = {
        .url = wish->url,
        .access_token = grant.access_token,
        .is_insecure = wish->is_insecure,
    };
    struct service_session *session = session_new(cli, &account);
    TRY(session_check(session, &grant, is_current));
    *out = session;
    return NULL;
}

static struct service_session *known_session(const struct cli *cli, str url)
{
    for (size_t i = 0; i < cli->sessions.len; i++) {
        struct service_session *session = cli->sessions.items[i];
        if (session->account.access_token.len && str_equal(session->account.url, url))
            return session;
    }
    return NULL;
}

/* The account in the file, if the variable does not speak for another. */
static fallible stored_account(struct cli *cli, str url, struct account *out)
{
    struct credentials credentials = { 0 };
    str variable = settings_text("PULUMI_ACCESS_TOKEN");

    *out = (struct account){ 0 };
    TRY(credentials_load(cli->arena, &cli->workspace, &credentials));
    const struct account *account = credentials_find(&credentials, url);
    if (account && account->access_token.len
        && (!variable.len || str_equal(variable, account->access_token)))
        *out = *account;
    return NULL;
}

fallible session_open(struct cli *cli, str url, struct service_session **out)
{
    const struct login_wish wish = { .url = url };
    const struct service_grant nothing = { 0 };
    struct account account;

    *out = known_session(cli, url);
    if (*out)
        return NULL;
    TRY(stored_account(cli, url, &account));
    if (!account.url.len)
        return log_in(cli, &wish, true, out);
    *out = session_new(cli, &account);
    return is_fresh(&account) ? NULL : session_check(*out, &nothing, false);
}

fallible session_find(struct cli *cli, str url, struct service_session **out)
{
    struct account account;

    *out = known_session(cli, url);
    if (*out)
        return NULL;
    TRY(stored_account(cli, url, &account));
    if (!account.url.len)
        return error_with_exit_code(error_new(ERROR_INVALID,
                                              "could not find access token for " STR_FMT
                                              ", have you logged in?",
                                              STR_ARG(url)),
                                    EXIT_AUTHENTICATION);
    *out = session_new(cli, &account);
    return NULL;
}

fallible session_login(struct cli *cli, const struct login_wish *wish, struct service_session **out)
{
    const struct service_grant nothing = { 0 };
    struct account account;

    TRY(stored_account(cli, wish->url, &account));
    if (!account.url.len || wish->proof)
        return log_in(cli, wish, true, out);
    account.is_insecure = wish->is_insecure || account.is_insecure;
    *out = session_new(cli, &account);
    return session_check(*out, &nothing, true);
}
