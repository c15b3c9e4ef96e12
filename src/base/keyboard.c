/* keyboard.c — changes the terminal's mode, and changes it back in every handler that may end or
 * stop us. The terminal is one for the whole process, so is what is known of it here. */
#include "base/keyboard.h"

#include "base/ending.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct {
    enum keyboard_mode wanted;
    volatile sig_atomic_t applied; /* an enum keyboard_mode */
    volatile sig_atomic_t was_stopped;
    struct termios usual; /* known while `applied` is another mode */
    bool is_restored_at_exit;
} keyboard;

/* Signals that would leave the terminal behind as it is. Those that are handled already
 * are left to them. */
static const int deadly[] = { SIGHUP,  SIGINT, SIGQUIT, SIGTERM, SIGABRT,
                              SIGSEGV, SIGBUS, SIGFPE,  SIGILL,  SIGTSTP };

static bool keyboard_is_ours(void)
{
    return isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* Safe in a signal handler. */
static void keyboard_restore(int how)
{
    static const char cursor[] = "\x1b[?25h";

    bool is_watched = keyboard.applied == KEYBOARD_WATCHED;

    if (keyboard.applied == KEYBOARD_USUAL)
        return;
    keyboard.applied = KEYBOARD_USUAL;
    if (keyboard_is_ours())
        tcsetattr(STDIN_FILENO, how, &keyboard.usual);
    /* Last: once the cursor is visible, the user may type. */
    if (is_watched && write(STDOUT_FILENO, cursor, sizeof(cursor) - 1) < 0)
        errno = 0; /* the terminal is gone */
}

void keyboard_give_back(void)
{
    keyboard_restore(TCSANOW);
}

static void keyboard_on_signal(int number);

static void keyboard_handle(int number, void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

    sigaction(number, &action, NULL);
}

/* Puts the terminal back and lets the signal do what it does by default. After ^Z we go on here. */
static void keyboard_on_signal(int number)
{
    int former_errno = errno;

    keyboard_restore(TCSANOW);
    if (number != SIGTSTP)
        ending_remove();
    ending_by_default(number);
    keyboard.was_stopped = true;
    keyboard_handle(number, keyboard_on_signal);
    errno = former_errno;
}

static void keyboard_handle_all(bool is_taken)
{
    for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++) {
        struct sigaction now;
        if (sigaction(deadly[i], NULL, &now) < 0)
            continue;
        if (is_taken && now.sa_handler == SIG_DFL && !(now.sa_flags & SA_SIGINFO))
            keyboard_handle(deadly[i], keyboard_on_signal);
        else if (!is_taken && now.sa_handler == keyboard_on_signal) {
            keyboard_handle(deadly[i], SIG_DFL);
            ending_handle(deadly[i]);
        }
    }
}

static void keyboard_apply(void)
{
    struct termios changed;

    if (keyboard.applied == (sig_atomic_t)keyboard.wanted || !keyboard_is_ours())
        return;
    if (keyboard.wanted == KEYBOARD_USUAL) {
        keyboard_restore(keyboard.applied == KEYBOARD_WATCHED ? TCSAFLUSH : TCSADRAIN);
        return;
    }
    if (keyboard.applied == KEYBOARD_USUAL && tcgetattr(STDIN_FILENO, &keyboard.usual) < 0)
        return;
    changed = keyboard.usual;
    changed.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    if (keyboard.wanted == KEYBOARD_KEYS)
        changed.c_lflag &= ~(tcflag_t)ISIG;
    changed.c_cc[VMIN] = keyboard.wanted == KEYBOARD_KEYS;
    changed.c_cc[VTIME] = 0;
    keyboard.applied = (sig_atomic_t)keyboard.wanted;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &changed);
}

enum keyboard_mode keyboard_enter(enum keyboard_mode mode)
{
    enum keyboard_mode former = keyboard.wanted;

    if (!keyboard.is_restored_at_exit)
        keyboard.is_restored_at_exit = atexit(keyboard_give_back) == 0;
    keyboard.wanted = mode;
    if (mode != KEYBOARD_USUAL)
        keyboard_handle_all(true);
    keyboard_apply();
    if (mode == KEYBOARD_USUAL)
        keyboard_handle_all(false);
    return former;
}

size_t keyboard_read(char *keys, size_t capacity)
{
    if (keyboard.wanted != KEYBOARD_WATCHED || !keyboard_is_ours())
        return 0;
    keyboard_apply();
    ssize_t len = read(STDIN_FILENO, keys, capacity);
    return len > 0 ? (size_t)len : 0;
}

bool keyboard_was_stopped(void)
{
    bool was_stopped = keyboard.was_stopped;

    keyboard.was_stopped = false;
    return was_stopped;
}
