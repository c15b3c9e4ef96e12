/* cmd_package_info.c — `package info`: what a package has, for people to read. */
#include "cli/package/package_info.h"

#include "cli/package/package_words.h"
#include "cli/screen/input.h"

struct package_info_args {
    str module;
    str resource;
    str function;
    str server;
    str extension;
};

static const struct option options[] = {
    TEXT(struct package_info_args, module, 'm', "module", "Only of this module"),
    TEXT(struct package_info_args, resource, 'r', "resource", "Only this resource"),
    TEXT(struct package_info_args, function, 'f', "function", "Only this function"),
    TEXT(struct package_info_args, server, 0, "server", "Where its plugin is downloaded from"),
    TEXT(struct package_info_args, extension, 0, "extension",
         "Extend the plugin's own package by these parameters, in one text"),
    { 0 },
};

static struct error *cmd_package_info_run(struct cli *cli, const void *args_)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct package_info_args *args = args_;
    const struct package_info_query query = { .source = cli_operand(cli, 0),
                                              .module = args->module,
                                              .resource = args->resource,
                                              .function = args->function };
    struct package_words words;
    struct package_source source;
    struct schema *schema;
    str json;

    TRY(package_source_parse(cli, cli_operand(cli, 0), &source));
    TRY(package_words_read(cli, args->extension, &words));
    TRY(package_words_text(cli, &source, args->server, &words, &json));
    TRY(error_wrap(schema_read(cli->arena, json, &schema), "the schema of '" STR_FMT "'",
                   STR_ARG(query.source)));
    struct error *failure = package_info_write(schema, &query, &text);
    schema_release(schema);
    TRY(failure);
    return output_write(STR(""), strbuf_str(&text));
}

const struct command cmd_package_info = {
    .path = "package info",
    .operands = "SOURCE [PARAMETER...]",
    .summary = "Show what a package has",
    .details = PACKAGE_SOURCE_HELP,
    .example = "package info random\n"
               "package info random --resource RandomPet",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct package_info_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("resource function"),
    .run = cmd_package_info_run,
};
