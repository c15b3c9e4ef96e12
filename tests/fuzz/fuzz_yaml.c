/* fuzz_yaml.c — what the writer makes of a tree reads back as the same tree. */
#include "base/yaml.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct yaml_node *first, *second;

    struct error *error = yaml_read(&arena, (str){ (const char *)data, size }, &first);
    if (error) {
        error_free(error);
        return 0;
    }
    if (first->weight > 20000)
        return 0;
    str text = yaml_write(&arena, first);
    error = yaml_read(&arena, text, &second);
    if (error || !yaml_equal(first, second)) {
        fprintf(stderr, STR_FMT "\n--- was written as\n" STR_FMT, (int)size, (const char *)data,
                STR_ARG(text));
        abort();
    }
    return 0;
}
