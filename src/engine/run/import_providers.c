/* import_providers.c — finds and creates the providers of imported resources: default ones by the
 * stack's configuration, explicit ones by what the import says of them. */
#include "engine/run/import_providers.h"

#include "engine/deploy/deployment_parts.h"
#include "engine/step/resource_diff.h"
#include "model/urn.h"
#include "engine/monitor/monitor.h"
#include "engine/run/source.h"

static struct package_ref package_for(const struct importer *importer,
                                      const struct import_spec *import)
{
    struct package_ref package = import->package;

    *(package.is_parameterized ? &package.parameter_name : &package.name) =
        type_package(import->type);
    if (import->provider.len == 0 && !type_is_provider(import->type))
        provider_complete_package(&importer->defaults, &package);
    return package;
}

/* A provider that is imported itself is not a child of the stack. */
static str own_urn(const struct deployment *deployment, const struct import_spec *import)
{
    const struct engine_options *options = deployment->options;
    return urn_make(deployment->arena, options->project->stack, options->project->name,
                    import->parent, import->type, import->name);
}

str import_provider_urn(const struct importer *importer, const struct import_spec *import)
{
    const struct deployment *deployment = importer->deployment;
    const struct engine_options *options = deployment->options;
    struct arena *arena = deployment->arena;
    struct package_ref package = package_for(importer, import);

    if (type_is_provider(import->type))
        return own_urn(deployment, import);
    if (import->is_component && !import->is_remote)
        return STR("");
    if (import->provider.len)
        return import->provider;
    return urn_make(arena, options->project->stack, options->project->name, STR(""),
                    arena_concat(arena, STR("pulumi:providers:"), package_ref_name(&package)),
                    provider_default_name(arena, &package));
}

/* One that has to be created. */
struct missing {
    str urn;
    const struct import_spec *import; /* the first that needs it, or the provider itself */
    bool is_default;
};

struct wanted {
    VEC(struct missing);
    struct map urns;
};

static void release_wanted(struct wanted *wanted)
{
    vec_release(wanted);
    map_release(&wanted->urns);
}

static void importer_add_reference(struct importer *importer, const struct resource *provider)
{
    struct arena *arena = importer->deployment->arena;
    str *reference = ARENA_NEW(arena, str);

    *reference = provider_ref_format(arena, provider->urn, provider->id);
    map_put(&importer->references, provider->urn, reference);
}

static fallible want(struct importer *importer, const struct import_spec *import,
                     struct wanted *wanted)
{
    str urn = import_provider_urn(importer, import);
    const struct resource *old = estate_old(&importer->deployment->estate, urn);
    bool is_default = !type_is_provider(import->type) && import->provider.len == 0;

    if (urn.len == 0 || map_has(&wanted->urns, urn))
        return NULL;
    if (is_default && type_package(import->type).len == 0)
        return error_new(ERROR_INVALID, "incorrect package type specified: '" STR_FMT "'",
                         STR_ARG(import->type));
    if (old) {
        importer_add_reference(importer, old);
        return NULL;
    }
    if (!type_is_provider(urn_type_of(urn)))
        return error_new(ERROR_INVALID, "imported provider URN '" STR_FMT "' is not a provider",
                         STR_ARG(urn));
    map_put(&wanted->urns, urn, wanted);
    vec_add(wanted, ((struct missing){ urn, import, is_default }));
    return NULL;
}

/* Default ones first, each kind in the order of its URNs. */
static int compare_missing(const void *a_, const void *b_)
{
    const struct missing *a = a_, *b = b_;

    if (a->is_default != b->is_default)
        return a->is_default ? -1 : 1;
    return str_compare(a->urn, b->urn);
}

static struct value configuration(const struct importer *importer, const struct missing *missing)
{
    const struct deployment *deployment = importer->deployment;
    const struct import_spec *import = missing->import;
    struct package_ref package = package_for(importer, import);
    struct value inputs = type_is_provider(import->type) ? import->inputs : import->provider_inputs;

    if (missing->is_default)
        inputs = provider_package_config(deployment->arena, deployment->options,
                                         package_ref_name(&package));
    if (inputs.kind != VALUE_OBJECT)
        inputs = VALUE_EMPTY_OBJECT;
    provider_inputs_set_package(deployment->arena, &inputs, &package);
    return inputs;
}

static fallible plan_provider(struct importer *importer, const struct missing *missing,
                              struct step **out)
{
    struct deployment *deployment = importer->deployment;
    struct provider *provider = &deployment->registry.provider;
    struct resource *state = ARENA_NEW(deployment->arena, struct resource);
    struct check_answer answer = { 0 };

    state->urn = missing->urn;
    state->type = urn_type_of(missing->urn);
    state->is_custom = true;
    state->outputs = VALUE_EMPTY_OBJECT;
    state->inputs = configuration(importer, missing);
    if (type_is_provider(missing->import->type))
        state->parent = missing->import->parent;
    const struct check_request request = { .urn = state->urn,
                                           .olds = VALUE_EMPTY_OBJECT,
                                           .news = state->inputs,
                                           .allows_unknowns = true };
    TRY(error_wrap(provider->ops->check(provider, &request, deployment->arena, &answer),
                   "failed to validate provider config"));
    if (check_failures_report(&deployment->report, answer.failures, state->type, state->urn,
                              state->inputs, false))
        return error_reported("provider check failed");
    *out = step_new(deployment->arena, &step_create, OP_CREATE, NULL, state, NULL);
    return NULL;
}

static fallible make(struct importer *importer, struct wanted *wanted)
{
    struct deployment *deployment = importer->deployment;
    struct step **steps = ARENA_ARRAY(deployment->arena, struct step *, wanted->len + 1);
    struct chain *level = chain_new(deployment->arena);

    if (wanted->len)
        qsort(wanted->items, wanted->len, sizeof(*wanted->items), compare_missing);
    for (size_t i = 0; i < wanted->len; i++) {
        struct error *failure = plan_provider(importer, &wanted->items[i], &steps[i]);
        if (failure) {
            vec_release(level);
            return failure;
        }
        vec_add(level, steps[i]);
    }
    executor_run_parallel(&deployment->executor, level);
    if (deployment->executor.has_failed)
        return error_reported("a provider could not be made");
    for (size_t i = 0; i < wanted->len; i++)
        importer_add_reference(importer, steps[i]->new);
    return NULL;
}

fallible importer_find_providers(struct importer *importer)
{
    CLEANUP(release_wanted) struct wanted wanted = { 0 };
    struct deployment *deployment = importer->deployment;
    const struct engine_options *options = deployment->options;

    error_ignore(source_find_packages(deployment), "then the packages of the state count");
    TRY(provider_default_versions(&deployment->estate, deployment->program.packages,
                                  &importer->defaults));
    for (int is_second = 0; is_second < 2; is_second++) /* what says it of itself comes first */
        for (size_t i = 0; i < options->imports.len; i++)
            if (type_is_provider(options->imports.items[i].type) == !is_second)
                TRY(want(importer, &options->imports.items[i], &wanted));
    return make(importer, &wanted);
}

void importer_release(struct importer *importer)
{
    map_release(&importer->defaults);
    map_release(&importer->references);
}
