/* provider_resources.c — the scripted provider's calls for one resource. */
#include "support/provider.h"

#include "model/signatures.h"
#include "proto/message.h"
#include "proto/struct_codec.h"
#include "support/cloud.h"
#include "support/json_value.h"
#include "support/message_json.h"

#include "pb/provider.pb-c.h"
#include "pb/status.pb-c.h"

#define PUT_STRUCT(call, message, field, object)                        \
    do {                                                                \
        str put_struct_bytes_;                                          \
        TRY(struct_encode((call).arena, (object), &put_struct_bytes_)); \
        message_put_bytes(message, field, put_struct_bytes_);           \
    } while (0)

/* --- Check: everything is fine --- */

static fallible check(struct provider_call *call, str bytes, bool edits, str *response)
{
    Pb__CheckResponse answer = PB__CHECK_RESPONSE__INIT;
    struct value inputs;
    void *message;

    TRY(provider_begin(call, bytes, &pb__check_request__descriptor, &message));
    const Pb__CheckRequest *request = message;
    message_put_bytes(&answer, inputs, message_get_bytes(request, news));
    if (edits && (rule_has(call->rule, STR("props")) || rule_has(call->rule, STR("drop")))) {
        TRY(message_struct(call->arena, message_get_bytes(request, news), &inputs));
        PUT_STRUCT(*call, &answer, inputs, rule_edit(call->rule, call->arena, inputs));
    }
    return provider_finish(call, &answer.base, response);
}

struct error *provider_check(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Check");

    return check(&call, bytes, true, response);
}

struct error *provider_check_config(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("CheckConfig");

    return check(&call, bytes, false, response);
}

/* --- Create --- */

/* "out" is what only the provider can know. */
static fallible create_object(struct provider_call *call, const Pb__CreateRequest *request,
                              struct value *outputs, str *id)
{
    struct cloud cloud;

    *id = message_str(request->name);
    if (!call->provider->keeps_cloud)
        return NULL;
    TRY(cloud_open(call->arena, call->provider->directory, &cloud));
    *id = cloud_next_id(&cloud, message_str(request->type), message_str(request->name));
    str out = arena_concat(call->arena, STR("out-"), *id);
    *outputs = value_with(call->arena, *outputs, STR("out"), value_string(out));
    *outputs = rule_edit(call->rule, call->arena, *outputs);
    cloud_put(&cloud, *id, message_str(request->type), *outputs);
    return cloud_close(&cloud);
}

struct error *provider_create(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Create");
    Pb__CreateResponse answer = PB__CREATE_RESPONSE__INIT;
    struct value outputs;
    void *message;
    str id = STR("");

    TRY(provider_begin(&call, bytes, &pb__create_request__descriptor, &message));
    const Pb__CreateRequest *request = message;
    TRY(message_struct(call.arena, message_get_bytes(request, properties), &outputs));
    if (request->preview) {
        outputs = value_with(call.arena, outputs, STR("out"), value_string(UNKNOWN_STRING_TEXT));
        outputs = rule_edit(call.rule, call.arena, outputs);
    } else {
        TRY(create_object(&call, request, &outputs, &id));
    }
    TRY(rule_publish(call.rule, call.arena, message_str(request->resource_status_address),
                     message_str(request->resource_status_token)));
    if (!request->preview)
        TRY(rule_init_failure(call.rule, call.arena, id, outputs,
                              message_get_bytes(request, properties)));
    answer.id = message_cstr(call.arena, id);
    PUT_STRUCT(call, &answer, properties, outputs);
    return provider_finish(&call, &answer.base, response);
}

/* --- Update --- */

static fallible update_object(struct provider_call *call, const Pb__UpdateRequest *request,
                              struct value outputs)
{
    struct cloud cloud;

    if (request->preview || !call->provider->keeps_cloud)
        return NULL;
    TRY(cloud_open(call->arena, call->provider->directory, &cloud));
    cloud_put(&cloud, message_str(request->id), message_str(request->type), outputs);
    return cloud_close(&cloud);
}

