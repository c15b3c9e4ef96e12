/* stepgen_diff.c — is the resource changed, and must it be replaced? The rules in their order; the
 * provider is asked last. */
#include "engine/deployment.h"

#include "model/path.h"

#define INIT_ERROR_KEY STR("#initerror")

static struct diff_answer replace_for(struct arena *arena, str key)
{
    str *keys = arena_copy_bytes(arena, &key, sizeof(key));
    return (struct diff_answer){ .changes = CHANGES_SOME, .replace_keys = { keys, 1 } };
}

static bool is_replace_kind(enum diff_kind kind)
{
    return kind == DIFF_ADD_REPLACE || kind == DIFF_DELETE_REPLACE || kind == DIFF_UPDATE_REPLACE;
}

bool diff_is_replace(const struct diff_answer *diff)
{
    for (size_t i = 0; i < diff->detailed_diff.len; i++)
        if (is_replace_kind(diff->detailed_diff.items[i].kind))
            return true;
    return diff->replace_keys.len > 0;
}

/* The first element of each path, once. */
static struct strs top_keys(struct arena *arena, struct property_diffs diffs)
{
    str *keys = ARENA_ARRAY(arena, str, diffs.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < diffs.len; i++) {
        struct path path;
        str key = diffs.items[i].path;
        struct error *unparsable = path_parse(arena, key, &path);
        if (!unparsable && path.len && !path.items[0].is_index)
            key = path.items[0].key;
        error_ignore(unparsable, "then the whole text is the key");
        if (!strs_has((struct strs){ keys, len }, key))
            keys[len++] = key;
    }
    return (struct strs){ keys, len };
}

/* The provider does not know: old and new inputs are compared here, and that comparison is what
 * counts. */
static void compare_inputs(struct deployment *deployment, const struct diff_request *request,
                           struct arena *arena, struct diff_answer *out)
{
    struct value news = stepgen_ignore_changes(&deployment->gen, arena, request->urn, request->news,
                                               request->old_inputs, request->ignore_changes);
    struct property_diffs diffs =
        value_diff(arena, value_without_secrets(arena, request->old_inputs),
                   value_without_secrets(arena, news));

    out->changes = diffs.len ? CHANGES_SOME : CHANGES_NONE;
    if (diffs.len == 0)
        return;
    out->changed_keys = top_keys(arena, diffs);
    out->has_detailed_diff = true;
    out->detailed_diff = diffs;
}

struct error *diff_resource(struct deployment *deployment, struct provider *provider,
                            const struct diff_request *request, struct arena *arena,
                            struct diff_answer *out)
{
    TRY(provider->ops->diff(provider, request, arena, out));
    if (out->changes == CHANGES_UNKNOWN && !out->is_unavailable)
        compare_inputs(deployment, request, arena, out);
    return NULL;
}

struct paths {
    struct path *items;
    size_t len;
};

static bool any_contains(struct paths paths, struct path other)
{
    for (size_t i = 0; i < paths.len; i++)
        if (path_contains(paths.items[i], other))
            return true;
    return false;
}

static enum diff_kind to_replace(enum diff_kind kind)
{
    switch (kind) {
    case DIFF_ADD: return DIFF_ADD_REPLACE;
    case DIFF_DELETE: return DIFF_DELETE_REPLACE;
    case DIFF_UPDATE: return DIFF_UPDATE_REPLACE;
    case DIFF_ADD_REPLACE:
    case DIFF_DELETE_REPLACE:
    case DIFF_UPDATE_REPLACE: break;
    }
    return kind;
}

static fallible promote_details(struct arena *arena, struct diff_answer *diff, struct paths paths)
{
    struct property_diff *items =
        ARENA_ARRAY(arena, struct property_diff, diff->detailed_diff.len + 1);

    for (size_t i = 0; i < diff->detailed_diff.len; i++) {
        struct path path;
        items[i] = diff->detailed_diff.items[i];
        TRY(path_parse(arena, items[i].path, &path));
        if (any_contains(paths, path))
            items[i].kind = to_replace(items[i].kind);
    }
    diff->detailed_diff.items = items; /* one place is left for an init error */
    return NULL;
}

static void promote_keys(struct arena *arena, struct diff_answer *diff, struct paths paths)
{
    str *keys = ARENA_ARRAY(arena, str, diff->replace_keys.len + diff->changed_keys.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < diff->replace_keys.len; i++)
        keys[len++] = diff->replace_keys.items[i];
    for (size_t i = 0; i < diff->changed_keys.len; i++) {
        struct path path;
        struct error *unparsable = path_parse(arena, diff->changed_keys.items[i], &path);
        if (!unparsable && any_contains(paths, path)
            && !strs_has((struct strs){ keys, len }, diff->changed_keys.items[i]))
            keys[len++] = diff->changed_keys.items[i];
        error_ignore(unparsable, "no listed path can contain it");
    }
    diff->replace_keys = (struct strs){ keys, len };
}

