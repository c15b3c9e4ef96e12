/* stepgen_diff.c — is the resource changed, and must it be replaced? The rules in their order:
 * replacement trigger, --replace or taint, replaceWith and deletedWith, change of provider; the
 * provider is asked last, and only if none of the others decides. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "engine/step/resource_diff.h"
#include "model/urn.h"
#include "model/value_describe.h"

static struct diff_answer replace_for(struct arena *arena, str key)
{
    str *keys = arena_copy_bytes(arena, &key, sizeof(key));
    return (struct diff_answer){ .changes = CHANGES_SOME, .replace_keys = { keys, 1 } };
}

/* The instance of a provider that a state names, also if it is to be deleted: an earlier run may
 * have replaced it and not come to what it manages. test_plan_replace.c:
 * what_an_earlier_run_did_not_move_is_moved_now. */
static const struct resource *provider_of_state(const struct stepgen *gen, str urn, str id)
{
    const struct resources *base = &gen->estate->base;

    for (size_t i = 0; i < base->len; i++)
        if (str_equal(base->items[i]->urn, urn) && str_equal(base->items[i]->id, id))
            return base->items[i];
    return estate_old(gen->estate, urn);
}

/* Does the provider of the goal, asked by DiffConfig from the configuration of the old one to its
 * own, demand a replacement? */
static fallible ask_about_move(struct stepgen *gen, struct registration *reg, bool *out)
{
    str old_urn, old_id, new_urn, new_id;

    TRY(provider_ref_parse(reg->old->provider, &old_urn, &old_id));
    TRY(provider_ref_parse(reg->new->provider, &new_urn, &new_id));
    const str *current = map_find(&gen->aliased, old_urn);
    *out = false;
    /* The same provider under a new name: scenario alias/alias-provider. It may be replaced in the
     * same run: test_plan_alias.c: a_provider_that_is_renamed_and_replaced_replaces_its_resources.
     */
    if (current && str_equal(*current, new_urn) && str_equal(old_id, new_id))
        return NULL;

    struct provider *provider = registry_find(gen->registry, reg->new->provider);
    const struct resource *old = provider_of_state(gen, old_urn, old_id);
    const struct resource *new = map_find(&gen->providers, new_urn);
    if (!provider || !old || !new)
        return error_new(ERROR_OTHER, "failed to resolve provider reference: \"" STR_FMT "\"",
                         STR_ARG(reg->old->provider));
    /* One that takes no configuration, as those that are built in: any is as good. */
    if (!provider->ops->diff_config)
        return NULL;
    const struct diff_request request = {
        .urn = new_urn,
        .old_inputs = provider_config(reg->arena, old->inputs),
        .old_outputs = old->outputs,
        .news = provider_config(reg->arena, new->inputs),
        .allows_unknowns = true,
    };
    struct diff_answer answer = { 0 };
    TRY(provider->ops->diff_config(provider, &request, reg->arena, &answer));
    *out = diff_is_replace(&answer);
    return NULL;
}

/* A resource that moves to another provider is replaced only if the new provider says so:
 * test_plan_create.c: a_resource_moves_to_a_provider_that_can_go_on_with_it,
 * a_resource_moves_by_replacement_to_a_provider_that_cannot. */
fallible stepgen_moves(struct stepgen *gen, struct registration *reg, bool *out)
{
    struct plan_memory *memory = &reg->memory;

    *out = !str_equal(reg->old->provider, reg->new->provider);
    /* One of the two is a component: scenario component/component-becomes-custom. */
    if (!*out || reg->old->provider.len == 0 || reg->new->provider.len == 0)
        return NULL;
    *out = false;
    if (stepgen_needs_no_provider(gen, reg->old))
        return NULL;
    if (!memory->is_move_known) {
        TRY(ask_about_move(gen, reg, &memory->has_moved));
        memory->is_move_known = true;
    }
    *out = memory->has_moved;
    return NULL;
}

/* A trigger that is added or removed replaces nothing; two given values that differ do, compared
 * without their secret marks. An unknown one replaces, which only a preview can see. Scenarios
 * option/replacement-trigger, option/option-replacement-trigger. */
