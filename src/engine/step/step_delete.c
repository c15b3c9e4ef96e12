/* step_delete.c — takes a resource away: through its provider, or only from the state where the
 * world is not to be touched. */
#include "engine/deployment.h"

#include "base/program.h"

#include "engine/exec/retry.h"

struct attempt {
    struct step *step;
    struct provider *provider;
    struct delete_request request;
};

static fallible try_delete(struct deployment *deployment, void *attempt_)
{
    struct attempt *attempt = attempt_;
    struct provider_state state = { 0 };
    struct error *failure = attempt->provider->ops->delete (attempt->provider, &attempt->request,
                                                            deployment->arena, &state);

    attempt->step->status = state.status;
    return failure;
}

static fallible delete (struct deployment *deployment, struct step *step)
{
    struct resource *old = step->old;
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(deployment, step);
    struct attempt attempt = {
        .step = step,
        .request = {
            .urn = old->urn,
            .id = old->id,
            .old_inputs = old->inputs,
            .old_outputs = old->outputs,
            .timeout = old->options.custom_timeouts.delete,
            .old_views = deployment_views(deployment, old->urn),
            .status_address = token.address,
            .status_token = token.text,
        },
    };

    TRY(step_provider(deployment, step, &attempt.provider));
    const struct hook_states states = { .old = old };
    return retry_with_hooks(deployment, try_delete, &attempt, &states, "delete");
}

/* Gone together with another resource that is deleted in this run. */
static bool goes_with_another(const struct deployment *deployment, const struct resource *old)
{
    return old->options.deleted_with.len
           && map_has(&deployment->gen.deletes, old->options.deleted_with);
}

static fallible apply(struct deployment *deployment, struct step *step)
{
    struct resource *old = step->old;
    const struct hook_states states = { .old = old };

    TRY(deployment_run_hooks(deployment, HOOK_BEFORE_DELETE, &states));
    if (!step->is_replacing && old->options.protect && !deployment->options->ignore_protect) {
        step->is_protected = true;
        return error_new(ERROR_OTHER,
                         "resource \"" STR_FMT "\" cannot be deleted\nbecause it is protected. To "
                         "unprotect the resource, either remove the "
                         "`protect` flag from the resource in your Pulumi program and run `%s "
                         "up`, or use the "
                         "command:\n`%s state "
                         "unprotect '" STR_FMT "'`",
                         STR_ARG(old->urn), program_name(), program_name(), STR_ARG(old->urn));
    }
    if (deployment_is_preview(deployment))
        views_publish_deletes(deployment, step);
    else if (old->is_custom && !old->is_external && !old->options.retain_on_delete
             && !goes_with_another(deployment, old))
        TRY(delete (deployment, step));
    if (step->marks_pending)
        old->is_pending_replacement = true;
    deployment_after_hooks(deployment, HOOK_AFTER_DELETE, &states);
    return NULL;
}

const struct step_kind step_delete = { .apply = apply,
                                       .is_pending = true,
                                       .pending = PENDING_DELETING };
