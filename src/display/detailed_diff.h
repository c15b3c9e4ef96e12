/* detailed_diff.h — the changes a provider names path by path, as a tree that can be printed. */
#pragma once

#include "display/mask.h"
#include "display/property_text.h"

struct diff_node;

/* Old values come from old inputs or outputs as the provider says, new ones from inputs (from
 * outputs where a refresh found them). Paths that the program hides are only counted. Lives in the
 * arena. */
struct diff_node *detailed_diff_build(struct arena *arena, struct mask mask,
                                      const struct event_step *step, bool is_refresh);

/* Hidden paths first, then the tree; nothing if both are empty. */
void detailed_diff_print(const struct property_printer *printer, const struct diff_node *root);

/* Which top-level keys are added, deleted, updated; `visit` is called once for each. */
void detailed_diff_keys(const struct diff_node *root,
                        void (*visit)(void *context, str key, enum step_op op), void *context);
