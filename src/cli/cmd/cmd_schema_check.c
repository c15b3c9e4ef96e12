/* cmd_schema_check.c — `schema check`: is the schema of a package one that languages can be served
 * with? */
#include "cli/package/package_schema.h"
#include "cli/package/schema_complaints.h"

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

static struct error *cmd_schema_check_run(struct cli *cli, const void *args_)
{
    const struct schema_check_args *args = args_;
    const struct complaint_wishes wishes = { .allows_dangling = args->allow_dangling_references,
                                             .shows_warnings = true };
    struct package_source source;
    size_t errors;
    str json;

    if (str_equal(cli_operand(cli, 0), STR("-")))
        source = (struct package_source){ .file = STR("-") };
    else
        TRY(package_source_parse(cli, cli_operand(cli, 0), &source));
    TRY(package_source_schema(cli, &source, (struct strs){ 0 }, &json));
    TRY(schema_complaints_print(cli, json, &wishes, &errors));
    return errors ? error_new(ERROR_INVALID, "schema validation failed") : NULL;
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
