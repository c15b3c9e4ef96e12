/* step_call.c — a call of a provider that changes a resource. */
#include "engine/step/step_call.h"

#include "engine/hook/retry.h"

struct step_attempt {
    const struct step_tools *tools;
    struct step *step;
    const struct step_call *call;
    struct provider *provider;
    struct provider_state *made;
};

static fallible step_attempt_try(void *attempt_)
{
    const struct step_attempt *attempt = attempt_;
    struct step *step = attempt->step;
    struct provider_state *made = attempt->made;

    *made = (struct provider_state){ .outputs = VALUE_EMPTY_OBJECT };
    struct error *failure =
        attempt->call->send(attempt->provider, attempt->call->request, attempt->tools->arena, made);
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
    return retry_with_hooks(tools->hooks, step_attempt_try, &attempt, &call->states,
                            call->operation);
}
