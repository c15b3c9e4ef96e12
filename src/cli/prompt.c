/* prompt.c — asks and reads answers line by line. */
#include "cli/prompt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

fallible prompt_line(struct arena *arena, const char *question, str *out)
{
    char *line = NULL;
    size_t capacity = 0;

    printf("%s", question);
    fflush(stdout);
    ssize_t len = getline(&line, &capacity, stdin);
    if (len < 0) {
        free(line);
        return error_new(ERROR_CANCELED, "no answer was given");
    }
    str answer = { line, (size_t)len };
    while (str_ends_with(answer, STR("\n")) || str_ends_with(answer, STR("\r")))
        answer.len--;
    *out = arena_copy(arena, answer);
    free(line);
    return NULL;
}

fallible prompt_confirm_name(struct cli *cli, const char *warning, str name)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str answer;

    if (!cli->terminal.is_interactive)
        return error_new(ERROR_INVALID, "non-interactive mode requires --yes flag");
    color_add(&text, STR(TAG_ATTENTION), cli->terminal.color);
    strbuf_printf(&text, "%s", warning);
    color_add(&text, STR(TAG_RESET), cli->terminal.color);
    strbuf_printf(&text,
                  "\nPlease confirm that this is what you'd like to do by typing `" STR_FMT "`: ",
                  STR_ARG(name));
    TRY(prompt_line(&scratch, text.ptr, &answer));
    if (!str_equal(str_trim(answer), name))
        return error_new(ERROR_OTHER, "confirmation declined");
    return NULL;
}

fallible prompt_choice(struct cli *cli, const char *question, const char *const *choices,
                       size_t preset, size_t *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str answer;

    color_add(&text, STR(TAG_PROMPT), cli->terminal.color);
    strbuf_printf(&text, "%s", question);
    color_add(&text, STR(TAG_RESET), cli->terminal.color);
    strbuf_add(&text, STR(" ["));
    for (size_t i = 0; choices[i]; i++)
        strbuf_printf(&text, "%s%s%s", i ? "/" : "", choices[i], i == preset ? "*" : "");
    strbuf_add(&text, STR("] "));
    for (;;) {
        TRY(prompt_line(&scratch, text.ptr, &answer));
        answer = str_trim(answer);
        if (!answer.len) {
            *out = preset;
            return NULL;
        }
        for (size_t i = 0; choices[i]; i++) {
            if (str_starts_with(str_from(choices[i]), answer)) {
                *out = i;
                return NULL;
            }
        }
    }
}

struct error *prompt_passphrase(void *cli, str question, struct arena *arena, str *answer)
{
    struct termios shown, hidden;
    bool is_terminal = tcgetattr(STDIN_FILENO, &shown) == 0;

    (void)cli;
    if (is_terminal) {
        hidden = shown;
        hidden.c_lflag &= ~(tcflag_t)ECHO;
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    }
    struct error *failure =
        prompt_line(arena, arena_printf(arena, STR_FMT ": ", STR_ARG(question)).ptr, answer);
    if (is_terminal) {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
        printf("\n");
    }
    return failure;
}
