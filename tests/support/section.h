/* section.h — sections that are gathered only where a scenario asks for them with `also`. */
#pragma once

#include "support/workdir.h"

struct operation;

/* Names of such sections: events, plan, json, starts. */
bool operation_wants(const struct operation *operation, const char *section);

/* Gathers what the operation asks for. `output`: what the command printed, without errors. */
fallible section_collect_all(struct workdir *workdir, const struct operation *operation, str output,
                             struct value *result);

/* --- private: section*.c --- */

/* Every event of the log, whole and in order, without what differs from run to run; then what is
 * wrong with the log itself, as texts. */
fallible section_events(struct workdir *workdir, bool is_unordered, struct value *out);
/* The file that --save-plan left, without its manifest; seeds say only that they are there. */
fallible section_plan(struct workdir *workdir, struct value *out);
/* The values that --json printed, one after another: the document of a preview, events. */
fallible section_json(struct workdir *workdir, str output, struct value *out);
/* Which plugins were started, in any order, before the program logged for the first time, then
 * before the second, and so on. */
fallible section_starts(struct workdir *workdir, struct value *out);
/* One event without what differs from run to run. */
struct value section_event(struct arena *arena, struct value event);
/* Messages about where a plugin was found: scenarios do not compare them. */
bool section_is_noise(str message);
