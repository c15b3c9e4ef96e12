/* import.c — `import`: brings existing resources under management without running a program. */
#include "engine/deployment.h"
#include "engine/monitor/monitor.h"

#include "base/uuid.h"

enum { SEED_SIZE = 32 };

static bool run_serial(struct deployment *deployment, struct step *step)
{
    struct chain *chain = chain_new(deployment->arena);

    vec_add(chain, step);
    executor_submit(&deployment->executor, chain);
    latch_wait_uncancelable(&chain->finished);
    return !chain->is_failed;
}

/* Everything that is there stays, and is told as such. */
static bool keep_existing(struct deployment *deployment)
{
    for (size_t i = 0; i < deployment->base.len; i++) {
        struct resource *old = deployment->base.items[i];
        if (old->is_delete)
            continue;
        struct resource *new = resource_copy(deployment->arena, old);
        new->base_index_plus_one = 0;
        if (!run_serial(deployment,
                        step_new(&deployment->gen, &step_same, OP_SAME, old, new, NULL)))
            return false;
    }
    return true;
}

static bool find_or_make_stack(struct deployment *deployment, str *urn)
{
    const struct engine_options *options = deployment->options;

    for (size_t i = 0; i < deployment->base.len; i++) {
        const struct resource *resource = deployment->base.items[i];
        if (str_equal(resource->type, ROOT_STACK_TYPE) && resource->parent.len == 0) {
            *urn = resource->urn;
            return true;
        }
    }
    struct resource *stack = ARENA_NEW(deployment->arena, struct resource);
    str name = arena_concat(deployment->arena, options->project, STR("-"), options->stack.name);
    stack->type = ROOT_STACK_TYPE;
    stack->urn = urn_make(deployment->arena, options->stack.name, options->project, STR(""),
                          ROOT_STACK_TYPE, name);
    stack->inputs = stack->outputs = VALUE_EMPTY_OBJECT;
    *urn = stack->urn;
    return run_serial(deployment,
                      step_new(&deployment->gen, &step_create, OP_CREATE, NULL, stack, NULL));
}

/* --- providers --- */

static fallible make_provider(struct deployment *deployment, const struct provider_wish *wish,
                              str urn, str *reference)
{
    struct arena *arena = deployment->arena;
    struct resource *state = ARENA_NEW(arena, struct resource);
    struct check_answer answer = { 0 };

    state->urn = urn;
    state->type = urn_type_of(urn);
    state->is_custom = true;
    state->outputs = VALUE_EMPTY_OBJECT;
    state->inputs = provider_package_config(arena, deployment->options, wish->package);
    provider_inputs_set_wish(arena, &state->inputs, wish);
    const struct check_request request = {
        .urn = urn, .olds = VALUE_EMPTY_OBJECT, .news = state->inputs, .allows_unknowns = true
    };
    TRY(error_wrap(deployment->registry.provider.ops->check(&deployment->registry.provider,
                                                            &request, arena, &answer),
                   "failed to validate provider config"));
    if (check_failures_report(deployment, answer.failures, state->type, urn, state->inputs, false))
        return error_new(ERROR_REPORTED, "provider check failed");
    if (!run_serial(deployment,
                    step_new(&deployment->gen, &step_create, OP_CREATE, NULL, state, NULL)))
        return error_new(ERROR_REPORTED, "provider could not be made");
    *reference = provider_ref_format(arena, state->urn, state->id);
    return NULL;
}

/* The provider named, or the default one of the package, made if it is not there. */
static fallible find_provider(struct deployment *deployment, const struct import_spec *import,
                              str *reference)
{
    struct arena *arena = deployment->arena;
    const struct engine_options *options = deployment->options;
    struct provider_wish wish = {
        .package = type_package(import->type),
        .plugin = type_package(import->type),
        .version = import->version,
        .download_url = import->download_url,
    };
    str urn = import->provider;

    if (wish.package.len == 0)
        return error_new(ERROR_INVALID, "incorrect package type specified: '" STR_FMT "'",
                         STR_ARG(import->type));
    if (urn.len == 0)
        urn = urn_make(arena, options->stack.name, options->project, STR(""),
                       arena_concat(arena, STR("pulumi:providers:"), wish.package),
                       provider_default_name(arena, &wish));
    const struct resource *known = map_find(&deployment->news, urn);
    if (!known)
        known = map_find(&deployment->olds, urn);
    if (known) {
        *reference = provider_ref_format(arena, known->urn, known->id);
        return NULL;
    }
    if (import->provider.len)
        return error_new(ERROR_INVALID, "unknown provider '" STR_FMT "' for resource '" STR_FMT "'",
                         STR_ARG(import->provider), STR_ARG(import->name));
    return make_provider(deployment, &wish, urn, reference);
}

/* --- resources --- */

static fallible plan_import(struct deployment *deployment, const struct import_spec *import,
                            str stack, struct step **out)
{
    struct arena *arena = deployment->arena;
    const struct engine_options *options = deployment->options;
    struct resource *new = ARENA_NEW(arena, struct resource);
    char *seed = arena_alloc_raw(arena, SEED_SIZE);

    random_bytes(seed, SEED_SIZE);
    new->type = import->type;
    new->parent = import->parent.len ? import->parent : stack;
    new->urn = urn_make(arena, options->stack.name, options->project, new->parent, import->type,
                        import->name);
    new->is_custom = !import->is_component;
    new->inputs = new->outputs = VALUE_EMPTY_OBJECT;
    new->options.protect = import->protect;
    new->options.import_id = import->id;
    if (!import->is_component || import->is_remote)
        TRY(find_provider(deployment, import, &new->provider));
    if (import->is_component && !import->is_remote)
        new->provider = STR("");
    struct step *step = step_new(&deployment->gen, &step_import, OP_IMPORT, NULL, new, NULL);
    step->is_planned = true;
    step->seed = (str){ seed, SEED_SIZE };
    step->import_properties = import->properties;
    *out = step;
    return NULL;
}

/* Parents before children; what has no parent among the imports goes at once. */
static bool is_ready(const struct step *step, struct step *const *steps, size_t count,
                     const bool *is_done)
{
    for (size_t i = 0; i < count; i++)
        if (!is_done[i] && steps[i] != step && str_equal(steps[i]->new->urn, step->new->parent))
            return false;
    return true;
}

static void run_imports(struct deployment *deployment, struct step **steps, size_t count)
{
    bool *is_done = ARENA_ARRAY(deployment->arena, bool, count + 1);
    size_t left = count;

    while (left > 0 && !deployment->has_stopped) {
        struct chain *level = chain_new(deployment->arena);
        for (size_t i = 0; i < count; i++)
            if (!is_done[i] && is_ready(steps[i], steps, count, is_done))
                vec_add(level, steps[i]);
        if (level->len == 0)
            return; /* a circle of parents: the steps left fail when their parent is looked up */
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < level->len; j++)
                is_done[i] = is_done[i] || steps[i] == level->items[j];
        left -= level->len;
        executor_run_parallel(&deployment->executor, level);
    }
}

struct error *import_resources(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;
    struct step **steps = ARENA_ARRAY(deployment->arena, struct step *, options->import_count + 1);
    str stack;

    deployment->executor.ignores_errors = true;
    if (!keep_existing(deployment) || !find_or_make_stack(deployment, &stack))
        return NULL;
    for (size_t i = 0; i < options->import_count; i++)
        TRY(plan_import(deployment, &options->imports[i], stack, &steps[i]));
    run_imports(deployment, steps, options->import_count);
    executor_wait(&deployment->executor);
    return NULL;
}
