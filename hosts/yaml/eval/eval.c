/* eval.c — one fiber for each declaration, in order; each waits for what it refers to. */
#include "yaml/eval/eval.h"

#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "proto/message.h"

#include "pb/engine.pb-c.h"

#include <stdarg.h>
#include <stdio.h>

/* Fibers are started in the order of evaluation, so the first that has not ended never waits for
 * one that has not begun. */
enum { MOST_TASKS = 2000 };

/* Values are walked on the stacks of fibers. A variable is as deep as its text and the variables in
 * it, so it is bounded here. */
enum { MAX_DEPTH = 250 };

/* --- telling --- */

void evaluator_log(struct evaluator *evaluator, int severity, str message)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__LogRequest request = PB__LOG_REQUEST__INIT;
    void *answer;

    request.severity = (Pb__LogSeverity)severity;
    request.message = message_cstr(&scratch, message);
    error_ignore(evaluator->engine.call(evaluator->engine.context, ENGINE_METHOD("Log"),
                                        &request.base, &pb__empty__descriptor, &scratch, &answer),
                 "an engine that does not listen any more is about to end us");
}

bool task_fail_detail(struct task *task, struct range range, str summary, str detail)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct evaluator *evaluator = task->evaluator;
    struct diag *diag = diags_add(evaluator->diags, DIAG_ERROR, range, summary, detail);

    if (task->node && (!evaluator->has_failed || task->node->position < evaluator->failed_at)) {
        evaluator->has_failed = true;
        evaluator->failed_at = task->node->position;
    }
    diag->is_shown = true;
    diag_write(&text, diag, false);
    str shown = strbuf_str(&text);
    evaluator_log(evaluator, PB__LOG_SEVERITY__ERROR,
                  str_slice(shown, strlen("Error: "), shown.len));
    return false;
}

bool task_fail(struct task *task, struct range range, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return task_fail_detail(task, range, arena_copy(task->evaluator->arena, str_from(text)),
                            STR(""));
}

bool task_broken(struct task *task, struct error *owned)
{
    task->is_poisoned = true;
    task->is_broken = true;
    if (task->evaluator->failure)
        error_ignore(owned, "the first failure is reported");
    else
        task->evaluator->failure = owned;
    return false;
}

/* --- expressions --- */

static bool eval_part(struct task *task, const struct expr *expr, struct value *out);

static bool eval_list(struct task *task, const struct expr *expr, struct value *out)
{
    struct arena *arena = task->evaluator->arena;
    struct value *items = ARENA_ARRAY(arena, struct value, expr->len + 1);

    for (size_t i = 0; i < expr->len; i++)
        if (!eval_part(task, expr->items[i], &items[i]))
            return false;
    *out = value_array(arena, items, expr->len);
    return true;
}

/* An object whose keys come from resources is an output as a whole. */
static bool eval_object(struct task *task, const struct expr *expr, struct value *out)
{
    struct arena *arena = task->evaluator->arena;
    struct member *members = ARENA_ARRAY(arena, struct member, expr->len + 1);
    struct taint taint = { 0 };

    for (size_t i = 0; i < expr->len; i++) {
        struct value key;
        if (!eval_plain(task, expr->pairs[i].key, &key, &taint)
            || !eval_part(task, expr->pairs[i].value, &members[i].value))
            return false;
        if (key.kind != VALUE_STRING && !taint.is_unknown)
            return task_fail(task, expr->pairs[i].key->range,
                             "object key must evaluate to a string, not %s", value_kind_text(key));
        members[i].key = key.kind == VALUE_STRING ? value_text(key) : STR("");
    }
    *out = value_object(arena, members, expr->len);
    if (!taint.is_output)
        return true;
    if (!task_fits(task, expr->range, *out))
        return false;
    *out = output_wrap(arena, output_strip(arena, *out, &taint), &taint);
    return true;
}

