/* cmd_about.c — `about`: the program, the machine, the project and the stack, for reports of
 * problems. */
#include "cli/screen/json_print.h"
#include "cli/open.h"
#include "cli/package/plugin_list.h"
#include "cli/package/plugin_open.h"
#include "cli/service/session.h"
#include "cli/screen/table.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "base/version.h"

#include <pwd.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The compiler, where the reference names its Go: readers of the JSON expect the members. */
#ifdef __clang__
#define COMPILER "clang"
#define COMPILER_VERSION __clang_version__
#else
#define COMPILER "gcc"
#define COMPILER_VERSION __VERSION__
#endif

struct about_args {
    str stack;
    bool transitive;
    str output;
    bool json;
};

static const struct option options[] = {
    TEXT(struct about_args, stack, 's', "stack",
         "The stack to tell about; the selected one by default"),
    FLAG(struct about_args, transitive, 't', "transitive", "With what the dependencies depend on"),
    TEXT(struct about_args, output, 0, "output", "How to print: default or json"),
    FLAG(struct about_args, json, 'j', "json", NULL),
    { 0 },
};

/* What could be found; what could not is reported at the end. */
struct about {
    struct cli *cli;
    struct utsname machine;
    str system, system_version;
    bool has_plugins, has_runtime, has_dependencies;
    struct package_refs plugins;
    struct about_answer runtime;
    struct pairs dependencies; /* name → version */
    str backend_name, user;
    struct strs organizations;
    bool has_stack;
    struct snapshot snapshot;
    struct str_list problems;
};

static void note(struct about *about, const char *what, struct error *owned)
{
    if (!owned)
        return;
    vec_add(&about->problems,
            arena_printf(about->cli->arena, "%s: " STR_FMT, what, STR_ARG(error_message(owned))));
    error_free(owned);
}

/* --- the project and its stack: whatever is wrong with them, the rest is told --- */

static void find_project(struct about *about)
{
    struct error *failure = cli_open_project(about->cli);

    if (failure && error_kind(failure) == ERROR_NOT_FOUND)
        error_ignore(failure, "there may be none");
    else
        note(about, "Failed to read project", failure);
}

static fallible find_backend(struct about *about)
{
    str url;

    TRY(cli_backend_url(about->cli, &url));
    TRY(cli_open_backend(about->cli, url));
    about->backend_name = cli_backend_name(about->cli);
    if (about->cli->session) {
        about->user = session_user(about->cli->session);
        about->organizations = session_organizations(about->cli->session, about->cli->arena);
    }
    return NULL;
}

static fallible find_stack(struct about *about, str name)
{
    struct cli *cli = about->cli;
    bool has_deployment;

    if (!name.len)
        TRY(cli_selected_stack(cli, &name));
    if (!name.len)
        return error_new(ERROR_NOT_FOUND, "no stack is selected");
    TRY(backend_stack_ref(cli->backend, cli->arena, name, cli_project_name(cli), &cli->stack));
    TRY(cli_require_stack(cli, cli->stack));
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &about->snapshot, &has_deployment));
    about->has_stack = true;
    return NULL;
}

/* --- the program --- */

static int compare_plugins(const void *a, const void *b)
{
    return str_compare(((const struct package_ref *)a)->name,
                       ((const struct package_ref *)b)->name);
}

/* What it needs, and the host of its language. */
static fallible find_plugins(struct about *about, struct language *language,
                             const struct program_info *program)
{
    struct arena *arena = about->cli->arena;
    struct package_refs needed;

    TRY(language_required_packages(language, program, arena, &needed));
    struct package_ref *all = ARENA_ARRAY(arena, struct package_ref, needed.len + 1);
    if (needed.len)
        memcpy(all, needed.items, needed.len * sizeof(*all));
    all[needed.len] = (struct package_ref){ .name = about->cli->project->runtime,
                                            .kind = STR("language"),
                                            .version = STR(PULUMI_VERSION) };
    about->plugins = (struct package_refs){ all, needed.len + 1 };
    qsort(all, needed.len + 1, sizeof(*all), compare_plugins);
    about->has_plugins = true;
    return NULL;
}

