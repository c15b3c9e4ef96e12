/* section.c — which sections an operation asks for. */
#include "support/section.h"

#include "support/json_value.h"
#include "support/scenario_file.h"

bool operation_wants(const struct operation *operation, const char *section)
{
    return strs_has(operation->also, str_from(section))
           || strs_has(operation->sections, str_from(section));
}

fallible section_collect_all(struct workdir *workdir, const struct operation *operation, str output,
                             struct value *result)
{
    struct arena *arena = workdir->arena;
    struct value section;

    if (operation_wants(operation, "events")) {
        TRY(section_events(workdir, operation->is_unordered, &section));
        *result = value_with(arena, *result, STR("events"), section);
    }
    if (operation_wants(operation, "plan")) {
        TRY(section_plan(workdir, &section));
        *result = value_with(arena, *result, STR("plan"), section);
    }
    if (operation_wants(operation, "json")) {
        TRY(section_json(workdir, output, &section));
        *result = value_with(arena, *result, STR("json"), section);
    }
    return NULL;
}
