/* keyboard.h — how the terminal treats its keys while we use it. Whichever way the program ends or
 * is stopped, the terminal is put back as it was found; only SIGKILL and SIGSTOP leave no chance.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum keyboard_mode {
    KEYBOARD_USUAL,   /* as it was found: whole lines, echoed */
    KEYBOARD_WATCHED, /* a live display: no echo, keys are read in passing; ^C and ^Z are signals */
    KEYBOARD_KEYS,    /* a question: no echo, every key is read, ^C as well */
};

/* Changes the mode and gives the former one, to go back to. What was typed while the keyboard was
 * watched and not read is thrown away. Does nothing without a terminal; in the background it waits
 * until keyboard_read finds us in the foreground. */
enum keyboard_mode keyboard_enter(enum keyboard_mode mode);

/* Keys typed since, while the keyboard is watched. Never waits; 0: none. */
size_t keyboard_read(char *keys, size_t capacity);

/* Was the program stopped and continued since the last call? Then other text is on the screen. */
bool keyboard_was_stopped(void);

/* For handlers of signals that end the process: as the terminal was found. */
void keyboard_give_back(void);
