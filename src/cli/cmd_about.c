/* cmd_about.c — `about`: the program, the machine, the project and the stack, for reports of
 * problems. */
#include "cli/json_print.h"
#include "cli/open.h"
#include "cli/table.h"

#include "base/version.h"

#include <pwd.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

struct about_args {
    str stack;
    bool transitive;
    str output;
    bool json;
};

static const struct option options[] = {
    TEXT(struct about_args, stack, 's', "stack",
         "The stack to tell about; the selected one by default"),
    FLAG(struct about_args, transitive, 't', "transitive", NULL),
    TEXT(struct about_args, output, 0, "output", "How to print: default or json"),
    FLAG(struct about_args, json, 'j', "json", NULL),
    { 0 },
};

/* What could be found; what could not is told at the end. */
struct about {
    struct cli *cli;
    struct utsname machine;
    str host_name;
    str user;
    bool has_stack;
    struct snapshot snapshot;
    struct {
        VEC(str);
    } problems;
};

static void note(struct about *about, const char *what, struct error *owned)
{
    if (!owned)
        return;
    vec_add(&about->problems,
            arena_printf(about->cli->arena, "%s: " STR_FMT, what, STR_ARG(error_message(owned))));
    error_free(owned);
}

static fallible find_stack(struct about *about, str name)
{
    struct cli *cli = about->cli;
    bool has_deployment;

    if (!name.len)
        TRY(cli_selected_stack(cli, &name));
    if (!name.len)
        return error_new(ERROR_NOT_FOUND, "no stack is selected");
    TRY(stack_ref_parse(cli->arena, name, cli_project_name(cli), &cli->stack));
    TRY(cli_require_stack(cli, cli->stack));
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &about->snapshot, &has_deployment));
    about->has_stack = true;
    return NULL;
}

static void gather(struct about *about, const struct about_args *args)
{
    const struct passwd *user = getpwuid(geteuid());

    if (uname(&about->machine) < 0)
        about->machine = (struct utsname){ 0 };
    about->host_name = str_from(about->machine.nodename);
    about->user = user ? arena_copy(about->cli->arena, str_from(user->pw_name)) : STR("unknown");
    note(about, "failed to get information about the current stack",
         find_stack(about, args->stack));
}

/* --- JSON --- */

static void text(struct json_writer *writer, str key, str value)
{
    json_key(writer, key);
    json_string(writer, value);
}

static void write_stack(struct json_writer *writer, const struct about *about)
{
    struct cli *cli = about->cli;

    json_key(writer, STR("currentStack"));
    if (!about->has_stack) {
        json_null(writer);
        return;
    }
    json_begin_object(writer);
    text(writer, STR("name"), cli_stack_name(cli, cli->stack));
    text(writer, STR("fullyQualifiedName"), stack_ref_qualified(cli->arena, cli->stack));
    json_key(writer, STR("resources"));
    json_begin_array(writer);
    for (size_t i = 0; i < about->snapshot.resource_count; i++) {
        json_begin_object(writer);
        text(writer, STR("type"), about->snapshot.resources[i]->type);
        text(writer, STR("urn"), about->snapshot.resources[i]->urn);
        json_end_object(writer);
    }
    json_end_array(writer);
    json_key(writer, STR("pendingOps"));
    json_begin_array(writer);
    for (size_t i = 0; i < about->snapshot.pending_count; i++) {
        json_begin_object(writer);
        text(writer, STR("type"), str_from(pending_names[about->snapshot.pending[i].kind]));
        text(writer, STR("urn"), about->snapshot.pending[i].resource->urn);
        json_end_object(writer);
    }
    json_end_array(writer);
    json_end_object(writer);
}

