/* hooks.c — which functions of the program run around a step, and what becomes of their failures.
 */
#include "engine/hook/hooks.h"

#include "engine/report/report.h"

void hooks_release(struct hooks *hooks)
{
    map_release(&hooks->by_name);
}

fallible hooks_add(struct hooks *hooks, struct hook *hook)
{
    if (hook->name.len == 0)
        return error_new(ERROR_OTHER, "resource hook name cannot be empty");
    if (map_has(&hooks->by_name, hook->name))
        return error_new(ERROR_OTHER, "resource hook already registered for name \"" STR_FMT "\"",
                         STR_ARG(hook->name));
    if (!hook->target)
        return error_new(ERROR_OTHER, "resource hook \"" STR_FMT "\" has no callback",
                         STR_ARG(hook->name));
    map_put(&hooks->by_name, hook->name, hook);
    return NULL;
}

fallible hooks_run(struct hooks *hooks, enum hook_kind kind, const struct hook_states *states)
{
    const struct resource *resource = states->new ? states->new : states->old;
    struct strs names = resource->options.hooks[kind];
    bool is_before =
        kind == HOOK_BEFORE_CREATE || kind == HOOK_BEFORE_UPDATE || kind == HOOK_BEFORE_DELETE;

    for (size_t i = 0; i < names.len; i++) {
        const struct hook *hook = map_find(&hooks->by_name, names.items[i]);
        if (!hook || hook->is_error_hook)
            return error_new(ERROR_OTHER, "hook \"" STR_FMT "\" was not registered",
                             STR_ARG(names.items[i]));
        if (report_is_preview(hooks->report) && !hook->runs_in_preview)
            continue;
        struct error *failure = hook_call_step(hooks, hook, states);
        if (!failure)
            continue;
        if (!hook->ignores_errors)
            return error_wrap(error_as(failure, ERROR_OTHER), "%s hook \"" STR_FMT "\" failed",
                              is_before ? "before" : "after", STR_ARG(hook->name));
        report_diagnose(hooks->report, SEVERITY_WARNING, resource->urn,
                        "%s hook \"" STR_FMT "\" failed: " STR_FMT, hook_names[kind],
                        STR_ARG(hook->name), STR_ARG(error_message(failure)));
        error_ignore(failure, "the hook says that its errors do not matter");
    }
    return NULL;
}

void hooks_run_after(struct hooks *hooks, enum hook_kind kind, const struct hook_states *states)
{
    const struct resource *resource = states->new ? states->new : states->old;
    struct error *failure = hooks_run(hooks, kind, states);

    if (!failure)
        return;
    report_diagnose(hooks->report, SEVERITY_ERROR, resource->urn, STR_FMT,
                    STR_ARG(error_message(failure)));
    error_ignore(failure, "reported; what was done stands");
    hooks->has_failure = true;
}

fallible hooks_run_on_error(struct hooks *hooks, const struct hook_states *states,
                            const char *operation, struct strs failures, bool *retries)
{
    const struct resource *resource = states->new ? states->new : states->old;
    struct strs names = resource->options.hooks[HOOK_ON_ERROR];

    *retries = false;
    for (size_t i = 0; i < names.len; i++) {
        const struct hook *hook = map_find(&hooks->by_name, names.items[i]);
        if (!hook || !hook->is_error_hook)
            return error_new(ERROR_OTHER, "error hook \"" STR_FMT "\" was not registered",
                             STR_ARG(names.items[i]));
        TRY(error_wrap(error_as(hook_call_error(hooks, hook, states, operation, failures, retries),
                                ERROR_OTHER),
                       "error hook \"" STR_FMT "\" failed", STR_ARG(hook->name)));
    }
    return NULL;
}
