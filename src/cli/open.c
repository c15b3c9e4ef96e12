/* open.c — opens the workspace, the project, the backend and the stack that a command works on. */
#include "cli/open.h"

#include "cli/screen/prompt.h"
#include "cli/service/remote.h"
#include "cli/service/session.h"
#include "cli/stack/stack_choose.h"
#include "cli/stack/stack_secrets.h"
#include "base/exit_codes.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "base/version.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TAG_VALUE_MAX = 256 };

/* `head` is ours, the message may be of others. */
static void open_say_error(const struct cli *cli, struct arena *scratch, str head, str message)
{
    fflush(stdout);
    color_print(stderr,
                arena_concat(scratch, head, color_said(scratch, message),
                             str_ends_with(message, STR("\n")) ? STR("") : STR("\n")),
                cli->terminal.color);
}

void cli_report(const struct cli *cli, const char *kind, str message)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const char *tag = strcmp(kind, "error") == 0 ? TAG_ERROR : TAG_WARNING;

    open_say_error(cli, &scratch,
                   arena_concat(&scratch, str_from(tag), str_from(kind), STR(": " TAG_RESET)),
                   message);
}

void cli_say_error(const struct cli *cli, str message)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    open_say_error(cli, &scratch, STR(""), message);
}

static str open_user_name(struct arena *arena)
{
    const struct passwd *user = getpwuid(geteuid());

    return user ? arena_copy(arena, str_from(user->pw_name)) : settings_text("USER");
}

str cli_host_name(const struct cli *cli)
{
    char name[256] = "";

    if (gethostname(name, sizeof(name) - 1) < 0)
        return STR("unknown");
    return arena_copy(cli->arena, str_from(name));
}

str cli_backend_name(const struct cli *cli)
{
    if (!cli->session)
        return cli_host_name(cli);
    str url = backend_url(cli->backend);
    return str_equal(url, STR(PUBLIC_SERVICE)) ? STR("pulumi.com") : url;
}

static void find_workspace(struct cli *cli)
{
    cli->workspace.user_home = settings_text("HOME");
    if (!cli->workspace.user_home.len) {
        const struct passwd *user = getpwuid(geteuid());
        cli->workspace.user_home = user ? arena_copy(cli->arena, str_from(user->pw_dir)) : STR("");
    }
    cli->workspace.home = settings_text("PULUMI_HOME");
    cli->workspace.credentials_path = settings_text("PULUMI_CREDENTIALS_PATH");
}

fallible cli_home(struct cli *cli, str *out)
{
    return workspace_home(cli->arena, &cli->workspace, out);
}

fallible cli_current_directory(const struct cli *cli, str *out)
{
    char *path = getcwd(NULL, 0);

    if (!path)
        return error_os("find the working directory");
    *out = arena_copy(cli->arena, str_from(path));
    free(path);
    return NULL;
}

/* Who runs an operation among Terraform files looks for the way from there to a project. */
static fallible hint_at_terraform(const struct cli *cli, str directory, struct error *failure)
{
    str *names;
    size_t len;

    if (!(cli->command->needs & IS_OPERATION))
        return failure;
    struct error *unlisted = fs_list(cli->arena, directory, &names, &len);
    if (unlisted) {
        error_ignore(unlisted, "the hint needs a folder that can be read");
        return failure;
    }
    for (size_t i = 0; i < len; i++) {
        if (!str_ends_with(names[i], STR(".tf")))
            continue;
        str message = arena_copy(cli->arena, error_message(failure));
        error_free(failure);
        return error_new(ERROR_NOT_FOUND,
                         STR_FMT
                         " however, a Terraform configuration file was detected. To convert "
                         "this configuration to a Pulumi project, please see the "
                         "documentation at https://www.pulumi.com/docs/iac/guides/migration/"
                         "migrating-to-pulumi/from-terraform/",
                         STR_ARG(message));
    }
    return failure;
}

fallible cli_find_project(const struct cli *cli, str *path)
{
    str directory;

    TRY(cli_current_directory(cli, &directory));
    struct error *failure = project_find(cli->arena, directory, path);
    return failure ? hint_at_terraform(cli, directory, failure) : NULL;
}

/* A project is optional for most commands: its absence is reported only if `is_required`. */
static fallible open_project(struct cli *cli, bool is_required)
{
    str path;
    struct error *failure = cli_find_project(cli, &path);

    if (failure && error_kind(failure) == ERROR_NOT_FOUND && !is_required) {
        error_ignore(failure, "the command can do without a project");
        return NULL;
    }
    TRY(failure);
    struct project *project = ARENA_NEW(cli->arena, struct project);
    TRY(error_wrap(project_load(cli->arena, path, project), "could not load project '" STR_FMT "'",
                   STR_ARG(path)));
    if (cli->command->needs & IS_OPERATION)
        TRY(project_check_version(project, STR(PULUMI_VERSION)));
    cli->project = project;
    return NULL;
}

