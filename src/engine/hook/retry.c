/* retry.c — provider calls that the program's error hooks may ask to repeat. */
#include "engine/hook/retry.h"

#include "base/vec.h"
#include "engine/report/report.h"

enum { MAX_FAILURES = 100 };

/* Newest first, as the hooks want them. */
static struct strs newest_first(struct arena *arena, const struct str_list *failures)
{
    str *items = ARENA_ARRAY(arena, str, failures->len + 1);

    for (size_t i = 0; i < failures->len; i++)
        items[i] = failures->items[failures->len - 1 - i];
    return (struct strs){ items, failures->len };
}

fallible retry_with_hooks(struct hooks *hooks, retry_attempt *attempt, void *argument,
                          const struct hook_states *states, const char *operation)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(str_list_release) struct str_list failures = { 0 };
    const struct resource *resource = states->new ? states->new : states->old;

    for (;;) {
        struct error *failure = attempt(argument);
        bool retries = false;
        if (!failure || resource->options.hooks[HOOK_ON_ERROR].len == 0)
            return failure;
        vec_add(&failures, arena_copy(&scratch, error_message(failure)));
        if (failures.len >= MAX_FAILURES) {
            report_diagnose(hooks->report, SEVERITY_WARNING, resource->urn,
                            "maximum number of error hook retries (%d) reached", MAX_FAILURES);
            return failure;
        }
        struct error *hook_failure = hooks_run_on_error(
            hooks, states, operation, newest_first(&scratch, &failures), &retries);
        if (hook_failure) {
            error_ignore(failure, "the hook's failure is what ends it; it was given this one");
            return error_wrap(hook_failure, "error hooks execution failed");
        }
        if (!retries)
            return failure;
        error_ignore(failure, "tried again");
        report_diagnose(hooks->report, SEVERITY_WARNING, resource->urn,
                        "retrying %s due to on-error hook request (%zu/%d)", operation,
                        failures.len, MAX_FAILURES);
    }
}
