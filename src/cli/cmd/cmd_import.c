/* cmd_import.c — `import`: brings resources that exist under the care of a stack. */
#include "cli/codegen/import_code.h"
#include "cli/codegen/import_convert.h"
#include "base/exit_codes.h"
#include "cli/screen/input.h"
#include "cli/operate/operation.h"
#include "model/urn.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct option options[] = {
    FLAG(struct operation_args, skip_preview, 0, "skip-preview", "Do not preview first"),
    FLAG(struct operation_args, preview_only, 0, "preview-only", "Only preview"),
    TEXT(struct operation_args, file, 'f', "file", "A file that lists the resources to import"),
    TEXT(struct operation_args, out, 'o', "out",
         "The file that gets the code of the imported resources; else it is printed"),
    TEXT(struct operation_args, from, 0, "from",
         "A converter plugin that makes the list of the state of another tool; what follows -- is "
         "for it"),
    FLAG_ON(struct operation_args, generate_code, 0, "generate-code",
            "Print code that declares the imported resources"),
    FLAG_ON(struct operation_args, protect, 0, "protect", "Protect the imported resources"),
    LIST(struct operation_args, parent, 0, "parent", "The parent, as NAME=URN"),
    LIST(struct operation_args, provider, 0, "provider", "The provider, as NAME=URN"),
    CSV(struct operation_args, properties, 0, "properties",
        "The properties that the imported inputs keep"),
    TEXT(struct operation_args, generate_resources, 0, "generate-resources",
         "With --from: a file that gets the list"),
    { 0 },
};

/* An empty operand is a variable of a script that was not set. */
static fallible check_inline(const struct cli *cli)
{
    str type = cli_operand(cli, 0), name = cli_operand(cli, 1), id = cli_operand(cli, 2);

    if (!type.len)
        return error_new(ERROR_INVALID, "resource '" STR_FMT "' has no type", STR_ARG(name));
    if (!name.len)
        return error_new(ERROR_INVALID, "resource '" STR_FMT "' of type '" STR_FMT "' has no name",
                         STR_ARG(id), STR_ARG(type));
    if (!id.len)
        return error_new(ERROR_INVALID, "resource '" STR_FMT "' of type '" STR_FMT "' has no ID",
                         STR_ARG(name), STR_ARG(type));
    return NULL;
}

/* TYPE NAME ID are on the line unless the resources come from elsewhere. */
static fallible check_resources(const struct cli *cli, const struct operation_args *args)
{
    static const char *const parts[] = { "type, name, and id", "name and id", "id" };
    bool has_traits = args->parent.len || args->provider.len || args->properties.len;

    if (args->from.len && args->file.len)
        return error_new(ERROR_INVALID, "only one of --from and --file may be specified");
    if (args->generate_resources.len && !args->from.len)
        return error_new(ERROR_INVALID, "--generate-resources needs --from");
    if (args->file.len && (cli->operands.len || has_traits))
        return error_new(
            ERROR_INVALID,
            "an inline resource may not be specified in conjunction with an import file");
    if (args->from.len && has_traits)
        return error_new(ERROR_INVALID,
                         "--parent, --provider and --properties are for a resource on the line");
    if (args->file.len || args->from.len)
        return NULL;
    if (cli->operands.len == 3)
        return check_inline(cli);
    if (cli->operands.len > 3)
        return error_new(ERROR_INVALID, "accepts at most 3 arg(s), received %zu",
                         cli->operands.len);
    return error_new(ERROR_INVALID,
                     "an inline resource must be specified if no converter or import file is used, "
                     "missing %s",
                     parts[cli->operands.len]);
}

static struct error *cmd_import_check(const struct cli *cli, const void *args)
{
    TRY(check_resources(cli, args));
    return operation_check_approval(cli, args, EXIT_CONFIGURATION);
}

static fallible spec_from_line(struct cli *cli, const struct operation_args *args,
                               struct import_list *out)
{
    struct import_spec *spec = ARENA_NEW(cli->arena, struct import_spec);
    struct pair *table = ARENA_ARRAY(cli->arena, struct pair, 2);
    str *name = ARENA_NEW(cli->arena, str);
    size_t len = 0;

