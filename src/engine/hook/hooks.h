/* hooks.h — functions of the program that run before and after steps, or when one has failed. */
#pragma once

#include "base/error.h"
#include "base/map.h"
#include "model/resource.h"

struct arena;
struct report;

struct hook {
    str name;
    const char *target; /* address and token of the function */
    const char *token;
    bool accepts_byte_strings;
    bool is_error_hook;
    bool runs_in_preview;
    bool ignores_errors;
};

/* Calls a function of the program; both messages are packed. Blocks. */
typedef fallible hook_call(void *context, const char *target, const char *token, str request,
                           struct arena *arena, str *response);

struct hooks {
    struct report *report;
    struct map by_name; /* name → struct hook * */
    hook_call *call;
    void *call_context;
    bool has_failure; /* an after-hook failed; its step is kept */
};

void hooks_release(struct hooks *hooks);
/* What it is given lasts as long as the operation. */
fallible hooks_add(struct hooks *hooks, struct hook *hook);

/* What a hook is given: the states before and after, as far as there are any. */
struct hook_states {
    const struct resource *old;
    const struct resource *new;
    bool has_new_outputs;
};
/* Runs the hooks of one kind. Blocks. */
fallible hooks_run(struct hooks *hooks, enum hook_kind kind, const struct hook_states *states);
/* After-hooks: the step is kept even if one fails; a failure is reported and ends the
 * deployment. */
void hooks_run_after(struct hooks *hooks, enum hook_kind kind, const struct hook_states *states);
/* Asks the error hooks whether to try again; `failures` newest first. */
fallible hooks_run_on_error(struct hooks *hooks, const struct hook_states *states,
                            const char *operation, struct strs failures, bool *retries);

/* --- hook_call.c: one call --- */
fallible hook_call_step(struct hooks *hooks, const struct hook *hook,
                        const struct hook_states *states);
fallible hook_call_error(struct hooks *hooks, const struct hook *hook,
                         const struct hook_states *states, const char *operation,
                         struct strs failures, bool *retries);
