/* package_words.c — the schema of what the user names. */
#include "cli/package/package_words.h"

#include "base/shell_words.h"
#include "cli/open.h"
#include "cli/package/plugin_list.h"
#include "cli/package/plugin_open.h"
#include "plugin/plugin_project.h"

#include <stdio.h>

/* --- words --- */

fallible package_words_read(struct cli *cli, str extension, struct package_words *out)
{
    struct strs rest = { cli->operands.items + 1, cli->operands.len - 1 };

    *out = (struct package_words){ .words = rest };
    if (!cli_was_given(cli, "extension"))
        return NULL;
    if (rest.len)
        return error_new(ERROR_INVALID, "parameters are given either behind the source or in "
                                        "--extension, not in both");
    out->is_extension = true;
    TRY(shell_words_split(cli->arena, extension, &out->words));
    return out->words.len ? NULL
                          : error_new(ERROR_INVALID, "--extension needs at least one parameter");
}

/* --- the plugin --- */

static void words_write_output(void *context, bool is_error, str bytes)
{
    (void)context;
    (void)is_error;
    fwrite(bytes.ptr, 1, bytes.len, stderr);
}

/* A plugin that is source code needs what it is built on. */
static fallible prepare_folder(struct cli *cli, const struct package_source *source)
{
    const struct dependency_output output = { NULL, words_write_output };
    struct plugin_host *host;

    if (!source->is_folder || !plugin_project_exists(cli->arena, source->folder.path))
        return NULL;
    TRY(cli_open_plugins(cli, source->folder.path, &host));
    struct error *failure = plugin_install_dependencies(host, source->folder.path, &output);
    plugin_host_close(host);
    return error_wrap(failure, "'" STR_FMT "'", STR_ARG(source->folder.path));
}

/* The newest tag of a repository, where none is named: the one that the project will remember. */
static fallible prepare_repository(struct cli *cli, struct package_source *source)
{
    struct install_request request;
    struct plugin_host *host;
    bool is_there = false;
    str here;

    if (!source->address.len || source->package.version.len)
        return NULL;
    TRY(cli_current_directory(cli, &here));
    TRY(plugin_list_request(cli, &request));
    request.package = source->package;
    request.package.kind = STR("resource");
    TRY(cli_open_plugins(cli, here, &host));
    request.host = host;
    struct error *failure = plugin_latest_version(&request, cli->arena, &request.package.version);
    if (!failure)
        failure = plugin_list_has(cli, &request, &is_there);
    if (!failure && !is_there)
        failure = plugin_list_install_one(cli, &request);
    plugin_host_close(host);
    source->package.version = request.package.version;
    return failure;
}

/* --- the schema --- */

static fallible check_parameters(const struct package_source *source,
                                 const struct package_words *words, const struct schema *head)
{
    if (words->is_extension && !head->extension.is_given)
        return error_new(ERROR_INVALID,
                         STR_FMT
                         " did not return an extension-parameterized schema; the source may "
                         "not support extension parameterization",
                         STR_ARG(source->package.name));
    if (words->words.len && head->parameterization.is_given && head->extension.is_given)
        return error_new(ERROR_INVALID,
                         "the schema of package '" STR_FMT
                         "' says both that it is made by a parameter and that it is an extension",
                         STR_ARG(head->name));
    if (words->words.len && !head->parameterization.is_given && !head->extension.is_given)
        return error_new(ERROR_INVALID,
                         "plugin '" STR_FMT "' took the parameters, but its schema does not say of "
                         "which plugin the package is made: the plugin has to say so",
                         STR_ARG(source->package.name));
    return NULL;
}

fallible package_words_prepare(struct cli *cli, struct package_source *source, str server)
{
    if (server.len)
        source->package.download_url = server;
    TRY(prepare_folder(cli, source));
    return prepare_repository(cli, source);
}

fallible package_words_text(struct cli *cli, struct package_source *source, str server,
                            const struct package_words *words, str *out)
{
    struct schema *head;

    TRY(package_words_prepare(cli, source, server));
    TRY(package_source_schema(cli, source, words->words, out));
    if (!words->words.len)
        return NULL;
    TRY(schema_read(cli->arena, *out, &head));
    struct error *failure = check_parameters(source, words, head);
    schema_release(head);
    return failure;
}

fallible package_words_schema(struct cli *cli, struct package_source *source, str server,
                              const struct package_words *words, bool supports_pack,
                              struct package_sdk *out)
{
    str schema;

    TRY(error_wrap(package_words_text(cli, source, server, words, &schema),
                   "failed to get schema"));
    bool is_git = source->address.len > 0;
    const struct package_sdk_facts facts = {
        .version = words->words.len ? STR("") : source->package.version,
        .forces_version = is_git,
        .download_url = source->package.download_url,
        .forces_url = source->package.download_url.len > 0,
        .namespace = package_sdk_namespace(cli->arena, source->package.download_url),
        .supports_pack = supports_pack,
    };
    TRY(error_wrap(package_sdk_read(cli, schema, &facts, out), "'" STR_FMT "'",
                   STR_ARG(cli_operand(cli, 0))));
    return package_sdk_check(cli, out);
}
