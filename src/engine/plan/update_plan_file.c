/* update_plan_file.c — update plans as JSON. */
#include "engine/plan/update_plan.h"

#include "base/base64.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/version.h"
#include "engine/plan/stepgen.h"

#include "base/clock.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "model/urn.h"
#include "model/value_json.h"

/* --- writing --- */

static void plan_write_text(struct json_writer *writer, str key, str text)
{
    if (text.len == 0)
        return;
    json_key(writer, key);
    json_string(writer, text);
}

static void plan_write_list(struct json_writer *writer, str key, struct strs list)
{
    if (list.len == 0)
        return;
    json_key(writer, key);
    json_begin_array(writer);
    for (size_t i = 0; i < list.len; i++)
        json_string(writer, list.items[i]);
    json_end_array(writer);
}

static void plan_write_changes(struct json_writer *writer, str key,
                               const struct property_changes *changes)
{
    json_key(writer, key);
    json_begin_object(writer);
    if (changes->adds.len) {
        json_key(writer, STR("adds"));
        value_write(writer, changes->adds, SECRET_CIPHERTEXT);
    }
    plan_write_list(writer, STR("deletes"), changes->deletes);
    if (changes->updates.len) {
        json_key(writer, STR("updates"));
        value_write(writer, changes->updates, SECRET_CIPHERTEXT);
    }
    json_end_object(writer);
}

static void plan_write_timeouts(struct json_writer *writer, const struct timeouts *timeouts)
{
    const struct {
        str key;
        double seconds;
    } all[] = {
        { STR_INIT("create"), timeouts->create },
        { STR_INIT("update"), timeouts->update },
        { STR_INIT("delete"), timeouts->delete },
        { STR_INIT("read"), timeouts->read },
    };

    json_key(writer, STR("customTimeouts"));
    json_begin_object(writer);
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (all[i].seconds == 0)
            continue;
        json_key(writer, all[i].key);
        json_number(writer, all[i].seconds);
    }
    json_end_object(writer);
}

static void write_property_dependencies(struct json_writer *writer,
                                        struct property_dependencies list)
{
    if (list.len == 0)
        return;
    json_key(writer, STR("propertyDependencies"));
    json_begin_object(writer);
    for (size_t i = 0; i < list.len; i++) {
        json_key(writer, list.items[i].key);
        json_begin_array(writer);
        for (size_t j = 0; j < list.items[i].urns.len; j++)
            json_string(writer, list.items[i].urns.items[j]);
        json_end_array(writer);
    }
    json_end_object(writer);
}

static void write_aliases(struct json_writer *writer, const struct goal *goal)
{
    if (goal->alias_count == 0)
        return;
    json_key(writer, STR("structuredAliases"));
    json_begin_array(writer);
    for (size_t i = 0; i < goal->alias_count; i++) {
        const struct alias *alias = &goal->aliases[i];
        const struct {
            str key, text;
        } members[] = {
            { STR("URN"), alias->urn },         { STR("Name"), alias->name },
            { STR("Type"), alias->type },       { STR("Stack"), alias->stack },
            { STR("Project"), alias->project }, { STR("Parent"), alias->parent },
        };
        json_begin_object(writer);
        for (size_t j = 0; j < sizeof(members) / sizeof(members[0]); j++) {
            json_key(writer, members[j].key);
            json_string(writer, members[j].text);
        }
        json_key(writer, STR("NoParent"));
        json_bool(writer, alias->has_no_parent);
        json_end_object(writer);
    }
    json_end_array(writer);
}

static void write_goal(struct json_writer *writer, const struct resource_plan *plan)
{
    const struct goal *goal = &plan->goal;

    json_key(writer, STR("goal"));
    json_begin_object(writer);
    json_key(writer, STR("type"));
    json_string(writer, goal->type);
    json_key(writer, STR("name"));
    json_string(writer, goal->name);
    json_key(writer, STR("custom"));
    json_bool(writer, goal->is_custom);
    plan_write_changes(writer, STR("inputDiff"), &plan->inputs);
    plan_write_changes(writer, STR("outputDiff"), &plan->outputs_diff);
    plan_write_text(writer, STR("parent"), goal->parent);
    json_key(writer, STR("protect"));
    json_bool(writer, goal->options.protect);
    plan_write_list(writer, STR("dependencies"), goal->dependencies);
    plan_write_text(writer, STR("provider"), goal->provider);
    write_property_dependencies(writer, goal->property_dependencies);
    if (goal->has_delete_before_replace) {
        json_key(writer, STR("deleteBeforeReplace"));
        json_bool(writer, goal->deletes_before_replace);
    }
    plan_write_list(writer, STR("ignoreChanges"), goal->options.ignore_changes);
    plan_write_list(writer, STR("additionalSecretOutputs"),
                    goal->options.additional_secret_outputs);
    write_aliases(writer, goal);
    plan_write_text(writer, STR("id"), goal->options.import_id);
    plan_write_timeouts(writer, &goal->options.custom_timeouts);
    json_end_object(writer);
}