static fallible cmd_about_ask_language(struct about *about, struct plugin_host *host,
                                       bool is_transitive)
{
    struct cli *cli = about->cli;
    struct program_info program;
    struct language *language;

    TRY(plugin_list_program(cli, &program));
    TRY(plugin_load_language(host, cli->project->runtime, &language));
    note(about, "Failed to get information about the plugin",
         find_plugins(about, language, &program));
    struct error *failure = language_about(language, &program, cli->arena, &about->runtime);
    about->has_runtime = !failure;
    note(about, "Failed to get information about the project runtime", failure);
    failure =
        language_dependencies(language, &program, is_transitive, cli->arena, &about->dependencies);
    about->has_dependencies = !failure;
    note(about, "Failed to get information about the Pulumi program's dependencies", failure);
    return NULL;
}

static fallible find_program(struct about *about, bool is_transitive)
{
    struct cli *cli = about->cli;
    struct plugin_host *host;

    if (!cli->project || cli->project->runtime.len == 0)
        return NULL;
    TRY(cli_open_plugins(cli, cli->project->directory, &host));
    struct error *failure = cmd_about_ask_language(about, host, is_transitive);
    plugin_host_close(host);
    return failure;
}

/* --- the machine --- */

/* The value of a line NAME=VALUE, with or without quotes. */
static str line_value(str text, str name)
{
    str line, rest = text, key, value;

    while (str_next(&rest, STR("\n"), &line)) {
        if (!str_cut(line, STR("="), &key, &value) || !str_equal(key, name))
            continue;
        if (value.len >= 2 && value.ptr[0] == '"')
            value = str_slice(value, 1, value.len - 1);
        return value;
    }
    return STR("");
}

/* The distribution as it calls itself; the kernel where it says nothing. */
static void find_system(struct about *about)
{
    struct arena *arena = about->cli->arena;
    str text = STR(""), version = STR("");

    error_ignore(fs_read(arena, STR("/etc/os-release"), 1 << 16, &text), "not every system has it");
    error_ignore(fs_read(arena, STR("/etc/debian_version"), 256, &version), "only some have it");
    about->system = line_value(text, STR("ID"));
    about->system_version = line_value(text, STR("VERSION_ID"));
    if (str_equal(about->system, STR("debian")) && str_trim(version).len)
        about->system_version = str_trim(version);
    if (about->system.len == 0)
        about->system = str_from(about->machine.sysname);
    if (about->system_version.len == 0)
        about->system_version = str_from(about->machine.release);
}

static void gather(struct about *about, const struct about_args *args)
{
    const struct passwd *user = getpwuid(geteuid());

    if (uname(&about->machine) < 0)
        about->machine = (struct utsname){ 0 };
    about->user = user ? arena_copy(about->cli->arena, str_from(user->pw_name)) : STR("unknown");
    find_system(about);
    find_project(about);
    note(about, "Failed to load language plugin", find_program(about, args->transitive));
    note(about, "Could not access the backend", find_backend(about));
    if (about->cli->backend)
        note(about, "Failed to get information about the current stack",
             find_stack(about, args->stack));
}

/* --- JSON --- */

/* A version without its "v". */
static str bare(str version)
{
    return version.len && version.ptr[0] == 'v' ? str_slice(version, 1, version.len) : version;
}

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

static void write_plugins(struct json_writer *writer, const struct about *about)
{
    json_key(writer, STR("plugins"));
    if (!about->has_plugins) {
        json_null(writer);
        return;
    }
    json_begin_array(writer);
    for (size_t i = 0; i < about->plugins.len; i++) {
        const struct package_ref *plugin = &about->plugins.items[i];
        json_begin_object(writer);
        text(writer, STR("name"), plugin->name);
        json_key(writer, STR("version"));
        if (plugin->version.len)
            json_string(writer, bare(plugin->version));
        else
            json_null(writer);
        text(writer, STR("kind"), plugin->kind);
        json_end_object(writer);
    }
    json_end_array(writer);
}

/* What the host says, and the three that every host says, in the order of their keys. */
static void write_runtime(struct json_writer *writer, const struct about *about)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct about_answer *runtime = &about->runtime;
    const struct pair own[] = { { STR("language"), about->cli->project->runtime },
                                { STR("executable"), runtime->executable },
                                { STR("version"), runtime->version } };
    struct pairs facts =
        pairs_sorted(&scratch, pairs_join(&scratch, (struct pairs){ own, 3 }, runtime->facts));

    json_begin_object(writer);
    for (size_t i = 0; i < facts.len; i++)
        if (facts.items[i].value.len)
            text(writer, facts.items[i].key, facts.items[i].value);
    json_end_object(writer);
}

