/* eval_access.c — ${name.property[0]}: finds what is named and goes down into it. */
#include "yaml/eval/eval.h"

#include "model/urn.h"

/* Where the walk is: a value, and what has been stripped on the way. */
struct walk {
    struct task *task;
    struct range range;
    struct taint taint;
    bool is_inside_resource; /* what a resource does not have is null, and all below that */
};

/* --- roots --- */

static struct value pulumi_variable(struct evaluator *evaluator)
{
    const struct run_settings *settings = evaluator->settings;
    const struct member members[] = {
        { STR("cwd"), value_string(settings->program_directory) },
        { STR("organization"), value_string(settings->organization) },
        { STR("project"), value_string(settings->project) },
        { STR("rootDirectory"), value_string(settings->root_directory) },
        { STR("stack"), value_string(settings->stack) },
    };

    return value_object(evaluator->arena, members, sizeof(members) / sizeof(members[0]));
}

struct value registered_reference(struct arena *arena, const struct registered *resource)
{
    struct reference *reference = ARENA_NEW(arena, struct reference);

    *reference = (struct reference){
        .urn = resource->urn,
        .has_id = resource->id.kind != VALUE_NULL,
        .id = resource->id,
    };
    return (struct value){ .kind = VALUE_REFERENCE, .reference = reference };
}

static bool find_root(struct task *task, struct range range, str name, struct value *out)
{
    struct evaluator *evaluator = task->evaluator;
    struct node *node = graph_find(evaluator->graph, name);

    if (!node && str_equal(name, PULUMI_NAME)) {
        *out = pulumi_variable(evaluator);
        return true;
    }
    if (!node)
        return task_fail(task, range,
                         "resource or variable named \"" STR_FMT "\" could not be found",
                         STR_ARG(name));
    struct error *canceled = latch_wait(&node->done);
    if (canceled)
        return task_broken(task, canceled);
    if (node->is_poisoned) {
        task->is_poisoned = true;
        task->is_broken = task->is_broken || node->is_broken;
        return false;
    }
    *out = node->kind == NODE_RESOURCE ? registered_reference(evaluator->arena, node->registered)
                                       : node->value;
    return true;
}

/* --- steps --- */

static bool step_into_list(struct walk *walk, const struct access_step *step, struct value *value)
{
    if (step->kind != ACCESS_INDEX)
        return task_fail(walk->task, walk->range,
                         "cannot access a list element using a property name");
    if (step->index < 0 || (unsigned long)step->index >= value->len)
        return task_fail(walk->task, walk->range,
                         "list index %ld out-of-bounds for list of length %u", step->index,
                         value->len);
    *value = value->items[step->index];
    return true;
}

static bool step_into_object(struct walk *walk, const struct access_step *step, struct value *value)
{
    if (step->kind == ACCESS_INDEX)
        return task_fail(walk->task, walk->range,
                         "cannot access an object property using an integer index");
    const struct value *found = value_find(*value, step->name);
    *value = found ? *found : value_null();
    return true;
}

/* In a preview, what a provider has not answered yet is unknown: what the schema names, or anything
 * if there is no schema. */
static bool is_not_known_yet(const struct walk *walk, const struct registered *resource, str name)
{
    if (!walk->task->evaluator->settings->is_preview)
        return false;
    return !resource->schema || schema_property(resource->schema->outputs, name)
           || value_contains_unknown(resource->outputs);
}

/* `.id` and `.urn` are of the resource itself; in brackets an output of that name comes first. */
static bool step_into_resource(struct walk *walk, const struct registered *resource,
                               const struct access_step *step, struct value *value)
{
    if (step->kind == ACCESS_INDEX)
        return task_fail(walk->task, walk->range,
                         "cannot access an object property using an integer index");
    taint_add(walk->task->evaluator->arena, &walk->taint, resource->urn);
    walk->is_inside_resource = true;
    bool is_id = str_equal(step->name, STR("id")) && resource->id.kind != VALUE_NULL;
    bool is_urn = str_equal(step->name, STR("urn"));
    const struct value *found = value_find(resource->outputs, step->name);
    bool is_output = found && step->kind == ACCESS_KEY;

    if (is_urn && !is_output)
        *value = value_string(resource->urn);
    else if (is_id && !is_output)
        *value = resource->id;
    else if (found)
        *value = *found;
    else if (resource->is_unknown || is_not_known_yet(walk, resource, step->name))
        *value = value_computed(UNKNOWN_STRING);
    else
        *value = value_null();
    return true;
}

