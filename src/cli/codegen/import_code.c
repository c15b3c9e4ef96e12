/* import_code.c — has the language host print what was imported. */
#include "cli/codegen/import_code.h"

#include "base/program.h"
#include "cli/codegen/code_schemas.h"
#include "cli/codegen/import_program.h"
#include "cli/open.h"
#include "cli/package/plugin_list.h"
#include "cli/package/plugin_open.h"
#include "cli/screen/input.h"
#include "model/urn.h"
#include "plugin/language.h"
#include "plugin/schema_server.h"

#include <stdio.h>

static void say_what_lacks(void *schemas, str text)
{
    cli_report(((struct code_schemas *)schemas)->cli, "warning", text);
}

/* --- the program --- */

static struct import_name *name_imports(struct cli *cli, const struct import_list *list)
{
    struct import_name *names = ARENA_ARRAY(cli->arena, struct import_name, list->specs.len + 1);

    for (size_t i = 0; i < list->specs.len; i++) {
        const struct import_spec *spec = &list->specs.items[i];
        names[i] = (struct import_name){
            .name = list->names[i],
            .urn = urn_make(cli->arena, cli->stack.name, cli->stack.project, spec->parent,
                            spec->type, spec->name),
        };
    }
    return names;
}

/* Nothing that the user could mend: the import is no failure for it. */
static void say_without_code(struct cli *cli, str why)
{
    cli_report(cli, "warning",
               arena_printf(cli->arena,
                            STR_FMT ": declare what was imported by hand (`%s stack export` shows "
                                    "its inputs), or the next update will delete it",
                            STR_ARG(why), program_name()));
}

static fallible print_by_host(struct code_schemas *schemas, str pcl, str *out)
{
    const struct schema_source source = { schemas, code_schemas_text };
    struct cli *cli = schemas->cli;
    struct schema_server *server;
    struct language *language;
    struct program_answer answer;

    TRY(plugin_load_language(schemas->host, cli->project->runtime, &language));
    TRY(schema_server_open(&source, schemas->host, &server));
    struct error *failure = language_generate_program(language, pcl, schema_server_address(server),
                                                      cli->arena, &answer);
    schema_server_close(server);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        say_without_code(cli, error_message(failure));
        error_free(failure);
        return NULL;
    }
    TRY(failure);
    if (!answer.text.len)
        return error_new(ERROR_OTHER, STR_FMT,
                         STR_ARG(answer.complaints.len ? answer.complaints
                                                       : STR("the language host printed nothing")));
    *out = answer.text;
    return NULL;
}

static fallible make_code(struct code_schemas *schemas, const struct import_list *list,
                          const struct snapshot *snapshot, str *out)
{
    struct cli *cli = schemas->cli;
    const struct import_program program = {
        .arena = cli->arena,
        .snapshot = snapshot,
        .imports = name_imports(cli, list),
        .import_count = list->specs.len,
        .table = list->table,
        .context = schemas,
        .find_schema = code_schemas_find,
        .note = say_what_lacks,
    };
    str pcl;

    *out = STR("");
    TRY(import_program_write(&program, &pcl));
    return pcl.len ? print_by_host(schemas, pcl, out) : NULL;
}

/* --- output --- */

static void warn_of_secrets(struct cli *cli, const struct import_list *list,
                            const struct snapshot *snapshot)
{
    const struct import_name *names = name_imports(cli, list);

    for (size_t i = 0; i < list->specs.len; i++) {
        const struct resource *resource = snapshot_find(snapshot, names[i].urn);
        if (!resource || !value_contains_secret(resource->inputs))
            continue;
        cli_report(cli, "warning",
                   arena_printf(cli->arena,
                                "the code has secrets in clear: keep them in the configuration "
                                "(`%s config set --secret`) before you share it",
                                program_name()));
        return;
    }
}

static void explain(const struct operation_args *args)
{
    printf("\nPlease copy the following code into your Pulumi application. Not doing so\n"
           "will cause Pulumi to report that an update will happen on the next update command.\n"
           "\n");
    if (args->protect)
        printf("Please note that the imported resources are marked as protected. To destroy them\n"
               "you will need to remove the `protect` option and run `%s update` *before*\n"
               "the destroy will take effect.\n"
               "\n",
               program_name());
}

static fallible put_code(const struct operation_args *args, str code)
{
    bool is_quiet = args->json || str_equal(args->output, STR("json"));

    if (args->out.len)
        return output_write(args->out, code);
    if (is_quiet || !code.len)
        return NULL;
    explain(args);
    return output_write(STR(""), code);
}

fallible import_code_write(struct cli *cli, const struct operation_args *args,
                           const struct import_list *list, const struct snapshot *snapshot)
{
    struct code_schemas schemas = { .cli = cli };
    struct program_info program;
    str code = STR("");

    if (!cli->project->runtime.len || !snapshot->resource_count)
        return put_code(args, code);
    TRY(plugin_list_program(cli, &program));
    TRY(cli_open_plugins_again(cli, program.program_directory, &schemas.host));
    struct error *failure = make_code(&schemas, list, snapshot, &code);
    plugin_host_close(schemas.host);
    code_schemas_release(&schemas);
    failure = error_wrap(failure, "the resources are imported, but their code cannot be printed");
    failure = error_join(failure, put_code(args, code));
    if (code.len)
        warn_of_secrets(cli, list, snapshot);
    return failure;
}
