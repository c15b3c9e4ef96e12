/* policy.c — policy packs: every resource is shown to them before anything is done to it, the stack
 * when all is done. */
#include "engine/plan/policy.h"
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "model/resource_links.h"
#include "model/urn.h"
#include "model/value_describe.h"

#include "base/fs.h"
#include "plugin/analyzer.h"
#include "proto/marshal.h"

static fallible policy_load_one(struct stepgen *gen, const struct analyzer_spec *spec)
{
    const struct run_info run = engine_run_info(gen->options);

    report_emit(gen->report, &(struct event){ .kind = EVENT_POLICY_LOAD });
    TRY(plugin_load_analyzer(gen->registry->host, spec, &run,
                             &gen->analyzers[gen->analyzer_count]));
    gen->analyzer_count++;
    return NULL;
}

static fallible policy_load_required(struct stepgen *gen)
{
    const struct policy_options *policies = &gen->options->policies;

    for (size_t i = 0; i < policies->required_count; i++) {
        const struct required_policy *required = &policies->required[i];
        struct analyzer_spec spec = { .name = required->pack.name,
                                      .version = required->pack.version,
                                      .config = required->config,
                                      .variables = required->variables };
        TRY(policy_pack_folder(gen->arena, gen->options->world->home, &required->pack, &spec.path));
        TRY(policy_load_one(gen, &spec));
    }
    return NULL;
}

fallible policy_load(struct stepgen *gen)
{
    const struct policy_options *policies = &gen->options->policies;
    size_t count = policies->packs.len + policies->required_count;

    if (count == 0)
        return NULL;
    gen->analyzers = ARENA_ARRAY(gen->arena, struct analyzer *, count);
    TRY(policy_load_required(gen));
    for (size_t i = 0; i < policies->packs.len; i++) {
        struct analyzer_spec spec = { .path = policies->packs.items[i] };
        if (i < policies->configs.len)
            spec.config = policies->configs.items[i];
        TRY(policy_load_one(gen, &spec));
    }
    return NULL;
}

/* A long path keeps its first and last parts. */
static str shortened(struct arena *arena, str path)
{
    enum { LONG = 75, KEPT = 2 };
    str parts[2 * KEPT] = { 0 }, clean = fs_path_clean(arena, path), rest = clean, part;
    size_t count = 0;

    if (clean.len <= LONG)
        return clean;
    for (bool more = true; more; count++) {
        more = str_cut(rest, STR("/"), &part, &rest);
        part = more ? part : rest;
        if (count < KEPT) {
            parts[count] = part;
        } else {
            parts[KEPT] = parts[KEPT + 1];
            parts[KEPT + 1] = part;
        }
    }
    return count <= 2 * KEPT ? clean
                             : arena_concat(arena, parts[0], STR("/"), parts[1], STR("/.../"),
                                            parts[2], STR("/"), parts[3]);
}

struct pairs policy_packs(struct stepgen *gen)
{
    const struct policy_options *policies = &gen->options->policies;
    struct arena *arena = gen->arena;
    struct pair *list = ARENA_ARRAY(arena, struct pair, gen->analyzer_count);

    for (size_t i = 0; i < gen->analyzer_count; i++) {
        const struct analyzer *analyzer = gen->analyzers[i];
        if (i < policies->required_count) {
            const struct policy_pack *pack = &policies->required[i].pack;
            list[i] = (struct pair){ pack->name, pack->version };
            continue;
        }
        list[i].key = arena_concat(arena, analyzer_name(analyzer), STR("|local|"),
                                   shortened(arena, analyzer_path(analyzer)));
        list[i].value = analyzer_version(analyzer);
    }
    return (struct pairs){ list, gen->analyzer_count };
}

static const char *severity_name(int severity)
{
    return severity > 0 && severity <= 4 ? policy_severity_names[severity] : "";
}

static void report_violation(struct stepgen *gen, str urn, const struct policy_violation *violation)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str text = violation->message.len ? violation->message : violation->description;
    const struct event event = {
        .kind = EVENT_POLICY,
        .policy = {
            .urn = urn,
            .message = arena_concat(&scratch, text, STR("\n")),
            .policy = violation->policy,
            .pack = violation->pack,
            .pack_version = violation->pack_version,
            .level = policy_level_names[violation->level],
            .severity = severity_name(violation->severity),
        },
    };
    report_emit(gen->report, &event);
}

