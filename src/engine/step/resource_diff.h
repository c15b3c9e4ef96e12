/* resource_diff.h — how the inputs of a resource differ: by its provider's answer, or by our own
 * comparison where it does not know. */
#pragma once

#include "plugin/provider.h"

struct report;

/* Blocks. */
fallible diff_resource(const struct report *report, struct provider *provider,
                       const struct diff_request *request, struct arena *arena,
                       struct diff_answer *out);
/* Inputs with the old values at the paths whose changes are ignored. */
struct value diff_ignore_changes(const struct report *report, struct arena *arena, str urn,
                                 struct value inputs, struct value old_inputs, struct strs paths);
/* replaceOnChanges: what changed at one of these paths forces a replacement. */
fallible diff_apply_replace_on_changes(struct arena *arena, struct diff_answer *diff,
                                       struct strs paths, bool has_init_errors);
bool diff_is_replace(const struct diff_answer *diff);
/* The answer leaves the arena of its message. */
void diff_own(struct arena *arena, struct diff_answer *diff);

/* Reports what a provider found wrong with inputs; false: nothing. */
bool check_failures_report(const struct report *report, struct check_failures failures, str type,
                           str urn, struct value inputs, bool as_warning);