static bool eval_text(struct task *task, const struct expr *expr, struct value *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct arena *arena = task->evaluator->arena;
    struct taint taint = { 0 };

    for (size_t i = 0; i < expr->len; i++) {
        struct value part;
        strbuf_add(&text, expr->parts[i].text);
        if (!expr->parts[i].access)
            continue;
        if (!eval_access(task, expr->range, expr->parts[i].access, &part))
            return false;
        part = output_strip(arena, part, &taint);
        if (text.len + (part.kind == VALUE_STRING ? part.len : 0)
            > evaluator_limit(task->evaluator))
            return task_too_large(task, expr->range, "the value takes");
        value_add_text(&text, part);
    }
    *out = output_wrap(arena, value_string(arena_copy(arena, strbuf_str(&text))), &taint);
    return true;
}

/* Of a list or an object: as a whole that is weighed by who asked for it. */
static bool eval_part(struct task *task, const struct expr *expr, struct value *out)
{
    switch (expr->kind) {
    case EXPR_LITERAL: *out = expr->literal; return true;
    case EXPR_TEXT: return eval_text(task, expr, out);
    case EXPR_SYMBOL: return eval_access(task, expr->range, expr->access, out);
    case EXPR_LIST: return eval_list(task, expr, out);
    case EXPR_OBJECT: return eval_object(task, expr, out);
    case EXPR_CALL: return eval_call(task, expr, out);
    case EXPR_INVOKE: return eval_invoke(task, expr, out);
    }
    return false;
}

bool eval_expr(struct task *task, const struct expr *expr, struct value *out)
{
    return eval_part(task, expr, out) && task_fits(task, expr->range, *out);
}

bool eval_plain(struct task *task, const struct expr *expr, struct value *out, struct taint *taint)
{
    struct value value;

    if (!eval_expr(task, expr, &value))
        return false;
    *out = output_strip(task->evaluator->arena, value, taint);
    return true;
}

/* --- declarations --- */

static bool eval_settings(struct task *task)
{
    struct evaluator *evaluator = task->evaluator;
    const struct expr *expr = evaluator->graph->program->required_version;
    Pb__RequirePulumiVersionRequest request = PB__REQUIRE_PULUMI_VERSION_REQUEST__INIT;
    struct value range;
    void *answer;

    if (!eval_expr(task, expr, &range))
        return task->is_poisoned ? false
                                 : task_fail(task, expr->range,
                                             "could not evaluate expression for version range");
    if (range.kind != VALUE_STRING)
        return task_fail(task, expr->range, "version range must evaluate to a string");
    request.pulumi_version_range = message_cstr(evaluator->arena, value_text(range));
    struct error *failure = evaluator->engine.call(
        evaluator->engine.context, ENGINE_METHOD("RequirePulumiVersion"), &request.base,
        &pb__require_pulumi_version_response__descriptor, evaluator->arena, &answer);
    if (failure) {
        str message = arena_copy(evaluator->arena, error_message(failure));
        error_free(failure);
        return task_fail_detail(task, expr->range, message, STR(""));
    }
    return true;
}

static bool is_shallow(struct value value, unsigned depth)
{
    bool is_good = depth > 0;

    if (value.kind == VALUE_OUTPUT)
        return is_good && (!value.output->is_known || is_shallow(value.output->element, depth - 1));
    for (uint32_t i = 0; value.kind == VALUE_ARRAY && is_good && i < value.len; i++)
        is_good = is_shallow(value.items[i], depth - 1);
    for (uint32_t i = 0; value.kind == VALUE_OBJECT && is_good && i < value.len; i++)
        is_good = is_shallow(value.members[i].value, depth - 1);
    return is_good;
}

static bool eval_variable(struct task *task)
{
    struct node *node = task->node;

    if (!eval_expr(task, node->variable->value, &node->value))
        return false;
    if (is_shallow(node->value, MAX_DEPTH))
        return true;
    return task_fail(task, node->range, "the value is nested more than %d levels deep", MAX_DEPTH);
}