static bool trigger_changed(struct arena *arena, struct value old, struct value new)
{
    if (value_contains_unknown(old) || value_contains_unknown(new))
        return true;
    old = value_without_secrets(arena, old);
    new = value_without_secrets(arena, new);
    return old.kind != VALUE_NULL && new.kind != VALUE_NULL && !value_equal(old, new);
}

/* A resource that it names in replaceWith or deletedWith is replaced in this run: scenarios
 * replace/replace-with, option/deleted-with-replace. */
static bool goes_with_replaced(const struct stepgen *gen, struct registration *reg)
{
    const struct resource_options *options = &reg->new->options;

    for (size_t i = 0; i < options->replace_with.len; i++) {
        if (fates_have(gen->fates, options->replace_with.items[i], FATE_REPLACED)) {
            PLAN_LOG("replace", reg->urn, "a resource of its replaceWith is replaced");
            reg->diff = replace_for(reg->arena, STR("replaceWith"));
            return true;
        }
    }
    if (options->deleted_with.len && fates_have(gen->fates, options->deleted_with, FATE_REPLACED)) {
        PLAN_LOG("replace", reg->urn, "the resource of its deletedWith is replaced");
        reg->diff = replace_for(reg->arena, STR("deletedWith"));
        return true;
    }
    return false;
}

static fallible ask_provider(struct stepgen *gen, struct registration *reg, bool *is_deferred)
{
    const struct engine_options *options = gen->options;
    /* A component has no provider to ask: its inputs are compared. With legacy diff equal inputs
     * are not worth a question either. Otherwise the provider is asked even if the inputs are
     * equal. Scenario diff/diff-parallel-legacy; test_plan_create.c:
     * a_component_is_compared_without_a_provider. */
    bool is_equal =
        (options->plan.legacy_diff || !reg->provider) && value_equal(reg->old_inputs, reg->inputs);

    if (is_equal || !reg->provider) {
        reg->diff.changes = is_equal ? CHANGES_NONE : CHANGES_SOME;
        return NULL;
    }
    if (reg->memory.is_compared) {
        reg->diff = reg->memory.diff;
        return NULL;
    }
    if (options->plan.parallel_diff) {
        *is_deferred = true;
        return NULL;
    }
    const struct diff_request request = {
        .urn = reg->urn,
        .id = reg->old->id,
        .old_inputs = reg->old_inputs,
        .old_outputs = reg->old->outputs,
        .news = reg->new->inputs,
        .allows_unknowns = options->preview,
        .ignore_changes = reg->goal.options.ignore_changes,
    };
    TRY(diff_resource(gen->report, reg->provider, &request, reg->arena, &reg->diff));
    reg->memory.is_compared = true;
    reg->memory.diff = reg->diff;
    return NULL;
}

fallible stepgen_diff(struct stepgen *gen, struct registration *reg, bool *is_deferred)
{
    const struct value new_trigger = reg->new->options.replacement_trigger;
    bool has_moved;

    *is_deferred = false;
    reg->diff = (struct diff_answer){ 0 };
    reg->triggers_replace = false;
    if (!gen->options->preview && value_contains_unknown(new_trigger)) {
        report_diagnose(gen->report, SEVERITY_ERROR, reg->urn,
                        "replacement trigger contains unknowns for " STR_FMT, STR_ARG(reg->urn));
        gen->has_failed = true;
        return error_reported("replacement trigger contains unknowns");
    }
    if (trigger_changed(reg->arena, reg->old->options.replacement_trigger, new_trigger)) {
        PLAN_LOG("replace", reg->urn, "its replacement trigger changed");
        reg->triggers_replace = true;
        reg->diff.changes = CHANGES_SOME;
        return NULL;
    }
    if (stepgen_is_targeted_replace(gen, reg->urn, reg->old)) {
        PLAN_LOG("replace", reg->urn, "--replace names it");
        reg->diff = replace_for(reg->arena, STR("id"));
        return NULL;
    }
    if (goes_with_replaced(gen, reg))
        return NULL;
    TRY(stepgen_moves(gen, reg, &has_moved));
    if (stepgen_was_overtaken(gen, reg))
        return NULL;
    if (has_moved) {
        PLAN_LOG("replace", reg->urn, "its provider changed, and says that this replaces");
        reg->diff = replace_for(reg->arena, STR("provider"));
        return NULL;
    }
    return ask_provider(gen, reg, is_deferred);
}
