/* resource_own.c — copies what a state points to out of the request it came with. */
#include "model/resource_own.h"

static void own(struct arena *arena, str *text)
{
    if (text->len)
        *text = arena_copy(arena, *text);
    else
        *text = STR("");
}

struct strs strs_own(struct arena *arena, struct strs list)
{
    if (list.len == 0)
        return (struct strs){ 0 };
    str *items = ARENA_ARRAY(arena, str, list.len);
    for (size_t i = 0; i < list.len; i++)
        items[i] = arena_copy(arena, list.items[i]);
    return (struct strs){ items, list.len };
}

static struct property_dependencies own_dependencies(struct arena *arena,
                                                     struct property_dependencies list)
{
    struct property_dependency *items =
        ARENA_ARRAY(arena, struct property_dependency, list.len + 1);

    for (size_t i = 0; i < list.len; i++)
        items[i] = (struct property_dependency){ arena_copy(arena, list.items[i].key),
                                                 strs_own(arena, list.items[i].urns) };
    return (struct property_dependencies){ items, list.len };
}

static void own_options(struct arena *arena, struct resource_options *options)
{
    struct strs *lists[] = { &options->replace_with,
                             &options->ignore_changes,
                             &options->replace_on_changes,
                             &options->hide_diff,
                             &options->additional_secret_outputs,
                             &options->stack_trace };
    str *texts[] = { &options->deleted_with, &options->import_id, &options->extension_ref,
                     &options->snippet_id, &options->source_position };

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        *lists[i] = strs_own(arena, *lists[i]);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        own(arena, texts[i]);
    for (int kind = 0; kind < HOOK_KINDS; kind++)
        options->hooks[kind] = strs_own(arena, options->hooks[kind]);
    options->replacement_trigger = value_copy(arena, options->replacement_trigger);
}

void resource_own(struct arena *arena, struct resource *resource)
{
    str *texts[] = { &resource->type, &resource->id, &resource->parent, &resource->provider };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        own(arena, texts[i]);
    resource->dependencies = strs_own(arena, resource->dependencies);
    resource->property_dependencies = own_dependencies(arena, resource->property_dependencies);
    own_options(arena, &resource->options);
}
