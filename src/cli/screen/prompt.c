/* prompt.c — asks and reads answers: lines, and choices from a menu. */
#include "cli/screen/prompt.h"

#include "cli/screen/menu.h"
#include "base/console.h"
#include "base/fd.h"
#include "base/keyboard.h"
#include "base/width.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PROMPT_LONGEST_LINE = 1 << 20 };

/* Up to and without the end of the line. */
static fallible prompt_read(struct strbuf *line)
{
    int byte;

    while ((byte = getc(stdin)) != EOF && byte != '\n') {
        if (line->len == PROMPT_LONGEST_LINE)
            return error_new(ERROR_INVALID, "the answer is longer than %d bytes",
                             PROMPT_LONGEST_LINE);
        strbuf_add_char(line, (char)byte);
    }
    return byte == EOF && line->len == 0 ? error_new(ERROR_CANCELED, "no answer was given") : NULL;
}

fallible prompt_line(struct arena *arena, const char *question, str *out)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };

    console_write(stdout, str_from(question));
    enum keyboard_mode former = keyboard_enter(KEYBOARD_USUAL);
    struct error *failure = prompt_read(&line);
    keyboard_enter(former);
    TRY(failure);
    str answer = strbuf_str(&line);
    while (str_ends_with(answer, STR("\r")))
        answer.len--;
    *out = arena_copy(arena, answer);
    return NULL;
}

fallible prompt_value(struct cli *cli, const char *label, str preset, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    color_add(&text, STR(TAG_PROMPT), cli->terminal.color);
    strbuf_add_shown(&text, str_from(label), false);
    color_add(&text, STR(TAG_RESET), cli->terminal.color);
    if (preset.len) {
        strbuf_add(&text, STR(" ("));
        strbuf_add_shown(&text, preset, false);
        strbuf_add_char(&text, ')');
    }
    strbuf_add(&text, STR(": "));
    TRY(prompt_line(cli->arena, text.ptr, out));
    *out = str_trim(*out);
    if (!out->len)
        *out = preset;
    return NULL;
}

bool prompt_typed(struct cli *cli, const char *warning, str word)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str answer;

    color_add(&text, STR(TAG_ATTENTION), cli->terminal.color);
    strbuf_add_shown(&text, str_from(warning), true);
    color_add(&text, STR(TAG_RESET), cli->terminal.color);
    strbuf_add(&text, STR("\nPlease confirm that this is what you'd like to do by typing `"));
    strbuf_add_shown(&text, word, false);
    strbuf_add(&text, STR("`: "));
    struct error *failure = prompt_line(&scratch, text.ptr, &answer);
    if (failure)
        answer = STR("");
    error_ignore(failure, "no answer is none that confirms");
    return str_equal(str_trim(answer), word);
}

fallible prompt_confirm_name(struct cli *cli, const char *warning, str name)
{
    if (!cli->terminal.is_interactive)
        return error_new(ERROR_INVALID, "non-interactive mode requires --yes flag");
    if (!prompt_typed(cli, warning, name))
        return error_new(ERROR_OTHER, "confirmation declined");
    return NULL;
}

/* --- keys --- */

/* One key, or a part of one. False at the end of the input. */
static bool prompt_key(char *key)
{
    return fd_read_patiently(STDIN_FILENO, key, 1) > 0;
}

/* The rest of a key that begins with Escape comes at once; Escape alone is followed by nothing. */
static bool prompt_key_goes_on(void)
{
    enum { AT_ONCE_MS = 50 };
    struct pollfd keys = { .fd = STDIN_FILENO, .events = POLLIN };

    return poll(&keys, 1, AT_ONCE_MS) > 0;
}

static fallible prompt_interrupted(void)
{
    return error_new(ERROR_CANCELED, "interrupt");
}

/* --- a menu --- */

static size_t terminal_width(void)
{
    struct winsize size = { 0 };

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

/* Rows that lines take on the terminal as it is now: those that have become too long are wrapped.
 */
static size_t rows_of(str text)
{
    size_t rows = 0, width = terminal_width();
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        size_t columns = width_of(line);
        rows += columns > width ? (columns + width - 1) / width : 1;
    }
    return rows;
}

/* To the beginning of what was drawn, lines that end with a newline, and nothing of it is left. */
static void prompt_erase(const struct strbuf *drawn)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str lines = strbuf_str(drawn);

    if (lines.len)
        strbuf_printf(&text, "\x1b[%zuA", rows_of((str){ lines.ptr, lines.len - 1 }));
    strbuf_add(&text, STR("\r\x1b[J"));
    console_write(stdout, strbuf_str(&text));
}