static void report_remediation(struct stepgen *gen, str urn, const struct remediation *remediation,
                               struct value before)
{
    const struct event event = {
        .kind = EVENT_POLICY_REMEDIATION,
        .policy = {
            .urn = urn,
            .policy = remediation->policy,
            .pack = remediation->pack,
            .pack_version = remediation->pack_version,
            .level = policy_level_names[POLICY_REMEDIATE],
            .severity = "",
            .before = before,
            .after = remediation->properties,
        },
    };
    report_emit(gen->report, &event);
}

/* Which policies of a pack passed, and which did not. `failed` may name one several times. */
static void report_policy_summary(struct stepgen *gen, enum event_kind kind,
                                  const struct analyzer *analyzer, str urn, struct strs failed,
                                  struct strs not_applicable)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct strs all = analyzer_policies(analyzer, kind == EVENT_POLICY_STACK_SUMMARY, &scratch);
    str *passed = ARENA_ARRAY(&scratch, str, all.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < all.len; i++)
        if (!strs_has(failed, all.items[i]) && !strs_has(not_applicable, all.items[i]))
            passed[len++] = all.items[i];
    const struct event event = {
        .kind = kind,
        .policy_summary = {
            .urn = urn,
            .pack = analyzer_name(analyzer),
            .pack_version = analyzer_version(analyzer),
            .passed = strs_sorted(&scratch, (struct strs){ passed, len }),
            .failed = strs_sorted(&scratch, strs_union(&scratch, (struct strs){ 0 }, failed)),
        },
    };
    report_emit(gen->report, &event);
}

static struct strs violated(struct arena *arena, const struct policy_violations *violations)
{
    str *names = ARENA_ARRAY(arena, str, violations->len + 1);

    for (size_t i = 0; i < violations->len; i++)
        names[i] = violations->items[i].policy;
    return (struct strs){ names, violations->len };
}

static const struct resource *provider_of(const struct stepgen *gen,
                                          const struct resource *resource)
{
    str urn = resource_provider_urn(resource);
    const struct resource *provider = urn.len ? map_find(&gen->providers, urn) : NULL;

    return provider || urn.len == 0 ? provider : estate_old(gen->estate, urn);
}

/* Whether an earlier judgement of the same registration has said it; from now on it has been. */
static bool was_told(struct registration *reg, str pack, str policy, str text)
{
    struct plan_memory *memory = &reg->memory;
    str key = arena_concat(reg->arena, pack, STR("/"), policy, STR(": "), text);
    const unsigned *when = map_find(&memory->told, key);

    if (!when)
        map_put(&memory->told, key,
                arena_copy_bytes(reg->arena, &memory->judgements, sizeof(memory->judgements)));
    return when && *when < memory->judgements;
}

static void tell_violation(struct stepgen *gen, struct registration *reg,
                           const struct policy_violation *violation)
{
    if (!was_told(reg, violation->pack, violation->policy, violation->message))
        report_violation(gen, reg->urn, violation);
}

/* A remediation that failed is reported as an advisory violation; one that succeeded changes the
 * inputs that everything after it sees. Scenario events/events-policy. */
static fallible remediate(struct stepgen *gen, struct analyzer *analyzer, struct registration *reg,
                          struct analyzed *analyzed)
{
    struct remediations remediations;

    TRY(error_wrap(analyzer_remediate(analyzer, analyzed, reg->arena, &remediations),
                   "failed to run remediation"));
    str *failed = ARENA_ARRAY(reg->arena, str, remediations.len);
    for (size_t i = 0; i < remediations.len; i++) {
        const struct remediation *remediation = &remediations.items[i];
        failed[i] = remediation->policy;
        if (remediation->diagnostic.len) {
            const struct policy_violation advice = {
                .policy = remediation->policy,
                .pack = remediation->pack,
                .pack_version = remediation->pack_version,
                .description = remediation->description,
                .message = remediation->diagnostic,
                .level = POLICY_ADVISORY,
            };
            tell_violation(gen, reg, &advice);
        } else if (remediation->has_properties) {
            if (!was_told(reg, remediation->pack, remediation->policy, STR("")))
                report_remediation(gen, reg->urn, remediation, analyzed->properties);
            /* A pack that copies properties drops their secret marks; restore them. */
            analyzed->properties = reg->inputs = reg->new->inputs =
                value_annotate_secrets(reg->arena, analyzed->properties, remediation->properties);
        }
    }
    report_policy_summary(gen, EVENT_POLICY_REMEDIATE_SUMMARY, analyzer, reg->urn,
                          (struct strs){ failed, remediations.len }, remediations.not_applicable);
    return NULL;
}

/* A mandatory violation ends an update before the resource is touched; a preview goes on and
 * reports them all. */
