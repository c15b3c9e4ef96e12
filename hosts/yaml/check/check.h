/* check.h — finds what is wrong with a program before anything is registered. */
#pragma once

#include "yaml/syntax/graph.h"
#include "yaml/schema/schemas.h"

/* Fields that are missing or mean nothing; with schemas also types that do not exist, properties
 * that are unknown, missing or of the wrong type. Blocks while schemas are loaded. */
void check_program(struct arena *arena, struct graph *graph, struct schemas *schemas,
                   struct diags *diags);
