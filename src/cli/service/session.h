/* session.h — how a command talks to the hosted service: with which account, and as whom. */
#pragma once

#include "cli/cli.h"
#include "project/workspace.h"
#include "service/service_account.h"

/* An account in use. Sessions live until the command ends. */
struct service_session {
    struct cli *cli;
    struct account account; /* as it is in the credentials file */
    struct service *service;
};

/* A URL of the hosted service, not of a store of the user's. */
bool url_is_service(str url);

/* The session with the service at this URL. Who is not logged in is logged in, by
 * PULUMI_ACCESS_TOKEN or by asking; exit code 3 if nobody can be asked. Blocks. */
fallible session_open(struct cli *cli, str url, struct service_session **out);
/* The same for an account that exists already: for secrets of other services. Blocks. */
fallible session_find(struct cli *cli, str url, struct service_session **out);
void sessions_close(struct cli *cli);

/* `login`: the account is checked, kept, and becomes the current one. */
struct login_wish {
    str url;
    bool is_insecure;
    const struct service_proof *proof; /* NULL: a token */
};
fallible session_login(struct cli *cli, const struct login_wish *wish,
                       struct service_session **out);

/* What the account is called, and where people find it: the console, or empty. */
str session_user(const struct service_session *session);
str session_console(const struct service_session *session, struct arena *arena);
struct strs session_organizations(const struct service_session *session, struct arena *arena);
/* name, organization, team of the token; empty where unknown. */
str session_token_fact(const struct service_session *session, struct arena *arena,
                       const char *fact);

/* Whose stacks names without an organisation mean. Blocks. */
fallible session_organization(struct service_session *session, str *out);
/* What config.json says; empty: nothing. */
fallible session_chosen_organization(const struct service_session *session, str *out);
fallible session_choose_organization(const struct service_session *session, str name);
