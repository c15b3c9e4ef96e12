/* help.h — the parts of a help text. help_print of cli.h has them all. */
#pragma once

#include "base/strbuf.h"
#include "cli/cli.h"

/* Its words, its operands and its other names. NULL: the program. */
void help_add_usage(struct strbuf *out, const struct command *command);
/* A line for each option that is not hidden. */
void help_add_options(struct strbuf *out, const struct option *table);
/* What stands behind the name of an option: " text", "[=text]", "" for a flag. */
const char *help_value_word(const struct option *option);
/* The lines of an example, each with the name of the program in front. */
void help_add_example(struct strbuf *out, const char *example);
