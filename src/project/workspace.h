/* workspace.h — what the program remembers between runs: credentials, the selected stack of each
 * project. All of it does file I/O: blocks. */
#pragma once

#include "base/error.h"

struct project;

/* From the environment; empty where unset. */
struct workspace {
    str user_home;        /* HOME */
    str home;             /* PULUMI_HOME; ~/.pulumi by default */
    str credentials_path; /* PULUMI_CREDENTIALS_PATH: the directory of credentials.json; `home` by
                             default */
};

/* The directory of everything, and a path below it. */
fallible workspace_home(struct arena *arena, const struct workspace *workspace, str *out);
fallible workspace_path(struct arena *arena, const struct workspace *workspace, str below,
                        str *out);

/* --- credentials.json --- */

struct account {
    str url; /* exactly as the user gave it */
    str access_token;
    str username;
    str last_validated; /* RFC 3339 */
    bool is_insecure;
    str json; /* private: the account as it was read, so that nothing is lost */
};
struct credentials {
    str current; /* backend URL, maybe empty */
    struct account *accounts;
    size_t len;
    int lock; /* private: with `is_locked`, what others wait for */
    bool is_locked;
};
/* A missing or empty file has no accounts. */
fallible credentials_load(struct arena *arena, const struct workspace *workspace,
                          struct credentials *out);
/* The same, and others who want to change the file wait until it is saved, which has to follow. */
fallible credentials_edit(struct arena *arena, const struct workspace *workspace,
                          struct credentials *out);
/* A file without accounts is removed. */
fallible credentials_save(const struct workspace *workspace, struct credentials *credentials);
const struct account *credentials_find(const struct credentials *credentials, str url);
/* Adds or replaces the account of its URL and makes it current. */
void credentials_login(struct arena *arena, struct credentials *credentials,
                       struct account account);
void credentials_logout(struct credentials *credentials, str url);

/* --- the selected stack of a project --- */

/* Fully qualified name, or empty. */
fallible workspace_selected_stack(struct arena *arena, const struct workspace *workspace,
                                  const struct project *project, str backend_url, str *out);
/* An empty name deselects. */
fallible workspace_select_stack(const struct workspace *workspace, const struct project *project,
                                str backend_url, str stack);