    *spec = (struct import_spec){
        .type = cli_operand(cli, 0),
        .name = cli_operand(cli, 1),
        .id = cli_operand(cli, 2),
        .properties = args->properties,
        .protect = args->protect,
    };
    if (args->parent.len) {
        TRY(import_spec_urn(args->parent.items[args->parent.len - 1], "parent", &table[len]));
        spec->parent = table[len++].value;
    }
    if (args->provider.len) {
        TRY(import_spec_urn(args->provider.items[args->provider.len - 1], "provider", &table[len]));
        spec->provider = table[len++].value;
    }
    if (spec->provider.len && !type_is_provider(urn_type_of(spec->provider)))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is not a provider", STR_ARG(spec->provider));
    *name = spec->name;
    *out = (struct import_list){ { spec, 1 }, name, { table, len } };
    return NULL;
}

static fallible specs_from_file(struct cli *cli, const struct operation_args *args,
                                struct import_list *out)
{
    str text;

    TRY(error_wrap(input_read(cli->arena, args->file, INPUT_STATE_LIMIT, &text),
                   "could not read import file"));
    return import_file_read(cli->arena, text, cli->stack, args->protect, out);
}

/* The list of a converter; it is kept where the user wants it. */
static fallible specs_from_converter(struct cli *cli, const struct operation_args *args, str *text,
                                     struct import_list *out)
{
    TRY(import_convert(cli, args->from, cli->operands, text));
    if (args->generate_resources.len)
        TRY(output_write(args->generate_resources, *text));
    return import_file_read(cli->arena, *text, cli->stack, args->protect, out);
}

/* A list that a converter made is not lost when its import fails: it can be mended and used. */
static fallible keep_list(const struct operation_args *args, str text, struct error *failure)
{
    char name[] = "pulumi-import-XXXXXX.json";

    if (!failure || !text.len || args->generate_resources.len)
        return failure;
    int fd = mkstemps(name, (int)strlen(".json"));
    if (fd < 0)
        return error_join(failure, error_os("create '%s'", name));
    close(fd);
    struct error *writing = output_write(str_from(name), text);
    if (!writing)
        fprintf(stderr, "The list of resources is in '%s'; import it with --file.\n", name);
    return error_join(failure, writing);
}

static fallible find_specs(struct cli *cli, const struct operation_args *args, str *text,
                           struct import_list *out)
{
    *text = STR("");
    if (args->from.len) {
        struct error *failure = specs_from_converter(cli, args, text, out);
        return keep_list(args, *text, failure);
    }
    return args->file.len ? specs_from_file(cli, args, out) : spec_from_line(cli, args, out);
}

static struct error *cmd_import_run(struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;
    struct operation_outcome outcome = { 0 };
    struct import_list list;
    str text;

    TRY(find_specs(cli, args, &text, &list));
    const struct operation_plan plan = {
        .kind = OPERATION_IMPORT,
        .only_previews = args->preview_only,
        .imports = list.specs,
    };
    if (!args->generate_code && args->out.len)
        fprintf(stderr, "Output file will not be used as --generate-code is false.\n");
    /* What was imported before it failed has to be declared, too. */
    struct error *failure = keep_list(args, text, operation_run(cli, args, &plan, &outcome));
    /* A preview imports nothing; callers of SDKs read the file all the same. */
    if (!args->generate_code || (args->preview_only && !args->out.len))
        return failure;
    return error_join(failure, import_code_write(cli, args, &list, &outcome.snapshot));
}

const struct command cmd_import = {
    .path = "import",
    .operands = "[TYPE] [NAME] [ID] [ARGUMENT...]",
    .summary = "Bring existing resources under the care of a stack",
    .example = "import aws:s3/bucket:Bucket my-bucket the-id-of-it\n"
               "import --file resources.json --yes",
    .details = "At the end the code that declares them is printed, in the language of the project: "
               "it belongs into "
               "the program. --from reads the state of another tool by a converter plugin.",
    .needs = NEEDS_STACK | MAKES_NO_STACK | NEEDS_PROJECT | IS_OPERATION,
    .args_size = sizeof(struct operation_args),
    .options = OPTIONS(operation_options, approval_options, options),
    .exclusive = OPERATION_EXCLUSIVE,
    .check = cmd_import_check,
    .run = cmd_import_run,
};