static void write_plan(struct json_writer *writer, const struct resource_plan *plan)
{
    json_begin_object(writer);
    if (plan->has_goal)
        write_goal(writer, plan);
    if (plan->ops.len) {
        json_key(writer, STR("steps"));
        json_begin_array(writer);
        for (size_t i = 0; i < plan->ops.len; i++)
            json_string(writer, str_from(step_op_names[plan->ops.items[i]]));
        json_end_array(writer);
    }
    json_key(writer, STR("state"));
    if (plan->has_outputs)
        value_write(writer, plan->outputs, SECRET_CIPHERTEXT);
    else
        json_null(writer);
    if (plan->seed.len) {
        CLEANUP(strbuf_release) struct strbuf seed = { 0 };
        base64_encode(&seed, plan->seed);
        json_key(writer, STR("seed"));
        json_string(writer, strbuf_str(&seed));
    }
    json_end_object(writer);
}

static void plan_write_manifest(struct json_writer *writer, struct arena *arena)
{
    json_key(writer, STR("manifest"));
    json_begin_object(writer);
    json_key(writer, STR("time"));
    json_string(writer, clock_format_local(arena, clock_now()));
    json_key(writer, STR("magic"));
    json_string(writer, hash_sha256_hex(arena, STR(PULUMI_VERSION)));
    json_key(writer, STR("version"));
    json_string(writer, STR(PULUMI_VERSION));
    json_end_object(writer);
}

static fallible plan_seal(const struct update_plan *plan, struct crypter *crypter)
{
    const struct map_entry *entry;

    for (size_t cursor = 0; map_next(&plan->resources, &cursor, &entry);) {
        const struct resource_plan *resource = entry->value;
        const struct value values[] = { resource->inputs.adds, resource->inputs.updates,
                                        resource->outputs_diff.adds, resource->outputs_diff.updates,
                                        resource->outputs };
        for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
            TRY(value_seal(values[i], crypter, plan->arena));
    }
    return NULL;
}

fallible update_plan_write(struct update_plan *plan, str config, struct crypter *crypter,
                           struct arena *arena, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .indent = 4 };
    str *urns = ARENA_ARRAY(arena, str, plan->resources.len + 1);
    const struct map_entry *entry;
    size_t count = 0;

    TRY(plan_seal(plan, crypter));
    for (size_t cursor = 0; map_next(&plan->resources, &cursor, &entry);)
        urns[count++] = entry->key;
    struct strs sorted = strs_sorted(arena, (struct strs){ urns, count });
    json_begin_object(&writer);
    plan_write_manifest(&writer, arena);
    if (config.len) {
        json_key(&writer, STR("config"));
        json_raw(&writer, config);
    }
    if (count) {
        json_key(&writer, STR("resourcePlans"));
        json_begin_object(&writer);
        for (size_t i = 0; i < sorted.len; i++) {
            json_key(&writer, sorted.items[i]);
            write_plan(&writer, map_find(&plan->resources, sorted.items[i]));
        }
        json_end_object(&writer);
    }
    json_end_object(&writer);
    TRY(json_writer_finish(&writer));
    strbuf_add_char(&text, '\n');
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}

/* --- reading: the file as one value, then its parts --- */

static struct strs plan_read_list(struct arena *arena, struct value object, str key)
{
    const struct value *list = value_find(object, key);
    size_t len = list && list->kind == VALUE_ARRAY ? list->len : 0;
    str *items = ARENA_ARRAY(arena, str, len + 1);

    for (size_t i = 0; i < len; i++)
        items[i] = list->items[i].kind == VALUE_STRING ? value_text(list->items[i]) : STR("");
    return (struct strs){ items, len };
}

static struct value plan_read_object(struct value object, str key)
{
    const struct value *found = object.kind == VALUE_OBJECT ? value_find(object, key) : NULL;
    return found && found->kind == VALUE_OBJECT ? *found : VALUE_EMPTY_OBJECT;
}

static bool plan_read_bool(struct value object, str key, bool *is_given)
{
    const struct value *found = value_find(object, key);

    if (is_given)
        *is_given = found && found->kind == VALUE_BOOL;
    return found && found->kind == VALUE_BOOL && found->boolean;
}

static double plan_read_number(struct value object, str key)
{
    const struct value *found = value_find(object, key);
    return found && found->kind == VALUE_NUMBER ? found->number : 0;
}

static struct property_changes plan_read_changes(struct arena *arena, struct value object, str key)
{
    struct value changes = plan_read_object(object, key);
    return (struct property_changes){
        plan_read_object(changes, STR("adds")),
        plan_read_object(changes, STR("updates")),
        plan_read_list(arena, changes, STR("deletes")),
    };
}

