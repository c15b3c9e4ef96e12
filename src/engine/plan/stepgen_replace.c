/* stepgen_replace.c — from a difference to steps: nothing, an update in place, or a replacement
 * with all that must go before it.
 *
 * What must hold:
 * 1. A replacement creates first and deletes at the end of the run, unless provider or program ask
 * for the opposite.
 * 2. Deleting first takes along every dependent that the change would force to be replaced,
 * dependents before dependencies.
 * 3. A resource is condemned once, by state not by URN; one that the program registers later in the
 * run is created anew.
 * 4. Nothing protected is condemned: that is an error before any step exists. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/plan/policy.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "engine/step/resource_diff.h"
#include "model/resource_links.h"
#include "model/urn.h"
#include "model/value_describe.h"

#include "base/program.h"

#include <string.h>

static void carry_reasons(struct step *step, const struct diff_answer *diff)
{
    step->keys = diff->replace_keys;
    step->diffs = diff->changed_keys;
    step->has_detailed_diff = diff->has_detailed_diff;
    step->detailed_diff = diff->detailed_diff;
}

static struct step *chain_add_step(struct chain *chain, struct step *step)
{
    vec_add(chain, step);
    return step;
}

/* A replacement is refused only if the resource was protected and still is: unprotecting and
 * replacing may be one run (scenario protect/protect-replace). A preview shows the replacement,
 * then fails (test_plan_replace.c:
 * a_preview_shows_the_replacement_of_something_protected_and_fails). */
static fallible refuse_protected(struct stepgen *gen, struct registration *reg)
{
    if (!reg->new->options.protect || !reg->old->options.protect
        || gen->options->plan.ignore_protect)
        return NULL;
    report_diagnose(
        gen->report, SEVERITY_ERROR, reg->urn,
        "unable to replace resource \"" STR_FMT
        "\"\nas it is currently marked for protection. To unprotect the resource, remove "
        "the `protect` flag from the resource in your Pulumi program and run `%s up`",
        STR_ARG(reg->urn), program_name());
    gen->has_failed = true;
    return gen->options->preview ? NULL : error_reported("resource is protected");
}

/* The program still names the ID to import; a replacement would have another. An error in an
 * update, a warning in a preview: scenario import/import-option-needs-replace. */
static fallible refuse_import(struct stepgen *gen, struct registration *reg)
{
    CLEANUP(strbuf_release) struct strbuf changes = { 0 };

    if (reg->goal.options.import_id.len == 0)
        return NULL;
    for (size_t i = 0; i < reg->diff.replace_keys.len; i++) {
        str key = reg->diff.replace_keys.items[i];
        const struct value *old = value_find(reg->old->inputs, key);
        const struct value *new = value_find(reg->new->inputs, key);
        strbuf_printf(&changes, "%s" STR_FMT ": {", i ? "\n" : "", STR_ARG(key));
        value_describe(&changes, old ? *old : value_null());
        strbuf_add(&changes, STR("} => {"));
        value_describe(&changes, new ? *new : value_null());
        strbuf_add_char(&changes, '}');
    }
    static const char text[] = "previously-imported resources that still specify an ID may not be "
                               "replaced; please remove the `import` "
                               "declaration from your program;\n";
    if (!gen->options->preview)
        return error_new(ERROR_OTHER, "%s" STR_FMT, text, STR_ARG(strbuf_str(&changes)));
    report_diagnose(gen->report, SEVERITY_WARNING, reg->urn, "%s" STR_FMT, text,
                    STR_ARG(strbuf_str(&changes)));
    return NULL;
}

/* --- deleting first --- */

static bool depends_on_any(struct strs urns, const struct map *set)
{
    for (size_t i = 0; i < urns.len; i++)
        if (map_has(set, urns.items[i]))
            return true;
    return false;
}

/* Its inputs, unknown where they come from something condemned; false if none does. Only a property
 * dependency makes an input unknown, dependsOn alone does not: scenario dbr/dbr-dependents. */
