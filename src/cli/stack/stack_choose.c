/* stack_choose.c — which stack, when none was named: asked where somebody can answer. */
#include "cli/stack/stack_choose.h"

#include "base/program.h"
#include "cli/open.h"
#include "cli/screen/prompt.h"
#include "cli/stack/stack_new.h"

#define NEW_STACK "<create a new stack>"

static fallible none_selected(struct cli *cli, bool offers_new)
{
    str init =
        offers_new ? arena_printf(cli->arena, " or `%s stack init`", program_name()) : STR("");

    return error_new(ERROR_INVALID,
                     "no stack selected; please use `%s stack select`" STR_FMT " to choose one",
                     program_name(), STR_ARG(init));
}

/* The names in the menu; `*preset` is that of the selected stack, or else of the new one. */
static fallible list_choices(struct cli *cli, bool offers_new, const char ***out, size_t *preset)
{
    struct stack_summaries stacks;
    str selected;

    TRY(backend_list_stacks(cli->backend, cli->arena, cli_project_name(cli), &stacks));
    TRY(cli_selected_stack(cli, &selected));
    if (!stacks.len && !offers_new)
        return error_new(ERROR_NOT_FOUND, "this command requires a stack, but there are none");
    const char **names = ARENA_ARRAY(cli->arena, const char *, stacks.len + 2);
    *preset = offers_new ? stacks.len : 0;
    for (size_t i = 0; i < stacks.len; i++) {
        struct stack_ref stack = stacks.items[i].stack;
        names[i] = arena_cstr(cli->arena, cli_stack_name(cli, stack));
        if (str_equal(selected, stack.name)
            || str_equal(selected, stack_ref_qualified(cli->arena, stack)))
            *preset = i;
    }
    if (offers_new)
        names[stacks.len] = NEW_STACK;
    *out = names;
    return NULL;
}

static fallible make_new(struct cli *cli)
{
    struct new_stack wanted = { .is_selected = true };

    TRY(prompt_line(cli->arena, "Please enter your desired stack name: ", &wanted.name));
    wanted.name = str_trim(wanted.name);
    if (!wanted.name.len)
        return error_new(ERROR_INVALID, "missing stack name");
    return stack_new(cli, &wanted);
}

fallible stack_choose(struct cli *cli, bool offers_new)
{
    const char **names;
    size_t chosen;

    if (!cli->terminal.is_interactive)
        return none_selected(cli, offers_new);
    TRY(cli_open_project(cli));
    TRY(list_choices(cli, offers_new, &names, &chosen));
    struct error *failure = prompt_choice(
        cli, offers_new ? "Please choose a stack, or create a new one:" : "Please choose a stack:",
        names, chosen, &chosen);
    if (failure && error_kind(failure) == ERROR_CANCELED) {
        error_free(failure);
        return none_selected(cli, offers_new);
    }
    TRY(failure);
    if (offers_new && !names[chosen + 1])
        return make_new(cli);
    TRY(backend_stack_ref(cli->backend, cli->arena, str_from(names[chosen]), cli_project_name(cli),
                          &cli->stack));
    TRY(cli_require_stack(cli, cli->stack));
    return cli_select_stack(cli, cli->stack);
}

fallible stack_offer(struct cli *cli, str name)
{
    static const char *const choices[] = { "yes", "no", NULL };
    const struct new_stack wanted = { .name = name };
    size_t answer;
    str question = arena_printf(cli->arena, "The stack '" STR_FMT "' does not exist. Create it?",
                                STR_ARG(name));

    TRY(error_wrap(prompt_choice(cli, question.ptr, choices, 0, &answer),
                   "the stack '" STR_FMT "' was not created", STR_ARG(name)));
    return answer == 0 ? stack_new(cli, &wanted) : cli_require_stack(cli, cli->stack);
}
