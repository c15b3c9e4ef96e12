/* new_report.c — what is said while a new project is made. */
#include "cli/new/new_project.h"

#include "base/program.h"
#include "cli/open.h"

#include <stdio.h>

void new_report_welcome(const struct cli *cli, const char *noun)
{
    (void)cli;
    printf("This command will walk you through creating a new %s.\n\n"
           "Enter a value or leave blank to accept the (default), and press <ENTER>.\n"
           "Press ^C at any time to quit.\n\n",
           noun);
}

void new_report_summary(const struct new_project *new)
{
    printf("Project name:  " STR_FMT "\n", STR_ARG(new->name));
    printf("Description:   " STR_FMT "\n", STR_ARG(new->description));
    if (new->stack.len)
        printf("Stack name:    " STR_FMT "\n", STR_ARG(new->stack));
    for (size_t i = 0; i < new->answer_count; i++) {
        const struct new_answer *answer = &new->answers[i];
        if (i == 0)
            printf("Config:\n");
        str shown = answer->is_secret ? STR("[secret]") : answer->value;
        printf("  " STR_FMT ":  " STR_FMT "\n", STR_ARG(answer->key), STR_ARG(shown));
    }
    printf("\n");
}

void new_report_ready(const struct cli *cli, const char *noun)
{
    cli_print(cli, arena_concat(cli->arena, STR(TAG_HEADLINE "Your new "), str_from(noun),
                                STR(" is ready to go!" TAG_RESET " "),
                                cli->globals.emoji ? STR("✨") : STR("")));
    printf("\n");
}

static void print_steps(const struct cli *cli, struct strs steps)
{
    str up = arena_printf(cli->arena, "run `%s up`", program_name());

    if (steps.len == 0) {
        printf("To perform an initial deployment, " STR_FMT "\n", STR_ARG(up));
        return;
    }
    if (steps.len == 1) {
        printf("To perform an initial deployment, run '" STR_FMT "', then, " STR_FMT "\n",
               STR_ARG(steps.items[0]), STR_ARG(up));
        return;
    }
    printf("To perform an initial deployment, run the following commands:\n\n");
    for (size_t i = 0; i < steps.len; i++)
        printf("   %zu. " STR_FMT "\n", i + 1, STR_ARG(steps.items[i]));
    printf("\nThen, " STR_FMT "\n\n", STR_ARG(up));
}

/* In quotes where a shell would take the name apart. */
str new_report_cd(const struct new_project *new)
{
    struct arena *arena = new->cli->arena;
    str folder = new->args->dir.len ? new->args->dir : new->target;
    bool is_plain = true;

    for (size_t i = 0; i < folder.len; i++)
        is_plain &= !strchr(" \t\n\"'`$&|;<>()*?[]#~=%\\!{}", folder.ptr[i]);
    return is_plain ? arena_concat(arena, STR("cd "), folder)
                    : arena_concat(arena, STR("cd \""), folder, STR("\""));
}

void new_report_end(const struct new_project *new, str start_directory)
{
    enum { MOST = 3 };
    struct arena *arena = new->cli->arena;
    str steps[MOST];
    size_t count = 0;

    new_report_ready(new->cli, "project");
    if (new->is_guided) {
        printf("    Project name:  " STR_FMT "\n", STR_ARG(new->name));
        if (new->stack.len)
            printf("    Stack name:    " STR_FMT "\n", STR_ARG(new->stack));
        printf("\n");
    }
    if (!str_equal(start_directory, new->target))
        steps[count++] = new_report_cd(new);
    if (new->args->generate_only) {
        steps[count++] = arena_printf(arena, "%s install", program_name());
        steps[count++] = arena_printf(arena, "%s stack init", program_name());
    }
    print_steps(new->cli, (struct strs){ steps, count });
    str quickstart = str_trim(new->template->quickstart);
    if (quickstart.len)
        printf("\n" STR_FMT "\n", STR_ARG(quickstart));
}