static bool inputs_with_unknowns(struct arena *arena, const struct resource *dependent,
                                 const struct map *condemned, struct value *out)
{
    struct value inputs = dependent->inputs;
    struct member *members = NULL; /* few of many need a copy */

    for (uint32_t i = 0; i < inputs.len; i++) {
        const struct strs *urns =
            property_dependencies_find(dependent->property_dependencies, inputs.members[i].key);
        if (!urns || !depends_on_any(*urns, condemned))
            continue;
        if (!members) {
            members = ARENA_ARRAY(arena, struct member, inputs.len);
            memcpy(members, inputs.members, inputs.len * sizeof(*members));
        }
        members[i].value = value_computed(UNKNOWN_STRING);
    }
    if (members)
        *out = value_object(arena, members, inputs.len);
    return members != NULL;
}

/* What a provider said of the replacement of a dependent with these inputs. */
struct dependent_diff {
    struct value news;
    struct diff_answer diff;
};

/* Asks once for the same inputs: `memory` is of the registration for whose sake it is asked, NULL
 * where no other is under way. */
static fallible diff_dependent(struct stepgen *gen, struct arena *arena, struct resource *dependent,
                               struct value news, struct map *memory, struct diff_answer *out)
{
    struct provider *provider = NULL;
    struct dependent_diff *known = memory ? map_find(memory, resource_key(&dependent)) : NULL;

    if (known && value_equal(known->news, news)) {
        *out = known->diff;
        return NULL;
    }
    if (type_is_provider(dependent->type))
        TRY(registry_same(gen->registry, dependent, false));
    else
        TRY(registry_ensure_for(gen->registry, dependent));
    TRY(stepgen_load_provider(gen, dependent->urn, true, dependent->provider, dependent->type,
                              &provider, NULL));
    const struct diff_request request = {
        .urn = dependent->urn,
        .id = dependent->id,
        .old_inputs = dependent->inputs,
        .old_outputs = dependent->outputs,
        .news = news,
        .allows_unknowns = true,
        .ignore_changes = dependent->options.ignore_changes,
    };
    TRY(diff_resource(gen->report, provider, &request, arena, out));
    /* The options are those of the state: what the program says of this dependent now has not been
     * registered yet. test_plan_replace.c: replace_on_changes_of_the_state_condemns_a_dependent. */
    TRY(diff_apply_replace_on_changes(arena, out, dependent->options.replace_on_changes, false));
    if (!memory)
        return NULL;
    known = ARENA_NEW(arena, struct dependent_diff);
    *known = (struct dependent_diff){ .news = news, .diff = *out };
    map_put(memory, resource_key(arena_copy_bytes(arena, &dependent, sizeof(dependent))), known);
    return NULL;
}

/* What was only read is never deleted. It leaves the state with its provider: test_plan_replace.c:
 * what_was_read_leaves_with_its_provider_and_is_not_deleted. */
static bool is_ours(const struct resource *resource)
{
    return !resource->is_external;
}

/* Whether a dependent has to be deleted before the condemned resources it depends on, because their
 * change would force its replacement: scenario dbr/dbr-dependents. */
static fallible must_go(struct stepgen *gen, struct arena *arena, struct resource *dependent,
                        const struct map *condemned, struct map *memory, bool *out,
                        struct strs *keys)
{
    struct diff_answer diff = { 0 };
    struct value news;

    *out = false;
    /* A component is never condemned, its custom children may be (scenario
     * dbr/dbr-component-children); and nobody is there to ask about what is gone with its provider:
     * test_plan_replace.c: a_pending_replacement_without_a_provider_is_not_deleted_again. */
    if (!dependent->is_custom || stepgen_needs_no_provider(gen, dependent))
        return NULL;
    /* A condemned provider takes along everything it manages, unasked: scenario
     * dbr/dbr-explicit-provider. */
    if (dependent->provider.len && map_has(condemned, resource_provider_urn(dependent))) {
        *out = true;
        return is_ours(dependent) ? registry_ensure_for(gen->registry, dependent) : NULL;
    }
    if (!is_ours(dependent))
        return NULL;
    /* Likewise deletedWith: scenario dbr/deleted-with-while-condemned. */
    if (dependent->options.deleted_with.len
        && map_has(condemned, dependent->options.deleted_with)) {
        *out = true;
        return NULL;
    }
    if (!inputs_with_unknowns(arena, dependent, condemned, &news))
        return NULL;
    TRY(diff_dependent(gen, arena, dependent, news, memory, &diff));
    *out = diff_is_replace(&diff);
    *keys = diff.replace_keys;
    return NULL;
}

