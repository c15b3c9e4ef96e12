/* cmd_spec.c — the hidden `generate-cli-spec`: all commands and options as JSON, from which SDKs
 * make functions. */
#include "cli/cli.h"
#include "cli/screen/input.h"
#include "cli/screen/json_print.h"

#include "model/value_json.h"
#include "model/value_ops.h"

#include <stdlib.h>

struct spec_args {
    str overrides;
};

static const struct option options[] = {
    TEXT(struct spec_args, overrides, 0, "overrides",
         "A JSON file of commands and options to leave out or to preset"),
    { 0 },
};

struct spec {
    struct arena *arena;
    struct json_writer *writer;
    struct value scopes; /* of the overrides; null: none */
};

/* --- overrides: {"scopes": [{"path", "propagate", "exclude", "flags": {NAME: {"omit",
 * "preset"}}}]} */

static bool spec_is_true(struct value object, str key)
{
    const struct value *member = object.kind == VALUE_OBJECT ? value_find(object, key) : NULL;

    return member && member->kind == VALUE_BOOL && member->boolean;
}

/* Does the scope hold for the command of that path? An empty path is the program. */
static bool spec_scope_holds(struct spec *spec, struct value scope, str path)
{
    const struct value *words = scope.kind == VALUE_OBJECT ? value_find(scope, STR("path")) : NULL;
    str prefix = STR("");

    for (size_t i = 0; words && words->kind == VALUE_ARRAY && i < words->len; i++)
        if (words->items[i].kind == VALUE_STRING)
            prefix = arena_concat(spec->arena, prefix, i ? STR(" ") : STR(""),
                                  value_text(words->items[i]));
    if (str_equal(prefix, path))
        return true;
    return spec_is_true(scope, STR("propagate")) && str_starts_with(path, prefix)
           && (!prefix.len || path.ptr[prefix.len] == ' ');
}

static size_t spec_scope_count(const struct spec *spec)
{
    return spec->scopes.kind == VALUE_ARRAY ? spec->scopes.len : 0;
}

static bool spec_is_excluded(struct spec *spec, str path)
{
    for (size_t i = 0; i < spec_scope_count(spec); i++)
        if (spec_is_true(spec->scopes.items[i], STR("exclude"))
            && spec_scope_holds(spec, spec->scopes.items[i], path))
            return true;
    return false;
}

/* The deeper scope wins; of two at the same depth the later. */
static void spec_write_rule(struct spec *spec, str path, str flag)
{
    const struct value *preset = NULL;
    bool is_omitted = false;
    size_t depth = 0;

    for (size_t i = 0; i < spec_scope_count(spec); i++) {
        struct value scope = spec->scopes.items[i];
        const struct value *flags =
            scope.kind == VALUE_OBJECT ? value_find(scope, STR("flags")) : NULL;
        const struct value *words =
            scope.kind == VALUE_OBJECT ? value_find(scope, STR("path")) : NULL;
        size_t here = words && words->kind == VALUE_ARRAY ? words->len : 0;
        const struct value *rule =
            flags && flags->kind == VALUE_OBJECT ? value_find(*flags, flag) : NULL;
        if (!rule || rule->kind != VALUE_OBJECT || here < depth
            || !spec_scope_holds(spec, scope, path))
            continue;
        depth = here;
        is_omitted = value_find(*rule, STR("omit")) ? spec_is_true(*rule, STR("omit")) : is_omitted;
        preset = value_find(*rule, STR("preset")) ? value_find(*rule, STR("preset")) : preset;
    }
    if (is_omitted) {
        json_key(spec->writer, STR("omit"));
        json_bool(spec->writer, true);
    }
    if (preset) {
        json_key(spec->writer, STR("preset"));
        value_write(spec->writer, *preset, SECRET_BARE);
    }
}

/* --- options --- */

static const char *spec_type(const struct option *option)
{
    switch (option->type) {
    case OPTION_FLAG: return "boolean";
    case OPTION_INTEGER: return "int";
    case OPTION_TEXT:
    case OPTION_LIST:
    case OPTION_CSV: break;
    }
    return "string";
}

static void spec_write_text(struct spec *spec, const char *key, const char *text)
{
    json_key(spec->writer, str_from(key));
    json_string(spec->writer, str_from(text));
}

static void spec_write_option(struct spec *spec, str path, const struct option *option)
{
    json_key(spec->writer, str_from(option->name));
    json_begin_object(spec->writer);
    spec_write_text(spec, "name", option->name);
    spec_write_text(spec, "type", spec_type(option));
    if (option->help)
        spec_write_text(spec, "description", option->help);
    if (option->type == OPTION_LIST || option->type == OPTION_CSV) {
        json_key(spec->writer, STR("repeatable"));
        json_bool(spec->writer, true);
    }
    spec_write_rule(spec, path, str_from(option->name));
    json_end_object(spec->writer);
}

/* What a menu has is inherited, and stands there only. */
static bool spec_is_inherited(const struct command *command, const struct option *option)
{
    str rest = str_from(command->path), head, last;

    while (str_cut_last(rest, STR(" "), &head, &last)) {
        rest = head;
        for (size_t i = 0; i < command_count; i++)
            if (str_equal(str_from(commands[i]->path), head) && commands[i]->options
                && option_find(commands[i]->options, str_from(option->name)))
                return true;
    }
    return false;
}

