/* weight.c — how large a value may become. A few lines of a program can double a text thirty times,
 * or a list that holds another twice, which takes no memory until somebody walks it. */
#include "yaml/eval/eval.h"

#include "rpc/rpc.h"

size_t evaluator_limit(const struct evaluator *evaluator)
{
    size_t limit = evaluator->settings->largest_value;
    return limit ? limit : RPC_MAX_MESSAGE;
}

static bool take(size_t *left, size_t size)
{
    bool is_enough = size <= *left;

    *left = is_enough ? *left - size : 0;
    return is_enough;
}

static bool weigh_asset(const struct asset *asset, size_t *left)
{
    return take(left, asset->text.len)
           && (!asset->has_members || value_weigh(asset->members, left));
}

/* Every value takes something, so the walk is no longer than the limit, however often it meets the
 * same value. */
bool value_weigh(struct value value, size_t *left)
{
    bool is_good = take(left, sizeof(value));

    if (value.kind == VALUE_STRING)
        return is_good && take(left, value.len);
    if (value.kind == VALUE_SECRET)
        return is_good && value_weigh(value.secret->element, left);
    if (value.kind == VALUE_OUTPUT)
        return is_good && (!value.output->is_known || value_weigh(value.output->element, left));
    if (value.kind == VALUE_ASSET || value.kind == VALUE_ARCHIVE)
        return is_good && weigh_asset(value.asset, left);
    for (uint32_t i = 0; value.kind == VALUE_ARRAY && is_good && i < value.len; i++)
        is_good = value_weigh(value.items[i], left);
    for (uint32_t i = 0; value.kind == VALUE_OBJECT && is_good && i < value.len; i++)
        is_good = take(left, sizeof(str) + value.members[i].key.len)
                  && value_weigh(value.members[i].value, left);
    return is_good;
}

bool task_too_large(struct task *task, struct range range, const char *what)
{
    return task_fail(task, range,
                     "%s more than %zu bytes, the most that a message to the engine holds", what,
                     evaluator_limit(task->evaluator));
}

bool task_fits(struct task *task, struct range range, struct value value)
{
    size_t left = evaluator_limit(task->evaluator);
    return value_weigh(value, &left) || task_too_large(task, range, "the value takes");
}
