/* cmd_import.c — `import`: brings resources that exist under the care of a stack. */
#include "base/program.h"
#include "cli/operate/import_file.h"
#include "cli/screen/input.h"
#include "cli/open.h"
#include "cli/operate/operation.h"
#include "model/urn.h"

enum { EXIT_CONFIGURATION = 2 };

static const struct option options[] = {
    FLAG(struct operation_args, skip_preview, 0, "skip-preview", "Do not preview first"),
    FLAG(struct operation_args, preview_only, 0, "preview-only", "Only preview"),
    TEXT(struct operation_args, file, 'f', "file", "A file that lists the resources to import"),
    TEXT(struct operation_args, out, 'o', "out",
         "Where generated code goes (a note for now: none is generated yet)"),
    TEXT(struct operation_args, from, 0, "from", NULL),
    FLAG_ON(struct operation_args, generate_code, 0, "generate-code",
            "Generate code for the imported resources (not yet: a warning says so)"),
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
                               struct import_specs *out)
{
    struct import_spec *spec = ARENA_NEW(cli->arena, struct import_spec);

    *spec = (struct import_spec){
        .type = cli_operand(cli, 0),
        .name = cli_operand(cli, 1),
        .id = cli_operand(cli, 2),
        .properties = args->properties,
        .protect = args->protect,
    };
    if (args->parent.len)
        TRY(import_spec_urn(args->parent.items[args->parent.len - 1], "parent", &spec->parent));
    if (args->provider.len)
        TRY(import_spec_urn(args->provider.items[args->provider.len - 1], "provider",
                            &spec->provider));
    if (spec->provider.len && !type_is_provider(urn_type_of(spec->provider)))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is not a provider", STR_ARG(spec->provider));
    *out = (struct import_specs){ spec, 1 };
    return NULL;
}

static fallible specs_from_file(struct cli *cli, const struct operation_args *args,
                                struct import_specs *out)
{
    str text;

    if (cli->operands.len || args->parent.len || args->provider.len || args->properties.len)
        return error_new(
            ERROR_INVALID,
            "an inline resource may not be specified in conjunction with an import file");
    TRY(error_wrap(input_read(cli->arena, args->file, &text), "could not read import file"));
    return import_file_read(cli->arena, text, cli->stack, args->protect, out);
}

/* The reference prints the declarations to put into the program. Until that is done here, say so:
 * resources that the program does not declare are deleted by the next update. --out gets a comment,
 * because the Automation API reads the file. */
static fallible say_without_code(struct cli *cli, const struct operation_args *args)
{
    str runtime = cli->project->runtime;
    bool has_slashes = str_equal(runtime, STR("nodejs")) || str_equal(runtime, STR("go"));

    cli_report(
        cli, "warning",
        arena_printf(cli->arena,
                     "code for the imported resources is not generated yet: declare them in the "
                     "program by hand (`%s stack export` shows their inputs), or the next update "
                     "will delete them",
                     program_name()));
    if (!args->out.len)
        return NULL;
    return output_write(args->out,
                        has_slashes ? STR("// Code for imported resources is not generated yet.\n")
                                    : STR("# Code for imported resources is not generated yet.\n"));
}

static struct error *cmd_import_run(struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;
    struct operation_outcome outcome;
    struct import_specs specs;

    if (args->from.len || args->generate_resources)
        return error_new(
            ERROR_INVALID,
            "--from and --generate-resources need converter plugins, which are not supported yet");
    TRY(check_line(cli, args));
    TRY(operation_check_approval(cli, args, EXIT_CONFIGURATION));
    TRY(args->file.len ? specs_from_file(cli, args, &specs) : spec_from_line(cli, args, &specs));
    const struct operation_plan plan = {
        .kind = OPERATION_IMPORT,
        .only_previews = args->preview_only,
        .kind_name = STR("resource-import"),
        .noun = STR("import"),
        .imports = specs,
    };
    TRY(operation_run(cli, args, &plan, &outcome));
    return args->generate_code && !args->preview_only ? say_without_code(cli, args) : NULL;
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
