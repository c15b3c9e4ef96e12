/* console.h — the way to a terminal. Much of what we print was said by others: providers, programs,
 * files of state. None of that may move the cursor, change a colour or the title. So where an
 * output is a terminal, whatever is printed loses its control characters on the way; only
 * console_write lets through the escape sequences that we make ourselves. */
#pragma once

#include "base/strbuf.h"

#include <stdio.h>

/* Guards standard output and standard error. They and standard input also wait where whoever shares
 * them has made them non-blocking. Once, before anything is printed or read. */
void console_open(void);

/* Is it standard output or standard error, and a terminal? */
bool console_is(const FILE *out);

/* Text that we made, with escape sequences; what others said in it is plain already. What was
 * printed before goes out first, and the text in one piece. */
void console_write(FILE *out, str text);

/* Text that others said, for a terminal: sequences that only colour are dropped, every other
 * control character is shown as U+FFFD; ends of lines and tabs stay. */
void console_add_plain(struct strbuf *out, str text);
/* The same slice if nothing is to be changed. */
str console_plain(struct arena *arena, str text);
/* On one line: ends of lines and tabs become blanks. */
str console_plain_line(struct arena *arena, str text);
