/* prompt.c — asks and reads answers: lines, and choices from a menu. */
#include "cli/prompt.h"

#include "cli/menu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
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

/* --- a menu --- */

static size_t terminal_width(void)
{
    struct winsize size = { 0 };

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

/* Over what was drawn before. */
static void redraw(struct cli *cli, const struct menu *menu, size_t *rows)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (*rows)
        strbuf_printf(&text, "\x1b[%zuA", *rows);
    strbuf_add(&text, STR("\r\x1b[J"));
    *rows = menu_draw(menu, terminal_width(), cli->terminal.color, &text);
    fwrite(text.ptr, 1, text.len, stdout);
    fflush(stdout);
}

static fallible let_choose(struct cli *cli, struct menu *menu)
{
    enum menu_verdict verdict = MENU_OPEN;
    size_t rows = 0;

    while (verdict == MENU_OPEN) {
        char key; /* what comes after the decision is for the next question */
        redraw(cli, menu, &rows);
        ssize_t len = read(STDIN_FILENO, &key, 1);
        if (len > 0)
            verdict = menu_feed(menu, (str){ &key, 1 });
        else if (len == 0 || errno != EINTR)
            verdict = MENU_CANCELED;
    }
    printf("\x1b[%zuA\r\x1b[J", rows);
    if (verdict == MENU_CANCELED)
        return error_new(ERROR_CANCELED, "no answer was given");
    printf("> %s\n", menu->choices[menu->selected]);
    return NULL;
}

fallible prompt_choice(struct cli *cli, const char *question, const char *const *choices,
                       size_t preset, size_t *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct menu menu = { .choices = choices, .selected = preset };
    struct termios usual, raw;

    color_add(&text, STR(TAG_PROMPT), cli->terminal.color);
    strbuf_printf(&text, "%s", question);
    color_add(&text, STR(TAG_RESET TAG_UNIMPORTANT "  [arrows move, typing filters]" TAG_RESET),
              cli->terminal.color);
    printf(STR_FMT "\n", STR_ARG(strbuf_str(&text)));
    if (tcgetattr(STDIN_FILENO, &usual) < 0)
        return error_os("ask: '%s'", question);
    raw = usual;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    struct error *failure = let_choose(cli, &menu);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &usual);
    *out = menu.selected;
    return failure;
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
