/* complete_values.c — stacks, configuration keys, URNs, outputs, plugins and templates that there
 * are. */
#include "cli/complete/complete.h"

#include "base/fs.h"
#include "base/settings.h"
#include "cli/open.h"
#include "cli/stack/stack_outputs.h"
#include "cli/stack/stack_secrets.h"
#include "plugin/plugin_cache.h"

typedef fallible complete_source(struct cli *cli, const struct complete_line *line,
                                 struct candidates *out);

/* --- what has to be opened --- */

static fallible complete_open_backend(struct cli *cli)
{
    str url;

    if (cli->backend)
        return NULL;
    error_ignore(cli_open_project(cli), "stacks can be named without a project");
    TRY(cli_backend_url(cli, &url));
    return cli_open_backend(cli, url);
}

static fallible complete_open_stack(struct cli *cli, const struct complete_line *line)
{
    str name = line->stack;

    TRY(complete_open_backend(cli));
    if (!name.len)
        TRY(cli_selected_stack(cli, &name));
    if (!name.len)
        return error_new(ERROR_NOT_FOUND, "no stack is selected");
    return backend_stack_ref(cli->backend, cli->arena, name, cli_project_name(cli), &cli->stack);
}

static fallible complete_load(struct cli *cli, const struct complete_line *line,
                              struct snapshot *out)
{
    bool has_deployment;

    TRY(complete_open_stack(cli, line));
    return backend_load(cli->backend, cli->stack, cli->arena, out, &has_deployment);
}

/* --- sources --- */

static struct error *complete_stacks(struct cli *cli, const struct complete_line *line,
                                     struct candidates *out)
{
    struct stack_summaries stacks;

    (void)line;
    TRY(complete_open_backend(cli));
    TRY(backend_list_stacks(cli->backend, cli->arena, cli_project_name(cli), &stacks));
    for (size_t i = 0; i < stacks.len; i++)
        candidates_add(out, cli_stack_name(cli, stacks.items[i].stack),
                       arena_printf(cli->arena, "resources: %zu", stacks.items[i].resource_count));
    return NULL;
}

static struct error *complete_urns(struct cli *cli, const struct complete_line *line,
                                   struct candidates *out)
{
    struct snapshot snapshot;

    TRY(complete_load(cli, line, &snapshot));
    for (size_t i = 0; i < snapshot.resource_count; i++)
        candidates_add(out, snapshot.resources[i]->urn, STR(""));
    return NULL;
}

static struct error *complete_outputs(struct cli *cli, const struct complete_line *line,
                                      struct candidates *out)
{
    struct snapshot snapshot;

    TRY(complete_load(cli, line, &snapshot));
    struct value outputs = stack_outputs_find(&snapshot);
    for (size_t i = 0; i < outputs.len; i++)
        candidates_add(out, outputs.members[i].key, STR(""));
    return NULL;
}

/* As the user writes it: the own namespace is left out. */
static str complete_key_text(struct cli *cli, struct config_key key)
{
    return str_equal(key.namespace, cli_project_name(cli)) ? key.name
                                                           : config_key_format(cli->arena, key);
}

static struct error *complete_config_keys(struct cli *cli, const struct complete_line *line,
                                          struct candidates *out)
{
    struct stack_config config;

    TRY(complete_open_stack(cli, line));
    for (size_t i = 0; cli->project && i < cli->project->config_count; i++)
        candidates_add(out, complete_key_text(cli, cli->project->config[i].key),
                       cli->project->config[i].description);
    TRY(cli_load_config(cli, cli->stack, line->config_file, &config));
    for (size_t i = 0; i < config.config.len; i++)
        candidates_add(out, complete_key_text(cli, config.config.items[i].key), STR(""));
    return NULL;
}

static struct error *complete_plugins(struct cli *cli, const struct complete_line *line,
                                      struct candidates *out)
{
    bool has_kind = line->operand_count > 0, has_name = line->operand_count > 1;
    struct plugin_entries plugins;
    str home;

    TRY(cli_home(cli, &home));
    TRY(plugin_cache_list(cli->arena, home, &plugins));
    for (size_t i = 0; i < plugins.len; i++) {
        const struct plugin_entry *plugin = &plugins.items[i];
        if (has_kind && !str_equal(plugin->kind, line->first_operand))
            continue;
        if (has_name)
            candidates_add(out, semver_format(cli->arena, &plugin->version), plugin->name);
        else
            candidates_add(out, has_kind ? plugin->name : plugin->kind, STR(""));
    }
    return NULL;
}

static struct error *complete_tools(struct cli *cli, const struct complete_line *line,
                                    struct candidates *out)
{
    struct plugin_entries plugins;
    str home;

    if (line->operand_count)
        return NULL;
    TRY(cli_home(cli, &home));
    TRY(plugin_cache_list(cli->arena, home, &plugins));
    for (size_t i = 0; i < plugins.len; i++)
        if (str_equal(plugins.items[i].kind, STR("tool")))
            candidates_add(out, plugins.items[i].name, STR(""));
    return NULL;
}

static struct error *complete_templates(struct cli *cli, const struct complete_line *line,
                                        struct candidates *out)
{
    str folder = settings_text("PULUMI_TEMPLATE_PATH"), home, *names;
    size_t count;

