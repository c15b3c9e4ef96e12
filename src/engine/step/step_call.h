/* step_call.h — a call of a provider that changes a resource; error hooks may ask for another try.
 */
#pragma once

#include "engine/hook/hooks.h"
#include "engine/step/step.h"

/* Sends a request of the kind that the caller knows. */
typedef fallible provider_send(struct provider *provider, const void *request, struct arena *arena,
                               struct provider_state *out);

struct step_call {
    provider_send *send;
    const void *request;
    struct hook_states states; /* for the hooks */
    const char *operation;
};

/* Calls the provider of the step's resource until it succeeds or no hook asks for another try. The
 * step gets the status of the last try. Blocks. */
fallible step_call_provider(const struct step_tools *tools, struct step *step,
                            const struct step_call *call, struct provider_state *made);

/* The answer of a provider leaves the arena of its message. What it has in common with a state that
 * lasts as long is shared with that: most of a state is what it was. */
void provider_state_own(struct arena *arena, struct provider_state *state, struct value inputs,
                        struct value outputs);