static void add_init_error(struct diff_answer *diff)
{
    ((str *)(uintptr_t)diff->replace_keys.items)[diff->replace_keys.len++] = INIT_ERROR_KEY;
    if (diff->has_detailed_diff)
        ((struct property_diff *)(uintptr_t)diff->detailed_diff.items)[diff->detailed_diff.len++] =
            (struct property_diff){ INIT_ERROR_KEY, DIFF_UPDATE_REPLACE, false };
    diff->changes = CHANGES_SOME;
}

struct error *diff_apply_replace_on_changes(struct arena *arena, struct diff_answer *diff,
                                            struct strs texts, bool has_init_errors)
{
    struct paths paths = { ARENA_ARRAY(arena, struct path, texts.len + 1), texts.len };
    struct path init_error;

    if (diff->changes != CHANGES_SOME && !has_init_errors)
        return NULL;
    for (size_t i = 0; i < texts.len; i++)
        TRY(path_parse(arena, texts.items[i], &paths.items[i]));
    if (diff->has_detailed_diff)
        TRY(promote_details(arena, diff, paths));
    promote_keys(arena, diff, paths);
    if (has_init_errors) {
        TRY(path_parse(arena, INIT_ERROR_KEY, &init_error));
        if (any_contains(paths, init_error))
            add_init_error(diff);
    }
    return NULL;
}

/* A resource that moves to another provider is replaced if the new provider says that the change of
 * configuration asks for it. */
static fallible provider_changed(struct stepgen *gen, struct registration *reg, bool *out)
{
    struct deployment *deployment = gen->deployment;
    str old_urn, old_id, new_urn, new_id;

    *out = false;
    if (str_equal(reg->old->provider, reg->new->provider))
        return NULL;
    *out = true;
    if (reg->old->provider.len == 0 || reg->new->provider.len == 0)
        return NULL;
    TRY(provider_ref_parse(reg->old->provider, &old_urn, &old_id));
    TRY(provider_ref_parse(reg->new->provider, &new_urn, &new_id));
    const str *current = map_find(&gen->aliased, old_urn);
    *out = false;
    if (current && str_equal(*current, new_urn))
        return NULL;

    struct provider *provider = registry_find(&deployment->registry, reg->new->provider);
    const struct resource *old = map_find(&deployment->olds, old_urn);
    const struct resource *new = map_find(&gen->providers, new_urn);
    if (!provider || !old || !new)
        return error_new(ERROR_OTHER, "failed to resolve provider reference: \"" STR_FMT "\"",
                         STR_ARG(reg->old->provider));
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

static bool trigger_changed(struct arena *arena, struct value old, struct value new)
{
    if (value_contains_unknown(old) || value_contains_unknown(new))
        return true;
    old = value_without_secrets(arena, old);
    new = value_without_secrets(arena, new);
    return old.kind != VALUE_NULL && new.kind != VALUE_NULL && !value_equal(old, new);
}

/* A resource it goes with is being replaced in this run. */
static bool goes_with_replaced(const struct stepgen *gen, struct registration *reg)
{
    const struct resource_options *options = &reg->new->options;

    for (size_t i = 0; i < options->replace_with.len; i++) {
        if (map_has(&gen->replaces, options->replace_with.items[i])) {
            reg->diff = replace_for(reg->arena, STR("replaceWith"));
            return true;
        }
    }
    if (options->deleted_with.len && map_has(&gen->replaces, options->deleted_with)) {
        reg->diff = replace_for(reg->arena, STR("deletedWith"));
        return true;
    }
    return false;
}

static fallible ask_provider(struct stepgen *gen, struct registration *reg, bool *is_deferred)
{
    const struct engine_options *options = gen->deployment->options;
    bool is_equal =
        (options->legacy_diff || !reg->provider) && value_equal(reg->old_inputs, reg->inputs);

    if (is_equal || !reg->provider) {
        reg->diff.changes = is_equal ? CHANGES_NONE : CHANGES_SOME;
        return NULL;
    }
    if (options->parallel_diff) {
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
    return diff_resource(gen->deployment, reg->provider, &request, reg->arena, &reg->diff);
}

struct error *stepgen_diff(struct stepgen *gen, struct registration *reg, bool *is_deferred)
{
    const struct value new_trigger = reg->new->options.replacement_trigger;
    bool has_moved = false;

    *is_deferred = false;
    if (!gen->deployment->options->preview && value_contains_unknown(new_trigger)) {
        deployment_diagnose(gen->deployment, SEVERITY_ERROR, reg->urn,
                            "replacement trigger contains unknowns for " STR_FMT,
                            STR_ARG(reg->urn));
        gen->has_failed = true;
        return error_reported("replacement trigger contains unknowns");
    }
    if (trigger_changed(reg->arena, reg->old->options.replacement_trigger, new_trigger)) {
        reg->triggers_replace = true;
        reg->diff.changes = CHANGES_SOME;
        return NULL;
    }
    if (stepgen_is_targeted_replace(gen, reg->urn, reg->old)) {
        reg->diff = replace_for(reg->arena, STR("id"));
        return NULL;
    }
    if (goes_with_replaced(gen, reg))
        return NULL;
    TRY(provider_changed(gen, reg, &has_moved));
    if (has_moved) {
        reg->diff = replace_for(reg->arena, STR("provider"));
        return NULL;
    }
    return ask_provider(gen, reg, is_deferred);
}
