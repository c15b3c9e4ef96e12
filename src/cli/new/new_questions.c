/* new_questions.c — what is asked about a new project. */
#include "cli/new/new_project.h"

#include "base/fs.h"
#include "base/program.h"
#include "base/strbuf.h"
#include "cli/screen/prompt.h"

#include <stdio.h>
#include <stdlib.h>

/* --- name and description --- */

fallible new_project_name_check(str name)
{
    struct error *failure = project_name_check(name);

    if (!failure)
        return NULL;
    error_free(failure);
    const char *why = name.len == 0 ? "project names may not be empty"
                      : name.len > 100
                          ? "project names are limited to 100 characters"
                          : "project names may only contain alphanumerics, hyphens, underscores, "
                            "and periods";
    return error_new(ERROR_INVALID, "'" STR_FMT "' is not a valid project name: %s", STR_ARG(name),
                     why);
}

static void sorry(struct error *owned)
{
    str text = error_message(owned);

    printf("Sorry, " STR_FMT "\n", STR_ARG(text));
    error_free(owned);
}

/* A project that has stacks already. */
static fallible is_name_taken(struct new_project *new, str name, bool *out)
{
    struct stack_summaries stacks = { 0 };

    *out = false;
    if (!new->cli->backend)
        return NULL;
    TRY(backend_list_stacks(new->cli->backend, new->cli->arena, name, &stacks));
    *out = stacks.len > 0;
    return NULL;
}

/* `up TEMPLATE` may go on with what it has made before, and so may who names a stack in full. */
static fallible is_continued(struct new_project *new, str name, bool *out)
{
    struct stack_ref stack;

    *out = new->is_brief;
    if (*out || str_find_char(new->stack, '/') == SIZE_MAX)
        return NULL;
    TRY(backend_stack_ref(new->cli->backend, new->cli->arena, new->stack, name, &stack));
    return backend_stack_exists(new->cli->backend, stack, out);
}

/* True if the name may be used; a person may say so of one that is taken. */
static fallible confirm_name(struct new_project *new, str name, bool *out)
{
    struct arena *arena = new->cli->arena;
    bool is_taken, is_continued_here = false;
    size_t answer = 0;

    TRY(is_name_taken(new, name, &is_taken));
    *out = true;
    if (is_taken)
        TRY(is_continued(new, name, &is_continued_here));
    if (!is_taken || is_continued_here)
        return NULL;
    if (!new->asks)
        return error_new(ERROR_EXISTS, "a project with this name already exists: " STR_FMT,
                         STR_ARG(name));
    const char *choices[] = { arena_printf(arena, "Use '" STR_FMT "' anyway", STR_ARG(name)).ptr,
                              "Specify a different project name", NULL };
    str question =
        arena_printf(arena, "A project with the name `" STR_FMT "` already exists.", STR_ARG(name));
    TRY(prompt_choice(new->cli, question.ptr, choices, 0, &answer));
    *out = answer == 0;
    return NULL;
}

static str default_name(struct new_project *new)
{
    str name = new->model.name;
    bool is_open = str_find(name, STR("${")) != SIZE_MAX;

    return template_project_name(new->cli->arena, is_open ? fs_path_name(new->target) : name);
}

static fallible ask_name(struct new_project *new, str preset)
{
    bool is_fine = false;

    while (!is_fine) {
        TRY(prompt_value(new->cli, "Project name", preset, &new->name));
        struct error *failure = new_project_name_check(new->name);
        if (failure)
            sorry(failure);
        else
            TRY(confirm_name(new, new->name, &is_fine));
    }
    return NULL;
}

static fallible decide_name(struct new_project *new, bool asks)
{
    bool is_fine;

    if (new->name.len) { /* --name or --stack */
        TRY(confirm_name(new, new->name, &is_fine));
        return is_fine ? NULL : ask_name(new, new->name);
    }
    if (asks)
        return ask_name(new, default_name(new));
    new->name = default_name(new);
    return new->asks ? NULL : confirm_name(new, new->name, &is_fine);
}

