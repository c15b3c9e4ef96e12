/* cmd_schema_check.c — `schema check`: is the schema of a package one that languages can be served
 * with? */
#include "cli/package/package_words.h"
#include "cli/package/schema_complaints.h"

const struct command cmd_schema = {
    .path = "schema",
    .summary = "Look at schemas of packages",
    .example = "schema check schema.json",
};

struct schema_check_args {
    bool allow_dangling_references;
    str server;
    str extension;
};

static const struct option options[] = {
    FLAG(struct schema_check_args, allow_dangling_references, 0, "allow-dangling-references",
         "References to types that the schema does not have are fine"),
    TEXT(struct schema_check_args, server, 0, "server", "Where its plugin is downloaded from"),
    TEXT(struct schema_check_args, extension, 0, "extension",
         "Extend the plugin's own package by these parameters, in one text"),
    { 0 },
};

static struct error *cmd_schema_check_run(struct cli *cli, const void *args_)
{
    const struct schema_check_args *args = args_;
    const struct complaint_wishes wishes = { .allows_dangling = args->allow_dangling_references,
                                             .shows_warnings = true };
    struct package_source source;
    struct package_words words;
    size_t errors;
    str json;

    if (str_equal(cli_operand(cli, 0), STR("-")))
        source = (struct package_source){ .file = STR("-") };
    else
        TRY(package_source_parse(cli, cli_operand(cli, 0), &source));
    TRY(package_words_read(cli, args->extension, &words));
    TRY(package_words_text(cli, &source, args->server, &words, &json));
    TRY(schema_complaints_print(cli, json, &wishes, &errors));
    return errors ? error_new(ERROR_INVALID, "schema validation failed") : NULL;
}

const struct command cmd_schema_check = {
    .path = "schema check",
    .operands = "SOURCE [PARAMETER...]",
    .summary = "Check the schema of a package",
    .example = "schema check schema.json\n"
               "schema check random@4.18.0",
    .details =
        "Everything that is wrong is named with its place in the schema; - is one on standard "
        "input. " PACKAGE_SOURCE_HELP,
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct schema_check_args),
    .options = OPTIONS(options),
    .run = cmd_schema_check_run,
};
