/* provider_list.c — the scripted provider lists its cloud, two objects a page: those of the type
 * whose properties are as the query says. Their names are their property `name`. */
#include "support/provider.h"

#include "model/value_ops.h"
#include "proto/message.h"
#include "support/cloud.h"
#include "support/json_value.h"
#include "support/message_json.h"

#include "pb/provider.pb-c.h"

enum { PAGE = 2 };

static bool matches(struct value object, str type, struct value query)
{
    struct value properties = object_get(object, STR("props"));
    bool is_alike = str_equal(object_text(object, STR("type")), type);

    for (size_t i = 0; i < query.len && is_alike; i++)
        is_alike =
            value_equal(object_get(properties, query.members[i].key), query.members[i].value);
    return is_alike;
}

static fallible send_result(struct provider_call *call, struct rpc_call *rpc, str id,
                            struct value object)
{
    Pb__ListResponse answer = PB__LIST_RESPONSE__INIT;
    Pb__ListResponse__Result result = PB__LIST_RESPONSE__RESULT__INIT;

    result.id = message_cstr(call->arena, id);
    result.name =
        message_cstr(call->arena, object_text(object_get(object, STR("props")), STR("name")));
    answer.response_case = PB__LIST_RESPONSE__RESPONSE_RESULT;
    answer.result = &result;
    return rpc_call_send(rpc, MESSAGE_PACK(call->arena, &answer));
}

static fallible send_continuation(struct provider_call *call, struct rpc_call *rpc, uint64_t from)
{
    Pb__ListResponse answer = PB__LIST_RESPONSE__INIT;
    Pb__ListResponse__Continuation continuation = PB__LIST_RESPONSE__CONTINUATION__INIT;

    continuation.continuation_token =
        message_cstr(call->arena, arena_printf(call->arena, "%u", (unsigned)from));
    answer.response_case = PB__LIST_RESPONSE__RESPONSE_CONTINUATION;
    answer.continuation = &continuation;
    return rpc_call_send(rpc, MESSAGE_PACK(call->arena, &answer));
}

static fallible send_page(struct provider_call *call, struct rpc_call *rpc,
                          const Pb__ListRequest *request, struct value objects)
{
    uint64_t from = 0, seen = 0, page = PAGE;
    struct value query;

    TRY(message_struct(call->arena, message_get_bytes(request, query), &query));
    str_to_u64(message_str(request->continuation_token), &from);
    if (request->limit > 0 && request->limit < PAGE)
        page = (uint64_t)request->limit;
    if (rule_has(call->rule, STR("repeat")))
        return send_continuation(call, rpc, 1);
    if (rule_has(call->rule, STR("circle")))
        return send_continuation(call, rpc, from == 1 ? 2 : 1);
    for (size_t i = 0; i < objects.len; i++) {
        const struct member *object = &objects.members[i];
        if (!matches(object->value, message_str(request->token), query) || seen++ < from)
            continue;
        if (seen > from + page)
            return send_continuation(call, rpc, from + page);
        TRY(send_result(call, rpc, object->key, object->value));
    }
    return NULL;
}

struct error *provider_list(void *provider_, struct rpc_call *rpc)
{
    struct provider_call call = PROVIDER_CALL("List");
    struct cloud cloud;
    bool has_message;
    void *message;
    str bytes;

    TRY(rpc_call_receive(rpc, &has_message, &bytes));
    TRY(provider_begin_named(&call, call.provider->package, bytes, &pb__list_request__descriptor,
                             &message));
    TRY(cloud_open(call.arena, call.provider->directory, &cloud));
    struct error *failure = send_page(&call, rpc, message, cloud.objects);
    return error_join(failure, cloud_close(&cloud));
}
