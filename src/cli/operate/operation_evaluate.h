/* operation_evaluate.h — runs the program of the project for what it exports, and changes
 * nothing. */
#pragma once

#include "cli/operate/operation.h"

struct evaluated {
    struct value exports; /* VALUE_OBJECT */
    struct value read;    /* of the last resource that it read, with its id; VALUE_NULL: none */
};

/* As if the stack were empty; nothing is created, and nothing is saved. What goes wrong is told on
 * standard error as it happens. Blocks. */
fallible operation_evaluate(struct cli *cli, const struct operation_args *args,
                            struct evaluated *out);

/* Asks a provider (engine.h) with the configuration of the stack. Blocks. */
fallible operation_ask_provider(struct cli *cli, const struct operation_args *args,
                                const struct provider_question *question);
