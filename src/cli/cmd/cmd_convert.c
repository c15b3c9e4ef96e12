/* cmd_convert.c — `convert`: the program of another tool as PCL, by a converter plugin. */
#include "cli/codegen/code_schemas.h"
#include "cli/codegen/convert_copy.h"
#include "cli/open.h"
#include "cli/package/plugin_open.h"
#include "cli/screen/interrupt.h"

#include "base/fs.h"
#include "plugin/converter.h"
#include "plugin/schema_server.h"

#include <stdio.h>

struct convert_args {
    str from, language, out, name;
    struct strs mappings;
    bool strict, generate_only;
};

static const struct option options[] = {
    TEXT_PRESET(struct convert_args, from, 0, "from", "yaml",
                "What the program is written for: the name of a converter plugin, or pcl"),
    TEXT(struct convert_args, language, 0, "language", "What to write: pcl"),
    TEXT_PRESET(struct convert_args, out, 0, "out", ".", "The folder to write to"),
    TEXT(struct convert_args, name, 0, "name",
         "The name of the project; that of the folder by default"),
    CSV(struct convert_args, mappings, 0, "mappings",
        "No effect here yet: names of providers are mapped by the providers"),
    FLAG(struct convert_args, strict, 0, "strict",
         "No effect here yet: PCL is written as the converter made it"),
    FLAG(struct convert_args, generate_only, 0, "generate-only",
         "No effect here: PCL has no dependencies to install"),
    { 0 },
};

static fallible convert_check(struct cli *cli, const struct convert_args *args)
{
    if (!cli_was_given(cli, "language"))
        return error_new(ERROR_INVALID, "required flag(s) \"language\" not set");
    if (args->name.len)
        TRY(error_wrap(project_name_check(args->name), "'" STR_FMT "' is not a valid project name",
                       STR_ARG(args->name)));
    if (str_equal(args->language, STR("pcl")) || str_equal(args->language, STR("pulumi")))
        return NULL;
    return error_new(ERROR_INVALID,
                     "programs cannot be printed in '" STR_FMT "' yet; --language pcl writes what "
                     "the converter makes. Nothing was changed",
                     STR_ARG(args->language));
}

static fallible convert_ask(struct code_schemas *schemas, str name,
                            const struct converter_program *program,
                            struct converter_complaints *out)
{
    const struct schema_source source = { schemas, code_schemas_text };
    struct schema_server *server;

    TRY(schema_server_open(&source, schemas->host, &server));
    str address = schema_server_address(server);
    struct error *failure = converter_convert_program(
        schemas->host, name, program, &(struct converter_addresses){ address, address },
        schemas->cli->arena, out);
    schema_server_close(server);
    return failure;
}

static fallible convert_by_plugin(struct cli *cli, str name,
                                  const struct converter_program *program)
{
    struct code_schemas schemas = { .cli = cli };
    struct converter_complaints said = { 0 };
    str kind, text;

    TRY(cli_open_plugins(cli, program->source, &schemas.host));
    struct error *failure = convert_ask(&schemas, name, program, &said);
    plugin_host_close(schemas.host);
    code_schemas_release(&schemas);
    TRY(failure);
    for (size_t i = 0; i < said.items.len; i++)
        if (str_cut(said.items.items[i], STR(": "), &kind, &text))
            cli_report(cli, arena_cstr(cli->arena, kind), text);
    return said.has_failed ? error_new(ERROR_OTHER, "conversion failed") : NULL;
}

/* The PCL comes into a folder of its own first: what fails leaves nothing behind. */
static fallible convert_into(struct cli *cli, const struct convert_args *args, str name, str here,
                             str out)
{
    struct converter_program program = { .source = here,
                                         .destination = out,
                                         .words = cli->operands };

    TRY(fs_make_temporary(cli->arena, "pulumi-convert-", &program.target));
    struct error *failure = convert_by_plugin(cli, name, &program);
    if (!failure)
        failure = error_wrap(convert_check_pcl(cli->arena, program.target),
                             "what the converter '" STR_FMT "' made is no PCL", STR_ARG(name));
    if (!failure) {
        fprintf(stderr, "Converting to " STR_FMT "...\n", STR_ARG(args->language));
        failure = convert_copy(cli->arena, program.target, out);
    }
    return error_join(failure, fs_remove_tree(program.target));
}

static struct error *cmd_convert_work(struct cli *cli, const void *args_)
{
    const struct convert_args *args = args_;
    str name = str_equal(args->from, STR("tf")) ? STR("terraform") : args->from, here;

    TRY(convert_check(cli, args));
    TRY(cli_current_directory(cli, &here));
    str out = fs_path_absolute(cli->arena, here, args->out);
    fprintf(stderr, "Converting from " STR_FMT "...\n", STR_ARG(name));
    if (!str_equal(name, STR("pcl")))
        return convert_into(cli, args, name, here, out);
    TRY(convert_check_pcl(cli->arena, here));
    fprintf(stderr, "Converting to " STR_FMT "...\n", STR_ARG(args->language));
    if (str_equal(out, here))
        return NULL; /* it is there already */
    if (str_starts_with(out, arena_concat(cli->arena, here, STR("/"))))
        return error_new(ERROR_INVALID,
                         "'" STR_FMT "' is inside of the folder that would be copied to it",
                         STR_ARG(args->out));
    return convert_copy(cli->arena, here, out);
}

static struct error *cmd_convert_run(struct cli *cli, const void *args)
{
    return cli_interruptible(cli, args, cmd_convert_work);
}

const struct command cmd_convert = {
    .path = "convert",
    .operands = "[ARGUMENT...]",
    .summary = "Write the program of another tool as PCL",
    .details =
        "Reads the current folder by the plugin pulumi-converter-FROM. Words behind `--` are\n"
        "for the converter. Programs in other languages than PCL are not printed yet.",
    .example = "convert --from terraform --language pcl --out ../converted\n"
               "convert --from yaml --language pcl -- --verbose",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct convert_args),
    .options = OPTIONS(options),
    .run = cmd_convert_run,
};