static void print_json(const struct about *about)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);
    const struct project *project = about->cli->project;

    json_begin_object(writer);
    json_key(writer, STR("host"));
    json_begin_object(writer);
    text(writer, STR("os"), str_from(about->machine.sysname));
    text(writer, STR("version"), str_from(about->machine.release));
    text(writer, STR("arch"), str_from(about->machine.machine));
    json_end_object(writer);
    json_key(writer, STR("backend"));
    json_begin_object(writer);
    text(writer, STR("name"), about->host_name);
    text(writer, STR("url"), backend_url(about->cli->backend));
    text(writer, STR("user"), about->user);
    json_key(writer, STR("organizations"));
    json_null(writer);
    json_end_object(writer);
    write_stack(writer, about);
    json_key(writer, STR("cliAbout"));
    json_begin_object(writer);
    text(writer, STR("version"), STR(PULUMI_VERSION));
    text(writer, STR("culumiVersion"), STR(CULUMI_VERSION));
    text(writer, STR("goVersion"), STR(""));
    text(writer, STR("goCompiler"), STR(""));
    json_end_object(writer);
    if (project) {
        json_key(writer, STR("runtime"));
        json_begin_object(writer);
        text(writer, STR("language"), project->runtime);
        json_end_object(writer);
    }
    json_key(writer, STR("errors"));
    json_begin_array(writer);
    for (size_t i = 0; i < about->problems.len; i++)
        json_string(writer, about->problems.items[i]);
    json_end_array(writer);
    json_end_object(writer);
    json_print_end(&print);
}

/* --- text --- */

static void print_pairs(const struct about *about, const char *title, const str *pairs,
                        size_t count)
{
    struct table table = { .columns = 2 };

    printf("%s\n", title);
    for (size_t i = 0; i < count; i += 2)
        TABLE_ADD(&table, pairs[i], pairs[i + 1]);
    table_print(&table, about->cli->terminal.color);
    table_release(&table);
    putchar('\n');
}
#define PRINT_PAIRS(about, title, ...)                          \
    print_pairs((about), (title), (const str[]){ __VA_ARGS__ }, \
                sizeof((const str[]){ __VA_ARGS__ }) / sizeof(str))

static void print_stack(const struct about *about)
{
    struct table table = { .columns = 2 };
    struct cli *cli = about->cli;
    str name = stack_ref_qualified(cli->arena, cli->stack);

    if (!about->has_stack)
        return;
    printf("Current Stack: " STR_FMT "\n\n", STR_ARG(name));
    TABLE_ADD(&table, STR("TYPE"), STR("URN"));
    for (size_t i = 0; i < about->snapshot.resource_count; i++)
        TABLE_ADD(&table, about->snapshot.resources[i]->type, about->snapshot.resources[i]->urn);
    if (about->snapshot.resource_count)
        table_print(&table, cli->terminal.color);
    table_release(&table);
    printf("\nFound %zu pending operations associated with " STR_FMT "\n\n",
           about->snapshot.pending_count, STR_ARG(cli_stack_name(cli, cli->stack)));
}

static void print_text(const struct about *about)
{
    PRINT_PAIRS(about, "CLI", STR("Version"), STR(PULUMI_VERSION), STR("Culumi"),
                STR(CULUMI_VERSION));
    PRINT_PAIRS(about, "Host", STR("OS"), str_from(about->machine.sysname), STR("Version"),
                str_from(about->machine.release), STR("Arch"), str_from(about->machine.machine));
    if (about->cli->project)
        printf("This project is written in " STR_FMT "\n\n", STR_ARG(about->cli->project->runtime));
    print_stack(about);
    PRINT_PAIRS(about, "Backend", STR("Name"), about->host_name, STR("URL"),
                backend_url(about->cli->backend), STR("User"), about->user);
    for (size_t i = 0; i < about->problems.len; i++)
        cli_report(about->cli, "warning", about->problems.items[i]);
}

static struct error *run(struct cli *cli, const void *args_)
{
    const struct about_args *args = args_;
    struct about about = { .cli = cli };
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    gather(&about, args);
    if (is_json)
        print_json(&about);
    else
        print_text(&about);
    vec_release(&about.problems);
    return NULL;
}

const struct command cmd_about = {
    .path = "about",
    .summary = "Show what a report of a problem should say",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct about_args),
    .options = OPTIONS(options),
    .run = run,
};