static fallible decide_description(struct new_project *new, bool asks)
{
    str preset =
        str_find(new->model.description, STR("${")) == SIZE_MAX ? new->model.description : STR("");

    if (cli_was_given(new->cli, "description")) {
        new->description = new->args->description;
        return NULL;
    }
    if (!preset.len)
        preset = new->template->description;
    new->description = preset;
    return asks ? prompt_value(new->cli, "Project description", preset, &new->description) : NULL;
}

/* --- the stack --- */

/* Fails if it cannot be made. One that is named in full may be there already. */
static fallible check_stack(struct new_project *new, str name)
{
    struct cli *cli = new->cli;
    struct stack_ref stack;
    bool exists;

    TRY(backend_stack_ref(cli->backend, cli->arena, name, new->name, &stack));
    TRY(backend_stack_exists(cli->backend, stack, &exists));
    bool is_full = str_find_char(name, '/') != SIZE_MAX;
    new->uses_existing_stack = exists && (is_full || new->is_brief);
    if (exists && !new->uses_existing_stack)
        return error_new(ERROR_EXISTS, "stack '" STR_FMT "' already exists",
                         STR_ARG(stack_ref_qualified(cli->arena, stack)));
    return NULL;
}

static fallible ask_stack(struct new_project *new, str preset)
{
    struct error *failure = NULL;

    do {
        TRY(prompt_value(new->cli, "Stack name", preset, &new->stack));
        failure = check_stack(new, new->stack);
        if (failure)
            sorry(error_wrap(failure, "could not create stack '" STR_FMT "'", STR_ARG(new->stack)));
    } while (failure);
    return NULL;
}

static fallible decide_stack(struct new_project *new, bool asks)
{
    if (!new->cli->backend)
        return NULL;
    if (!new->stack.len && asks)
        return ask_stack(new, STR("dev"));
    if (!new->stack.len)
        new->stack = STR("dev");
    struct error *failure = check_stack(new, new->stack);
    if (failure && new->is_guided && !new->args->stack.len) {
        sorry(error_wrap(failure, "could not create stack '" STR_FMT "'", STR_ARG(new->stack)));
        return ask_stack(new, new->stack);
    }
    return failure;
}

/* --- configuration --- */

static fallible full_key(struct new_project *new, str text, struct config_key *out)
{
    return error_wrap(config_key_parse(new->cli->arena, text, new->name, false, out),
                      "invalid configuration key");
}

/* Those of -c are not asked. */
static fallible is_key_given(struct new_project *new, struct config_key key, bool *out)
{
    *out = false;
    for (size_t i = 0; i < new->args->config.len && !*out; i++) {
        struct config_key given;
        str name = new->args->config.items[i], value;
        str_cut(new->args->config.items[i], STR("="), &name, &value);
        struct error *failure = full_key(new, name, &given);
        *out = !failure && config_key_compare(given, key) == 0;
        error_ignore(failure, "reported when it is stored");
    }
    return NULL;
}

static int compare_answers(const void *a, const void *b)
{
    return str_compare(((const struct new_answer *)a)->label,
                       ((const struct new_answer *)b)->label);
}

/* "DESCRIPTION (KEY)", in words of whoever wrote the template. */
static str question_label(struct arena *arena, str description, str key)
{
    CLEANUP(strbuf_release) struct strbuf label = { 0 };

    strbuf_add_shown(&label, description, false);
    strbuf_add(&label, STR(" ("));
    strbuf_add_shown(&label, key, false);
    strbuf_add_char(&label, ')');
    return arena_copy(arena, strbuf_str(&label));
}

