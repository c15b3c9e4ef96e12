/* engine_parts.h — what the parts of a world share; not for tests. */
#pragma once

#include "unit/engine_world.h"

struct source;

#define DEFAULT_PROVIDER "default"

/* engine_samples.c */
bool world_list_has(const char *words, str word);
bool sample_has_provider(const struct sample *sample);
bool sample_depends_on(struct world *world, const struct sample *sample, str urn);
str world_provider_urn(struct world *world, const char *name);
void world_build_base(struct world *world);
void sample_fill_goal(struct world *world, const struct sample *sample, struct registration *reg);

/* engine_program.c: registers the goals of the world that is the context of the event sink. */
extern const struct source world_source;

/* engine_fake.c */
void world_provider_init(struct world *world);
struct error *world_call_hook(void *world, const char *target, const char *token, str request,
                              struct arena *arena, str *response);

/* engine_journal.c */
void world_journal_open(struct world *world);
/* What is there now is what the lines are on top of. */
void world_journal_begin(struct world *world);
void world_journal_close(struct world *world);
/* What the lines add up to must be what the engine says is the state now. */
fallible world_journal_check(struct world *world);

/* engine_world.c */
void world_note(struct world *world, const char *what, const char *op, str name);
