/* stack_json.c — a stack as a JSON document: its backend, its manifest, resources and outputs. */
#include "cli/stack/stack_json.h"

#include "backend/history.h"
#include "cli/screen/json_print.h"
#include "cli/open.h"
#include "model/urn.h"
#include "model/value_json.h"

static void stack_json_add_member(struct json_writer *writer, str key, str text)
{
    json_key(writer, key);
    json_string(writer, text);
}

static void add_optional(struct json_writer *writer, str key, str text)
{
    if (text.len)
        stack_json_add_member(writer, key, text);
}

static void add_tags(struct json_writer *writer, const struct tags *tags)
{
    json_key(writer, STR("tags"));
    json_begin_object(writer);
    for (size_t i = 0; i < tags->len; i++)
        stack_json_add_member(writer, tags->items[i].key, tags->items[i].value);
    json_end_object(writer);
}

static void add_manifest(struct json_writer *writer, const struct snapshot *snapshot)
{
    json_key(writer, STR("manifest"));
    json_begin_object(writer);
    stack_json_add_member(writer, STR("time"), snapshot->time);
    stack_json_add_member(writer, STR("pulumiVersion"), snapshot->version);
    json_end_object(writer);
}

static void add_resources(struct json_writer *writer, const struct snapshot *snapshot)
{
    json_key(writer, STR("resources"));
    json_begin_array(writer);
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        json_begin_object(writer);
        stack_json_add_member(writer, STR("urn"), resource->urn);
        stack_json_add_member(writer, STR("type"), resource->type);
        stack_json_add_member(writer, STR("name"), urn_name_of(resource->urn));
        add_optional(writer, STR("id"), resource->id);
        add_optional(writer, STR("parent"), resource->parent);
        json_end_object(writer);
    }
    json_end_array(writer);
}

fallible stack_json_print(struct cli *cli, const struct snapshot *snapshot, bool has_deployment,
                          struct value outputs, bool shows_secrets)
{
    struct json_print print;
    struct tags tags = { 0 };

    TRY(backend_tags(cli->backend, cli->stack, cli->arena, &tags));
    struct json_writer *writer = json_print_begin(&print, 2);
    json_begin_object(writer);
    add_optional(writer, STR("project"), cli->stack.project);
    stack_json_add_member(writer, STR("stack"), cli->stack.name);
    stack_json_add_member(writer, STR("backend"), cli_backend_name(cli));
    add_tags(writer, &tags);
    if (has_deployment)
        add_manifest(writer, snapshot);
    add_resources(writer, snapshot);
    json_key(writer, STR("outputs"));
    value_write(writer, outputs, shows_secrets ? SECRET_BARE : SECRET_MASKED);
    json_end_object(writer);
    json_print_end(&print);
    return NULL;
}
