/* remote.h — operations that run elsewhere: a deployment that the hosted service makes out of a git
 * repository. */
#pragma once

#include "cli/cli.h"

/* What the options of --remote say. */
struct remote_args {
    bool is_remote;
    bool inherits_settings;
    bool skips_install;
    bool suppresses_logs;
    struct strs variables;        /* NAME=VALUE */
    struct strs secret_variables; /* NAME=VALUE, kept secret */
    struct strs commands;         /* before the operation */
    str branch, commit, directory;
    str access_token, ssh_key, ssh_key_path, password, user;
    str agent_pool, image, image_user, image_password;
};

/* Of the commands that can run elsewhere; `args` is their struct, `remote` the member in it. */
#define REMOTE_OPTIONS(args)                                                                      \
    FLAG(args, remote.is_remote, 0, "remote",                                                     \
         "Run as a deployment of the hosted service, from the git repository that the operand "   \
         "names"),                                                                                \
        FLAG(args, remote.inherits_settings, 0, "remote-inherit-settings",                        \
             "Begin with the deployment settings of the stack"),                                  \
        FLAG(args, remote.skips_install, 0, "remote-skip-install-dependencies",                   \
             "Do not install dependencies there"),                                                \
        FLAG(args, remote.suppresses_logs, 0, "suppress-stream-logs",                             \
             "Do not wait for the deployment and show its log"),                                  \
        LIST(args, remote.variables, 0, "remote-env", "A variable there: NAME=VALUE"),            \
        LIST(args, remote.secret_variables, 0, "remote-env-secret", "The same, kept secret"),     \
        LIST(args, remote.commands, 0, "remote-pre-run-command", "A command to run there first"), \
        TEXT(args, remote.branch, 0, "remote-git-branch", "The branch to deploy"),                \
        TEXT(args, remote.commit, 0, "remote-git-commit", "The commit to deploy"),                \
        TEXT(args, remote.directory, 0, "remote-git-repo-dir", "The project's directory there"),  \
        TEXT(args, remote.access_token, 0, "remote-git-auth-access-token", "A token for git"),    \
        TEXT(args, remote.ssh_key, 0, "remote-git-auth-ssh-private-key", "A key for git"),        \
        TEXT(args, remote.ssh_key_path, 0, "remote-git-auth-ssh-private-key-path",                \
             "A file with a key for git"),                                                        \
        TEXT(args, remote.password, 0, "remote-git-auth-password", "A password for git"),         \
        TEXT(args, remote.user, 0, "remote-git-auth-username", "A user for git"),                 \
        TEXT(args, remote.agent_pool, 0, "remote-agent-pool-id", "The agents to run on"),         \
        TEXT(args, remote.image, 0, "remote-executor-image", "The image to run in"),              \
        TEXT(args, remote.image_user, 0, "remote-executor-image-username",                        \
             "A user for the image"),                                                             \
        TEXT(args, remote.image_password, 0, "remote-executor-image-password",                    \
             "A password for the image")

/* Creates the deployment; waits for its end and shows its log unless that was not wanted.
 * `operation` is update, preview, refresh or destroy. Blocks. */
fallible remote_run(struct cli *cli, const struct remote_args *args, const char *operation);
/* Refuses options of --remote without it. */
fallible remote_check(const struct cli *cli, const struct remote_args *args);
/* Refuses a backend that runs nothing, whatever stacks it has: before one is looked for. */
fallible remote_check_backend(const struct cli *cli);
/* Refuses the operand, a repository, without --remote. */
fallible remote_check_operands(const struct cli *cli, const struct remote_args *args);