static void write_dependencies(struct json_writer *writer, const struct about *about)
{
    json_key(writer, STR("dependencies"));
    if (!about->has_dependencies) {
        json_null(writer);
        return;
    }
    json_begin_array(writer);
    for (size_t i = 0; i < about->dependencies.len; i++) {
        json_begin_object(writer);
        text(writer, STR("name"), about->dependencies.items[i].key);
        text(writer, STR("version"), about->dependencies.items[i].value);
        json_end_object(writer);
    }
    json_end_array(writer);
}

static void write_organizations(struct json_writer *writer, struct strs names)
{
    if (names.len == 0)
        json_null(writer);
    else
        json_strings(writer, names.items, names.len);
}

static void write_backend(struct json_writer *writer, const struct about *about)
{
    json_key(writer, STR("backend"));
    if (!about->cli->backend) {
        json_null(writer);
        return;
    }
    json_begin_object(writer);
    text(writer, STR("name"), about->backend_name);
    text(writer, STR("url"), backend_url(about->cli->backend));
    text(writer, STR("user"), about->user);
    json_key(writer, STR("organizations"));
    write_organizations(writer, about->organizations);
    json_end_object(writer);
}

static void cmd_about_print_json(const struct about *about)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_object(writer);
    write_plugins(writer, about);
    json_key(writer, STR("host"));
    json_begin_object(writer);
    text(writer, STR("os"), about->system);
    text(writer, STR("version"), about->system_version);
    text(writer, STR("arch"), str_from(about->machine.machine));
    json_end_object(writer);
    write_backend(writer, about);
    write_stack(writer, about);
    json_key(writer, STR("cliAbout"));
    json_begin_object(writer);
    text(writer, STR("version"), bare(STR(PULUMI_VERSION)));
    text(writer, STR("culumiVersion"), STR(CULUMI_VERSION));
    text(writer, STR("goVersion"), STR(COMPILER " " COMPILER_VERSION));
    text(writer, STR("goCompiler"), STR(COMPILER));
    json_end_object(writer);
    json_key(writer, STR("runtime"));
    if (about->has_runtime)
        write_runtime(writer, about);
    else
        json_null(writer);
    write_dependencies(writer, about);
    json_key(writer, STR("errors"));
    json_begin_array(writer);
    for (size_t i = 0; i < about->problems.len; i++)
        json_string(writer, about->problems.items[i]);
    json_end_array(writer);
    json_end_object(writer);
    json_print_end(&print);
}

/* --- text --- */

static void print_pairs(const struct about *about, const char *title, struct pairs pairs)
{
    struct table table = { .columns = 2 };

    TABLE_ADD(&table, str_from(title), STR(""));
    for (size_t i = 0; i < pairs.len; i++)
        TABLE_ADD(&table, pairs.items[i].key, pairs.items[i].value);
    table_print(&table, about->cli->terminal.color);
    table_release(&table);
    putchar('\n');
}
#define PRINT_PAIRS(about, title, ...)                        \
    print_pairs(                                              \
        (about), (title),                                     \
        (struct pairs){ (const struct pair[]){ __VA_ARGS__ }, \
                        sizeof((const struct pair[]){ __VA_ARGS__ }) / sizeof(struct pair) })

static void print_stack(const struct about *about)
{
    struct table table = { .columns = 2 };
    struct cli *cli = about->cli;
    str name = stack_ref_qualified(cli->arena, cli->stack);

    if (!about->has_stack)
        return;
    str short_name = cli_stack_name(cli, cli->stack);
    printf("Current Stack: " STR_FMT "\n\n", STR_ARG(name));
    TABLE_ADD(&table, STR("TYPE"), STR("URN"));
    for (size_t i = 0; i < about->snapshot.resource_count; i++)
        TABLE_ADD(&table, about->snapshot.resources[i]->type, about->snapshot.resources[i]->urn);
    if (about->snapshot.resource_count)
        table_print(&table, cli->terminal.color);
    else
        printf("Found no resources associated with " STR_FMT "\n", STR_ARG(short_name));
    table.len = 0;
    putchar('\n');
    TABLE_ADD(&table, STR("OPP TYPE"), STR("URN"));
    for (size_t i = 0; i < about->snapshot.pending_count; i++)
        TABLE_ADD(&table, str_from(pending_names[about->snapshot.pending[i].kind]),
                  about->snapshot.pending[i].resource->urn);
    if (about->snapshot.pending_count)
        table_print(&table, cli->terminal.color);
    else
        printf("Found no pending operations associated with " STR_FMT "\n", STR_ARG(short_name));
    table_release(&table);
    putchar('\n');
}