static void report_judgement(struct stepgen *gen, struct registration *reg,
                             struct policy_violation *violation)
{
    if (violation->level == POLICY_REMEDIATE)
        violation->level = POLICY_MANDATORY; /* a remediation that worked would have removed it */
    tell_violation(gen, reg, violation);
    if (violation->level != POLICY_MANDATORY)
        return;
    gen->has_failed = true;
    if (!gen->options->preview)
        reg->is_invalid = true;
}

static fallible judge(struct stepgen *gen, struct registration *reg)
{
    struct analyzed analyzed = {
        .resource = reg->new,
        .properties = reg->inputs,
        .has_delete_before_replace = reg->goal.has_delete_before_replace,
        .deletes_before_replace = reg->goal.deletes_before_replace,
    };

    reg->memory.judgements++;
    analyzed.provider = provider_of(gen, reg->new);
    for (size_t i = 0; i < gen->analyzer_count; i++)
        TRY(remediate(gen, gen->analyzers[i], reg, &analyzed));
    for (size_t i = 0; i < gen->analyzer_count; i++) {
        struct policy_violations violations;
        TRY(error_wrap(analyzer_analyze(gen->analyzers[i], &analyzed, reg->arena, &violations),
                       "failed to run policy"));
        for (size_t j = 0; j < violations.len; j++)
            report_judgement(gen, reg, &violations.items[j]);
        report_policy_summary(gen, EVENT_POLICY_ANALYZE_SUMMARY, gen->analyzers[i], reg->urn,
                              violated(reg->arena, &violations), violations.not_applicable);
    }
    return NULL;
}

fallible policy_check_resource(struct stepgen *gen, struct registration *reg)
{
    if (gen->analyzer_count == 0)
        return NULL;
    if (reg->goal.has_delete_before_replace)
        map_put(&gen->deletes_first, reg->urn,
                arena_copy_bytes(gen->arena, &reg->goal.deletes_before_replace, sizeof(bool)));
    reg->memory.judged = reg->inputs;
    TRY(judge(gen, reg));
    reg->memory.remedied = reg->inputs;
    return NULL;
}

fallible policy_check_replacement(struct stepgen *gen, struct registration *reg)
{
    if (gen->analyzer_count == 0)
        return NULL;
    if (!value_identical(reg->inputs, reg->memory.judged))
        return judge(gen, reg);
    reg->inputs = reg->new->inputs = reg->memory.remedied;
    return NULL;
}

static str stack_urn(struct stepgen *gen)
{
    const struct engine_options *options = gen->options;
    str name = arena_concat(gen->arena, options->project->name, STR("-"), options->project->stack);
    return urn_make(gen->arena, options->project->stack, options->project->name, STR(""),
                    ROOT_STACK_TYPE, name);
}

fallible policy_check_stack(struct stepgen *gen)
{
    struct analyzed *all = ARENA_ARRAY(gen->arena, struct analyzed, gen->estate->news.len + 1);
    const struct map_entry *entry;
    size_t count = 0;

    if (gen->analyzer_count == 0)
        return NULL;
    for (size_t cursor = 0; map_next(&gen->estate->news, &cursor, &entry);) {
        const struct resource *resource = entry->value;
        const bool *deletes_first = map_find(&gen->deletes_first, resource->urn);
        all[count++] = (struct analyzed){
            .resource = resource,
            .properties = resource->outputs,
            .has_delete_before_replace = deletes_first != NULL,
            .deletes_before_replace = deletes_first && *deletes_first,
            .provider = provider_of(gen, resource),
        };
    }
    for (size_t i = 0; i < gen->analyzer_count; i++) {
        struct policy_violations violations;
        TRY(error_wrap(
            analyzer_analyze_stack(gen->analyzers[i], all, count, gen->arena, &violations),
            "failed to analyze resources"));
        for (size_t j = 0; j < violations.len; j++) {
            struct policy_violation *violation = &violations.items[j];
            bool is_known = violation->urn.len && map_has(&gen->estate->news, violation->urn);
            if (violation->level == POLICY_REMEDIATE)
                violation->level = POLICY_MANDATORY; /* a stack cannot be remediated */
            if (violation->level == POLICY_MANDATORY)
                gen->has_failed = true;
            report_violation(gen, is_known ? violation->urn : stack_urn(gen), violation);
        }
        report_policy_summary(gen, EVENT_POLICY_STACK_SUMMARY, gen->analyzers[i], STR(""),
                              violated(gen->arena, &violations), violations.not_applicable);
    }
    return NULL;
}
