/* eval_invoke.c — functions of providers, and resources that are only known by their URN. */
#include "yaml/eval/wire.h"

#include "base/strbuf.h"
#include "model/urn.h"
#include "proto/message.h"

#include "pb/resource.pb-c.h"

static const struct marshal_options plain_options = { .keep_resources = true };

struct invocation {
    struct task *task;
    struct arena *arena;
    const struct expr *expr;
    const struct schema_function *schema; /* NULL: none */
    struct found_token found;
    struct taint taint; /* of the arguments, and what it has to wait for */
    Pb__ResourceInvokeRequest request;
};

/* --- options --- */

static bool wait_for_listed(struct invocation *call)
{
    struct strs urns;

    if (!eval_resource_list(call->task, call->expr->invoke->depends_on, "dependsOn", &urns, NULL))
        return false;
    for (size_t i = 0; i < urns.len; i++)
        taint_add(call->arena, &call->taint, urns.items[i]);
    return true;
}

/* Also what the arguments come from: in a preview their values may be known while the resource is
 * not there yet, and then the engine answers that nothing is known. */
static void put_dependencies(struct invocation *call)
{
    const struct strs urns = { call->taint.dependencies, call->taint.len };

    message_put_strs(call->arena, &call->request, depends_on, urns);
}

static bool invoke_put_options(struct invocation *call)
{
    const struct invoke *invoke = call->expr->invoke;
    struct evaluator *evaluator = call->task->evaluator;
    struct registered *resource;

    call->request.version = message_cstr(call->arena, expr_string(invoke->version));
    call->request.plugin_download_url =
        message_cstr(call->arena, expr_string(invoke->plugin_download_url));
    if (!invoke->version && !invoke->plugin_download_url)
        call->request.package_ref = message_cstr(call->arena, call->found.package_ref);
    if (evaluator->component_name.len)
        call->request.parent = message_cstr(call->arena, evaluator->parent);
    if (invoke->parent) {
        if (!eval_resource_option(call->task, invoke->parent, &resource))
            return false;
        call->request.parent = message_cstr(call->arena, resource->urn);
    }
    if (invoke->provider) {
        if (!eval_resource_option(call->task, invoke->provider, &resource))
            return false;
        if (!resource->is_provider)
            return task_fail(call->task, invoke->provider->range,
                             "resource passed as Provider was not a provider resource '" STR_FMT
                             "'",
                             STR_ARG(resource->name));
        call->request.provider =
            message_cstr(call->arena, registered_provider(call->arena, resource));
    }
    return !invoke->depends_on || wait_for_listed(call);
}

/* --- the result --- */

static bool report_failures(struct invocation *call, const Pb__ResourceInvokeResponse *answer)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_printf(&text, "%zu error%s occurred:\n", answer->n_failures,
                  answer->n_failures == 1 ? "" : "s");
    for (size_t i = 0; i < answer->n_failures; i++) {
        str property = message_str(answer->failures[i]->property);
        strbuf_printf(&text, "\t* " STR_FMT " invoke failed: %s", STR_ARG(call->found.full),
                      answer->failures[i]->reason);
        if (property.len)
            strbuf_printf(&text, " (" STR_FMT ")", STR_ARG(property));
        strbuf_add_char(&text, '\n');
    }
    return task_fail_detail(call->task, call->expr->range,
                            arena_copy(call->arena, strbuf_str(&text)), STR(""));
}

/* A function that gives no object gives its one value under a name that means nothing. */
static bool take_single(struct invocation *call, struct value *result)
{
    const struct expr *wanted = call->expr->invoke->result;

    if (wanted && expr_string(wanted).len)
        return task_fail_detail(
            call->task, wanted->range,
            arena_printf(call->arena, "Unable to evaluate result[" STR_FMT "]",
                         STR_ARG(expr_string(wanted))),
            arena_printf(call->arena,
                         "fn::invoke of " STR_FMT
                         " has a non-object return value; cannot specify property '" STR_FMT "'",
                         STR_ARG(expr_string(call->expr->invoke->token)),
                         STR_ARG(expr_string(wanted))));
    *result = result->kind == VALUE_OBJECT && result->len ? result->members[0].value : value_null();
    return true;
}

static bool take_property(struct invocation *call, struct value *result)
{
    const struct expr *wanted = call->expr->invoke->result;

    if (!wanted || expr_string(wanted).len == 0)
        return true;
    const struct value *found = value_find(*result, expr_string(wanted));
    if (!found)
        return task_fail_detail(call->task, wanted->range,
                                arena_printf(call->arena, "Unable to evaluate result[" STR_FMT "]",
                                             STR_ARG(expr_string(wanted))),
                                arena_printf(call->arena,
                                             "fn::invoke of " STR_FMT
                                             " did not contain a property '" STR_FMT
                                             "' in the returned value",
                                             STR_ARG(expr_string(call->expr->invoke->token)),
                                             STR_ARG(expr_string(wanted))));
    *result = *found;
    return true;
}

static bool take_result(struct invocation *call, const Pb__ResourceInvokeResponse *answer,
                        struct value *out)
{
    struct value result;

