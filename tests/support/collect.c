/* collect.c — reads trace, event log, state and cloud after an operation. */
#include "support/collect.h"

#include "base/fs.h"
#include "support/json_value.h"
#include "support/mask.h"

#include <stdlib.h>

/* --- lists without an order --- */

struct keyed {
    str key;
    struct value value;
};

static int compare_keyed(const void *a, const void *b)
{
    return str_compare(((const struct keyed *)a)->key, ((const struct keyed *)b)->key);
}

static struct value sort_by_text(struct arena *arena, struct value list)
{
    CLEANUP(values_release) struct values sorted = { 0 };
    struct keyed *items = ARENA_ARRAY(arena, struct keyed, list.len + 1);

    for (size_t i = 0; i < list.len; i++)
        items[i] = (struct keyed){ json_value_text(arena, list.items[i], 1), list.items[i] };
    qsort(items, list.len, sizeof(*items), compare_keyed);
    for (size_t i = 0; i < list.len; i++)
        vec_add(&sorted, items[i].value);
    return values_array(arena, &sorted);
}

struct value collect_with_sorted_urns(struct arena *arena, struct value value)
{
    bool all_urns = true;

    if (value.kind == VALUE_OBJECT) {
        struct member *members = ARENA_ARRAY(arena, struct member, value.len + 1);
        for (size_t i = 0; i < value.len; i++)
            members[i] = (struct member){ value.members[i].key,
                                          collect_with_sorted_urns(arena, value.members[i].value) };
        return value_object(arena, members, value.len);
    }
    if (value.kind != VALUE_ARRAY)
        return value;
    struct value *items = ARENA_ARRAY(arena, struct value, value.len + 1);
    for (size_t i = 0; i < value.len; i++) {
        items[i] = collect_with_sorted_urns(arena, value.items[i]);
        all_urns = all_urns && items[i].kind == VALUE_STRING
                   && str_starts_with(value_text(items[i]), STR("urn:pulumi:"));
    }
    struct value list = value_array(arena, items, value.len);
    return all_urns ? value_from_strs(arena, strs_sorted(arena, value_as_strs(arena, list))) : list;
}

struct value collect_sorted(struct arena *arena, struct value list)
{
    return sort_by_text(arena, collect_with_sorted_urns(arena, list));
}

static struct value finished_list(struct arena *arena, const struct values *items,
                                  bool is_unordered)
{
    struct value list = values_array(arena, items);

    return is_unordered ? collect_sorted(arena, list) : list;
}

/* --- files of one JSON value a line --- */

fallible collect_lines(struct workdir *workdir, const char *name, struct values *out)
{
    struct arena *arena = workdir->arena;
    struct value value;
    str rest, line;
    struct error *failure = fs_read(arena, workdir_file(workdir, name), FS_ANY_SIZE, &rest);

    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "not every operation leaves one");
        return NULL;
    }
    TRY(failure);
    while (rest.len) {
        if (!str_cut(rest, STR("\n"), &line, &rest)) {
            line = rest;
            rest = STR("");
        }
        failure = json_value_parse(arena, mask_text(arena, line, workdir->path), &value);
        if (!failure && value.kind == VALUE_OBJECT)
            vec_add(out, value);
        error_ignore(failure, "a process that was killed may leave half a line");
    }
    return NULL;
}

/* --- the trace --- */

/* Calls that say how a plugin is set up rather than what is done with it. */
static bool is_plumbing(str rpc)
{
    return str_equal(rpc, STR("Handshake")) || str_equal(rpc, STR("GetSchema"))
           || str_equal(rpc, STR("Cancel"));
}

static fallible collect_trace(struct workdir *workdir, bool is_unordered, struct value *result)
{
    CLEANUP(values_release) struct values lines = { 0 };
    CLEANUP(values_release) struct values calls = { 0 };
    CLEANUP(values_release) struct values answers = { 0 };
    CLEANUP(values_release) struct values callbacks = { 0 };
    struct arena *arena = workdir->arena;

    TRY(collect_lines(workdir, "run/trace.jsonl", &lines));
    for (size_t i = 0; i < lines.len; i++) {
        str from = object_text(lines.items[i], STR("from"));
        struct value record = value_without(arena, lines.items[i], STR("from"));
        if (str_equal(from, STR("plugin")))
            continue; /* the section `starts` */
        if (!str_equal(from, STR("provider")))
            vec_add(str_equal(from, STR("callback")) ? &callbacks : &answers, record);
        else if (!is_plumbing(object_text(record, STR("rpc"))))
            vec_add(&calls, record);
    }
    *result = value_with(arena, *result, STR("calls"), finished_list(arena, &calls, is_unordered));
    *result =
        value_with(arena, *result, STR("answers"), finished_list(arena, &answers, is_unordered));
    *result = value_with(arena, *result, STR("callbacks"),
                         finished_list(arena, &callbacks, is_unordered));
    return NULL;
}

/* --- the event log --- */

struct event_sections {
    struct arena *arena;
    struct values steps;
    struct values errors;
    struct values policies;
    struct value summary;
};