static void plan_read_aliases(struct arena *arena, struct value object, struct goal *goal)
{
    const struct value *list = value_find(object, STR("structuredAliases"));
    size_t len = list && list->kind == VALUE_ARRAY ? list->len : 0;
    struct alias *aliases = ARENA_ARRAY(arena, struct alias, len + 1);

    for (size_t i = 0; i < len; i++) {
        struct value alias = list->items[i];
        if (alias.kind == VALUE_OBJECT)
            aliases[goal->alias_count++] = (struct alias){
                .urn = value_find_text(alias, STR("URN")),
                .name = value_find_text(alias, STR("Name")),
                .type = value_find_text(alias, STR("Type")),
                .stack = value_find_text(alias, STR("Stack")),
                .project = value_find_text(alias, STR("Project")),
                .parent = value_find_text(alias, STR("Parent")),
                .has_no_parent = plan_read_bool(alias, STR("NoParent"), NULL),
            };
    }
    goal->aliases = aliases;
}

static void read_goal(struct arena *arena, struct value object, struct resource_plan *plan)
{
    struct goal *goal = &plan->goal;
    struct value timeouts = plan_read_object(object, STR("customTimeouts"));

    goal->type = value_find_text(object, STR("type"));
    goal->name = value_find_text(object, STR("name"));
    goal->is_custom = plan_read_bool(object, STR("custom"), NULL);
    goal->parent = value_find_text(object, STR("parent"));
    goal->provider = value_find_text(object, STR("provider"));
    goal->dependencies = plan_read_list(arena, object, STR("dependencies"));
    goal->deletes_before_replace =
        plan_read_bool(object, STR("deleteBeforeReplace"), &goal->has_delete_before_replace);
    goal->options.protect = plan_read_bool(object, STR("protect"), NULL);
    goal->options.ignore_changes = plan_read_list(arena, object, STR("ignoreChanges"));
    goal->options.additional_secret_outputs =
        plan_read_list(arena, object, STR("additionalSecretOutputs"));
    plan_read_aliases(arena, object, goal);
    goal->options.import_id = value_find_text(object, STR("id"));
    goal->options.custom_timeouts = (struct timeouts){ plan_read_number(timeouts, STR("create")),
                                                       plan_read_number(timeouts, STR("update")),
                                                       plan_read_number(timeouts, STR("delete")),
                                                       plan_read_number(timeouts, STR("read")) };
    plan->inputs = plan_read_changes(arena, object, STR("inputDiff"));
    plan->outputs_diff = plan_read_changes(arena, object, STR("outputDiff"));
}

static fallible read_steps(struct arena *arena, struct value object, str urn,
                           struct resource_plan *plan)
{
    struct strs names = plan_read_list(arena, object, STR("steps"));

    for (size_t i = 0; i < names.len; i++) {
        int op = 0;
        while (op < STEP_OP_COUNT && !str_equal(names.items[i], str_from(step_op_names[op])))
            op++;
        if (op == STEP_OP_COUNT)
            return error_new(ERROR_INVALID, "unknown step '" STR_FMT "' for resource '" STR_FMT "'",
                             STR_ARG(names.items[i]), STR_ARG(urn));
        vec_add(&plan->ops, (enum step_op)op);
    }
    return NULL;
}

static fallible read_document(struct arena *arena, struct value document, struct update_plan *plan)
{
    struct value resources = plan_read_object(document, STR("resourcePlans"));

    if (!value_has(document, STR("manifest")))
        return error_new(ERROR_INVALID, "it has no manifest");
    for (uint32_t i = 0; i < resources.len; i++) {
        const struct member *member = &resources.members[i];
        struct resource_plan *resource = ARENA_NEW(arena, struct resource_plan);
        if (member->value.kind != VALUE_OBJECT)
            return error_new(ERROR_INVALID, "the plan of '" STR_FMT "' is no object",
                             STR_ARG(member->key));
        map_put(&plan->resources, member->key, resource);
        resource->has_goal = value_has(member->value, STR("goal"));
        read_goal(arena, plan_read_object(member->value, STR("goal")), resource);
        TRY(read_steps(arena, member->value, member->key, resource));
        if (!provider_decode(arena, value_find_text(member->value, STR("seed")), &resource->seed))
            return error_new(ERROR_INVALID, "the seed of '" STR_FMT "' is not base64",
                             STR_ARG(member->key));
    }
    return NULL;
}

fallible update_plan_parse(struct arena *arena, str text, struct crypter *crypter,
                           struct update_plan **out)
{
    struct json_reader reader;
    enum json_kind end; /* what follows is refused by looking at it */
    struct value document;

    *out = update_plan_new(arena);
    json_reader_init(&reader, arena, text);
    struct error *failure = value_read(&reader, &document);
    if (!failure)
        failure = json_peek(&reader, &end);
    json_reader_release(&reader);
    if (!failure && document.kind != VALUE_OBJECT)
        failure = error_new(ERROR_INVALID, "it is no object");
    if (!failure)
        failure = value_unseal(document, crypter, arena);
    if (!failure)
        failure = read_document(arena, document, *out);
    return failure;
}