fallible cli_open_project(struct cli *cli)
{
    return cli->project ? NULL : open_project(cli, true);
}

static bool either_truth(const char *name, const char *older_name)
{
    return settings_bool(name) || settings_bool(older_name);
}

/* What a store may know of the project that a stack belongs to. */
struct pairs cli_project_tags(const struct cli *cli)
{
    struct pair *tags = ARENA_ARRAY(cli->arena, struct pair, 3);
    const struct project *project = cli->project;
    size_t len = 0;

    if (!project)
        return (struct pairs){ 0 };
    tags[len++] = (struct pair){ STR("pulumi:project"), project->name };
    tags[len++] = (struct pair){ STR("pulumi:runtime"), project->runtime };
    if (project->description.len)
        tags[len++] = (struct pair){ STR("pulumi:description"),
                                     str_slice(project->description, 0, TAG_VALUE_MAX) };
    return (struct pairs){ tags, len };
}

static fallible selected_at(struct cli *cli, str url, str *out)
{
    *out = settings_text("PULUMI_STACK");
    if (!settings_has("PULUMI_STACK") && cli->project)
        return workspace_selected_stack(cli->arena, &cli->workspace, cli->project, url, out);
    return NULL;
}

static void open_warn(void *cli, str text)
{
    cli_report(cli, "warning", text);
}

/* `expected` is the stack that will be wanted first; empty: none is known. */
static fallible open_backend(struct cli *cli, str url, str expected)
{
    struct backend_options options = {
        .url = url,
        .home = cli->workspace.user_home,
        .user = open_user_name(cli->arena),
        .host = cli_host_name(cli),
        .diy = {
        .compresses_gzip =
            either_truth("PULUMI_DIY_BACKEND_GZIP", "PULUMI_SELF_MANAGED_STATE_GZIP"),
        .compresses_zstd =
            either_truth("PULUMI_DIY_BACKEND_ZSTD", "PULUMI_SELF_MANAGED_STATE_ZSTD"),
        .retains_checkpoints =
            either_truth("PULUMI_DIY_BACKEND_RETAIN_CHECKPOINTS", "PULUMI_RETAIN_CHECKPOINTS"),
        .disables_backups = either_truth("PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS",
                                         "PULUMI_DISABLE_CHECKPOINT_BACKUPS"),
        .uses_legacy_layout = either_truth("PULUMI_DIY_BACKEND_LEGACY_LAYOUT",
                                           "PULUMI_SELF_MANAGED_STATE_LEGACY_LAYOUT"),
        .ignores_legacy_error = settings_bool("PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR")
                                || (cli->command->needs & TAKES_OLD_LAYOUT),
        },
    };

    options.warn = open_warn;
    options.warn_context = cli;
    options.expected = expected;
    options.project = cli_project_name(cli);
    if (url_is_service(url)) {
        TRY(session_open(cli, url, &cli->session));
        TRY(session_organization(cli->session, &options.organization));
        options.service = cli->session->service;
        options.project_tags = cli_project_tags(cli);
    }
    return backend_open(&options, &cli->backend);
}

fallible cli_open_backend(struct cli *cli, str url)
{
    return open_backend(cli, url, STR(""));
}

str cli_project_name(const struct cli *cli)
{
    return cli->project ? cli->project->name : STR("");
}

str cli_stack_name(const struct cli *cli, struct stack_ref stack)
{
    return stack_ref_display(cli->arena, stack, cli_project_name(cli),
                             backend_organization(cli->backend), cli->globals.qualifies_names);
}

fallible cli_selected_stack(struct cli *cli, str *out)
{
    return selected_at(cli, backend_url(cli->backend), out);
}

fallible cli_select_stack(struct cli *cli, struct stack_ref stack)
{
    str name = stack.name.len ? stack_ref_qualified(cli->arena, stack) : STR("");

    if (!cli->project)
        return NULL;
    return workspace_select_stack(&cli->workspace, cli->project, backend_url(cli->backend), name);
}

static fallible open_missing_stack(const struct cli *cli, struct stack_ref stack)
{
    str name = cli_stack_name(cli, stack);
    return error_with_exit_code(
        error_new(ERROR_NOT_FOUND, "no stack named '" STR_FMT "' found", STR_ARG(name)),
        EXIT_STACK_NOT_FOUND);
}

fallible cli_require_stack(struct cli *cli, struct stack_ref stack)
{
    bool exists = false;

    TRY(backend_stack_exists(cli->backend, stack, &exists));
    return exists ? NULL : open_missing_stack(cli, stack);
}

/* What --stack says, in whichever struct the command keeps it. */
static str stack_option(const struct cli *cli, const void *args)
{
    const struct option *option =
        cli->command->options ? option_find(cli->command->options, STR("stack")) : NULL;

    return option ? *(const str *)((const char *)args + option->offset) : STR("");
}

