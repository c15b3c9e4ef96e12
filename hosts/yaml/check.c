/* check.c — finds what is wrong with a program before anything is registered. */
#include "yaml/check.h"

void check_program(struct arena *arena, struct graph *graph, struct schemas *schemas, struct diags *diags)
{
    const struct program *program = graph->program;

    (void)arena;
    (void)schemas;
    for (size_t i = 0; i < program->resource_count; i++)
        if (!program->resources[i].type)
            diags_error(diags, program->resources[i].body_range,
                        "Required field 'type' is missing on resource \"" STR_FMT "\"",
                        STR_ARG(program->resources[i].key));
}