    if (answer->n_failures)
        return report_failures(call, answer);
    call->taint.is_output = true;
    if (answer->unknown) {
        *out = output_unknown(call->arena, &call->taint);
        return true;
    }
    struct error *failure = properties_unmarshal(
        call->arena, message_get_bytes(answer, return_value), &answer_options, &result);
    if (failure)
        return task_broken(call->task, failure);
    call->taint.is_secret = call->taint.is_secret || value_contains_secret(result);
    bool is_good = call->schema && call->schema->result ? take_single(call, &result)
                                                        : take_property(call, &result);
    if (!is_good)
        return false;
    call->taint.outputs_around = 1;
    *out = output_wrap(call->arena, output_strip(call->arena, result, &call->taint), &call->taint);
    return true;
}

/* --- calling --- */

static bool resolve_token(struct invocation *call)
{
    const struct invoke *invoke = call->expr->invoke;
    struct error *failure = schemas_function(
        call->task->evaluator->schemas, expr_string(invoke->token), expr_string(invoke->version),
        expr_string(invoke->plugin_download_url), &call->found, &call->schema);

    if (!failure)
        return true;
    str reason = arena_copy(call->arena, error_message(failure));
    error_free(failure);
    return task_fail_detail(call->task, call->expr->range, reason, STR(""));
}

bool eval_invoke(struct task *task, const struct expr *expr, struct value *out)
{
    struct evaluator *evaluator = task->evaluator;
    struct invocation call = { .task = task, .arena = evaluator->arena, .expr = expr };
    struct value arguments = VALUE_EMPTY_OBJECT;
    Pb__ResourceInvokeResponse *answer = NULL;
    str bytes;

    pb__resource_invoke_request__init(&call.request);
    if (expr->invoke->arguments
        && !eval_plain(task, expr->invoke->arguments, &arguments, &call.taint))
        return false;
    if (!resolve_token(&call) || !invoke_put_options(&call))
        return false;
    if (call.taint.is_unknown) {
        *out = output_unknown(call.arena, &call.taint);
        return true;
    }
    struct error *failure = engine_marshal(
        &evaluator->engine, call.arena, output_prune(call.arena, arguments), plain_options, &bytes);
    if (failure)
        return task_broken(task, failure);
    call.request.tok = message_cstr(call.arena, call.found.full);
    message_put_bytes(&call.request, args, bytes);
    put_dependencies(&call);
    call.request.accept_resources = true;
    call.request.accepts_byte_string = true;
    failure = evaluator->engine.call(evaluator->engine.context, MONITOR_METHOD("Invoke"),
                                     &call.request.base, &pb__resource_invoke_response__descriptor,
                                     call.arena, (void **)&answer);
    if (failure && error_kind(failure) == ERROR_CANCELED)
        return task_broken(task, failure);
    if (failure) {
        str reason = arena_copy(call.arena, error_message(failure));
        error_free(failure);
        return task_fail_detail(task, expr->range, reason, STR(""));
    }
    return take_result(&call, answer, out);
}

/* --- resources by URN --- */

static bool ask_for_resource(struct task *task, str urn, struct value *out)
{
    struct evaluator *evaluator = task->evaluator;
    struct arena *arena = evaluator->arena;
    const struct member member = { STR("urn"), value_string(urn) };
    Pb__ResourceInvokeRequest request = PB__RESOURCE_INVOKE_REQUEST__INIT;
    Pb__ResourceInvokeResponse *answer = NULL;
    str bytes;

    struct error *failure =
        properties_marshal(arena, value_object(arena, &member, 1), &plain_options, &bytes);
    if (failure)
        return task_broken(task, failure);
    request.tok = message_cstr(arena, STR("pulumi:pulumi:getResource"));
    message_put_bytes(&request, args, bytes);
    request.accept_resources = true;
    request.accepts_byte_string = true;
    failure =
        evaluator->engine.call(evaluator->engine.context, MONITOR_METHOD("Invoke"), &request.base,
                               &pb__resource_invoke_response__descriptor, arena, (void **)&answer);
    if (!failure && answer->n_failures)
        failure = error_new(ERROR_NOT_FOUND, "looking up " STR_FMT ": %s", STR_ARG(urn),
                            answer->failures[0]->reason);
    if (!failure)
        failure = properties_unmarshal(arena, message_get_bytes(answer, return_value),
                                       &answer_options, out);
    return !failure || task_broken(task, failure);
}

bool eval_get_resource(struct task *task, struct range range, const struct reference *reference,
                       struct registered **out)
{
    struct evaluator *evaluator = task->evaluator;
    struct value answer;

    (void)range;
    if (!ask_for_resource(task, reference->urn, &answer))
        return false;
    const struct value *state = value_find(answer, STR("state"));
    str id = value_find_text(answer, STR("id"));
    struct registered *resource = ARENA_NEW(evaluator->arena, struct registered);
    *resource = (struct registered){
        .urn = reference->urn,
        .name = urn_name_of(reference->urn),
        .type = urn_type_of(reference->urn),
        .id = id.len              ? value_string(id)
              : reference->has_id ? value_computed(UNKNOWN_STRING)
                                  : value_null(),
        .outputs = state && state->kind == VALUE_OBJECT ? *state : VALUE_EMPTY_OBJECT,
        .is_provider = type_is_provider(urn_type_of(reference->urn)),
    };
    struct registered *declared = map_find(&evaluator->by_urn, resource->urn);
    if (declared)
        resource = declared; /* it is known with its schema */
    else
        map_put(&evaluator->by_urn, resource->urn, resource);
    *out = resource;
    return true;
}