/* What this run has already dealt with cannot depend on something that is only now being replaced;
 * `replaced` is that, empty where nothing is. A state that goes on under another name is still in
 * use: test_plan_replace.c: what_goes_on_under_another_name_is_not_condemned. */
static struct strs already_done(const struct stepgen *gen, struct arena *arena, str replaced)
{
    enum {
        DONE = FATE_READ | FATE_CREATED | FATE_SAME | FATE_UPDATED | FATE_DELETED | FATE_REPLACED
    };
    struct strs done = fates_urns(gen->fates, arena, DONE);
    str *all = ARENA_ARRAY(arena, str, done.len + gen->aliased.len + 1);
    const struct map_entry *former;
    size_t len = 0;

    for (; len < done.len; len++)
        all[len] = done.items[len];
    for (size_t cursor = 0; map_next(&gen->aliased, &cursor, &former);)
        if (fates_have(gen->fates, *(const str *)former->value, DONE))
            all[len++] = former->key;
    if (replaced.len)
        all[len++] = replaced;
    return (struct strs){ all, len };
}

fallible stepgen_dependent_replacements(struct stepgen *gen, struct resource *root,
                                        struct registration *reg, struct dependents *out)
{
    struct arena *arena = gen->arena;
    CLEANUP(map_release) struct map condemned = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    map_put(&condemned, root->urn, root);
    struct resources candidates =
        graph_dependents(gen->estate->graph, &scratch, root,
                         already_done(gen, &scratch, reg ? reg->urn : STR("")), false);
    for (size_t i = 0; i < candidates.len; i++) {
        struct dependent dependent = { .resource = candidates.items[i] };
        bool goes = false;
        TRY(must_go(gen, arena, dependent.resource, &condemned,
                    reg ? &reg->memory.dependents : NULL, &goes, &dependent.keys));
        if (!goes)
            continue;
        /* Who has read something need not go because it is read again. */
        if (is_ours(dependent.resource))
            map_put(&condemned, dependent.resource->urn, dependent.resource);
        vec_add(out, dependent);
    }
    return NULL;
}

static void add_cascade(struct dependents *out, struct resource *state, struct map *seen)
{
    if (map_has(seen, state->urn))
        return;
    map_put(seen, state->urn, state);
    vec_add(out, ((struct dependent){ .resource = state }));
}

/* Once this run has registered a resource, the options of the new state decide and those of the old
 * one do not: in scenario dbr/deleted-with-while-condemned `other` stays because its new
 * registration no longer names `base`. One that was read before the program may go on under another
 * name: test_plan_replace.c: what_was_read_and_goes_on_under_another_name_is_not_condemned. */
void stepgen_cascade_replacements(struct stepgen *gen, str urn, struct dependents *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(map_release) struct map seen = { 0 };
    struct resources news = estate_new_companions(gen->estate, &scratch, urn);
    struct resources olds = estate_old_companions(gen->estate, &scratch, urn);

    for (size_t i = 0; i < news.len; i++)
        if (str_equal(stepgen_current_urn(gen, news.items[i]->urn), news.items[i]->urn))
            add_cascade(out, news.items[i], &seen);
    for (size_t i = 0; i < olds.len; i++)
        if (!stepgen_is_operated_on(gen, olds.items[i]->urn))
            add_cascade(out, olds.items[i], &seen);
}

