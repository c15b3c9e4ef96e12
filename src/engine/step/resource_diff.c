/* resource_diff.c — how the inputs of a resource differ, and which of that forces a replacement. */
#include "engine/step/resource_diff.h"

#include "base/strbuf.h"
#include "engine/report/report.h"
#include "model/path_set.h"
#include "model/urn.h"
#include "model/value_describe.h"

#define INIT_ERROR_KEY STR("#initerror")

bool check_failures_report(const struct report *report, struct check_failures failures, str type,
                           str urn, struct value inputs, bool as_warning)
{
    enum severity severity = as_warning ? SEVERITY_WARNING : SEVERITY_ERROR;

    for (size_t i = 0; i < failures.len; i++) {
        const struct check_failure *failure = &failures.items[i];
        if (failure->property.len == 0) {
            report_diagnose(report, severity, urn,
                            STR_FMT " resource '" STR_FMT "' has a problem: " STR_FMT,
                            STR_ARG(type), STR_ARG(urn_name_of(urn)), STR_ARG(failure->reason));
            continue;
        }
        CLEANUP(strbuf_release) struct strbuf shown = { 0 };
        const struct value *value = value_find(inputs, failure->property);
        value_describe(&shown, value ? *value : value_null());
        report_diagnose(report, severity, urn,
                        STR_FMT " resource '" STR_FMT "': property " STR_FMT " value {" STR_FMT
                                "} has a problem: " STR_FMT,
                        STR_ARG(type), STR_ARG(urn_name_of(urn)), STR_ARG(failure->property),
                        STR_ARG(strbuf_str(&shown)), STR_ARG(failure->reason));
    }
    return failures.len > 0;
}

struct value diff_ignore_changes(const struct report *report, struct arena *arena, str urn,
                                 struct value inputs, struct value old_inputs, struct strs paths)
{
    CLEANUP(strbuf_release) struct strbuf missed = { 0 };
    CLEANUP(path_resets_release) struct path_resets resets = { .arena = arena };

    for (size_t i = 0; i < paths.len; i++) {
        struct path path;
        struct error *unparsable = path_parse(arena, paths.items[i], &path);
        if (unparsable) {
            error_ignore(unparsable, "such a path is for the provider alone");
            continue;
        }
        if (path_reset(&resets, path, old_inputs, &inputs))
            continue;
        strbuf_add(&missed, missed.len ? STR(", ") : STR(""));
        strbuf_add(&missed, paths.items[i]);
    }
    if (missed.len)
        report_diagnose(report, SEVERITY_INFO, urn,
                        "cannot ignore changes in added or removed elements of the path: \"" STR_FMT
                        "\"",
                        STR_ARG(strbuf_str(&missed)));
    return inputs;
}

static bool is_replace_kind(enum diff_kind kind)
{
    return kind == DIFF_ADD_REPLACE || kind == DIFF_DELETE_REPLACE || kind == DIFF_UPDATE_REPLACE;
}

/* Kinds of the detailed diff and replace keys say it independently: scenario diff/diff-answers. */
void diff_own(struct arena *arena, struct diff_answer *diff)
{
    struct property_diff *details = arena_copy_bytes(arena, diff->detailed_diff.items,
                                                     diff->detailed_diff.len * sizeof(*details));

    for (size_t i = 0; i < diff->detailed_diff.len; i++)
        details[i].path = arena_copy(arena, details[i].path);
    diff->detailed_diff.items = details;
    diff->replace_keys = strs_copy(arena, diff->replace_keys);
    diff->changed_keys = strs_copy(arena, diff->changed_keys);
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
    str *keys = ARENA_ARRAY(arena, str, diffs.len);

    for (size_t i = 0; i < diffs.len; i++) {
        struct path path;
        str key = diffs.items[i].path;
        struct error *unparsable = path_parse(arena, key, &path);
        if (!unparsable && path.len && !path.items[0].is_index)
            key = path.items[0].key;
        error_ignore(unparsable, "then the whole text is the key");
        keys[i] = key;
    }
    return strs_union(arena, (struct strs){ 0 }, (struct strs){ keys, diffs.len });
}

/* The provider has no opinion: old and new inputs are compared here, without ignored changes and
 * secret marks. Scenario diff/diff-unknown. */
static void diff_compare_inputs(const struct report *report, const struct diff_request *request,
                                struct arena *arena, struct diff_answer *out)
{
    struct value news = diff_ignore_changes(report, arena, request->urn, request->news,
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

fallible diff_resource(const struct report *report, struct provider *provider,
                       const struct diff_request *request, struct arena *arena,
                       struct diff_answer *out)
{
    TRY(provider->ops->diff(provider, request, arena, out));
    if (out->changes == CHANGES_UNKNOWN && !out->is_unavailable)
        diff_compare_inputs(report, request, arena, out);
    return NULL;
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

static fallible promote_details(struct arena *arena, struct diff_answer *diff,
                                const struct path_set *paths)
{
    struct property_diff *items =
        ARENA_ARRAY(arena, struct property_diff, diff->detailed_diff.len + 1);

    for (size_t i = 0; i < diff->detailed_diff.len; i++) {
        struct path path;
        items[i] = diff->detailed_diff.items[i];
        TRY(path_parse(arena, items[i].path, &path));
        if (path_set_find(paths, path) != SIZE_MAX)
            items[i].kind = to_replace(items[i].kind);
    }
    diff->detailed_diff.items = items; /* one place is left for an init error */
    return NULL;
}

static void promote_keys(struct arena *arena, struct diff_answer *diff,
                         const struct path_set *paths)
{
    CLEANUP(map_release) struct map seen = { 0 };
    str *keys = ARENA_ARRAY(arena, str, diff->replace_keys.len + diff->changed_keys.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < diff->replace_keys.len; i++) {
        keys[len++] = diff->replace_keys.items[i];
        map_put(&seen, diff->replace_keys.items[i], keys);
    }
    for (size_t i = 0; i < diff->changed_keys.len; i++) {
        struct path path;
        str key = diff->changed_keys.items[i];
        struct error *unparsable = path_parse(arena, key, &path);
        if (!unparsable && path_set_find(paths, path) != SIZE_MAX && !map_has(&seen, key)) {
            keys[len++] = key;
            map_put(&seen, key, keys);
        }
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

fallible diff_apply_replace_on_changes(struct arena *arena, struct diff_answer *diff,
                                       struct strs texts, bool has_init_errors)
{
    CLEANUP(path_set_release) struct path_set paths = { .arena = arena };
    struct path path;

    if (diff->changes != CHANGES_SOME && !has_init_errors)
        return NULL;
    for (size_t i = 0; i < texts.len; i++) {
        TRY(path_parse(arena, texts.items[i], &path));
        path_set_add(&paths, path);
    }
    if (diff->has_detailed_diff)
        TRY(promote_details(arena, diff, &paths));
    promote_keys(arena, diff, &paths);
    /* A replaceOnChanges of "*" or "#initerror" replaces a resource that was not initialised. */
    if (has_init_errors) {
        TRY(path_parse(arena, INIT_ERROR_KEY, &path));
        if (path_set_find(&paths, path) != SIZE_MAX)
            add_init_error(diff);
    }
    return NULL;
}
