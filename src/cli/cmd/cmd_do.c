/* cmd_do.c — `do`: calls one function, or looks after one resource, without a program; and `do
 * show-resources`: short names for the resources of a stack. */
#include "cli/open.h"
#include "cli/package/package_info.h"
#include "cli/package/package_schema.h"
#include "cli/screen/input.h"
#include "cli/screen/json_print.h"
#include "cli/screen/table.h"
#include "cli/single/single_run.h"
#include "cli/stack/resource_names.h"

#include "base/program.h"

#include <stdio.h>

/* --- do --- */

struct do_args {
    struct operation_args operation;
    str package;
    struct single_files files;
    str format;
    str provider;
    bool dry_run;
    bool stateless;
};

static const struct option do_options[] = {
    TEXT(struct do_args, package, 0, "package",
         "Where the package is, NAME@VERSION or a folder; the token names it by default"),
    TEXT(struct do_args, files.properties, 0, "input-file", "A file with properties"),
    TEXT(struct do_args, provider, 0, "provider",
         "The URN of a provider of the stack that is used instead of the default one"),
    TEXT(struct do_args, files.provider, 0, "provider-file",
         "A file with the configuration of the provider"),
    TEXT_PRESET(struct do_args, format, 0, "input", "yaml", "What is in those files: yaml or json"),
    FLAG(struct do_args, dry_run, 0, "dry-run", "Only show what would be done"),
    FLAG(struct do_args, stateless, 0, "stateless",
         "Keep nothing in the stack: only functions, `list` and `read` can do that here"),
    FLAG(struct do_args, operation.yes, 'y', "yes", "Go ahead without asking"),
    FLAG(struct do_args, operation.show_secrets, 0, "show-secrets", "Show secrets in plaintext"),
    TEXT(struct do_args, operation.output, 0, "output", "How to print: default or json"),
    TEXT(struct do_args, operation.stack, 's', "stack",
         "The stack to work on; the selected one by default"),
    { 0 },
};

/* JSON is YAML, too. */
static fallible check_format(str format)
{
    if (str_equal(format, STR("yaml")) || str_equal(format, STR("json")))
        return NULL;
    return error_new(ERROR_INVALID, "--input '" STR_FMT "' is not supported: expected yaml or json",
                     STR_ARG(format));
}

static str source_text(const struct cli *cli, const struct do_args *args)
{
    str package = single_line_token(cli->operands), rest;

    if (args->package.len)
        return args->package;
    str_cut(package, STR(":"), &package, &rest);
    return package;
}

static fallible show_what_there_is(struct schema *schema, const struct single_line *line,
                                   str source)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct package_info_query query = {
        .source = source,
        .module = line->resource ? schema_module(schema, line->token) : STR(""),
        .resource = line->resource ? schema_member(line->token) : STR(""),
        .shows_list = true,
        .shows_all = true,
    };

    TRY(package_info_write(schema, &query, &text));
    TRY(output_write(STR(""), strbuf_str(&text)));
    if (!line->resource)
        return NULL;
    printf("\n%s do " STR_FMT " %sread ID | create NAME | patch NAME | upsert NAME | delete NAME\n",
           program_name(), STR_ARG(line->token), line->resource->is_listed ? "list | " : "");
    return NULL;
}

static fallible do_line(struct cli *cli, const struct do_args *args,
                        const struct package_source *source, const struct single_line *line)
{
    const struct single_wishes wishes = {
        .operation = &args->operation,
        .package = source->package,
        .plugin = { PROJECT_PROVIDER, source->package.name, source->folder.path, STR("") },
        .provider = args->provider,
        .is_dry_run = args->dry_run,
    };
    bool lists = line->verb == SINGLE_LIST;
    bool asks = line->verb == SINGLE_CALL || line->verb == SINGLE_READ || lists;

    if (source->file.len)
        return error_new(ERROR_INVALID, "a schema alone cannot do anything: name a plugin");
    if (args->stateless && !asks)
        return error_new(ERROR_INVALID,
                         "--stateless is for functions, `list` and `read` only: "
                         "what is created or changed has to be in the state of a stack");
    TRY(cli_open_project(cli));
    TRY(cli_open_stack(cli, args->operation.stack));
    if (lists)
        return single_list(cli, line, &wishes);
    return asks ? single_ask(cli, line, &wishes) : single_change(cli, line, &wishes);
}

static struct error *cmd_do_run(struct cli *cli, const void *args_)
{
    const struct do_args *args = args_;
    struct package_source source;
    struct single_line line;
    struct schema *schema;
    bool is_json;
    str json;