static fallible refuse_protected_dependent(struct stepgen *gen, struct registration *reg,
                                           struct resource *resource)
{
    if (stepgen_is_condemned(gen, resource) || !is_ours(resource))
        return NULL;
    /* What an earlier run left to be deleted was allowed to go then; protection holds for live
     * resources. Scenario dbr/dbr-protected-dependent. */
    if (!resource->is_delete && resource->options.protect && !gen->options->plan.ignore_protect) {
        report_diagnose(
            gen->report, SEVERITY_ERROR, reg->urn,
            "unable to replace resource \"" STR_FMT "\" as part of replacing \"" STR_FMT
            "\" as it is currently marked for protection. To unprotect the resource, remove the "
            "`protect` flag from the "
            "resource in your Pulumi program and run `%s up`, or use the command:\n`%s "
            "state "
            "unprotect '" STR_FMT "'`",
            STR_ARG(resource->urn), STR_ARG(reg->urn), program_name(), program_name(),
            STR_ARG(resource->urn));
        gen->has_failed = true;
        return error_reported("dependent resource is protected");
    }
    return NULL;
}

static enum step_op condemning_op(const struct resource *resource)
{
    if (is_ours(resource))
        return resource->is_delete ? OP_DELETE : OP_DELETE_REPLACED;
    return resource->is_delete ? OP_DISCARD : OP_DISCARD_REPLACED;
}

static void condemn(struct stepgen *gen, const struct dependent *dependent, struct chain *chain)
{
    struct resource *resource = dependent->resource;

    /* Two replacements that take the same dependent along delete it once: test_exec_order.c:
     * what_two_replacements_take_along_is_deleted_once. */
    if (stepgen_is_condemned(gen, resource) || stepgen_needs_no_provider(gen, resource))
        return;
    PLAN_LOG("delete", resource->urn, "it depends on a resource that is deleted to be replaced");
    struct step *step = chain_add_step(
        chain, step_new(gen->arena, &step_delete, condemning_op(resource), resource, NULL, NULL));
    /* A live dependent stays in the state as a pending replacement until it is registered again, or
     * is forgotten at the end: scenario dbr/dbr-dependent-removed. */
    step->is_replacing = !resource->is_delete;
    step->marks_pending = !resource->is_delete;
    stepgen_condemn(gen, resource, chain);
    /* What an earlier run left to be deleted is not what its URN stands for, and what was only read
     * is not deleted: test_plan_replace.c:
     * what_is_left_of_an_earlier_replacement_goes_without_its_successor,
     * what_goes_with_something_that_is_read_again_is_deleted. */
    if (resource->is_delete || !is_ours(resource))
        return;
    fates_set_reasons(gen->fates, resource->urn, dependent->keys);
    fates_delete(gen->fates, resource);
}

static bool graph_knows(const struct stepgen *gen, const struct resource *resource)
{
    return estate_old(gen->estate, resource->urn) == resource;
}

/* What a provider has made cannot stay without it: what this run or an earlier one has left over,
 * and what is not registered yet where the provider itself only goes with another. */
static bool is_left_without(struct stepgen *gen, struct resource *state,
                            const struct resource *provider)
{
    str urn, id;

    return !stepgen_is_condemned(gen, state) && str_cut_last(state->provider, STR("::"), &urn, &id)
           && str_equal(urn, provider->urn) && str_equal(id, provider->id)
           && (state->is_delete || !stepgen_is_operated_on(gen, state->urn));
}

static bool refers_to_any(const struct resource *state, const struct map *urns)
{
    struct link_cursor cursor = { 0 };
    struct link link;

    while (urns->len && resource_link_next(state, &cursor, &link))
        if (map_has(urns, link.urn))
            return true;
    return false;
}

/* What was read while the program ran stands for the state of before. What is left over and needs
 * something that goes would mean its successor then: test_plan_replace.c:
 * what_is_left_over_goes_before_what_it_needs,
 * what_is_left_over_goes_before_its_provider, what_was_read_and_replaced_goes_before_its_provider,
 * what_goes_with_another_takes_along_what_it_has_made. */
