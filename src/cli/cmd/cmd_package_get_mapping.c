/* cmd_package_get_mapping.c — `package get-mapping`: what a package calls the parts of a provider
 * of another ecosystem. */
#include "cli/package/package_words.h"

#include "cli/screen/input.h"

#include <stdio.h>

struct get_mapping_args {
    str out;
    str server;
};

static const struct option options[] = {
    TEXT(struct get_mapping_args, out, 'o', "out", "The file that gets the mapping"),
    TEXT(struct get_mapping_args, server, 0, "server", "Where its plugin is downloaded from"),
    { 0 },
};

struct mapping_question {
    str key;
    str provider; /* empty: any; the answer's name afterwards */
    struct strs parameters;
};

static fallible ask_for_mapping(struct cli *cli, struct plugin_host *host,
                                const struct package_ref *package,
                                struct mapping_question *question, str *out)
{
    const struct provider_spec spec = { .package = *package };
    struct error *failure = NULL;
    struct provider *provider;
    str name, version;

    TRY(plugin_load_provider(host, &spec, &provider));
    const struct provider_ops *ops = provider->ops;
    if (question->parameters.len)
        failure =
            ops->parameterize_by_words(provider, question->parameters, cli->arena, &name, &version);
    if (!failure)
        failure = ops->get_mapping(provider, question->key, &question->provider, cli->arena, out);
    ops->close(provider);
    return failure;
}

static struct error *cmd_package_get_mapping_run(struct cli *cli, const void *args_)
{
    const struct get_mapping_args *args = args_;
    const size_t fixed = 3;
    struct mapping_question question = {
        .key = cli_operand(cli, 0),
        .provider = cli_operand(cli, 2),
    };
    str data;
    struct package_source source;
    struct plugin_host *host;

    TRY(package_source_parse(cli, cli_operand(cli, 1), &source));
    if (source.file.len)
        return error_new(ERROR_INVALID, "a schema has no mappings: name a plugin");
    TRY(package_words_prepare(cli, &source, args->server));
    TRY(package_source_open(cli, &source, &host));
    if (cli->operands.len > fixed)
        question.parameters =
            (struct strs){ cli->operands.items + fixed, cli->operands.len - fixed };
    struct error *failure = ask_for_mapping(cli, host, &source.package, &question, &data);
    plugin_host_close(host);
    TRY(failure);
    if (!data.len)
        return error_new(ERROR_NOT_FOUND, "no mapping found for key \"" STR_FMT "\"",
                         STR_ARG(question.key));
    fprintf(stderr, STR_FMT " maps to provider " STR_FMT "\n", STR_ARG(source.package.name),
            STR_ARG(question.provider));
    return output_write(args->out, data);
}

const struct command cmd_package_get_mapping = {
    .path = "package get-mapping",
    .operands = "KEY SOURCE [PROVIDER] [PARAMETER...]",
    .summary = "Print what a package calls the parts of a provider of another ecosystem",
    .details = "KEY names the ecosystem, terraform for one. " PACKAGE_SOURCE_HELP,
    .example = "package get-mapping terraform random@4.18.0 random",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct get_mapping_args),
    .options = OPTIONS(options),
    .run = cmd_package_get_mapping_run,
};
