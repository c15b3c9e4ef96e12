/* fuzz_stack_config.c — a value set in a stack's file reads back, and everything else in it stays
 * as it was. */
#include "project/project.h"

#include "project/config_value.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_config stack, again;
    struct config_key key = { STR("p1"), STR("added") };
    str text;

    struct error *error = stack_config_parse(&arena, STR("/Pulumi.dev.yaml"),
                                             (str){ (const char *)data, size }, STR("p1"), &stack);
    if (error) {
        error_free(error);
        return 0;
    }
    config_put(&arena, &stack.config, key, value_string(STR("a: text\nof lines")));
    error = stack_config_render(&arena, &stack, &text);
    if (error)
        abort();
    error = stack_config_parse(&arena, stack.path, text, STR("p1"), &again);
    if (error || again.config.len != stack.config.len
        || !str_equal(again.encryption_salt, stack.encryption_salt))
        abort();
    for (size_t i = 0; i < stack.config.len; i++)
        if (config_key_compare(stack.config.items[i].key, again.config.items[i].key) != 0
            || !config_equal(stack.config.items[i].value, again.config.items[i].value))
            abort();
    return 0;
}