/* Over what was drawn before: the question, and the choices below it. */
static void prompt_redraw(struct cli *cli, const struct menu *menu, str question,
                          struct strbuf *drawn)
{
    prompt_erase(drawn);
    strbuf_clear(drawn);
    color_add(drawn, question, cli->terminal.color);
    strbuf_add_char(drawn, '\n');
    menu_draw(menu, terminal_width(), cli->terminal.color, drawn);
    console_write(stdout, strbuf_str(drawn));
}

static fallible let_choose(struct cli *cli, struct menu *menu, str question, struct strbuf *drawn)
{
    enum menu_verdict verdict = MENU_OPEN;

    while (verdict == MENU_OPEN) {
        char key; /* what comes after the decision is for the next question */
        prompt_redraw(cli, menu, question, drawn);
        if (!prompt_key(&key))
            return prompt_interrupted();
        verdict = menu_feed(menu, (str){ &key, 1 });
        if (menu_is_inside_key(menu) && !prompt_key_goes_on())
            menu_end_key(menu);
    }
    return verdict == MENU_CANCELED ? prompt_interrupted() : NULL;
}

/* The menu shrinks to one line: the question and what was answered. */
static void fold(struct cli *cli, const char *question, const char *answer,
                 const struct strbuf *drawn)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    prompt_erase(drawn);
    color_add(&text, STR(TAG_PROMPT), cli->terminal.color);
    strbuf_add_shown(&text, str_from(question), true);
    color_add(&text, STR(TAG_RESET), cli->terminal.color);
    if (!str_ends_with(str_from(question), STR("\n")))
        strbuf_add_char(&text, ' ');
    strbuf_add_shown(&text, str_from(answer), false);
    strbuf_add_char(&text, '\n');
    console_write(stdout, strbuf_str(&text));
}

fallible prompt_choice(struct cli *cli, const char *question, const char *const *choices,
                       size_t preset, size_t *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct menu menu = { .choices = choices, .selected = preset };
    CLEANUP(strbuf_release) struct strbuf drawn = { 0 };
    str asked =
        arena_concat(&scratch, STR(TAG_PROMPT),
                     color_said(&scratch, console_plain(&scratch, str_from(question))),
                     STR(TAG_RESET TAG_UNIMPORTANT "  [arrows move, typing filters]" TAG_RESET));
    enum keyboard_mode former = keyboard_enter(KEYBOARD_KEYS);
    struct error *failure = let_choose(cli, &menu, asked, &drawn);

    keyboard_enter(former);
    if (!failure)
        fold(cli, question, choices[menu.selected], &drawn);
    *out = menu.selected;
    return failure;
}

/* --- hidden input --- */

/* The length without the last character, which may be several bytes. */
static size_t prompt_without_last(const char *line, size_t len)
{
    while (len > 0 && ((unsigned char)line[--len] & 0xc0) == 0x80)
        continue;
    return len;
}

/* Keys until Enter. What was typed is not left in memory. */
static fallible prompt_hidden_line(struct arena *arena, struct secret *out)
{
    enum { CTRL_C = 3, CTRL_D = 4, BACKSPACE = 8, CTRL_U = 21, DELETE = 127 };
    char line[4096];
    size_t len = 0;
    char key = 0;
    bool is_open = true;

    while ((is_open = prompt_key(&key)) && key != '\n' && key != '\r' && key != CTRL_C
           && !(key == CTRL_D && len == 0)) {
        if (key == CTRL_U)
            len = 0;
        else if (key == BACKSPACE || key == DELETE)
            len = prompt_without_last(line, len);
        else if (len < sizeof(line))
            line[len++] = key;
    }
    *out = secret_hide(arena_copy(arena, (str){ line, len }));
    explicit_bzero(line, sizeof(line));
    return is_open && (key == '\n' || key == '\r') ? NULL : prompt_interrupted();
}

fallible prompt_passphrase(void *cli, str question, struct arena *arena, struct secret *answer)
{
    (void)cli;
    if (!isatty(STDIN_FILENO)) {
        str line;
        TRY(prompt_line(arena, arena_printf(arena, STR_FMT ": ", STR_ARG(question)).ptr, &line));
        *answer = secret_hide(line);
        return NULL;
    }
    enum keyboard_mode former = keyboard_enter(KEYBOARD_KEYS); /* before anybody types */
    printf(STR_FMT ": ", STR_ARG(question));
    fflush(stdout);
    struct error *failure = prompt_hidden_line(arena, answer);
    keyboard_enter(former);
    printf("\n");
    fflush(stdout); /* before what others write to standard error */
    return failure;
}
