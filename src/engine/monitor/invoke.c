/* invoke.c — Invoke: a program calls a function of a provider. */
#include "engine/monitor/monitor.h"

#include "engine/engine.h"
#include "engine/provider/registry.h"
#include "model/urn.h"
#include "proto/marshal.h"
#include "proto/message.h"

Pb__CheckFailure **monitor_encode_failures(struct arena *arena, struct check_failures failures)
{
    Pb__CheckFailure **items = ARENA_ARRAY(arena, Pb__CheckFailure *, failures.len + 1);

    for (size_t i = 0; i < failures.len; i++) {
        items[i] = ARENA_NEW(arena, Pb__CheckFailure);
        pb__check_failure__init(items[i]);
        items[i]->property = message_cstr(arena, failures.items[i].property);
        items[i]->reason = message_cstr(arena, failures.items[i].reason);
    }
    return items;
}

fallible monitor_find_provider(struct monitor *monitor, struct arena *arena,
                               struct package_ref package, str given, str token,
                               struct provider **out)
{
    str reference, urn, id;

    TRY(error_wrap(monitor_provider_reference(monitor, package, given, arena, &reference),
                   "getProviderFromSource"));
    TRY(provider_ref_parse(reference, &urn, &id));
    if (str_equal(id, DENIED_PROVIDER_ID))
        return error_new(ERROR_OTHER,
                         "Default provider for '" STR_FMT "' disabled. '" STR_FMT
                         "' must use an explicit provider.",
                         STR_ARG(type_provider_package(urn_type_of(urn))), STR_ARG(token));
    *out = registry_find(monitor->registry, reference);
    return *out ? NULL
                : error_new(ERROR_OTHER, "unknown provider '" STR_FMT "' -> '" STR_FMT "'",
                            STR_ARG(given), STR_ARG(reference));
}

static fallible invoke_choose_provider(struct monitor *monitor, struct arena *arena,
                                       const Pb__ResourceInvokeRequest *message,
                                       const Pb__TransformInvokeOptions *options,
                                       struct provider **out)
{
    str token = message_str(message->tok);
    struct package_ref package;

    if (type_package(token).len == 0)
        return error_new(ERROR_OTHER,
                         "invalid function token '" STR_FMT "': expected PACKAGE:MODULE:FUNCTION",
                         STR_ARG(token));
    TRY(monitor_package(monitor, type_package(token), message_str(options->version),
                        message_str(options->plugin_download_url),
                        message_str(message->package_ref), &package));
    if (options->n_plugin_checksums)
        package.checksums =
            checksums_decode(arena, options->plugin_checksums, options->n_plugin_checksums);
    return error_wrap(
        monitor_find_provider(monitor, arena, package, message_str(options->provider), token, out),
        "Invoke");
}

static Pb__TransformInvokeOptions *collect_options(struct monitor *monitor, struct arena *arena,
                                                   const Pb__ResourceInvokeRequest *message)
{
    Pb__TransformInvokeOptions *options = ARENA_NEW(arena, Pb__TransformInvokeOptions);

    pb__transform_invoke_options__init(options);
    options->provider = message_cstr(
        arena, monitor_inherited_provider(monitor, message_str(message->provider),
                                          (struct pairs){ 0 }, message_str(message->parent),
                                          type_package(message_str(message->tok))));
    options->version = message->version;
    options->plugin_download_url = message->plugin_download_url;
    options->plugin_checksums = message->plugin_checksums;
    options->n_plugin_checksums = message->n_plugin_checksums;
    return options;
}

static fallible monitor_invoke_answer(const Pb__ResourceInvokeRequest *message, struct arena *arena,
                                      const struct invoke_answer *made, str *response)
{
    Pb__ResourceInvokeResponse answer = PB__RESOURCE_INVOKE_RESPONSE__INIT;
    const struct marshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .keep_resources =
            message->accept_resources || strcmp(message->tok, "pulumi:pulumi:getResource") == 0,
        .accepts_byte_strings = message->accepts_byte_string,
        .label = "Invoke",
    };
    str bytes;

    TRY(properties_marshal(arena, made->result, &options, &bytes));
    message_put_bytes(&answer, return_value, bytes);
    answer.n_failures = made->failures.len;
    answer.failures = monitor_encode_failures(arena, made->failures);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static fallible decode_depends_on(struct arena *arena, const Pb__ResourceInvokeRequest *message,
                                  struct strs *out)
{
    struct urn parsed;

    *out = message_get_strs(arena, message, depends_on);
    for (size_t i = 0; i < out->len; i++)
        TRY(error_as(error_wrap(urn_parse(out->items[i], &parsed),
                                "invalid dependsOn URN \"" STR_FMT "\"", STR_ARG(out->items[i])),
                     ERROR_OTHER));
    return NULL;
}

fallible monitor_invoke(void *monitor_, struct rpc_call *call, str bytes, str *response)
{
    struct monitor *monitor = monitor_;
    struct arena *arena = rpc_call_arena(call);
    const struct unmarshal_options in = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .keep_resources = true,
        .joins_secrets = true,
    };
    Pb__ResourceInvokeRequest *message = NULL;
    struct provider *provider = NULL;
    struct invoke_answer made = { 0 };
    struct value args;
    struct strs depends_on;
    bool is_unresolved = false;

    TRY(message_request(arena, &pb__resource_invoke_request__descriptor, bytes, (void **)&message));
    TRY(error_wrap(decode_properties(arena, message_get_bytes(message, args), &in, &args),
                   "failed to unmarshal %s args", message->tok));
    if (message->parent[0])
        TRY(decode_check_urn(message_str(message->parent), "parent URN"));
    Pb__TransformInvokeOptions *options = collect_options(monitor, arena, message);
    TRY(monitor_transform_invoke(monitor, arena, message_str(message->tok), &args, &options));
    TRY(invoke_choose_provider(monitor, arena, message, options, &provider));
    TRY(decode_depends_on(arena, message, &depends_on));
    TRY(registrations_has_unresolved(monitor, depends_on, &is_unresolved));
    if (is_unresolved) {
        Pb__ResourceInvokeResponse unknown = PB__RESOURCE_INVOKE_RESPONSE__INIT;
        unknown.unknown = true;
        *response = MESSAGE_PACK(arena, &unknown);
        return NULL;
    }
    const struct invoke_request request = {
        .token = message_str(message->tok),
        .args = args,
        .preview = monitor->options->preview,
    };
    TRY(monitor_check_open(monitor));
    struct error *failure = provider->ops->invoke(provider, &request, arena, &made);
    if (failure) {
        struct error *explained =
            error_new(ERROR_OTHER, "invocation of %s returned an error: " STR_FMT, message->tok,
                      STR_ARG(error_message(failure)));
        error_free(failure);
        return explained;
    }
    return monitor_invoke_answer(message, arena, &made, response);
}