static bool step_into_reference(struct walk *walk, const struct access_step *step,
                                struct value *value)
{
    struct registered *resource = map_find(&walk->task->evaluator->by_urn, value->reference->urn);

    if (!resource && !eval_get_resource(walk->task, walk->range, value->reference, &resource))
        return false;
    return step_into_resource(walk, resource, step, value);
}

/* What the outputs of a resource refer to is looked up at once, needed or not and even if the
 * program declares it. The reference does so too, which shows in the state: the engine's own
 * provider answers, and is recorded in it. */
static bool look_up_reference(struct walk *walk, struct value *value)
{
    struct evaluator *evaluator = walk->task->evaluator;
    str urn = value->reference->urn;
    struct registered *resource = map_find(&evaluator->looked_up, urn);

    if (!resource) {
        if (!eval_get_resource(walk->task, walk->range, value->reference, &resource))
            return false;
        map_put(&evaluator->looked_up, resource->urn, resource);
    }
    *value = registered_reference(evaluator->arena, resource);
    return true;
}

/* Takes off what is around the value itself, not what is inside. */
static void unwrap(struct walk *walk, struct value *value)
{
    struct arena *arena = walk->task->evaluator->arena;

    while (value->kind == VALUE_OUTPUT || value->kind == VALUE_SECRET
           || value->kind == VALUE_COMPUTED) {
        walk->taint.is_output = true;
        if (value->kind == VALUE_COMPUTED
            || (value->kind == VALUE_OUTPUT && !value->output->is_known))
            walk->taint.is_unknown = true;
        if (value->kind == VALUE_SECRET
            || (value->kind == VALUE_OUTPUT && value->output->is_secret))
            walk->taint.is_secret = true;
        for (size_t i = 0; value->kind == VALUE_OUTPUT && i < value->output->dependency_count; i++)
            taint_add(arena, &walk->taint, value->output->dependencies[i]);
        if (walk->taint.is_unknown)
            return;
        *value = value->kind == VALUE_SECRET ? value->secret->element : value->output->element;
    }
}

static bool take_step(struct walk *walk, const struct access_step *step, struct value *value)
{
    switch ((enum value_kind)value->kind) {
    case VALUE_ARRAY: return step_into_list(walk, step, value);
    case VALUE_OBJECT: return step_into_object(walk, step, value);
    case VALUE_REFERENCE: return step_into_reference(walk, step, value);
    case VALUE_NULL:
        if (walk->is_inside_resource)
            return true;
        /* fall through */
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_STRING:
    case VALUE_ASSET:
    case VALUE_ARCHIVE:
    case VALUE_SECRET:
    case VALUE_COMPUTED:
    case VALUE_OUTPUT: break;
    }
    return task_fail(walk->task, walk->range, "receiver must be a list or object, not %s",
                     value_kind_text(*value));
}

bool eval_steps(struct task *task, struct range range, struct value value,
                const struct access_step *steps, size_t len, struct value *out)
{
    struct arena *arena = task->evaluator->arena;
    struct walk walk = { .task = task, .range = range };

    for (size_t i = 0; i < len; i++) {
        unwrap(&walk, &value);
        if (walk.taint.is_unknown)
            break;
        if (!take_step(&walk, &steps[i], &value))
            return false;
        if (walk.is_inside_resource)
            unwrap(&walk, &value);
        if (walk.is_inside_resource && value.kind == VALUE_REFERENCE
            && !look_up_reference(&walk, &value))
            return false;
    }
    walk.taint.outputs_around = walk.taint.is_output;
    if (walk.taint.is_output)
        value = output_wrap(arena, output_strip(arena, value, &walk.taint), &walk.taint);
    *out = value;
    return true;
}

bool eval_access(struct task *task, struct range range, const struct access *access,
                 struct value *out)
{
    struct value root;

    if (!find_root(task, range, access_root(access), &root))
        return false;
    return eval_steps(task, range, root, access->steps + 1, access->len - 1, out);
}
