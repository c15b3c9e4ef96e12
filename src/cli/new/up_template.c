/* up_template.c — deploys a template from a folder that is there only for that long. */
#include "cli/new/up_template.h"

#include "base/fs.h"
#include "base/version.h"
#include "cli/new/new_project.h"
#include "cli/open.h"
#include "cli/screen/interrupt.h"

struct up_work {
    struct new_project *new;
    str folder; /* temporary; the project is below it */
};

static struct error *up_template_choose(struct cli *cli, const void *work_)
{
    const struct up_work *work = work_;
    struct new_project *new = work->new;

    new->target = work->folder;
    TRY(new_project_choose(new, cli_operand(cli, 0)));
    /* The folder's name is the preset of the project's. */
    new->target = fs_path_join(cli->arena, work->folder,
                               template_project_name(cli->arena, new->template->name));
    return NULL;
}

static struct error *up_template_make(struct cli *cli, const void *work_)
{
    const struct up_work *work = work_;

    TRY(new_project_make(work->new));
    TRY(project_check_version(cli->project, STR(PULUMI_VERSION)));
    return new_project_install(work->new);
}

static fallible up_template_run(struct cli *cli, const struct operation_args *args,
                                const struct operation_plan *plan, const struct up_work *work)
{
    struct operation_outcome outcome;
    str url;

    TRY(new_project_check(work->new));
    TRY(cli_backend_url(cli, &url));
    TRY(cli_open_backend(cli, url));
    TRY(cli_interruptible(cli, work, up_template_choose));
    TRY(new_project_ask(work->new));
    TRY(cli_interruptible(cli, work, up_template_make));
    return operation_run(cli, args, plan, &outcome);
}

fallible up_template(struct cli *cli, const struct operation_args *args,
                     const struct operation_plan *plan)
{
    const struct new_args new_args = {
        .config = args->config,
        .config_path = args->config_path,
        .secrets_provider = args->secrets_provider,
        .stack = args->stack,
        .yes = args->yes || args->skip_preview || !cli->terminal.is_interactive,
    };
    struct new_project new = {
        .cli = cli,
        .args = &new_args,
        .asks = cli->terminal.is_interactive && !new_args.yes,
        .is_brief = true,
    };
    struct up_work work = { .new = &new };

    TRY(fs_make_temporary(cli->arena, "template-", &work.folder));
    struct error *failure = up_template_run(cli, args, plan, &work);
    new_project_release(&new);
    return error_join(failure, fs_remove_tree(work.folder));
}