static int spec_compare_options(const void *a, const void *b)
{
    return strcmp((*(const struct option *const *)a)->name,
                  (*(const struct option *const *)b)->name);
}

static void spec_write_options(struct spec *spec, const struct command *command)
{
    enum { MOST = 200 };
    const struct option *own[MOST], *const root[] = { global_options, NULL };
    const struct option *const *table = command ? command->options : root;
    size_t count = 0;

    for (; table && *table; table++)
        for (const struct option *option = *table; option->name && count < MOST; option++)
            if (!command || !spec_is_inherited(command, option))
                own[count++] = option;
    if (!count)
        return;
    qsort(own, count, sizeof(*own), spec_compare_options);
    json_key(spec->writer, STR("flags"));
    json_begin_object(spec->writer);
    for (size_t i = 0; i < count; i++)
        spec_write_option(spec, command ? str_from(command->path) : STR(""), own[i]);
    json_end_object(spec->writer);
}

/* --- operands --- */

static void spec_write_operands(struct spec *spec, const struct command *command)
{
    str rest = command->operands ? str_from(command->operands) : STR(""), word;
    int64_t required = 0;
    bool is_variadic = false;

    json_key(spec->writer, STR("arguments"));
    json_begin_object(spec->writer);
    json_key(spec->writer, STR("arguments"));
    json_begin_array(spec->writer);
    while (str_next(&rest, STR(" "), &word)) {
        char *name =
            arena_cstr(spec->arena, word.ptr[0] == '[' ? str_slice(word, 1, word.len) : word);
        name[strcspn(name, "[].")] = '\0';
        for (char *c = name; *c; c++)
            *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
        required += word.ptr[0] != '[';
        is_variadic = is_variadic || str_find(word, STR("...")) != SIZE_MAX;
        json_begin_object(spec->writer);
        spec_write_text(spec, "name", name);
        json_end_object(spec->writer);
    }
    json_end_array(spec->writer);
    if (required) {
        json_key(spec->writer, STR("requiredArguments"));
        json_integer(spec->writer, required);
    }
    if (is_variadic) {
        json_key(spec->writer, STR("variadic"));
        json_bool(spec->writer, true);
    }
    json_end_object(spec->writer);
}

/* --- commands --- */

static void spec_write_command(struct spec *spec, const struct command *command);

static int spec_compare_commands(const void *a, const void *b)
{
    return str_compare(command_name(*(const struct command *const *)a),
                       command_name(*(const struct command *const *)b));
}

static void spec_write_children(struct spec *spec, const struct command *parent)
{
    const struct command **children =
        ARENA_ARRAY(spec->arena, const struct command *, command_count);
    size_t count = 0;

    for (size_t i = 0; i < command_count; i++)
        if (command_is_child(commands[i], parent)
            && !spec_is_excluded(spec, str_from(commands[i]->path)))
            children[count++] = commands[i];
    qsort(children, count, sizeof(*children), spec_compare_commands);
    json_key(spec->writer, STR("commands"));
    json_begin_object(spec->writer);
    for (size_t i = 0; i < count; i++) {
        json_key(spec->writer, command_name(children[i]));
        spec_write_command(spec, children[i]);
    }
    json_end_object(spec->writer);
}

/* At most as deep as commands have words. */
static void spec_write_command(struct spec *spec, const struct command *command)
{
    json_begin_object(spec->writer);
    if (!command || command_has_children(command)) {
        spec_write_text(spec, "type", "menu");
        if (command && command->run) {
            json_key(spec->writer, STR("executable"));
            json_bool(spec->writer, true);
        }
        spec_write_options(spec, command);
        spec_write_children(spec, command);
    } else {
        spec_write_text(spec, "type", "command");
        spec_write_options(spec, command);
        spec_write_operands(spec, command);
        spec_write_text(spec, "description", command->summary);
    }
    json_end_object(spec->writer);
}

static fallible spec_read_overrides(struct cli *cli, str file, struct value *out)
{
    struct json_reader reader;
    struct value document;
    str text;

    TRY(error_wrap(input_read(cli->arena, file, INPUT_STATE_LIMIT, &text),
                   "failed to read overrides file"));
    json_reader_init(&reader, cli->arena, text);
    struct error *failure = value_read_plain(&reader, &document);
    json_reader_release(&reader);
    TRY(error_wrap(failure, "failed to parse overrides file"));
    const struct value *scopes =
        document.kind == VALUE_OBJECT ? value_find(document, STR("scopes")) : NULL;
    *out = scopes ? *scopes : value_null();
    return NULL;
}

static struct error *cmd_spec_run(struct cli *cli, const void *args_)
{
    const struct spec_args *args = args_;
    struct spec spec = { .arena = cli->arena };
    struct json_print print;

    if (args->overrides.len)
        TRY(spec_read_overrides(cli, args->overrides, &spec.scopes));
    spec.writer = json_print_begin(&print, 2);
    spec_write_command(&spec, NULL);
    json_print_end(&print);
    return NULL;
}

const struct command cmd_spec = {
    .path = "generate-cli-spec",
    .summary = "Print all commands and options as JSON",
    .example = "generate-cli-spec > commands.json",
    .is_hidden = true,
    .args_size = sizeof(struct spec_args),
    .options = OPTIONS(options),
    .run = cmd_spec_run,
};
