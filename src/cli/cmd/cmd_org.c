/* cmd_org.c — `org` and `console`: what they say where the backend is a store of the user's. */
#include "cli/hosted.h"
#include "cli/open.h"

#include "base/program.h"

#include <stdio.h>

static struct error *cmd_org_run(struct cli *cli, const void *args)
{
    (void)args;
    printf("Current Backend: " STR_FMT "\nNo Default Org Specified\n",
           STR_ARG(backend_url(cli->backend)));
    return NULL;
}

const struct command cmd_org = {
    .path = "org",
    .summary = "Show the backend and its default organization",
    .example = "org",
    .needs = NEEDS_BACKEND,
    .run = cmd_org_run,
};

struct console_args {
    str stack;
};

static const struct option console_options[] = {
    TEXT(struct console_args, stack, 's', "stack",
         "The stack to show; the selected one by default"),
    { 0 },
};

static struct error *cmd_console_run(struct cli *cli, const void *args)
{
    (void)args;
    if (hosted_is_service(backend_url(cli->backend)))
        return error_new(ERROR_OTHER, "`%s console` is not supported yet", program_name());
    puts("This command is not available for your backend. To migrate to the Pulumi Cloud backend, "
         "please see https://www.pulumi.com/docs/intro/concepts/state/#pulumi-cloud-backend");
    return NULL;
}

const struct command cmd_console = {
    .path = "console",
    .summary = "Open a stack in the console of the hosted service",
    .details = "Other backends have no console; `stack` and `stack history` show what is there.",
    .example = "console --stack dev",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct console_args),
    .options = OPTIONS(console_options),
    .run = cmd_console_run,
};
