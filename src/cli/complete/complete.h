/* complete.h — what may stand where the cursor is, for shells: commands, options, and the values
 * of both. */
#pragma once

#include "cli/cli.h"

struct candidate {
    str text;
    str help; /* may be empty */
};

struct candidates {
    struct arena *arena;
    struct {
        VEC(struct candidate);
    } list;
    str prefix;      /* only what begins so is taken */
    str before;      /* stands before each: "--stack=" */
    bool takes_file; /* the shell should offer files, too */
};

void candidates_add(struct candidates *out, str text, str help);
void candidates_release(struct candidates *out);

/* The words behind the name of the program; the last is the one under the cursor, maybe empty.
 * Looks at the project, the backend and the stack that the words name; what cannot be opened offers
 * nothing. Blocks. */
void complete_words(struct cli *cli, struct strs words, struct candidates *out);

/* What the words before the cursor have said. */
struct complete_line {
    const struct command *command; /* NULL: the program */
    size_t operand_count;
    str first_operand;
    str stack;       /* --stack; empty: the selected one */
    str config_file; /* --config-file */
};

/* Values of an option, and of the operand that is next. */
void complete_option(struct cli *cli, const struct complete_line *line, const struct option *option,
                     struct candidates *out);
void complete_operand(struct cli *cli, const struct complete_line *line, struct candidates *out);

/* The script that makes a shell ask us; NULL for a shell that is not known. `program` is what the
 * user types. */
const char *complete_script(str shell);
