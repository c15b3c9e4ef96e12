/* open.h — opens for a command what it needs: workspace, project, backend, stack; and what several
 * commands do with them. */
#pragma once

#include "cli/cli.h"

struct snapshot;

/* What the command's needs say. `args` is its filled struct. Blocks. */
fallible cli_open(struct cli *cli, const void *args);
void cli_close(struct cli *cli);

/* For a command that needs a project only in some of its uses. */
fallible cli_open_project(struct cli *cli);
/* Its file, of this folder or one above; nothing is read. */
fallible cli_find_project(const struct cli *cli, str *path);

/* For one that needs a stack only in some of its uses: the backend, and the stack of that name or
 * the selected one. Blocks. */
fallible cli_open_stack(struct cli *cli, str name);

/* "error: …", "warning: …" on standard error. */
void cli_report(const struct cli *cli, const char *kind, str message);
/* Only the message, which may be of others. */
void cli_say_error(const struct cli *cli, str message);

/* The backend's URL: environment, project, credentials, and the user's home if none says. */
fallible cli_backend_url(struct cli *cli, str *out);
fallible cli_open_backend(struct cli *cli, str url);
struct pairs cli_project_tags(const struct cli *cli);

/* The name of the selected stack, or empty. */
fallible cli_selected_stack(struct cli *cli, str *out);
fallible cli_select_stack(struct cli *cli, struct stack_ref stack);

/* As the user writes it: short in the current project. */
str cli_stack_name(const struct cli *cli, struct stack_ref stack);
str cli_project_name(const struct cli *cli);
/* "no stack named 'x' found", with the exit code for it. */
fallible cli_require_stack(struct cli *cli, struct stack_ref stack);

/* What a backend of files is called by. */
str cli_host_name(const struct cli *cli);
#define PUBLIC_SERVICE "https://api.pulumi.com"

/* What the one in use is called: a hosted service by its address. */
str cli_backend_name(const struct cli *cli);
/* "~/.pulumi" */
fallible cli_home(struct cli *cli, str *out);
fallible cli_current_directory(const struct cli *cli, str *out);

/* A line of standard output, its colour tags rendered. */
void cli_print(const struct cli *cli, str line);
