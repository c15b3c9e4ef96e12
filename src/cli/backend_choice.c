/* backend_choice.c — which backend a command uses where no operand names one. */
#include "base/fs.h"
#include "base/program.h"
#include "base/settings.h"
#include "cli/open.h"
#include "cli/service/session.h"

#define HOME_BACKEND "file://~"

/* The service where something shows that stacks are there although nobody chose it: jobs of CI set
 * a token and never log in. Empty if nothing does. */
static str service_by_signs(const struct credentials *credentials)
{
    str api = settings_text("PULUMI_API");

    if (api.len)
        return api;
    for (size_t i = 0; i < credentials->len; i++)
        if (url_is_service(credentials->accounts[i].url))
            return credentials->accounts[i].url;
    return settings_text("PULUMI_ACCESS_TOKEN").len ? STR(PUBLIC_SERVICE) : STR("");
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

    *out = service_by_signs(&credentials);
    if (out->len)
        return NULL;
    announce_home(cli);
    *out = STR(HOME_BACKEND);
    return NULL;
}
