/* cmd_org.c — `org …` and `console`: organisations of the hosted service, and its site for people.
 */
#include "base/settings.h"
#include "cli/open.h"
#include "cli/screen/browser.h"
#include "cli/screen/json_print.h"
#include "cli/service/session.h"

#include <stdio.h>

struct org_args {
    str stack;
    bool json;
};

static const struct option org_list_options[] = {
    FLAG(struct org_args, json, 'j', "json", "Print JSON"),
    { 0 },
};
static const struct option console_options[] = {
    TEXT(struct org_args, stack, 's', "stack", "The stack to look at; the selected one by default"),
    { 0 },
};

static fallible need_organizations(struct cli *cli)
{
    if (cli->session)
        return NULL;
    return error_new(ERROR_OTHER,
                     "backends of this type \"" STR_FMT "\" do not support organizations",
                     STR_ARG(cli_host_name(cli)));
}

static struct error *run_org(struct cli *cli, const void *args)
{
    (void)args;
    printf("Current Backend: " STR_FMT "\n", STR_ARG(backend_url(cli->backend)));
    if (cli->session)
        printf("Default Organization: " STR_FMT "\n", STR_ARG(backend_organization(cli->backend)));
    else
        puts("No Default Org Specified");
    return NULL;
}

const struct command cmd_org = {
    .path = "org",
    .summary = "Show and choose organizations of the hosted service",
    .example = "org",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct org_args),
    .run = run_org,
};

static struct error *run_org_get_default(struct cli *cli, const void *args)
{
    (void)args;
    TRY(need_organizations(cli));
    printf(STR_FMT "\n", STR_ARG(backend_organization(cli->backend)));
    return NULL;
}

const struct command cmd_org_get_default = {
    .path = "org get-default",
    .summary = "Show the organization that names of stacks without one mean",
    .example = "org get-default",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct org_args),
    .run = run_org_get_default,
};

static struct error *run_org_set_default(struct cli *cli, const void *args)
{
    (void)args;
    if (!cli->session)
        return error_new(ERROR_OTHER,
                         "unable to set a default organization for backend type: " STR_FMT,
                         STR_ARG(cli_host_name(cli)));
    return session_choose_organization(cli->session, cli_operand(cli, 0));
}

const struct command cmd_org_set_default = {
    .path = "org set-default",
    .operands = "NAME",
    .summary = "Choose the organization that names of stacks without one mean",
    .example = "org set-default acme",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct org_args),
    .run = run_org_set_default,
};

static struct error *run_org_list(struct cli *cli, const void *args_)
{
    const struct org_args *args = args_;

    TRY(need_organizations(cli));
    struct strs names = session_organizations(cli->session, cli->arena);
    if (args->json) {
        struct json_print print;
        struct json_writer *writer = json_print_begin(&print, 2);
        json_strings(writer, names.items, names.len);
        json_print_end(&print);
        return NULL;
    }
    for (size_t i = 0; i < names.len; i++)
        printf(STR_FMT "\n", STR_ARG(names.items[i]));
    return NULL;
}

const struct command cmd_org_list = {
    .path = "org list",
    .aliases = "ls",
    .summary = "List the organizations that you are a member of",
    .example = "org list",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct org_args),
    .options = OPTIONS(org_list_options),
    .run = run_org_list,
};

/* --- console --- */

/* The site's page of the stack; of the account if none is selected. */
static fallible console_page(struct cli *cli, const struct org_args *args, str *out)
{
    str name = args->stack;
    struct stack_ref stack;

    *out = service_console_url(cli->arena, backend_url(cli->backend),
                               settings_text("PULUMI_CONSOLE_DOMAIN"));
    if (!out->len)
        return error_new(ERROR_INVALID,
                         "the site that belongs to '" STR_FMT
                         "' is not known; set PULUMI_CONSOLE_DOMAIN to its host",
                         STR_ARG(backend_url(cli->backend)));
    if (!name.len)
        TRY(cli_selected_stack(cli, &name));
    if (!name.len) {
        *out = arena_concat(cli->arena, *out, STR("/"), session_user(cli->session));
        return NULL;
    }
    TRY(backend_stack_ref(cli->backend, cli->arena, name, cli_project_name(cli), &stack));
    *out = arena_concat(cli->arena, *out, STR("/"), stack.organization, STR("/"), stack.project,
                        STR("/"), stack.name);
    return NULL;
}

static struct error *run_console(struct cli *cli, const void *args)
{
    str page;

    if (!cli->session) {
        puts("This command is not available for your backend. To migrate to the Pulumi Cloud "
             "backend, please see "
             "https://www.pulumi.com/docs/intro/concepts/state/#pulumi-cloud-backend");
        return NULL;
    }
    TRY(console_page(cli, args, &page));
    if (browser_show(cli, page))
        printf("Opened " STR_FMT " in your web browser\n", STR_ARG(page));
    else
        printf("We couldn't launch your web browser for some reason. Please visit:\n\n" STR_FMT
               "\n\nto see your stack.\n",
               STR_ARG(page));
    return NULL;
}

const struct command cmd_console = {
    .path = "console",
    .summary = "Open the page of a stack in the hosted service",
    .details = "Other backends have no console; `stack` and `stack history` show what is there.",
    .example = "console --stack dev",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct org_args),
    .options = OPTIONS(console_options),
    .run = run_console,
};
