/* cmd_import.c — `import`: brings resources that exist under the care of a stack. */
#include "cli/codegen/import_code.h"
#include "cli/screen/input.h"
#include "cli/open.h"
#include "cli/operate/operation.h"
#include "model/urn.h"

#include <stdio.h>

enum { EXIT_CONFIGURATION = 2 };

static const struct option options[] = {
    FLAG(struct operation_args, skip_preview, 0, "skip-preview", "Do not preview first"),
    FLAG(struct operation_args, preview_only, 0, "preview-only", "Only preview"),
    TEXT(struct operation_args, file, 'f', "file", "A file that lists the resources to import"),
    TEXT(struct operation_args, out, 'o', "out",
         "The file that gets the code of the imported resources; else it is printed"),
    TEXT(struct operation_args, from, 0, "from", NULL),
    FLAG_ON(struct operation_args, generate_code, 0, "generate-code",
            "Print code that declares the imported resources"),
    FLAG_ON(struct operation_args, protect, 0, "protect", "Protect the imported resources"),
    LIST(struct operation_args, parent, 0, "parent", "The parent, as NAME=URN"),
    LIST(struct operation_args, provider, 0, "provider", "The provider, as NAME=URN"),
    CSV(struct operation_args, properties, 0, "properties",
        "The properties that the imported inputs keep"),
    FLAG(struct operation_args, generate_resources, 0, "generate-resources", NULL),
    { 0 },
};

/* TYPE NAME ID on the line; a component has no ID. */
/* Known before anything is opened or asked. */
static fallible check_line(const struct cli *cli, const struct operation_args *args)
{
    static const char *const parts[] = { "type, name, and id", "name and id", "id" };

    if (args->file.len || cli->operands.len == 3)
        return NULL;
    return error_new(ERROR_INVALID,
                     "an inline resource must be specified if no converter or import file is used, "
                     "missing %s",
                     parts[cli->operands.len]);
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

    if (cli->operands.len || args->parent.len || args->provider.len || args->properties.len)
        return error_new(
            ERROR_INVALID,
            "an inline resource may not be specified in conjunction with an import file");
    TRY(error_wrap(input_read(cli->arena, args->file, &text), "could not read import file"));
    return import_file_read(cli->arena, text, cli->stack, args->protect, out);
}

static struct error *cmd_import_run(struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;
    struct operation_outcome outcome = { 0 };
    struct import_list list;

    if (args->from.len || args->generate_resources)
        return error_new(
            ERROR_INVALID,
            "--from and --generate-resources need converter plugins, which are not supported yet");
    TRY(check_line(cli, args));
    TRY(operation_check_approval(cli, args, EXIT_CONFIGURATION));
    TRY(args->file.len ? specs_from_file(cli, args, &list) : spec_from_line(cli, args, &list));
    const struct operation_plan plan = {
        .kind = OPERATION_IMPORT,
        .only_previews = args->preview_only,
        .kind_name = STR("resource-import"),
        .noun = STR("import"),
        .imports = list.specs,
    };
    if (!args->generate_code && args->out.len)
        fprintf(stderr, "Output file will not be used as --generate-code is false.\n");
    /* What was imported before it failed has to be declared, too. */
    struct error *failure = operation_run(cli, args, &plan, &outcome);
    if (!args->generate_code || args->preview_only)
        return failure;
    return error_join(failure, import_code_write(cli, args, &list, &outcome.snapshot));
}

const struct command cmd_import = {
    .path = "import",
    .operands = "[TYPE] [NAME] [ID]",
    .summary = "Bring existing resources under the care of a stack",
    .example = "import aws:s3/bucket:Bucket my-bucket the-id-of-it\n"
               "import --file resources.json --yes",
    .needs = NEEDS_STACK | MAKES_NO_STACK | NEEDS_PROJECT | IS_OPERATION,
    .args_size = sizeof(struct operation_args),
    .options = OPTIONS(operation_options, approval_options, options),
    .exclusive = OPERATION_EXCLUSIVE,
    .run = cmd_import_run,
};