/* In the order of their full keys. */
static fallible gather_answers(struct new_project *new)
{
    struct arena *arena = new->cli->arena;
    const struct project *model = &new->model;

    new->answer_count = 0;
    new->answers = ARENA_ARRAY(arena, struct new_answer, model->template_config_count + 1);
    for (size_t i = 0; i < model->template_config_count; i++) {
        const struct project_template_config *from = &model->template_config[i];
        struct config_key key;
        bool is_given;
        TRY(full_key(new, from->key, &key));
        TRY(is_key_given(new, key, &is_given));
        if (is_given)
            continue;
        new->answers[new->answer_count++] = (struct new_answer){
            .key = from->key,
            .label = config_key_format(arena, key),
            .value = from->is_secret ? STR("") : from->default_value,
            .hidden = secret_hide(from->is_secret ? from->default_value : STR("")),
            .preset = from->default_value,
            .is_secret = from->is_secret,
        };
    }
    if (new->answer_count > 1)
        qsort(new->answers, new->answer_count, sizeof(*new->answers), compare_answers);
    for (size_t i = 0; i < new->answer_count; i++) {
        struct new_answer *answer = &new->answers[i];
        struct config_key key;
        TRY(full_key(new, answer->key, &key));
        str shown = str_equal(key.namespace, new->name) ? key.name : answer->label;
        answer->label = shown;
        for (size_t j = 0; j < model->template_config_count; j++)
            if (str_equal(model->template_config[j].key, answer->key)
                && model->template_config[j].description.len)
                answer->label = question_label(arena, model->template_config[j].description, shown);
    }
    return NULL;
}

static fallible ask_secret(struct new_project *new, struct new_answer *answer)
{
    struct arena *arena = new->cli->arena;
    str question =
        answer->preset.len ? arena_concat(arena, answer->label, STR(" ([secret])")) : answer->label;
    struct secret typed;

    TRY(prompt_passphrase(new->cli, question, arena, &typed));
    if (secret_reveal(typed).len)
        answer->hidden = typed;
    return NULL;
}

static fallible ask_answers(struct new_project *new, bool only_open)
{
    for (size_t i = 0; i < new->answer_count; i++) {
        struct new_answer *answer = &new->answers[i];
        if (only_open && answer->preset.len)
            continue;
        if (answer->is_secret)
            TRY(ask_secret(new, answer));
        else
            TRY(prompt_value(new->cli, arena_cstr(new->cli->arena, answer->label), answer->value,
                             &answer->value));
    }
    return NULL;
}

/* --- all of it --- */

static bool has_questions(const struct new_project *new)
{
    return new->asks
           && (!new->name.len || !cli_was_given(new->cli, "description")
               || (new->cli->backend && !new->stack.len)
               || (new->cli->backend &&new->model.template_config_count > 0));
}

static fallible ask_directly(struct new_project *new)
{
    if (has_questions(new) && !new->is_brief)
        new_report_welcome(new->cli, "Pulumi project");
    TRY(decide_name(new, new->asks));
    TRY(decide_description(new, new->asks));
    TRY(decide_stack(new, new->asks));
    TRY(new_runtime_ask(new));
    if (!new->cli->backend)
        return NULL;
    TRY(gather_answers(new));
    return new->asks ? ask_answers(new, false) : NULL;
}

/* Everything again, with what was decided as the preset. */
static fallible ask_again(struct new_project *new)
{
    TRY(ask_name(new, new->name));
    TRY(prompt_value(new->cli, "Project description", new->description, &new->description));
    if (!new->cli->backend)
        return NULL;
    TRY(ask_stack(new, new->stack));
    return ask_answers(new, false);
}

static fallible ask_guided(struct new_project *new)
{
    static const char *const choices[] = { "Yes, create the project", "Change these values", NULL };
    size_t answer = 1;

    TRY(decide_name(new, false));
    TRY(decide_description(new, false));
    TRY(decide_stack(new, false));
    TRY(new_runtime_ask(new));
    if (new->cli->backend) {
        TRY(gather_answers(new));
        TRY(ask_answers(new, true));
    }
    while (answer != 0) {
        new_report_summary(new);
        struct error *failure = prompt_choice(new->cli, "Do these look good?", choices, 0, &answer);
        if (failure && error_kind(failure) == ERROR_CANCELED) {
            error_free(failure);
            return error_new(ERROR_CANCELED,
                             "no project created; please use `%s new` to start again",
                             program_name());
        }
        TRY(failure);
        if (answer != 0)
            TRY(ask_again(new));
    }
    return NULL;
}

fallible new_project_ask(struct new_project *new)
{
    return new->is_guided ? ask_guided(new) : ask_directly(new);
}
