/* step_call.c — a call of a provider that changes a resource. */
#include "engine/step/step_call.h"

#include "engine/hook/retry.h"
#include "engine/step/views.h"

void provider_state_own(struct arena *arena, struct provider_state *state, struct value inputs,
                        struct value outputs)
{
    state->id = arena_copy(arena, state->id);
    state->init_errors = strs_copy(arena, state->init_errors);
    if (state->has_inputs)
        state->inputs = value_copy_like(arena, state->inputs, inputs);
    state->outputs = value_copy_like(arena, state->outputs, outputs);
}

struct step_attempt {
    const struct step_tools *tools;
    struct step *step;
    const struct step_call *call;
    struct provider *provider;
    struct provider_state *made;
    struct arena answer; /* of the last try */
};

static fallible step_attempt_try(void *attempt_)
{
    struct step_attempt *attempt = attempt_;
    struct step *step = attempt->step;
    struct provider_state *made = attempt->made;

    *made = (struct provider_state){ .outputs = VALUE_EMPTY_OBJECT };
    arena_release(&attempt->answer);
    if (step->views) /* test_exec_hooks.c: views_are_those_of_the_last_attempt */
        step->views->steps.len = 0;
    struct error *failure =
        attempt->call->send(attempt->provider, attempt->call->request, &attempt->answer, made);
    const struct hook_states *states = &attempt->call->states;
    struct value like = states->old   ? states->old->outputs
                        : states->new ? states->new->inputs
                                      : VALUE_EMPTY_OBJECT;
    provider_state_own(attempt->tools->arena, made, VALUE_EMPTY_OBJECT, like);
    step->status = made->status;
    if (made->init_errors.len && step->new) /* they stay, also when a hook lets it try again */
        step->new->init_errors = made->init_errors;
    return failure;
}

fallible step_call_provider(const struct step_tools *tools, struct step *step,
                            const struct step_call *call, struct provider_state *made)
{
    struct step_attempt attempt = { .tools = tools, .step = step, .call = call, .made = made };

    *made = (struct provider_state){ 0 };
    TRY(step_provider(tools, step, &attempt.provider));
    struct error *failure =
        retry_with_hooks(tools->hooks, step_attempt_try, &attempt, &call->states, call->operation);
    arena_release(&attempt.answer);
    return failure;
}
