/* section.c — which sections an operation asks for. */
#include "support/section.h"

#include "support/json_value.h"
#include "support/scenario_file.h"

bool operation_wants(const struct operation *operation, const char *section)
{
    return strs_has(operation->also, str_from(section))
           || strs_has(operation->sections, str_from(section));
}

static fallible collect(struct workdir *workdir, const struct operation *operation, str section,
                        str output, struct value *out)
{
    if (str_equal(section, STR("events")))
        return section_events(workdir, operation->is_unordered, out);
    if (str_equal(section, STR("plan")))
        return section_plan(workdir, out);
    if (str_equal(section, STR("json")))
        return section_json(workdir, output, out);
    return section_starts(workdir, out);
}

fallible section_collect_all(struct workdir *workdir, const struct operation *operation, str output,
                             struct value *result)
{
    static const char *const names[] = { "events", "plan", "json", "starts" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct value section;
        if (!operation_wants(operation, names[i]))
            continue;
        TRY(collect(workdir, operation, str_from(names[i]), output, &section));
        *result = value_with(workdir->arena, *result, str_from(names[i]), section);
    }
    return NULL;
}
