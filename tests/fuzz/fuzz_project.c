/* fuzz_project.c — a project file that is accepted has a name, and its defaults satisfy its own
 * types. */
#include "project/project.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct project project;
    struct config config = { 0 };

    struct error *error =
        project_parse(&arena, STR("/Pulumi.yaml"), (str){ (const char *)data, size }, &project);
    if (error) {
        error_free(error);
        return 0;
    }
    if (project.name.len == 0)
        abort();
    error = project_apply_config(&arena, &project, &config, NULL);
    if (!error)
        error = project_validate_config(&arena, &project, STR("dev"), &config, NULL);
    error_free(error);
    return 0;
}
