/* read.c — ReadResource: looks up a resource that this stack does not manage. */
#include "engine/monitor/monitor.h"

#include "engine/deploy/deployment.h"
#include "engine/engine.h"
#include "engine/provider/registry.h"
#include "engine/step/registration.h"
#include "model/urn.h"
#include "proto/marshal.h"
#include "proto/message.h"
#include "proto/options_codec.h"

static fallible read_choose_provider(struct monitor *monitor, struct arena *arena,
                                     const Pb__ReadResourceRequest *message,
                                     const struct requested_options *options, str *out)
{
    str type = message_str(message->type), urn, id;
    struct package_ref package;

    *out = options->provider;
    if (type_is_provider(type) || out->len)
        return NULL;
    TRY(monitor_package(monitor, type_package(type), options->version, options->plugin_download_url,
                        message_str(message->package_ref), &package));
    if (options->plugin_checksums.len)
        package.checksums = checksums_of(arena, options->plugin_checksums);
    TRY(monitor_provider_reference(monitor, package, STR(""), arena, out));
    TRY(provider_ref_parse(*out, &urn, &id));
    if (str_equal(id, DENIED_PROVIDER_ID))
        return error_new(ERROR_OTHER,
                         "Default provider for '%s' disabled. '%s' must use an explicit provider.",
                         message->type, message->type);
    return NULL;
}

static fallible read_fill(struct monitor *monitor, struct registration *reg,
                          const Pb__ReadResourceRequest *message)
{
    struct goal *goal = &reg->goal;
    struct requested_options asked = { 0 };
    const struct unmarshal_options options = { .keep_unknowns = true,
                                               .keep_secrets = true,
                                               .keep_resources = true };

    if (!type_token_is_valid(message_str(message->type)))
        return monitor_refuse(RPC_INVALID_ARGUMENT,
                              "Type '%s' is not a valid type token (must have format '*:*:*')",
                              message->type);
    if (message->parent[0])
        TRY(decode_check_urn(message_str(message->parent), "parent URN"));
    options_get(reg->arena, WIRE_READ, &message->base, &asked);
    reg->is_read = true;
    reg->read_id = message_str(message->id);
    goal->is_custom = true;
    goal->type = message_str(message->type);
    goal->name = message_str(message->name);
    goal->parent = message_str(message->parent);
    TRY(read_choose_provider(monitor, reg->arena, message, &asked, &goal->provider));
    TRY(decode_urns(reg->arena, asked.depends_on, "dependency", &goal->dependencies));
    TRY(decode_properties(reg->arena, message_get_bytes(message, properties), &options,
                          &goal->inputs));
    asked.source_position = decode_position(monitor, reg->arena, message->source_position);
    asked.stack_trace =
        decode_trace(monitor, reg->arena, message->stack_trace, message->parent_stack_trace_handle);
    return options_settle(reg->arena, &asked, &goal->options);
}

static fallible monitor_read_answer(const Pb__ReadResourceRequest *message,
                                    const struct registration *reg, struct arena *arena,
                                    str *response)
{
    Pb__ReadResourceResponse answer = PB__READ_RESOURCE_RESPONSE__INIT;
    const struct marshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = message->accept_secrets,
        .keep_resources = message->accept_resources,
        .accepts_byte_strings = message->accepts_byte_string,
        .label = "ReadResource",
    };
    str bytes;

    TRY(properties_marshal(arena, reg->state->outputs, &options, &bytes));
    answer.urn = message_cstr(arena, reg->state->urn);
    message_put_bytes(&answer, properties, bytes);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static void read_remember(struct monitor *monitor, const struct registration *reg)
{
    struct arena *arena = monitor->arena;
    struct remembered *remembered = ARENA_NEW(arena, struct remembered);

    remembered->parent = reg->state->parent;
    remembered->is_custom = true;
    remembered->has_id = reg->state->id.len > 0;
    map_put(&monitor->remembered, reg->state->urn, remembered);
}

fallible monitor_read_resource(void *monitor_, struct rpc_call *call, str bytes, str *response)
{
    struct monitor *monitor = monitor_;
    struct registration *reg = registration_open(monitor->registrations);
    Pb__ReadResourceRequest *message = NULL;

    struct error *failure = message_request(reg->arena, &pb__read_resource_request__descriptor,
                                            arena_copy(reg->arena, bytes), (void **)&message);
    if (!failure)
        failure = read_fill(monitor, reg, message);
    if (!failure)
        failure = deployment_register(monitor->deployment, reg);
    if (!failure) {
        read_remember(monitor, reg);
        failure = monitor_read_answer(message, reg, rpc_call_arena(call), response);
    }
    if (!failure || error_kind(failure) != ERROR_CANCELED)
        registration_close(monitor->registrations, reg);
    return failure;
}