struct error *provider_update(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Update");
    Pb__UpdateResponse answer = PB__UPDATE_RESPONSE__INIT;
    struct value outputs, olds;
    void *message;

    TRY(provider_begin(&call, bytes, &pb__update_request__descriptor, &message));
    const Pb__UpdateRequest *request = message;
    TRY(message_struct(call.arena, message_get_bytes(request, news), &outputs));
    TRY(message_struct(call.arena, message_get_bytes(request, olds), &olds));
    if (value_has(olds, STR("out")))
        outputs = value_with(call.arena, outputs, STR("out"), object_get(olds, STR("out")));
    outputs = rule_edit(call.rule, call.arena, outputs);
    TRY(update_object(&call, request, outputs));
    TRY(rule_publish(call.rule, call.arena, message_str(request->resource_status_address),
                     message_str(request->resource_status_token)));
    TRY(rule_init_failure(call.rule, call.arena, message_str(request->id), outputs,
                          message_get_bytes(request, news)));
    PUT_STRUCT(call, &answer, properties, outputs);
    return provider_finish(&call, &answer.base, response);
}

/* --- Delete --- */

struct error *provider_delete(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Delete");
    Pb__Empty answer = PB__EMPTY__INIT;
    struct cloud cloud;
    void *message;

    TRY(provider_begin(&call, bytes, &pb__delete_request__descriptor, &message));
    const Pb__DeleteRequest *request = message;
    if (call.provider->keeps_cloud) {
        TRY(cloud_open(call.arena, call.provider->directory, &cloud));
        cloud_remove(&cloud, message_str(request->id));
        TRY(cloud_close(&cloud));
    }
    TRY(rule_publish(call.rule, call.arena, message_str(request->resource_status_address),
                     message_str(request->resource_status_token)));
    return provider_finish(&call, &answer.base, response);
}

/* --- Read: from the cloud; without one, what is asked for --- */

static fallible read_object(struct provider_call *call, const Pb__ReadRequest *request,
                            Pb__ReadResponse *answer)
{
    struct cloud cloud;

    if (!call->provider->keeps_cloud) {
        answer->id = request->id;
        message_put_bytes(answer, properties, message_get_bytes(request, properties));
        message_put_bytes(answer, inputs, message_get_bytes(request, inputs));
        return NULL;
    }
    TRY(cloud_open(call->arena, call->provider->directory, &cloud));
    TRY(cloud_close(&cloud));
    struct value object = object_get(cloud.objects, message_str(request->id));
    if (object.kind != VALUE_OBJECT)
        return NULL;
    struct value outputs = object_get(object, STR("props"));
    if (outputs.kind != VALUE_OBJECT)
        outputs = VALUE_EMPTY_OBJECT;
    answer->id = request->id;
    PUT_STRUCT(*call, answer, properties, rule_edit(call->rule, call->arena, outputs));
    PUT_STRUCT(*call, answer, inputs, value_without(call->arena, outputs, STR("out")));
    return NULL;
}

struct error *provider_read(void *provider_, struct rpc_call *rpc, str bytes, str *response)
{
    struct provider_call call = PROVIDER_CALL("Read");
    Pb__ReadResponse answer = PB__READ_RESPONSE__INIT;
    struct value outputs;
    void *message;

    TRY(provider_begin(&call, bytes, &pb__read_request__descriptor, &message));
    const Pb__ReadRequest *request = message;
    TRY(read_object(&call, request, &answer));
    TRY(rule_publish(call.rule, call.arena, message_str(request->resource_status_address),
                     message_str(request->resource_status_token)));
    TRY(message_struct(call.arena, message_get_bytes(&answer, properties), &outputs));
    TRY(rule_init_failure(call.rule, call.arena, message_str(request->id), outputs,
                          message_get_bytes(&answer, inputs)));
    return provider_finish(&call, &answer.base, response);
}
