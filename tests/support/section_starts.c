/* section_starts.c — which plugins were started, and when, as a section. */
#include "support/collect.h"
#include "support/json_value.h"
#include "support/section.h"

static bool is_log(struct value record)
{
    return str_equal(object_text(record, STR("rpc")), STR("Log"));
}

fallible section_starts(struct workdir *workdir, struct value *out)
{
    CLEANUP(values_release) struct values lines = { 0 };
    CLEANUP(values_release) struct values groups = { 0 };
    CLEANUP(values_release) struct values group = { 0 };
    struct arena *arena = workdir->arena;

    TRY(collect_lines(workdir, "run/trace.jsonl", &lines));
    for (size_t i = 0; i < lines.len; i++) {
        struct value name = object_get(lines.items[i], STR("start"));
        if (name.kind == VALUE_STRING)
            vec_add(&group, name);
        if (!is_log(lines.items[i]))
            continue;
        vec_add(&groups, collect_sorted(arena, values_array(arena, &group)));
        group.len = 0;
    }
    vec_add(&groups, collect_sorted(arena, values_array(arena, &group)));
    *out = values_array(arena, &groups);
    return NULL;
}