static void event_sections_release(struct event_sections *sections)
{
    values_release(&sections->steps);
    values_release(&sections->errors);
    values_release(&sections->policies);
}

/* What was planned or done to one resource. */
static void add_step(struct event_sections *sections, str kind, struct value metadata)
{
    static const char *const keys[] = { "op",    "urn",     "type",     "keys",
                                        "diffs", "logical", "provider", "detailedDiff" };
    struct value step =
        value_with(sections->arena, VALUE_EMPTY_OBJECT, STR("event"), value_string(kind));

    if (metadata.kind != VALUE_OBJECT)
        return;
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        struct value value = object_get(metadata, str_from(keys[i]));
        if (value.kind != VALUE_NULL)
            step = value_with(sections->arena, step, str_from(keys[i]), value);
    }
    vec_add(&sections->steps, step);
}

static void add_event(struct event_sections *sections, str kind, struct value body)
{
    if (body.kind != VALUE_OBJECT)
        return;
    if (str_equal(kind, STR("resourcePreEvent")) || str_equal(kind, STR("resOutputsEvent"))
        || str_equal(kind, STR("resOpFailedEvent")))
        add_step(sections, kind, object_get(body, STR("metadata")));
    else if (str_equal(kind, STR("summaryEvent"))) {
        sections->summary = object_get(body, STR("resourceChanges"));
        if (object_get(body, STR("PolicyPacks")).len)
            vec_add(&sections->policies,
                    value_with(sections->arena, VALUE_EMPTY_OBJECT, STR("PolicyPacks"),
                               object_get(body, STR("PolicyPacks"))));
    } else if (str_starts_with(kind, STR("policy")))
        vec_add(&sections->policies, value_with(sections->arena, VALUE_EMPTY_OBJECT, kind, body));
    else if (str_equal(kind, STR("diagnosticEvent"))
             && str_equal(object_text(body, STR("severity")), STR("error")))
        vec_add(&sections->errors, object_get(body, STR("message")));
}

static fallible collect_events(struct workdir *workdir, bool is_unordered, struct value *result)
{
    CLEANUP(values_release) struct values lines = { 0 };
    CLEANUP(event_sections_release) struct event_sections sections = { .arena = workdir->arena };
    struct arena *arena = workdir->arena;

    TRY(collect_lines(workdir, "run/events.json", &lines));
    for (size_t i = 0; i < lines.len; i++)
        for (size_t j = 0; j < lines.items[i].len; j++)
            add_event(&sections, lines.items[i].members[j].key, lines.items[i].members[j].value);
    *result = value_with(arena, *result, STR("steps"),
                         finished_list(arena, &sections.steps, is_unordered));
    *result = value_with(arena, *result, STR("summary"), sections.summary);
    *result =
        value_with(arena, *result, STR("errors"),
                   sections.errors.len ? values_array(arena, &sections.errors) : value_null());
    if (sections.policies.len)
        *result = value_with(arena, *result, STR("policies"),
                             finished_list(arena, &sections.policies, is_unordered));
    return NULL;
}

/* --- state and cloud --- */

static fallible read_state(struct workdir *workdir, bool is_unordered, struct value *out)
{
    struct arena *arena = workdir->arena;
    struct value file;
    str text;

    TRY(error_wrap(workdir_export(workdir, &text), "export failed"));
    TRY(error_wrap(json_value_parse(arena, mask_text(arena, text, workdir->path), &file),
                   "export is not JSON"));
    struct value state = object_get(file, STR("deployment"));
    *out = state;
    if (state.kind != VALUE_OBJECT)
        return NULL;
    state = value_without(arena, state, STR("manifest"));
    state = value_without(arena, state, STR("secrets_providers"));
    struct value resources = object_get(state, STR("resources"));
    if (is_unordered && resources.kind == VALUE_ARRAY)
        state = value_with(arena, state, STR("resources"), collect_sorted(arena, resources));
    *out = state;
    return NULL;
}

static fallible collect_cloud(struct workdir *workdir, struct value *result)
{
    struct value file = value_null();
    struct error *failure =
        json_value_load(workdir->arena, workdir_file(workdir, "run/cloud.json"), &file);

    if (failure && error_kind(failure) != ERROR_NOT_FOUND)
        return failure;
    error_ignore(failure, "nothing was ever created");
    *result = value_with(workdir->arena, *result, STR("cloud"), object_get(file, STR("objects")));
    return NULL;
}

fallible collect_all(struct workdir *workdir, bool is_unordered, struct value *result)
{
    struct value state;

    TRY(collect_trace(workdir, is_unordered, result));
    TRY(collect_events(workdir, is_unordered, result));
    struct error *failure = read_state(workdir, is_unordered, &state);
    if (failure)
        state = value_string(arena_copy(workdir->arena, error_message(failure)));
    error_ignore(failure, "the section says it, and will not compare equal");
    *result = value_with(workdir->arena, *result, STR("state"), state);
    return collect_cloud(workdir, result);
}
