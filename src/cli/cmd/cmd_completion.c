/* cmd_completion.c — `gen-completion` and the hidden `__complete`, which the scripts of the first
 * ask. */
#include "cli/complete/complete.h"

#include "base/program.h"

#include <stdio.h>

static struct error *cmd_gen_completion_run(struct cli *cli, const void *args)
{
    str shell = cli_operand(cli, 0);
    const char *script = complete_script(shell);

    (void)args;
    if (!script)
        return error_new(ERROR_INVALID, "\"" STR_FMT "\" is not a supported shell", STR_ARG(shell));
    str rest = str_from(script), head;
    while (str_cut(rest, STR("%P"), &head, &rest))
        printf(STR_FMT "%s", STR_ARG(head), program_name());
    printf(STR_FMT, STR_ARG(rest));
    return NULL;
}

const struct command cmd_gen_completion = {
    .path = "gen-completion",
    .aliases = "completion",
    .operands = "SHELL",
    .summary = "Print a script that completes commands, options and their values",
    .details =
        "SHELL is bash, zsh or fish. Stacks, configuration keys, URNs, outputs, plugins and\n"
        "templates are completed too.",
    .example = "gen-completion bash > /etc/bash_completion.d/pulumi\n"
               "gen-completion zsh > ~/.zsh/completions/_pulumi\n"
               "gen-completion fish > ~/.config/fish/completions/pulumi.fish",
    .run = cmd_gen_completion_run,
};

static void complete_print(struct cli *cli, bool has_help)
{
    struct candidates found = { .arena = cli->arena };

    if (cli->operands.len == 0)
        return;
    complete_words(cli, cli->operands, &found);
    for (size_t i = 0; i < found.list.len; i++) {
        const struct candidate *candidate = &found.list.items[i];
        printf(STR_FMT "%s" STR_FMT "\n", STR_ARG(candidate->text),
               has_help && candidate->help.len ? "\t" : "",
               STR_ARG(has_help ? candidate->help : STR("")));
    }
    printf(":%d\n", found.takes_file ? 0 : 4);
    fflush(stdout);
    fprintf(stderr, "Completion ended with directive: %s\n",
            found.takes_file ? "ShellCompDirectiveDefault" : "ShellCompDirectiveNoFileComp");
    candidates_release(&found);
}

static struct error *cmd_complete_run(struct cli *cli, const void *args)
{
    (void)args;
    complete_print(cli, true);
    return NULL;
}

static struct error *cmd_complete_bare_run(struct cli *cli, const void *args)
{
    (void)args;
    complete_print(cli, false);
    return NULL;
}

const struct command cmd_complete = {
    .path = "__complete",
    .operands = "WORD [WORD...]",
    .summary = "Print what may stand in the place of the last word, for scripts of shells",
    .example = "__complete stack se",
    .is_hidden = true,
    .needs = NEEDS_LOOP | TAKES_RAW_WORDS,
    .run = cmd_complete_run,
};

const struct command cmd_complete_bare = {
    .path = "__completeNoDesc",
    .operands = "WORD [WORD...]",
    .summary = "The same without descriptions",
    .example = "__completeNoDesc stack se",
    .is_hidden = true,
    .needs = NEEDS_LOOP | TAKES_RAW_WORDS,
    .run = cmd_complete_bare_run,
};
