/* backend_choice.c — which backend a command uses where no operand names one. */
#include "base/fs.h"
#include "base/program.h"
#include "base/settings.h"
#include "cli/hosted.h"
#include "cli/open.h"

#define HOME_BACKEND "file://~"

/* What shows that stacks are in the hosted service although it was not chosen explicitly: jobs of
 * CI set a token and never log in. NULL if nothing does. */
static const char *sign_of_service(const struct credentials *credentials)
{
    if (settings_text("PULUMI_ACCESS_TOKEN").len)
        return "PULUMI_ACCESS_TOKEN is set";
    if (settings_text("PULUMI_API").len)
        return "PULUMI_API is set";
    for (size_t i = 0; i < credentials->len; i++)
        if (hosted_is_service(credentials->accounts[i].url))
            return "the credentials file has an account of the hosted service";
    return NULL;
}

/* The store in the home directory is the default where no backend was chosen. It says so while it
 * is new. */
static void announce_home(const struct cli *cli)
{
    str meta =
        arena_printf(cli->arena, STR_FMT "/.pulumi/meta.yaml", STR_ARG(cli->workspace.user_home));

    if (!fs_exists(meta))
        cli_report(cli, "warning",
                   arena_printf(cli->arena,
                                "no backend was chosen, so stacks are kept in the home directory "
                                "(" HOME_BACKEND "); `%s login URL` or PULUMI_BACKEND_URL chooses "
                                "another place",
                                program_name()));
}

fallible cli_backend_url(struct cli *cli, str *out)
{
    struct credentials credentials = { 0 };

    *out = settings_text("PULUMI_BACKEND_URL");
    if (!out->len && cli->project)
        *out = cli->project->backend_url;
    if (out->len)
        return NULL;
    TRY(credentials_load(cli->arena, &cli->workspace, &credentials));
    *out = credentials.current;
    if (out->len)
        return NULL;

    const char *sign = sign_of_service(&credentials);
    if (sign)
        return error_new(
            ERROR_INVALID,
            "no backend was chosen, and %s: its stacks live in the hosted service, "
            "which is not supported yet. To keep stacks in files, run `%s login " HOME_BACKEND
            "` or set PULUMI_BACKEND_URL; nothing was changed",
            sign, program_name());
    announce_home(cli);
    *out = STR(HOME_BACKEND);
    return NULL;
}