static void add_made_by(struct stepgen *gen, const struct resource *provider,
                        struct dependents *out)
{
    const struct resources *base = &gen->estate->base;
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(map_release) struct map known = { 0 };
    CLEANUP(map_release) struct map leftovers = { 0 }; /* URNs of those that go */

    if (!type_is_provider(provider->type) || provider->is_pending_replacement)
        return;
    for (size_t i = 0; i < out->len; i++) {
        struct resource *state = out->items[i].resource;
        map_put(&known, resource_key(arena_copy_bytes(&scratch, &state, sizeof(state))), out);
        if (state->is_delete)
            map_put(&leftovers, state->urn, state);
    }
    for (size_t i = 0; i < base->len; i++) {
        struct resource *before = base->items[i];
        struct resource *state = estate_refreshed(before);
        bool goes = is_left_without(gen, state, provider)
                    || (state->is_delete && !stepgen_is_condemned(gen, state)
                        && refers_to_any(state, &leftovers));
        if (!goes || stepgen_is_condemned(gen, before) || map_has(&known, resource_key(&before))
            || map_has(&known, resource_key(&state)))
            continue;
        vec_add(out, ((struct dependent){ .resource = state }));
        if (state->is_delete)
            map_put(&leftovers, state->urn, state);
    }
}

/* What goes with the root, and what the providers among all that go have made. */
static void add_companions(struct stepgen *gen, const struct registration *reg,
                           struct dependents *out)
{
    stepgen_cascade_replacements(gen, reg->urn, out);
    add_made_by(gen, reg->old, out);
    for (size_t i = 0, len = out->len; i < len; i++)
        add_made_by(gen, out->items[i].resource, out);
}

/* Those that delete are there before the plan is made. */
static fallible load_providers_of_companions(struct stepgen *gen, const struct registration *reg,
                                             const struct dependents *known)
{
    CLEANUP(vec_drop) struct dependents all = { 0 };

    for (size_t i = 0; i < known->len; i++)
        vec_add(&all, known->items[i]);
    add_companions(gen, reg, &all);
    for (size_t i = known->len; i < all.len; i++) {
        const struct resource *resource = all.items[i].resource;
        if (resource->provider.len && is_ours(resource)
            && !stepgen_needs_no_provider(gen, resource))
            TRY(registry_ensure_for(gen->registry, resource));
    }
    return NULL;
}

static fallible ask_about_dependents(struct stepgen *gen, struct registration *reg,
                                     struct dependents *out)
{
    /* In a preview, a resource imported a moment ago is not in the graph of the state: it has no
     * dependents yet. */
    if (!gen->options->preview || graph_knows(gen, reg->old))
        TRY(stepgen_dependent_replacements(gen, reg->old, reg, out));
    if (reg->old->provider.len && !stepgen_needs_no_provider(gen, reg->old))
        TRY(error_wrap(registry_ensure_for(gen->registry, reg->old),
                       "could not load provider for resource " STR_FMT, STR_ARG(reg->old->urn)));
    return load_providers_of_companions(gen, reg, out);
}

/* The dependents that go first. They are those of one moment: if any chain was submitted while
 * providers were asked, since there were `commits`, planning runs again with the answers. */
static fallible collect_condemned(struct stepgen *gen, struct registration *reg, unsigned commits,
                                  struct dependents *out, enum plan_phase *phase)
{
    TRY(stepgen_unless_overtaken(gen, reg, ask_about_dependents(gen, reg, out), phase));
    if (commits != gen->commits)
        *phase = PLAN_AGAIN;
    return NULL;
}

static fallible replace_by_deleting_first(struct stepgen *gen, struct registration *reg,
                                          unsigned commits, struct chain *chain,
                                          enum plan_phase *phase)
{
    CLEANUP(vec_drop) struct dependents condemned = { 0 };