    (void)line;
    out->takes_file = true;
    if (!folder.len) {
        TRY(cli_home(cli, &home));
        folder = fs_path_join(cli->arena, home, STR("templates"));
    }
    TRY(fs_list(cli->arena, folder, &names, &count));
    for (size_t i = 0; i < count; i++)
        if (fs_is_directory(fs_path_join(cli->arena, folder, names[i])) && names[i].ptr[0] != '.')
            candidates_add(out, names[i], STR(""));
    return NULL;
}

static struct error *complete_files(struct cli *cli, const struct complete_line *line,
                                    struct candidates *out)
{
    (void)cli;
    (void)line;
    out->takes_file = true;
    return NULL;
}

/* --- who takes what --- */

/* By the word in the list of operands; "PATH/WORD" where a word alone says too little. */
static const struct {
    const char *operand;
    complete_source *source;
} operand_sources[] = {
    { "stack select/NAME", complete_stacks },
    { "stack remove/NAME", complete_stacks },
    { "stack output/NAME", complete_outputs },
    { "plugin run/NAME", complete_tools },
    { "plugin install/KIND", NULL },
    { "STACK", complete_stacks },
    { "KEY", complete_config_keys },
    { "URN", complete_urns },
    { "RESOURCE", complete_urns },
    { "KIND", complete_plugins },
    { "plugin remove/NAME", complete_plugins },
    { "plugin remove/VERSION", complete_plugins },
    { "TEMPLATE", complete_templates },
    { "FILE", complete_files },
    { "URL", complete_files },
    { "SOURCE", complete_files },
};

static const struct {
    const char *option;
    complete_source *source;
} option_sources[] = {
    { "stack", complete_stacks }, { "copy-config-from", complete_stacks },
    { "dest", complete_stacks },  { "source", complete_stacks },
    { "target", complete_urns },  { "exclude", complete_urns },
    { "replace", complete_urns }, { "target-replace", complete_urns },
};

/* Options that take one of a few words. */
static const struct {
    const char *option;
    const char *words;
} option_words[] = {
    { "color", "always never raw auto" },
    { "output", "default json" },
    { "type", "string bool int float" },
    { "kind", "tool resource language analyzer converter" },
    { "attach-debugger", "program plugins all" },
    { "language", "typescript javascript python go csharp java yaml pcl" },
};

static void complete_from(struct cli *cli, const struct complete_line *line,
                          complete_source *source, struct candidates *out)
{
    if (source)
        error_ignore(source(cli, line, out), "what cannot be read offers nothing");
}

static void complete_add_words(struct candidates *out, const char *words)
{
    str rest = str_from(words), word;

    while (str_next(&rest, STR(" "), &word)) {
        candidates_add(out, word, STR(""));
    }
}

void complete_option(struct cli *cli, const struct complete_line *line, const struct option *option,
                     struct candidates *out)
{
    for (size_t i = 0; i < sizeof(option_words) / sizeof(*option_words); i++) {
        if (strcmp(option_words[i].option, option->name) == 0) {
            complete_add_words(out, option_words[i].words);
            return;
        }
    }
    if (option->type == OPTION_FLAG) {
        complete_add_words(out, "true false");
        return;
    }
    for (size_t i = 0; i < sizeof(option_sources) / sizeof(*option_sources); i++) {
        if (strcmp(option_sources[i].option, option->name) == 0) {
            complete_from(cli, line, option_sources[i].source, out);
            return;
        }
    }
    out->takes_file = option->type != OPTION_INTEGER;
}

/* The word of the operand at that place: "[URN...]" stands for all that follow it. */
static str complete_operand_word(const struct command *command, size_t index)
{
    str rest = command->operands ? str_from(command->operands) : STR(""), word = STR("");

    for (size_t i = 0; i <= index; i++)
        if (!str_next(&rest, STR(" "), &word))
            return str_find(word, STR("...")) != SIZE_MAX ? word : STR("");
    return word;
}

static str complete_bare_word(str word)
{
    size_t start = 0, end;

    while (start < word.len && word.ptr[start] == '[')
        start++;
    for (end = start;
         end < word.len && ((word.ptr[end] >= 'A' && word.ptr[end] <= 'Z') || word.ptr[end] == '-');
         end++)
        ;
    return str_slice(word, start, end);
}

void complete_operand(struct cli *cli, const struct complete_line *line, struct candidates *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str word = complete_bare_word(complete_operand_word(line->command, line->operand_count));
    str full = arena_concat(&scratch, str_from(line->command->path), STR("/"), word);

    if (!word.len)
        return;
    for (size_t i = 0; i < sizeof(operand_sources) / sizeof(*operand_sources); i++) {
        str name = str_from(operand_sources[i].operand);
        if (!str_equal(name, word) && !str_equal(name, full))
            continue;
        complete_from(cli, line, operand_sources[i].source, out);
        return;
    }
    if (str_equal(word, STR("SHELL")))
        complete_add_words(out, "bash zsh fish");
    if (str_equal(word, STR("VERB")))
        complete_add_words(out, "list read create patch upsert delete");
}
