/* prompt.h — questions to the person at the terminal. All of them block the whole program: nothing
 * else runs while one waits. */
#pragma once

#include "cli/cli.h"

/* Reads one line of standard input without its end. ERROR_CANCELED at the end of the input. */
fallible prompt_line(struct arena *arena, const char *question, str *out);

/* A line, trimmed; an empty one means the preset: "LABEL (PRESET): ", or "LABEL: " without one. */
fallible prompt_value(struct cli *cli, const char *label, str preset, str *out);

/* Whether the word is typed to confirm; a script may pipe it in. */
bool prompt_typed(struct cli *cli, const char *warning, str word);

/* A yes or a typed confirmation. Refused when nobody is there to answer: "non-interactive mode
 * requires --yes flag". */
fallible prompt_confirm_name(struct cli *cli, const char *warning, str name);

/* One of `choices` (NULL ends the list), picked from a menu; the answer is its index.
 * ERROR_CANCELED, "interrupt", if nothing was. Once answered, the menu is one line: the question
 * and the answer. */
fallible prompt_choice(struct cli *cli, const char *question, const char *const *choices,
                       size_t preset, size_t *out);

/* For keyrings: a passphrase without echo. */
fallible prompt_passphrase(void *cli, str question, struct arena *arena, struct secret *answer);