static void print_plugins(const struct about *about)
{
    struct table table = { .columns = 3 };

    if (!about->has_plugins)
        return;
    puts("Plugins");
    TABLE_ADD(&table, STR("KIND"), STR("NAME"), STR("VERSION"));
    for (size_t i = 0; i < about->plugins.len; i++) {
        const struct package_ref *plugin = &about->plugins.items[i];
        TABLE_ADD(&table, plugin->kind, plugin->name,
                  plugin->version.len ? bare(plugin->version) : STR("unknown"));
    }
    table_print(&table, about->cli->terminal.color);
    table_release(&table);
    putchar('\n');
}

static void print_runtime(const struct about *about)
{
    const struct about_answer *runtime = &about->runtime;
    const char *between = ": ";

    if (!about->has_runtime)
        return;
    const struct pair own[] = { { STR("executable"), runtime->executable },
                                { STR("version"), runtime->version } };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct pairs facts = pairs_join(&scratch, (struct pairs){ own, 2 }, runtime->facts);
    printf("This project is written in " STR_FMT, STR_ARG(about->cli->project->runtime));
    for (size_t i = 0; i < facts.len; i++) {
        if (facts.items[i].value.len == 0)
            continue;
        printf("%s" STR_FMT "='" STR_FMT "'", between, STR_ARG(facts.items[i].key),
               STR_ARG(facts.items[i].value));
        between = " ";
    }
    puts("\n");
}

static void print_backend(const struct about *about)
{
    CLEANUP(strbuf_release) struct strbuf names = { 0 };

    for (size_t i = 0; i < about->organizations.len; i++) {
        strbuf_add(&names, i ? STR(", ") : STR(""));
        strbuf_add(&names, about->organizations.items[i]);
    }
    PRINT_PAIRS(about, "Backend", { STR("Name"), about->backend_name },
                { STR("URL"), backend_url(about->cli->backend) }, { STR("User"), about->user },
                { STR("Organizations"), strbuf_str(&names) },
                { STR("Token type"), STR("personal") });
}

static void print_dependencies(const struct about *about)
{
    struct table table = { .columns = 2 };

    if (!about->has_dependencies)
        return;
    puts(about->dependencies.len ? "Dependencies:" : "No dependencies found\n");
    TABLE_ADD(&table, STR("NAME"), STR("VERSION"));
    for (size_t i = 0; i < about->dependencies.len; i++)
        TABLE_ADD(&table, about->dependencies.items[i].key, about->dependencies.items[i].value);
    if (about->dependencies.len) {
        table_print(&table, about->cli->terminal.color);
        putchar('\n');
    }
    table_release(&table);
}

static void print_text(const struct about *about)
{
    PRINT_PAIRS(about, "CLI", { STR("Version"), bare(STR(PULUMI_VERSION)) },
                { STR("Culumi"), STR(CULUMI_VERSION) },
                { STR("Compiler"), STR(COMPILER " " COMPILER_VERSION) });
    print_plugins(about);
    PRINT_PAIRS(about, "Host", { STR("OS"), about->system },
                { STR("Version"), about->system_version },
                { STR("Arch"), str_from(about->machine.machine) });
    print_runtime(about);
    print_stack(about);
    if (about->cli->backend)
        print_backend(about);
    print_dependencies(about);
    for (size_t i = 0; i < about->problems.len; i++)
        cli_report(about->cli, "warning", about->problems.items[i]);
}

static struct error *cmd_about_run(struct cli *cli, const void *args_)
{
    const struct about_args *args = args_;
    struct about about = { .cli = cli };
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    gather(&about, args);
    if (is_json)
        cmd_about_print_json(&about);
    else
        print_text(&about);
    vec_release(&about.problems);
    return NULL;
}

const struct command cmd_about = {
    .path = "about",
    .summary = "Show what a report of a problem should say",
    .example = "about\n"
               "about --output json",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct about_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("output json"),
    .run = cmd_about_run,
};
