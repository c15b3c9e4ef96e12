/* new_runtime.c — the options of a new project's runtime, and what its language host adds. */
#include "cli/new/new_project.h"

#include "cli/open.h"
#include "cli/package/plugin_open.h"
#include "cli/screen/prompt.h"
#include "model/value.h"
#include "plugin/language.h"

/* A host that always has another question would never end. */
enum { ROUNDS_MAX = 20 };

static void add_option(struct new_project *new, str key, str value, bool is_number)
{
    const struct project_option option = { key, value, is_number };

    for (size_t i = 0; i < new->options.len; i++) {
        if (str_equal(new->options.items[i].key, key)) {
            new->options.items[i] = option;
            return;
        }
    }
    vec_add(&new->options, option);
}

static fallible take_given(struct new_project *new)
{
    for (size_t i = 0; i < new->args->runtime_options.len; i++) {
        str pair = new->args->runtime_options.items[i], key, value;
        if (!str_cut(pair, STR("="), &key, &value))
            return error_new(ERROR_INVALID,
                             "invalid runtime option: " STR_FMT " (expected KEY=VALUE)",
                             STR_ARG(pair));
        add_option(new, key, value, false);
    }
    return NULL;
}

/* The template's options and those that were chosen. */
static struct value all_options(struct new_project *new)
{
    struct arena *arena = new->cli->arena;
    struct value given = new->model.runtime_options;
    struct member *members = ARENA_ARRAY(arena, struct member, given.len + new->options.len + 1);
    size_t count = 0;

    for (uint32_t i = 0; i < given.len; i++)
        members[count++] = given.members[i];
    for (size_t i = 0; i < new->options.len; i++)
        members[count++] = (struct member){ .key = new->options.items[i].key,
                                            .value = value_string(new->options.items[i].value) };
    return value_object(arena, members, count);
}

static fallible answer_prompt(struct new_project *new, const struct runtime_prompt *prompt)
{
    struct arena *arena = new->cli->arena;
    size_t chosen = 0;
    str answer;

    if (!new->asks) {
        if (!prompt->preset.len)
            return error_new(ERROR_INVALID,
                             "must provide a runtime option for '" STR_FMT
                             "' in non-interactive mode",
                             STR_ARG(prompt->key));
        add_option(new, prompt->key, prompt->preset, prompt->is_number);
        return NULL;
    }
    if (prompt->choice_count == 0) {
        TRY(prompt_value(new->cli, arena_cstr(arena, prompt->description), prompt->preset,
                         &answer));
        add_option(new, prompt->key, answer, prompt->is_number);
        return NULL;
    }
    if (prompt->choice_count > 1) {
        const char **names = ARENA_ARRAY(arena, const char *, prompt->choice_count + 1);
        for (size_t i = 0; i < prompt->choice_count; i++) {
            names[i] = arena_cstr(arena, prompt->choices[i].shown);
            if (str_equal(prompt->choices[i].value, prompt->preset))
                chosen = i;
        }
        TRY(prompt_choice(new->cli, arena_cstr(arena, prompt->description), names, chosen,
                          &chosen));
    }
    add_option(new, prompt->key, prompt->choices[chosen].value, prompt->is_number);
    return NULL;
}

static struct program_info new_program(struct new_project *new)
{
    return (struct program_info){ .root_directory = new->target,
                                  .program_directory = new->target,
                                  .entry_point = STR("."),
                                  .options = all_options(new) };
}

static fallible ask_host(struct new_project *new)
{
    struct runtime_prompts prompts = { .len = 1 };

    for (size_t round = 0; prompts.len > 0 && round < ROUNDS_MAX; round++) {
        const struct program_info program = new_program(new);
        TRY(language_runtime_prompts(new->language, &program, new->cli->arena, &prompts));
        for (size_t i = 0; i < prompts.len; i++)
            TRY(answer_prompt(new, &prompts.items[i]));
    }
    return NULL;
}

/* The YAML host has no options to ask for and nothing to add. */
static bool is_plain_yaml(const struct new_project *new)
{
    return str_equal(new->model.runtime, STR("yaml"));
}

static fallible load_host(struct new_project *new)
{
    str here;

    TRY(cli_current_directory(new->cli, &here));
    TRY(cli_open_plugins(new->cli, here, &new->host));
    struct error *failure = plugin_load_language(new->host, new->model.runtime, &new->language);
    if (!failure || !new->args->generate_only)
        return failure;
    /* Files can be made for a language that is not installed yet. */
    new->language = NULL;
    cli_report(new->cli, "warning", error_message(failure));
    error_free(failure);
    return NULL;
}

fallible new_runtime_ask(struct new_project *new)
{
    TRY(take_given(new));
    if (is_plain_yaml(new))
        return NULL;
    TRY(load_host(new));
    return new->language ? ask_host(new) : NULL;
}

fallible new_runtime_finish(struct new_project *new)
{
    const struct program_info program = new_program(new);

    return new->language ? language_fill_template(new->language, &program, new->name) : NULL;
}