    TRY(collect_condemned(gen, reg, commits, &condemned, phase));
    if (*phase == PLAN_AGAIN)
        return NULL;
    add_companions(gen, reg, &condemned);
    for (size_t i = condemned.len; i-- > 0;)
        TRY(refuse_protected_dependent(gen, reg, condemned.items[i].resource));
    fates_add(gen->fates, reg->urn, FATE_REPLACED);
    for (size_t i = condemned.len; i-- > 0;)
        condemn(gen, &condemned.items[i], chain);
    /* An earlier run has deleted it and failed to create its successor: only the create is left to
     * do. Scenario pending/pending-replace-resume. */
    if (!reg->old->is_pending_replacement) {
        fates_delete(gen->fates, reg->old);
        stepgen_condemn(gen, reg->old, chain);
        struct step *delete = chain_add_step(
            chain, step_new(gen->arena, &step_delete, OP_DELETE_REPLACED, reg->old, NULL, NULL));
        delete->is_replacing = true;
        delete->marks_pending = true;
    }
    carry_reasons(chain_add_step(chain, step_new(gen->arena, &step_replace, OP_REPLACE, reg->old,
                                                 reg->new, NULL)),
                  &reg->diff);
    struct step *create = chain_add_step(
        chain, step_new(gen->arena, &step_create, OP_CREATE_REPLACEMENT, reg->old, reg->new, reg));
    create->is_replacing = true;
    carry_reasons(create, &reg->diff);
    return NULL;
}

static void replace_by_creating_first(struct stepgen *gen, struct registration *reg,
                                      struct chain *chain)
{
    fates_add(gen->fates, reg->urn, FATE_REPLACED);
    struct step *create = chain_add_step(
        chain, step_new(gen->arena, &step_create, OP_CREATE_REPLACEMENT, reg->old, reg->new, reg));

    create->is_replacing = true;
    /* The old instance stays in the state, marked for deletion, until the end of the run: scenario
     * replace/replace-create-before-delete. */
    create->marks_delete = true;
    carry_reasons(create, &reg->diff);
    carry_reasons(chain_add_step(chain, step_new(gen->arena, &step_replace, OP_REPLACE, reg->old,
                                                 reg->new, NULL)),
                  &reg->diff);
}

/* Defaults carried over from the old instance do not hold for the new one, so Check is asked again
 * without old inputs (scenario replace/replace-default-recomputed), and the policy packs for what
 * it says (scenario policy/policy-replacement). With --replace, or for a tainted resource, the
 * first Check had none already (stepgen_starts_over). */
static fallible examine_again(struct stepgen *gen, struct registration *reg)
{
    struct plan_memory *memory = &reg->memory;

    if (!reg->provider || stepgen_is_targeted_replace(gen, reg->urn, reg->old))
        return NULL;
    if (!memory->is_checked_again) {
        TRY(stepgen_check_again(gen, reg));
        memory->is_checked_again = true;
    }
    if (memory->is_judged_again || stepgen_was_overtaken(gen, reg))
        return NULL;
    TRY(policy_check_replacement(gen, reg));
    memory->is_judged_again = true;
    return reg->is_invalid ? error_reported("resource " STR_FMT " is invalid", STR_ARG(reg->urn))
                           : NULL;
}

fallible stepgen_replace(struct stepgen *gen, struct registration *reg, struct chain *chain,
                         enum plan_phase *phase)
{
    /* The deleteBeforeReplace option, where the program gives it, overrules the provider in both
     * directions: scenario dbr/dbr-option. */
    bool deletes_first = reg->goal.has_delete_before_replace ? reg->goal.deletes_before_replace
                                                             : reg->diff.deletes_before_replace;
    /* A refresh deletes nothing: of a provider, which it registers anew, the old instance stays for
     * what was made with it until the next update. test_plan_refresh.c: a_refresh_deletes_nothing.
     */
    deletes_first = deletes_first && gen->mode != MODE_REFRESH;
    struct plan_memory *memory = &reg->memory;
    unsigned commits = gen->commits;