    TRY(output_is_json(args->operation.output, false, &is_json));
    TRY(check_format(args->format));
    if (!single_line_token(cli->operands).len && !args->package.len) {
        help_print(cli->command);
        return NULL;
    }
    str text = source_text(cli, args);
    TRY(package_source_parse(cli, text, &source));
    TRY(package_source_schema(cli, &source, (struct strs){ 0 }, &json));
    TRY(error_wrap(schema_read(cli->arena, json, &schema), "the schema of '" STR_FMT "'",
                   STR_ARG(text)));
    struct error *failure = single_line_parse(cli, schema, cli->operands, args->files, &line);
    if (!failure && line.verb == SINGLE_SHOW)
        failure = show_what_there_is(schema, &line, text);
    else if (!failure)
        failure = do_line(cli, args, &source, &line);
    schema_release(schema);
    return failure;
}

const struct command cmd_do = {
    .path = "do",
    .operands = "[TOKEN] [VERB] [NAME] [--PROPERTY VALUE...]",
    .summary = "Call one function, or look after one resource, without a program",
    .details =
        "TOKEN names a function or a resource as programs do, PACKAGE:MODULE:TYPE; a package alone "
        "shows what it has.\n"
        "A function is called and its answer printed as JSON. VERB for a resource is list, read "
        "(NAME is its id), create, patch, upsert or delete: but for list and read, an update of "
        "the stack that touches nothing else, with its preview and question.\n"
        "list prints the ids and names that its provider finds, as JSON, one page of them; with "
        "--all, or --count N, more. Properties say which, where the package has some for that.\n"
        "Properties are options: --length 8 (minLower is --minLower or --min-lower); lists and "
        "maps "
        "as YAML; --input:NAME where NAME is an option of ours; --NAME+ takes an expression of "
        "YAML "
        "programs.\n"
        "The provider is configured as the stack says; --provider, --provider-file and "
        "--PACKAGE:NAME say otherwise. A resource keeps its provider: one that is configured here "
        "becomes a resource beside it.\n"
        "What a program does not declare goes at its next update.",
    .example = "do random\n"
               "do random:RandomPet create my-pet --length 3 --yes\n"
               "do command:local:run --command 'uname -a'\n"
               "do random:RandomPet delete my-pet --yes\n"
               "do aws:s3/bucket:Bucket list --all --aws:region eu-west-1",
    .needs = NEEDS_LOOP | TAKES_ANY_OPTION,
    .args_size = sizeof(struct do_args),
    .options = OPTIONS(do_options),
    .run = cmd_do_run,
};

/* --- do show-resources --- */

struct show_args {
    str output;
};

static const struct option options[] = {
    TEXT_PRESET(struct show_args, output, 'o', "output", "text", "How to print: text or json"),
    { 0 },
};

static void show_resources_json(struct pairs names)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_object(writer);
    for (size_t i = 0; i < names.len; i++) {
        json_key(writer, names.items[i].key);
        json_string(writer, names.items[i].value);
    }
    json_end_object(writer);
    json_print_end(&print);
}

static struct error *cmd_do_show_run(struct cli *cli, const void *args_)
{
    const struct show_args *args = args_;
    struct table table = { .columns = 2 };
    struct snapshot snapshot;
    bool has_deployment, is_json = str_equal(args->output, STR("json"));

    if (!is_json && !str_equal(args->output, STR("text"))
        && !str_equal(args->output, STR("default")))
        return error_new(ERROR_INVALID,
                         "unsupported output format \"" STR_FMT
                         "\"; supported values are text and json",
                         STR_ARG(args->output));
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    struct pairs names = resource_names(cli->arena, &snapshot);
    if (is_json) {
        show_resources_json(names);
        return NULL;
    }
    if (!names.len) {
        puts("(no resources)");
        return NULL;
    }
    TABLE_ADD(&table, STR("NAME"), STR("URN"));
    for (size_t i = 0; i < names.len; i++)
        TABLE_ADD(&table, names.items[i].key, names.items[i].value);
    table_print(&table, cli->terminal.color);
    table_release(&table);
    return NULL;
}

const struct command cmd_do_show = {
    .path = "do show-resources",
    .summary = "List the resources of the stack by short names",
    .details = "`state get` takes these names, too.",
    .example = "do show-resources\ndo show-resources --output json",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct show_args),
    .options = OPTIONS(options),
    .run = cmd_do_show_run,
};