static bool eval_node(struct task *task)
{
    struct node *node = task->node;

    switch (node->kind) {
    case NODE_CONFIG: return eval_config(task, &node->value);
    case NODE_PULUMI: return eval_settings(task);
    case NODE_VARIABLE: return eval_variable(task);
    case NODE_RESOURCE: return eval_resource(task, &node->registered);
    }
    return false;
}

static void report_failed(struct task *task, const char *kind)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!task->is_poisoned)
        evaluator_log(task->evaluator, PB__LOG_SEVERITY__ERROR,
                      arena_printf(&scratch, "Error registering %s [" STR_FMT "]: no diagnostics",
                                   kind, STR_ARG(task->name)));
}

static void run_node(void *task_)
{
    static const char *const kinds[] = { "config", "pulumi", "resource", "variable" };
    struct task *task = task_;
    struct node *node = task->node;

    if (!eval_node(task)) {
        node->is_poisoned = true;
        node->is_broken = task->is_broken;
        if (node->kind == NODE_PULUMI)
            task->evaluator->is_refused = true;
        else
            report_failed(task, kinds[node->kind]);
    }
    latch_open(&node->done);
    semaphore_post(&task->evaluator->places);
    work_group_done(&task->evaluator->tasks);
}

static void start_node(struct evaluator *evaluator, struct node *node)
{
    struct task *task = ARENA_NEW(evaluator->arena, struct task);

    *task = (struct task){ .evaluator = evaluator, .node = node, .name = node->name };
    work_group_add(&evaluator->tasks, 1);
    semaphore_wait_uncancelable(&evaluator->places);
    fiber_spawn(run_node, task);
}

/* False: a call that one of them needs has failed. */
static bool eval_outputs(struct evaluator *evaluator, struct value *out)
{
    const struct properties *outputs = &evaluator->graph->program->outputs;
    struct member *members = ARENA_ARRAY(evaluator->arena, struct member, outputs->len + 1);
    bool is_good = true;
    size_t len = 0, left = evaluator_limit(evaluator);

    for (size_t i = 0; i < outputs->len; i++) {
        struct task task = { .evaluator = evaluator, .name = outputs->items[i].name };
        members[len].key = outputs->items[i].name;
        if (eval_expr(&task, outputs->items[i].value, &members[len].value)
            && (value_weigh(members[len].value, &left)
                || task_too_large(&task, outputs->items[i].value->range,
                                  "this output and those before it take")))
            len++;
        else
            report_failed(&task, "output");
        is_good = is_good && !task.is_broken;
    }
    *out = value_object(evaluator->arena, members, len);
    return is_good;
}

fallible evaluator_run(struct evaluator *evaluator, struct value *outputs)
{
    struct graph *graph = evaluator->graph;

    evaluator->places.available = MOST_TASKS;
    for (size_t i = 0; i < graph->len && !evaluator->is_refused; i++) {
        graph->items[i]->position = i;
        start_node(evaluator, graph->items[i]);
        if (graph->items[i]->kind == NODE_PULUMI)
            work_group_wait_uncancelable(&evaluator->tasks);
    }
    bool has_outputs = evaluator->is_refused || eval_outputs(evaluator, outputs);
    struct error *refusal = NULL;
    if (has_outputs && evaluator->take_outputs)
        refusal = evaluator->take_outputs(evaluator->context, *outputs);
    work_group_wait_uncancelable(&evaluator->tasks);
    struct error *failure = evaluator->failure;
    evaluator->failure = NULL;
    if (!failure)
        return refusal;
    error_ignore(refusal, "the first failure is reported");
    return failure;
}

void evaluator_release(struct evaluator *evaluator)
{
    map_release(&evaluator->by_urn);
    map_release(&evaluator->looked_up);
    map_release(&evaluator->stack_references);
    error_freep(&evaluator->failure);
}
