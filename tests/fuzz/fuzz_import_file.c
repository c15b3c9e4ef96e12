/* fuzz_import_file.c — what an import file yields has a type, a name, and URNs for parents and
 * providers. */
#include "cli/operate/import_file.h"
#include "model/urn.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_ref stack = { .project = STR("proj"), .name = STR("dev") };
    struct import_list list = { 0 };
    struct error *error =
        import_file_read(&arena, (str){ (const char *)data, size }, stack, true, &list);

    if (error) {
        error_free(error);
        return 0;
    }
    for (size_t i = 0; i < list.specs.len; i++) {
        const struct import_spec *spec = &list.specs.items[i];
        if (!spec->type.len || !spec->name.len || !spec->protect)
            abort();
        if (spec->provider.len && !type_is_provider(urn_type_of(spec->provider)))
            abort();
        if (!spec->is_component && !type_is_provider(spec->type) && !spec->id.len)
            abort();
    }
    return 0;
}
