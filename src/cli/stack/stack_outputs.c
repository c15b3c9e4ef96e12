/* stack_outputs.c — finds and prints the outputs of a stack. */
#include "cli/stack/stack_outputs.h"

#include "cli/screen/table.h"
#include "model/urn.h"
#include "model/value_json.h"

#include <stdio.h>

struct value stack_outputs_find(const struct snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        if (str_equal(resource->type, ROOT_STACK_TYPE) && !resource->parent.len
            && !resource->is_delete)
            return resource->outputs.kind == VALUE_OBJECT ? resource->outputs : VALUE_EMPTY_OBJECT;
    }
    return VALUE_EMPTY_OBJECT;
}

str stack_output_text(struct arena *arena, struct value value, bool shows_secrets)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    if (value.kind == VALUE_SECRET && shows_secrets)
        value = value.secret->element;
    if (value.kind == VALUE_STRING)
        return value_text(value);
    if (value.kind == VALUE_SECRET)
        return STR("[secret]");
    value_write(&writer, value, shows_secrets ? SECRET_BARE : SECRET_MASKED);
    return arena_copy(arena, strbuf_str(&text));
}

void stack_outputs_print(struct cli *cli, struct value outputs, bool shows_secrets)
{
    struct table table = { .columns = 2, .prefix = "    " };

    printf("Current stack outputs (%u):\n", outputs.len);
    if (!outputs.len) {
        puts("    No output values currently in this stack");
        return;
    }
    TABLE_ADD(&table, STR("OUTPUT"), STR("VALUE"));
    for (size_t i = 0; i < outputs.len; i++)
        TABLE_ADD(&table, outputs.members[i].key,
                  stack_output_text(cli->arena, outputs.members[i].value, shows_secrets));
    table_print(&table, cli->terminal.color);
    table_release(&table);
}
