/* cmd_about_env.c — `about env`: the environment variables that matter here, with their values. */
#include "cli/cli.h"
#include "cli/screen/json_print.h"
#include "cli/screen/table.h"

#include "base/settings.h"

#include <ctype.h>

enum variable_kind { TEXT_VALUE, SWITCH, HIDDEN };

struct variable {
    const char *name;
    const char *help;
    enum variable_kind kind;
};

static const struct variable variables[] = {
#define VARIABLE(name, help, kind) { name, help, kind },
#include "cli/variables.def"
#undef VARIABLE
};

struct about_env_args {
    str stack;
    bool transitive;
    str output;
    bool json;
};

static const struct option options[] = {
    TEXT_PRESET(struct about_env_args, output, 0, "output", "default",
                "How to print: default or json"),
    FLAG(struct about_env_args, json, 'j', "json", NULL),
    TEXT(struct about_env_args, stack, 's', "stack", "No effect here: it is an option of `about`"),
    FLAG(struct about_env_args, transitive, 't', "transitive",
         "No effect here: it is an option of `about`"),
    { 0 },
};

static str about_env_value(struct arena *arena, const struct variable *variable)
{
    str value = settings_text(variable->name);

    if (!settings_has(variable->name))
        return STR("unset");
    if (variable->kind == HIDDEN)
        return STR("[secret]");
    if (variable->kind == SWITCH)
        return settings_is_true(value) ? STR("true") : STR("false");
    return arena_printf(arena, "\"" STR_FMT "\"", STR_ARG(value));
}

/* Rows of one table: the variables above, and one for each option. */
struct about_env {
    struct arena *arena;
    struct variable *rows;
    size_t len;
    size_t capacity;
};

static void about_env_add_option(struct about_env *list, const struct option *option)
{
    const size_t prefix = sizeof("PULUMI_OPTION_") - 1;
    char *name = arena_cstr(
        list->arena, arena_concat(list->arena, STR("PULUMI_OPTION_"), str_from(option->name)));

    for (char *c = name + prefix; *c; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    for (size_t i = 0; i < list->len; i++)
        if (strcmp(list->rows[i].name, name) == 0)
            return;
    if (list->len < list->capacity)
        list->rows[list->len++] =
            (struct variable){ name, arena_printf(list->arena, "The option --%s", option->name).ptr,
                               TEXT_VALUE };
}

static void about_env_add_table(struct about_env *list, const struct option *option)
{
    for (; option->name; option++)
        about_env_add_option(list, option);
}

static int about_env_compare(const void *a, const void *b)
{
    return strcmp(((const struct variable *)a)->name, ((const struct variable *)b)->name);
}

static struct about_env about_env_list(struct arena *arena)
{
    enum { MOST = 1000 };
    struct about_env list = { arena, ARENA_ARRAY(arena, struct variable, MOST), 0, MOST };

    for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
        list.rows[list.len++] = variables[i];
    about_env_add_table(&list, global_options);
    for (size_t i = 0; i < command_count; i++) {
        const struct option *const *table = commands[i]->options;
        for (; table && *table; table++)
            about_env_add_table(&list, *table);
    }
    qsort(list.rows, list.len, sizeof(*list.rows), about_env_compare);
    return list;
}

static void about_env_print_json(const struct about_env *list)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_array(writer);
    for (size_t i = 0; i < list->len; i++) {
        const struct variable *row = &list->rows[i];
        json_begin_object(writer);
        json_key(writer, STR("name"));
        json_string(writer, str_from(row->name));
        json_key(writer, STR("description"));
        json_string(writer, str_from(row->help));
        json_key(writer, STR("value"));
        if (!settings_has(row->name))
            json_null(writer);
        else
            json_string(writer, row->kind == HIDDEN ? STR("[secret]") : settings_text(row->name));
        json_end_object(writer);
    }
    json_end_array(writer);
    json_print_end(&print);
}

static struct error *cmd_about_env_run(struct cli *cli, const void *args_)
{
    const struct about_env_args *args = args_;
    struct table table = { .columns = 3 };
    struct about_env list = about_env_list(cli->arena);
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    if (is_json) {
        about_env_print_json(&list);
        return NULL;
    }
    TABLE_ADD(&table, STR("Variable"), STR("Description"), STR("Value"));
    for (size_t i = 0; i < list.len; i++)
        TABLE_ADD(&table, str_from(list.rows[i].name), str_from(list.rows[i].help),
                  about_env_value(cli->arena, &list.rows[i]));
    table_print(&table, cli->terminal.color);
    table_release(&table);
    return NULL;
}

const struct command cmd_about_env = {
    .path = "about env",
    .summary = "List the environment variables that matter here",
    .details = "Values of passphrases and tokens are not shown.",
    .example = "about env",
    .args_size = sizeof(struct about_env_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("output json"),
    .run = cmd_about_env_run,
};
