/* cmd_schema_check.c — `schema check`: is the schema of a package one that languages can be served
 * with? */
#include "cli/open.h"
#include "cli/package/package_schema.h"
#include "cli/package/plugin_open.h"
#include "schema/schema_check.h"

#include <stdio.h>

const struct command cmd_schema = {
    .path = "schema",
    .summary = "Look at schemas of packages",
    .example = "schema check schema.json",
};

struct schema_check_args {
    bool allow_dangling_references;
};

static const struct option options[] = {
    FLAG(struct schema_check_args, allow_dangling_references, 0, "allow-dangling-references",
         "References to types and resources that the schema does not have are fine"),
    { 0 },
};

/* Opened at the first reference to another package. */
struct other_packages {
    struct cli *cli;
    struct plugin_host *host;
};

static fallible load_other_package(void *others_, const struct schema_dependency *package,
                                   struct arena *arena, str *json)
{
    struct other_packages *others = others_;
    struct package_ref wanted = { .name = package->name, .version = package->version };
    str here;

    if (!others->host) {
        TRY(cli_current_directory(others->cli, &here));
        TRY(cli_open_plugins(others->cli, here, &others->host));
    }
    return package_schema_load(others->cli, others->host, &wanted, arena, json);
}

static void print_complaints(const struct schema_complaints *complaints)
{
    for (size_t i = 0; i < complaints->len; i++) {
        const struct schema_complaint *complaint = &complaints->items[i];
        fprintf(stderr, "%s: " STR_FMT "%s" STR_FMT "\n\n",
                complaint->is_warning ? "Warning" : "Error", STR_ARG(complaint->place),
                complaint->place.len ? ": " : "", STR_ARG(complaint->text));
    }
}

static struct error *cmd_schema_check_run(struct cli *cli, const void *args_)
{
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    const struct schema_check_args *args = args_;
    struct other_packages others = { .cli = cli };
    const struct schema_others ask = { &others, load_other_package };
    const struct schema_check_options checks = { args->allow_dangling_references, &ask };
    struct package_source source;
    str json;

    if (str_equal(cli_operand(cli, 0), STR("-")))
        source = (struct package_source){ .file = STR("-") };
    else
        TRY(package_source_parse(cli, cli_operand(cli, 0), &source));
    TRY(package_source_schema(cli, &source, (struct strs){ 0 }, &json));
    struct error *failure = schema_check_json(cli->arena, json, &checks, &complaints);
    if (others.host)
        plugin_host_close(others.host);
    TRY(failure);
    print_complaints(&complaints);
    return complaints.error_count ? error_new(ERROR_INVALID, "schema validation failed") : NULL;
}

const struct command cmd_schema_check = {
    .path = "schema check",
    .operands = "SOURCE",
    .summary = "Check the schema of a package",
    .example = "schema check schema.json\n"
               "schema check random@4.18.0",
    .details =
        "SOURCE is a schema in JSON or YAML (- for standard input), a plugin as NAME@VERSION, "
        "or the place of one. Everything that is wrong is named with its place in the schema.",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct schema_check_args),
    .options = OPTIONS(options),
    .run = cmd_schema_check_run,
};
