/* hooks.h — functions of the program around steps (monitor/hooks.c). */
#pragma once

#include "model/resource.h"

struct deployment;

/* What a hook is told: the states before and after, as far as there are any. */
struct hook_states {
    const struct resource *old;
    const struct resource *new;
    bool has_new_outputs;
};
/* Runs the hooks of one kind. Blocks. */
fallible deployment_run_hooks(struct deployment *deployment, enum hook_kind kind,
                              const struct hook_states *states);
/* After-hooks: what was done stands; a failure is reported and ends the deployment. */
void deployment_after_hooks(struct deployment *deployment, enum hook_kind kind,
                            const struct hook_states *states);
/* Asks the error hooks whether to try again; `failures` newest first. */
fallible deployment_run_error_hooks(struct deployment *deployment, const struct hook_states *states,
                                    const char *operation, struct strs failures, bool *retries);
