/* import.c — `import`: brings existing resources under management without running a program. */
#include "engine/deploy/deployment_parts.h"
#include "engine/run/run_parts.h"
#include "model/urn.h"
#include "engine/run/import_providers.h"

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

/* Everything in the state stays, and is reported as same, but for what is to be deleted. That may
 * be the provider of something that stays, so it keeps its place, too. Scenario
 * import/import-beside-pending-delete. */
static fallible keep_existing(struct deployment *deployment, bool *is_good)
{
    *is_good = false;
    for (size_t i = 0; i < deployment->estate.base.len; i++) {
        struct resource *old = deployment->estate.base.items[i];
        if (old->is_delete) {
            TRY(recorder_keep(&deployment->recorder, old));
            continue;
        }
        struct resource *new = resource_clone_shallow(deployment->arena, old);
        new->base_index_plus_one = 0;
        if (!run_serial(deployment,
                        step_new(deployment->arena, &step_same, OP_SAME, old, new, NULL)))
            return NULL;
    }
    *is_good = true;
    return NULL;
}

static bool find_or_make_stack(struct deployment *deployment, str *urn)
{
    const struct engine_options *options = deployment->options;

    for (size_t i = 0; i < deployment->estate.base.len; i++) {
        const struct resource *resource = deployment->estate.base.items[i];
        if (str_equal(resource->type, ROOT_STACK_TYPE) && resource->parent.len == 0) {
            *urn = resource->urn;
            return true;
        }
    }
    struct resource *stack = ARENA_NEW(deployment->arena, struct resource);
    str name =
        arena_concat(deployment->arena, options->project->name, STR("-"), options->project->stack);
    stack->type = ROOT_STACK_TYPE;
    stack->urn = urn_make(deployment->arena, options->project->stack, options->project->name,
                          STR(""), ROOT_STACK_TYPE, name);
    stack->inputs = stack->outputs = VALUE_EMPTY_OBJECT;
    *urn = stack->urn;
    return run_serial(deployment,
                      step_new(deployment->arena, &step_create, OP_CREATE, NULL, stack, NULL));
}

/* --- resources --- */

/* What has this name is there under this very ID: nothing is left to do. */
static bool is_there(const struct deployment *deployment, str urn, str id)
{
    const struct resource *old = estate_old(&deployment->estate, urn);

    if (!old)
        return false;
    return str_equal(old->options.import_id.len ? old->options.import_id : old->id, id);
}

static struct value object_or_empty(struct value value)
{
    return value.kind == VALUE_OBJECT ? value : VALUE_EMPTY_OBJECT;
}

static struct step *import_step(struct deployment *deployment, const struct import_spec *import,
                                str urn, str parent, str provider)
{
    struct arena *arena = deployment->arena;
    struct resource *new = ARENA_NEW(arena, struct resource);
    char *seed = arena_alloc_raw(arena, SEED_SIZE);

    random_bytes(seed, SEED_SIZE);
    new->type = import->type;
    new->parent = parent;
    new->urn = urn;
    new->provider = provider;
    new->is_custom = !import->is_component;
    new->inputs = object_or_empty(import->inputs);
    new->outputs = object_or_empty(import->outputs);
    new->options.protect = import->protect;
    new->options.import_id = import->id;
    struct step *step = step_new(deployment->arena, &step_import, OP_IMPORT, NULL, new, NULL);
    step->is_from_command = true;
    step->seed = (str){ seed, SEED_SIZE };
    step->import_properties = import->properties;
    return step;
}

/* Secrets of a file may have been sealed by the stack's own key. */
static fallible import_unseal(struct deployment *deployment, const struct import_spec *import)
{
    const struct value values[] = { import->inputs, import->outputs, import->provider_inputs };

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        if (value_contains_sealed(values[i]))
            TRY(error_wrap(
                value_unseal(values[i], deployment->options->state.old_crypter, deployment->arena),
                "could not read what is supplied for '" STR_FMT "'", STR_ARG(import->name)));
    return NULL;
}

/* `out`: URN → struct step *, in the order given. */
static fallible plan_imports(struct deployment *deployment, str stack, struct map *out)
{
    CLEANUP(importer_release) struct importer importer = { .deployment = deployment };
    const struct engine_options *options = deployment->options;
    struct arena *arena = deployment->arena;

    for (size_t i = 0; i < options->imports.len; i++)
        TRY(import_unseal(deployment, &options->imports.items[i]));
    TRY(importer_find_providers(&importer));
    for (size_t i = 0; i < options->imports.len; i++) {
        const struct import_spec *import = &options->imports.items[i];
        str parent = import->parent.len ? import->parent : stack;
        str urn = urn_make(arena, options->project->stack, options->project->name, parent,
                           import->type, import->name);
        if (type_is_provider(import->type))
            continue; /* it was created already */
        if (map_has(out, urn))
            return error_new(ERROR_INVALID, "duplicate import '" STR_FMT "' of type '" STR_FMT "'",
                             STR_ARG(import->name), STR_ARG(import->type));
        if (is_there(deployment, urn, import->id))
            continue;
        const str *provider =
            map_find(&importer.references, import_provider_urn(&importer, import));
        map_put(out, urn,
                import_step(deployment, import, urn, parent, provider ? *provider : STR("")));
    }
    return NULL;
}

/* Parents before children; what has no parent among those that are left goes at once. */
static fallible run_imports(struct deployment *deployment, struct map *left)
{
    while (left->len > 0 && !deployment->course.has_stopped && !deployment->executor.has_failed) {
        struct chain *level = chain_new(deployment->arena);
        const struct map_entry *entry;
        str waiting = { 0 };
        for (size_t i = 0; map_next(left, &i, &entry);) {
            struct step *step = entry->value;
            if (map_has(left, step->new->parent))
                waiting = entry->key;
            else
                vec_add(level, step);
        }
        /* Types grow from parent to child, but for those below a stack. */
        if (level->len == 0)
            return error_new(ERROR_INVALID, "imported resource '" STR_FMT "' is its own ancestor",
                             STR_ARG(waiting));
        for (size_t i = 0; i < level->len; i++)
            map_remove(left, level->items[i]->new->urn);
        executor_run_parallel(&deployment->executor, level);
    }
    return NULL;
}

fallible import_resources(struct deployment *deployment)
{
    CLEANUP(map_release) struct map imports = { 0 };
    bool is_good;
    str stack;

    if (deployment->options->imports.len == 0)
        return NULL;
    deployment->executor.ignores_errors = true;
    TRY(keep_existing(deployment, &is_good));
    if (!is_good || !find_or_make_stack(deployment, &stack))
        return NULL;
    TRY(plan_imports(deployment, stack, &imports));
    struct error *failure = run_imports(deployment, &imports);
    executor_wait(&deployment->executor);
    return failure;
}
