/* remote.c — operations that run elsewhere: a deployment of the hosted service. */
#include "cli/service/remote.h"

#include "base/fs.h"
#include "base/json.h"
#include "cli/service/session.h"
#include "fiber/fiber.h"
#include "service/service_deployment.h"

#include <stdio.h>

enum { KEY_MAX = 64 << 10, POLL_MS = 1000 };

fallible remote_check(const struct cli *cli, const struct remote_args *args)
{
    for (size_t i = 0; i < cli->given.len && !args->is_remote; i++)
        if (str_starts_with(cli->given.items[i], STR("remote-")))
            return error_new(ERROR_INVALID, "--" STR_FMT " needs --remote",
                             STR_ARG(cli->given.items[i]));
    return NULL;
}

fallible remote_check_operands(const struct cli *cli, const struct remote_args *args)
{
    if (!cli->operands.len || args->is_remote)
        return NULL;
    return error_new(ERROR_INVALID, "`%s` takes an operand only with --remote", cli->command->path);
}

fallible remote_check_backend(const struct cli *cli)
{
    if (cli->session)
        return NULL;
    return error_new(ERROR_INVALID,
                     "--remote is a feature of the hosted service; the backend '" STR_FMT
                     "' runs nothing",
                     STR_ARG(backend_url(cli->backend)));
}

/* --- the request --- */

static void remote_text(struct json_writer *writer, const char *key, str text)
{
    if (!text.len)
        return;
    json_key(writer, str_from(key));
    json_string(writer, text);
}

static void remote_secret(struct json_writer *writer, str key, str text)
{
    if (!text.len)
        return;
    json_key(writer, key);
    json_begin_object(writer);
    json_key(writer, STR("secret"));
    json_string(writer, text);
    json_end_object(writer);
}

static fallible remote_variables(struct json_writer *writer, struct strs list, bool are_secret)
{
    for (size_t i = 0; i < list.len; i++) {
        str name, value;
        if (!str_cut(list.items[i], STR("="), &name, &value) || !name.len)
            return error_new(ERROR_INVALID, "a variable of --remote-env%s is not NAME=VALUE",
                             are_secret ? "-secret" : "");
        if (are_secret) {
            remote_secret(writer, name, value);
        } else {
            json_key(writer, name);
            json_string(writer, value);
        }
    }
    return NULL;
}

static fallible remote_git_auth(struct cli *cli, struct json_writer *writer,
                                const struct remote_args *args)
{
    str key = args->ssh_key;

    if (args->ssh_key_path.len)
        TRY(fs_read(cli->arena, args->ssh_key_path, KEY_MAX, &key));
    if (!args->access_token.len && !key.len && !args->user.len)
        return NULL;
    json_key(writer, STR("gitAuth"));
    json_begin_object(writer);
    remote_secret(writer, STR("accessToken"), args->access_token);
    if (key.len || args->user.len) {
        json_key(writer, key.len ? STR("sshAuth") : STR("basicAuth"));
        json_begin_object(writer);
        remote_secret(writer, STR("sshPrivateKey"), key);
        remote_secret(writer, STR("userName"), key.len ? STR("") : args->user);
        remote_secret(writer, STR("password"), args->password);
        json_end_object(writer);
    }
    json_end_object(writer);
    return NULL;
}

static fallible remote_source(struct cli *cli, struct json_writer *writer,
                              const struct remote_args *args)
{
    str url = cli_operand(cli, 0);

    if (!url.len)
        return args->inherits_settings
                   ? NULL
                   : error_new(ERROR_INVALID, "--remote needs the URL of a git repository, or "
                                              "--remote-inherit-settings");
    if (args->branch.len && args->commit.len)
        return error_new(ERROR_INVALID, "only one of --remote-git-branch and --remote-git-commit "
                                        "may be given");
    json_key(writer, STR("sourceContext"));
    json_begin_object(writer);
    json_key(writer, STR("git"));
    json_begin_object(writer);
    remote_text(writer, "repoUrl", url);
    remote_text(writer, "branch", args->branch);
    remote_text(writer, "commit", args->commit);
    remote_text(writer, "repoDir", args->directory);
    TRY(remote_git_auth(cli, writer, args));
    json_end_object(writer);
    json_end_object(writer);
    return NULL;
}

static void remote_executor(struct json_writer *writer, const struct remote_args *args)
{
    if (!args->image.len)
        return;
    json_key(writer, STR("executorContext"));
    json_begin_object(writer);
    json_key(writer, STR("executorImage"));
    json_begin_object(writer);
    remote_text(writer, "reference", args->image);
    if (args->image_user.len) {
        json_key(writer, STR("credentials"));
        json_begin_object(writer);
        remote_text(writer, "username", args->image_user);
        remote_secret(writer, STR("password"), args->image_password);
        json_end_object(writer);
    }
    json_end_object(writer);
    json_end_object(writer);
}

static fallible remote_describe(struct cli *cli, struct json_writer *writer,
                                const struct remote_args *args, const char *operation)
{
    json_begin_object(writer);
    remote_text(writer, "operation", str_from(operation));
    json_key(writer, STR("inheritSettings"));
    json_bool(writer, args->inherits_settings);
    remote_text(writer, "agentPoolID", args->agent_pool);
    remote_executor(writer, args);
    TRY(remote_source(cli, writer, args));
    json_key(writer, STR("operationContext"));
    json_begin_object(writer);
    remote_text(writer, "operation", str_from(operation));
    json_key(writer, STR("preRunCommands"));
    json_strings(writer, args->commands.items, args->commands.len);
    json_key(writer, STR("environmentVariables"));
    json_begin_object(writer);
    TRY(remote_variables(writer, args->variables, false));
    TRY(remote_variables(writer, args->secret_variables, true));
    json_end_object(writer);
    if (args->skips_install) {
        json_key(writer, STR("options"));
        json_raw(writer, STR("{\"skipInstallDependencies\":true}"));
    }
    json_end_object(writer);
    json_end_object(writer);
    return NULL;
}

/* --- its log --- */

static void remote_print(const struct service_log *log)
{
    for (size_t i = 0; i < log->lines.len; i++) {
        str line = log->lines.items[i];
        fwrite(line.ptr, 1, line.len, stdout);
        if (!str_ends_with(line, STR("\n")))
            putchar('\n');
    }
    fflush(stdout);
}

static fallible remote_follow(struct service *service, struct arena *arena,
                              const struct service_deployment *deployment)
{
    struct service_log log = { 0 };
    str status;

    do {
        TRY(service_deployment_log(service, deployment, log.next, arena, &log));
        remote_print(&log);
        if (log.next.len && !log.lines.len)
            TRY(fiber_sleep_ms(POLL_MS));
    } while (log.next.len);
    TRY(service_deployment_status(service, deployment, arena, &status));
    if (str_equal(status, STR("succeeded")))
        return NULL;
    return error_new(ERROR_OTHER, "the deployment has ended with status '" STR_FMT "'",
                     STR_ARG(status));
}

fallible remote_run(struct cli *cli, const struct remote_args *args, const char *operation)
{
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct json_writer writer = { .out = &body };
    struct service_deployment deployment = {
        .place = { cli->stack.organization, cli->stack.project, cli->stack.name },
    };

    TRY(remote_describe(cli, &writer, args, operation));
    TRY(service_deployment_create(cli->session->service, strbuf_str(&body), cli->arena,
                                  &deployment));
    printf("View Live: " STR_FMT "\n", STR_ARG(deployment.page));
    return args->suppresses_logs ? NULL
                                 : remote_follow(cli->session->service, cli->arena, &deployment);
}
