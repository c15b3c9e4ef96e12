/* step_import.c — brings a resource that exists under management. */
#include "engine/step/step.h"

#include "base/clock.h"
#include "base/program.h"
#include "engine/estate/estate.h"
#include "engine/report/report.h"
#include "engine/step/resource_diff.h"
#include "engine/step/views.h"
#include "model/urn.h"

/* The next update would delete it: scenario import/import-command-to-be-deleted. */
static fallible check_left_over(const struct step_tools *tools, const struct resource *new)
{
    const struct resources *base = &tools->estate->base;

    for (size_t i = 0; new->is_custom &&i < base->len; i++) {
        const struct resource *old = base->items[i];
        if (old->is_delete && str_equal(old->id, new->options.import_id)
            && str_equal(old->type, new->type) && str_equal(old->provider, new->provider))
            return error_new(ERROR_OTHER,
                             "resource '" STR_FMT "' is still to be deleted as '" STR_FMT
                             "'. Run `%s up` to have that done, or `%s state delete` to keep it",
                             STR_ARG(old->id), STR_ARG(old->urn), program_name(), program_name());
    }
    return NULL;
}

/* By command: refused where the name is taken, the parent is not there, or it is about to go. */
static fallible check_place(const struct step_tools *tools, const struct step *step)
{
    const struct resource *new = step->new;

    if (!step->is_from_command)
        return NULL;
    if (estate_old(tools->estate, new->urn))
        return error_new(ERROR_OTHER, "resource '" STR_FMT "' already exists", STR_ARG(new->urn));
    if (new->parent.len && !str_equal(urn_qualified_type_of(new->parent), ROOT_STACK_TYPE)
        && !estate_new(tools->estate, new->parent))
        return error_new(ERROR_OTHER, "unknown parent '" STR_FMT "' for resource '" STR_FMT "'",
                         STR_ARG(new->parent), STR_ARG(new->urn));
    return check_left_over(tools, new);
}

/* What a provider cannot read, or does not know to be secret, is taken from what was supplied. */
static struct value complete_inputs(struct arena *arena, struct value found, struct value supplied)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct member *better = ARENA_ARRAY(&scratch, struct member, supplied.len);
    size_t count = 0;

    for (size_t i = 0; i < supplied.len; i++) {
        const struct member *member = &supplied.members[i];
        const struct value *known = value_find(found, member->key);
        if (!known || known->kind == VALUE_NULL)
            better[count++] = *member;
        else if (member->value.kind == VALUE_SECRET && known->kind != VALUE_SECRET)
            better[count++] = (struct member){ member->key, value_secret(arena, *known) };
    }
    return count ? value_merge(arena, found, value_object(arena, better, count)) : found;
}

static fallible step_import_read(const struct step_tools *tools, struct step *step,
                                 struct provider *provider)
{
    struct resource *new = step->new;
    struct provider_state found = { 0 };
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(tools->views, step);
    const struct read_request request = {
        .urn = new->urn,
        .id = new->options.import_id,
        .timeout = new->options.custom_timeouts.read,
        .status_address = token.address,
        .status_token = token.text,
    };

    struct error *failure = provider->ops->read(provider, &request, tools->arena, &found);
    if (failure && found.status != RESOURCE_PARTIAL) {
        step->status = found.status;
        return failure;
    }
    error_ignore(failure, "it exists: its init errors are kept");
    new->init_errors = found.init_errors;
    if (!found.exists)
        return error_new(ERROR_OTHER, "resource '" STR_FMT "' does not exist",
                         STR_ARG(new->id.len ? new->id : new->options.import_id));
    if (!found.has_inputs)
        return error_new(
            ERROR_OTHER,
            "provider does not support importing resources; please try updating the '" STR_FMT
            "' plugin",
            STR_ARG(type_package(new->type)));
    new->id = found.id.len ? found.id : new->options.import_id;
    new->inputs = step->is_from_command ? complete_inputs(tools->arena, found.inputs, new->inputs)
                                        : found.inputs;
    new->outputs = found.outputs;
    new->refreshes_before_update = found.refreshes_before_update;
    return NULL;
}

/* By command: the inputs read are the program's, and what is wrong with them is only worth a
 * warning. */
static void warn_of_failures(const struct step_tools *tools, const struct step *step,
                             const struct provider *provider)
{
    str advice =
        step->import_properties.len
            ? STR("Try specifying a different set of properties to import with in the future.")
            : arena_printf(tools->arena,
                           "This is almost certainly a bug in the `" STR_FMT "` provider.",
                           STR_ARG(provider->package));

    report_diagnose(tools->report, SEVERITY_WARNING, step->new->urn,
                    "One or more imported inputs failed to validate. " STR_FMT
                    " The import will still proceed, but you will need to edit the generated "
                    "code after copying it into your program.",
                    STR_ARG(advice));
}

static fallible check_inputs(const struct step_tools *tools, struct step *step,
                             struct provider *provider)
{
    struct resource *new = step->new;
    struct check_answer answer = { 0 };

    new->options.import_id = STR("");
    const struct check_request request = {
        .urn = new->urn,
        .olds = new->inputs,
        .news = new->inputs,
        .allows_unknowns = report_is_preview(tools->report),
        .seed = step->seed,
    };
    TRY(provider->ops->check(provider, &request, tools->arena, &answer));
    if (answer.failures.len)
        warn_of_failures(tools, step, provider);
    check_failures_report(tools->report, answer.failures, new->type, new->urn, new->inputs, true);
    return NULL;
}

static fallible step_import_apply(const struct step_tools *tools, struct step *step)
{
    struct resource *new = step->new;
    struct provider *provider = NULL;

    TRY(check_place(tools, step));
    if (new->is_custom) {
        TRY(step_provider(tools, step, &provider));
        if (step->is_from_command && new->outputs.len)
            new->id = new->options.import_id;
        else
            TRY(step_import_read(tools, step, provider));
    }
    struct resource *found = resource_clone_shallow(tools->arena, new);
    found->created = found->modified = STR("");
    step->old = found; /* what it is compared with on the screen */
    new->created = new->modified = clock_format(tools->arena, clock_now());
    if (!new->is_custom)
        return NULL;
    if (step->is_from_command)
        return check_inputs(tools, step, provider);
    if (step->is_replacing)
        step->original->is_delete = true;
    return NULL;
}

const struct step_kind step_import = {
    .traits = STEP_PENDS | STEP_IMPORTS | STEP_ANSWERS_LATER,
    .pending = PENDING_IMPORTING,
    .apply = step_import_apply,
};
