/* fuzz_template.c — an address of a template never shows its password and never looks like an
 * option of git; a YAML text that is filled in still reads, with the values in it. */
#include "template/template.h"

#include "base/fs.h"
#include "base/yaml.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_address(struct arena *arena, str text)
{
    struct template_address address;
    struct error *failure = template_address_parse(arena, text, &address);

    if (!failure && address.place != TEMPLATE_NAME) {
        if (str_starts_with(address.url, STR("-")) || address.url.len == 0)
            abort();
        if (address.place == TEMPLATE_GIT && fs_path_climbs(address.folder))
            abort();
    }
    error_free(failure);
}

static void fuzz_value(struct arena *arena, str description)
{
    const struct template_values values = { STR("p"), description };
    struct yaml_node *root;

    if (!str_is_utf8(description))
        return;
    str filled = template_fill(arena, STR("a.yaml"), STR("a: ${DESCRIPTION}\nb: 1\n"), &values);
    struct error *failure = yaml_read(arena, filled, &root);
    if (failure || !yaml_find(root, STR("a")) || !yaml_find(root, STR("b"))
        || !str_equal(yaml_find(root, STR("a"))->text, description))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct template_values values = { STR("p"), STR("d") };
    str text = { (const char *)data, size };

    fuzz_address(&arena, text);
    fuzz_value(&arena, text);
    str filled = template_fill(&arena, STR("a.txt"), text, &values);
    if (filled.len > text.len)
        abort();
    template_fill(&arena, STR("a.yaml"), text, &values);
    str name = template_project_name(&arena, text);
    if (name.len == 0 || name.len > 100)
        abort();
    return 0;
}
