/* fuzz_yaml_update.c — after keys were set, changed and removed, the updated text reads as wanted:
 * the new values are there and all others unchanged. */
#include "base/yaml.h"

#include <stdlib.h>

/* Reads the updated text and compares. */
static void check(struct arena *arena, str text, const struct yaml_node *old,
                  const struct yaml_node *wanted)
{
    struct yaml_node *result;
    struct error *error = yaml_read(arena, yaml_update(arena, text, old, wanted), &result);

    if (error || !yaml_equal(result, wanted))
        abort();
}

/* Removes, changes and adds at the top; where something is a mapping or a sequence, also one level
 * down. */
static void change(struct arena *arena, struct yaml_node *node, int depth)
{
    for (size_t i = 0; i < node->len && depth < 3; i++) {
        struct yaml_node **slot =
            node->kind == YAML_MAPPING ? &node->pairs[i].value : &node->items[i];
        if ((*slot)->kind == YAML_SCALAR) {
            if (i % 3 == 1)
                *slot = yaml_new_string(arena, i % 2 ? STR("some: text\nmore") : STR("plain"));
            continue;
        }
        *slot = yaml_copy_shallow(arena, *slot);
        change(arena, *slot, depth + 1);
    }
    struct yaml_node *added = yaml_new_mapping(arena);
    yaml_put(arena, added, STR("inner"), yaml_new_plain(arena, STR("7")));
    if (node->kind == YAML_MAPPING) {
        if (node->len > 1)
            yaml_drop(node, node->pairs[node->len / 2].key->text);
        yaml_put(arena, node, STR("added by us"), added);
    } else if (node->kind == YAML_SEQUENCE) {
        yaml_add(arena, node, added);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = { (const char *)data, size };
    struct yaml_node *old;

    struct error *error = yaml_read(&arena, text, &old);
    if (error) {
        error_free(error);
        return 0;
    }
    if (old->weight > 20000 || old->kind == YAML_SCALAR)
        return 0;
    struct yaml_node *one = yaml_copy_shallow(&arena, old), *many = yaml_copy_shallow(&arena, old);
    if (one->kind == YAML_MAPPING)
        yaml_put(&arena, one, STR("config"), yaml_new_string(&arena, STR("value")));
    check(&arena, text, old, one);
    change(&arena, many, 0);
    check(&arena, text, old, many);
    return 0;
}