    /* Deleting first must not overtake work on a dependent: scenarios dbr/dependent-under-way,
     * dbr/two-chains-meet. */
    if (deletes_first && stepgen_waits_for_dependents(gen, reg)) {
        *phase = PLAN_AGAIN;
        return NULL;
    }
    if (!memory->is_refusal_known) {
        TRY(refuse_protected(gen, reg));
        TRY(refuse_import(gen, reg));
        memory->is_refusal_known = true;
    }
    PLAN_LOG("replace", reg->urn,
             deletes_first ? "the old one is deleted first" : "the new one is created first");
    TRY(stepgen_unless_overtaken(gen, reg, examine_again(gen, reg), phase));
    if (*phase == PLAN_AGAIN)
        return NULL;
    if (deletes_first)
        return replace_by_deleting_first(gen, reg, commits, chain, phase);
    replace_by_creating_first(gen, reg, chain);
    return NULL;
}

static void plan_update(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    struct step *step = chain_add_step(
        chain, step_new(gen->arena, &step_update, OP_UPDATE, reg->old, reg->new, reg));

    carry_reasons(step, &reg->diff);
    step->keys = (struct strs){ 0 };
    fates_add(gen->fates, reg->urn, FATE_UPDATED);
}

static void plan_same(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    if (fates_have(gen->fates, reg->urn, FATE_IMPORTED)) {
        registration_finish(reg, REGISTRATION_SUCCESS, reg->old);
        return;
    }
    fates_add(gen->fates, reg->urn, FATE_SAME);
    chain_add_step(chain, step_new(gen->arena, &step_same, OP_SAME, reg->old, reg->new, reg));
    /* No provider call will report the views of a resource that stays, so they stay with it:
     * test_exec_hooks.c: views_of_an_owner_that_stays_stay. Those of one that is renamed follow
     * without a step: scenario view/owner-renamed. */
    if (map_has(&gen->aliases, reg->urn))
        return;
    struct provider_views views = estate_views(gen->estate, reg->old);
    for (size_t i = 0; i < views.len; i++) {
        fates_add(gen->fates, views.items[i]->urn, FATE_SAME);
        chain_add_step(chain, step_new(gen->arena, &step_view, OP_SAME, views.items[i],
                                       resource_clone_shallow(gen->arena, views.items[i]), NULL));
    }
}

fallible stepgen_after_diff(struct stepgen *gen, struct registration *reg, struct chain *chain,
                            enum plan_phase *phase)
{
    bool has_init_errors = reg->old->init_errors.len > 0;

    if (reg->diff_error) {
        struct error *failure = reg->diff_error;
        reg->diff_error = NULL;
        return failure;
    }
    if (reg->diff.is_unavailable) {
        reg->diff = (struct diff_answer){ .changes = CHANGES_SOME };
        report_diagnose(
            gen->report, SEVERITY_WARNING, reg->urn,
            "The provider for this resource has inputs that are not known during preview.\nThis "
            "preview may not correctly "
            "represent the changes that will be applied during an update.");
    }
    TRY(diff_apply_replace_on_changes(reg->arena, &reg->diff, reg->goal.options.replace_on_changes,
                                      has_init_errors));
    diff_own(gen->arena, &reg->diff); /* its steps are reported when the registration is gone */
    /* The answer "no change" wins over keys that would replace (scenario diff/diff-answers), but a
     * pending replacement was deleted and has to be created even if nothing differs (scenario
     * pending/pending-replace-goal-went-back). */
    if (reg->diff.changes == CHANGES_SOME || reg->old->is_pending_replacement) {
        if (diff_is_replace(&reg->diff) || reg->triggers_replace
            || reg->old->is_pending_replacement)
            return stepgen_replace(gen, reg, chain, phase);
        PLAN_LOG("update", reg->urn, "it differs, and nothing demands a replacement");
        plan_update(gen, reg, chain);
        return NULL;
    }
    PLAN_LOG(has_init_errors ? "update" : "same", reg->urn,
             has_init_errors ? "its creation was not finished" : "nothing differs");
    /* A resource that was created but not initialised is updated even if nothing differs: scenario
     * fail/init-failure. */
    if (has_init_errors)
        plan_update(gen, reg, chain);
    else
        plan_same(gen, reg, chain);
    return NULL;
}
