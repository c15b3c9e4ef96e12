/* collect.h — what one operation left behind, as the sections that golden files are made of. */
#pragma once

#include "support/workdir.h"

struct operation;

/* Runs one operation of a scenario and gathers its sections into an object. Blocks. */
fallible operation_run(struct workdir *workdir, const struct operation *operation,
                       struct value *out);

/* Makes a list comparable where its order says nothing. */
struct value collect_sorted(struct arena *arena, struct value list);
/* Puts every list of URNs into order: dependencies are sets. */
struct value collect_with_sorted_urns(struct arena *arena, struct value value);

/* --- private: operation.c, collect.c and the sections --- */

struct values;

/* A file of one JSON object a line, masked; lines that are no such thing are left out. */
fallible collect_lines(struct workdir *workdir, const char *name, struct values *out);

/* Adds calls, answers, callbacks; steps, summary, errors; state; cloud. Blocks for the state. */
fallible collect_all(struct workdir *workdir, bool is_unordered, struct value *result);
