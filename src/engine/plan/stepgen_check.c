/* stepgen_check.c — the inputs a resource really gets: ignored changes are reset to the old inputs,
 * then the provider checks them. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "engine/step/resource_diff.h"
#include "model/urn.h"
#include "model/value_describe.h"

#include "model/path.h"

static fallible ask_check(struct stepgen *gen, struct registration *reg, struct value olds,
                          struct value news)
{
    const struct check_request request = {
        .urn = reg->urn,
        .olds = olds,
        .news = news,
        .allows_unknowns = gen->options->preview,
        .seed = reg->seed,
        .has_autonaming = reg->has_autonaming,
        .autonaming_mode = reg->autonaming_mode,
        .proposed_name = reg->proposed_name,
    };
    struct check_answer answer = { 0 };

    TRY(reg->provider->ops->check(reg->provider, &request, reg->arena, &answer));
    reg->inputs = reg->new->inputs = answer.inputs;
    if (check_failures_report(gen->report, answer.failures, reg->new->type, reg->urn, news, false))
        reg->is_invalid = true;
    return NULL;
}

/* Check gets no old inputs where the instance they belong to will not continue: scenarios
 * read/read-take-ownership, replace/replace-flag, dbr/dbr-chain. */
bool stepgen_starts_over(const struct stepgen *gen, const struct registration *reg)
{
    return !reg->old || reg->is_recreating || reg->old->is_external
           || stepgen_is_targeted_replace(gen, reg->urn, reg->old);
}

/* A component has no provider to check it. An ignored change of a whole property is not a
 * difference, yet the state takes the new value; a change inside a property is reset in the state
 * too. Scenario option/ignore-changes-component. */
static struct value component_inputs(const struct registration *reg)
{
    struct strs paths = reg->goal.options.ignore_changes;
    struct value inputs = reg->goal.inputs;
    CLEANUP(path_resets_release) struct path_resets resets = { .arena = reg->arena };

    for (size_t i = 0; reg->old && i < paths.len; i++) {
        struct path path;
        struct error *unparsable = path_parse(reg->arena, paths.items[i], &path);
        if (!unparsable && path.len > 1)
            path_reset(&resets, path, reg->old_inputs, &inputs);
        error_ignore(unparsable, "such a path is for providers alone");
    }
    return inputs;
}

fallible stepgen_check(struct stepgen *gen, struct registration *reg, bool is_targeted)
{
    reg->inputs = reg->goal.inputs;
    reg->old_inputs = reg->old ? reg->old->inputs : VALUE_EMPTY_OBJECT;
    if (reg->old)
        reg->inputs = diff_ignore_changes(gen->report, reg->arena, reg->urn, reg->inputs,
                                          reg->old_inputs, reg->goal.options.ignore_changes);
    if (!reg->provider) {
        reg->new->inputs = component_inputs(reg);
        return NULL;
    }
    /* Untargeted: the old inputs stay and the provider is not asked. Scenario
     * target/target-update. */
    if (!is_targeted) {
        reg->inputs = reg->new->inputs = reg->old_inputs;
        return NULL;
    }
    TRY(autonaming_choose(gen, reg));
    if (stepgen_starts_over(gen, reg))
        return ask_check(gen, reg, VALUE_EMPTY_OBJECT, reg->goal.inputs);
    return ask_check(gen, reg, reg->old_inputs, reg->inputs);
}

fallible stepgen_check_again(struct stepgen *gen, struct registration *reg)
{
    TRY(ask_check(gen, reg, VALUE_EMPTY_OBJECT, reg->goal.inputs));
    if (reg->is_invalid)
        return error_reported("resource " STR_FMT " has check errors", STR_ARG(reg->urn));
    return NULL;
}