/* Whether --remote holds; then the operand is a repository. */
static bool remote_option(const struct cli *cli, const void *args)
{
    const struct option *option =
        cli->command->options ? option_find(cli->command->options, STR("remote")) : NULL;

    return option && *(const bool *)((const char *)args + option->offset);
}

/* Who was killed while it made, renamed or removed a stack may have left a lock, and no stack. */
static bool is_locked_name(struct cli *cli)
{
    struct strs owners = { 0 };

    if (cli->command->needs & TAKES_LOCKED_NAME)
        error_ignore(backend_describe_locks(cli->backend, cli->stack, cli->arena, &owners),
                     "then there is neither stack nor lock");
    return owners.len > 0;
}

static fallible open_stack(struct cli *cli, str name)
{
    bool offers_new = !(cli->command->needs & MAKES_NO_STACK), exists = false;

    if ((cli->command->needs & TAKES_STACK_OPERAND) && cli->operands.len) {
        if (name.len)
            return error_new(
                ERROR_INVALID,
                "only one of --stack or argument stack name may be specified, not both");
        name = cli->operands.items[0];
        if (!name.len) /* a variable that was not set is not the selected stack */
            return error_new(ERROR_INVALID, "the name of the stack is empty");
    }
    bool is_named = name.len > 0;
    if (!is_named)
        TRY(cli_selected_stack(cli, &name));
    if (!name.len && !cli->project)
        return open_project(cli, true); /* what is missing first */
    if (!name.len)
        return stack_choose(cli, offers_new);
    TRY(backend_stack_ref(cli->backend, cli->arena, name, cli_project_name(cli), &cli->stack));
    TRY(backend_stack_exists(cli->backend, cli->stack, &exists));
    if (!exists && is_named && offers_new && cli->terminal.is_interactive)
        return stack_offer(cli, name);
    return exists || is_locked_name(cli) ? NULL : open_missing_stack(cli, cli->stack);
}

static void find_passphrase(struct cli *cli)
{
    cli->passphrase.has_passphrase = settings_has("PULUMI_CONFIG_PASSPHRASE");
    cli->passphrase.passphrase = secret_hide(settings_text("PULUMI_CONFIG_PASSPHRASE"));
    cli->passphrase.passphrase_file = settings_text("PULUMI_CONFIG_PASSPHRASE_FILE");
    cli->passphrase.forgets_ciphertexts = settings_bool("PULUMI_DISABLE_SECRET_CACHE");
    if (cli->terminal.is_interactive) {
        cli->passphrase.ask = prompt_passphrase;
        cli->passphrase.ask_context = cli;
    }
    cli->keyring = keyring_open(&cli->passphrase);
}

/* The backend, and that stack in it; an empty name is that of the selected one. */
static fallible open_backend_for(struct cli *cli, str name)
{
    str url;

    TRY(cli_backend_url(cli, &url));
    if (!name.len && (cli->command->needs & TAKES_STACK_OPERAND) && cli->operands.len)
        name = cli->operands.items[0];
    if (!name.len)
        TRY(selected_at(cli, backend_url_public(cli->arena, url), &name));
    return open_backend(cli, url, name);
}

fallible cli_open_stack(struct cli *cli, str name)
{
    TRY(open_project(cli, false));
    TRY(open_backend_for(cli, name));
    return open_stack(cli, name);
}

fallible cli_open(struct cli *cli, const void *args)
{
    unsigned needs = cli->command->needs;
    bool needs_stack = (needs & NEEDS_STACK) == NEEDS_STACK;
    str url;

    find_workspace(cli);
    find_passphrase(cli);
    bool is_remote = remote_option(cli, args);
    if ((needs & TAKES_TEMPLATE) && cli->operands.len && !is_remote)
        return NULL;
    if (needs & (NEEDS_PROJECT | NEEDS_BACKEND))
        TRY(open_project(cli, (needs & NEEDS_PROJECT) && !is_remote));
    if ((needs & NEEDS_BACKEND) && !needs_stack) {
        TRY(cli_backend_url(cli, &url));
        TRY(cli_open_backend(cli, url));
    }
    if (needs_stack) {
        TRY(open_backend_for(cli, stack_option(cli, args)));
        if (is_remote)
            TRY(remote_check_backend(cli));
        TRY(open_stack(cli, stack_option(cli, args)));
        log_info("stack", STR_FMT, STR_ARG(stack_ref_qualified(cli->arena, cli->stack)));
    }
    return NULL;
}

void cli_close(struct cli *cli)
{
    cli_unlock_config(cli);
    backend_close(cli->backend);
    cli->backend = NULL;
    for (size_t i = 0; i < cli->secrets.len; i++)
        secrets_close(cli->secrets.items[i]);
    vec_release(&cli->secrets);
    sessions_close(cli);
    keyring_close(cli->keyring);
    cli->keyring = NULL;
}

void cli_print(const struct cli *cli, str line)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    color_print(stdout, arena_concat(&scratch, line, STR("\n")), cli->terminal.color);
}
