/* monitor.c — the service itself: its methods, what it says of itself, and how it ends. */
#include "engine/monitor/monitor.h"

#include "engine/engine.h"
#include "engine/hook/hooks.h"
#include "engine/report/course.h"
#include "fiber/fiber.h"
#include "proto/message.h"

#include "pb/status.pb-c.h"

#include <stdarg.h>
#include <stdio.h>

struct feature {
    const char *id; /* for SupportsFeature; NULL: only listed */
    Pb__ResourceMonitorFeature number;
};

static const struct feature features[] = {
    { "secrets", PB__RESOURCE_MONITOR_FEATURE__SECRETS },
    { "resourceReferences", PB__RESOURCE_MONITOR_FEATURE__RESOURCE_REFERENCES },
    { "outputValues", PB__RESOURCE_MONITOR_FEATURE__OUTPUT_VALUES },
    { "aliasSpecs", PB__RESOURCE_MONITOR_FEATURE__ALIAS_SPECS },
    { "replacementTrigger", PB__RESOURCE_MONITOR_FEATURE__REPLACEMENT_TRIGGER },
    { "deletedWith", PB__RESOURCE_MONITOR_FEATURE__DELETED_WITH },
    { "replaceWith", PB__RESOURCE_MONITOR_FEATURE__REPLACE_WITH },
    { "transforms", PB__RESOURCE_MONITOR_FEATURE__TRANSFORMS },
    { "invokeTransforms", PB__RESOURCE_MONITOR_FEATURE__INVOKE_TRANSFORMS },
    { "parameterization", PB__RESOURCE_MONITOR_FEATURE__PARAMETERIZATION },
    { "resourceHooks", PB__RESOURCE_MONITOR_FEATURE__RESOURCE_HOOKS },
    { "errorHooks", PB__RESOURCE_MONITOR_FEATURE__ERROR_HOOKS },
    { "sendsOptionsToHooks", PB__RESOURCE_MONITOR_FEATURE__SENDS_OPTIONS_TO_HOOKS },
    { NULL, PB__RESOURCE_MONITOR_FEATURE__BYTE_STRING },
    { NULL, PB__RESOURCE_MONITOR_FEATURE__INVOKE_DEPENDS_ON },
    { NULL, PB__RESOURCE_MONITOR_FEATURE__INVOKE_PARENT },
};
enum { FEATURES = sizeof(features) / sizeof(features[0]) };

static bool is_supported(const struct monitor *monitor, const struct feature *feature)
{
    const struct engine_options *options = monitor->options;

    if (feature->number == PB__RESOURCE_MONITOR_FEATURE__RESOURCE_REFERENCES)
        return !options->program.disables_resource_references;
    if (feature->number == PB__RESOURCE_MONITOR_FEATURE__OUTPUT_VALUES)
        return !options->program.disables_output_values;
    return true;
}

fallible monitor_refuse(enum rpc_status code, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    int len = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    size_t size = len < 0 ? 0 : (size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1;
    return error_from_status((int)code, (str){ text, size }, STR(""));
}

fallible monitor_check_open(const struct monitor *monitor)
{
    return monitor->course->is_closing ? error_new(ERROR_CANCELED, "resource monitor shut down")
                                       : NULL;
}

static fallible supports_feature(void *monitor_, struct rpc_call *call, str request, str *response)
{
    struct monitor *monitor = monitor_;
    struct arena *arena = rpc_call_arena(call);
    Pb__SupportsFeatureRequest *message = NULL;
    Pb__SupportsFeatureResponse answer = PB__SUPPORTS_FEATURE_RESPONSE__INIT;

    TRY(message_request(arena, &pb__supports_feature_request__descriptor, request,
                        (void **)&message));
    for (size_t i = 0; i < FEATURES; i++)
        if (features[i].id && strcmp(features[i].id, message->id) == 0)
            answer.has_support = is_supported(monitor, &features[i]);
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

static fallible deployment_info(void *monitor_, struct rpc_call *call, str request, str *response)
{
    struct monitor *monitor = monitor_;
    struct arena *arena = rpc_call_arena(call);
    const struct run_info *run = &monitor->run;
    Pb__DeploymentInfo answer = PB__DEPLOYMENT_INFO__INIT;
    Pb__ResourceMonitorFeature supported[FEATURES];

    (void)request;
    message_put_run(arena, &answer, run);
    answer.parallel = run->parallel;
    for (size_t i = 0; i < FEATURES; i++)
        if (is_supported(monitor, &features[i]))
            supported[answer.n_supported_features++] = features[i].number;
    answer.supported_features = supported;
    *response = MESSAGE_PACK(arena, &answer);
    return NULL;
}

/* The program has registered everything; it may end when everything is done. */
static fallible signal_and_wait(void *monitor_, struct rpc_call *call, str request, str *response)
{
    struct monitor *monitor = monitor_;

    (void)call;
    (void)request;
    if (monitor->has_waiter)
        return error_new(ERROR_OTHER, "Already waiting for shutdown");
    monitor->has_waiter = true;
    latch_open(&monitor->course->stopped);
    TRY(latch_wait(monitor->shut_down));
    *response = STR("");
    return NULL;
}

static const struct rpc_method methods[] = {
    { .path = "/pulumirpc.ResourceMonitor/GetDeploymentInfo", .unary = deployment_info },
    { .path = "/pulumirpc.ResourceMonitor/SupportsFeature", .unary = supports_feature },
    { .path = "/pulumirpc.ResourceMonitor/Invoke", .unary = monitor_invoke },
    { .path = "/pulumirpc.ResourceMonitor/Call", .unary = monitor_call, .is_patient = true },
    { .path = "/pulumirpc.ResourceMonitor/ReadResource",
      .unary = monitor_read_resource,
      .is_patient = true },
    { .path = "/pulumirpc.ResourceMonitor/RegisterResource",
      .unary = monitor_register_resource,
      .is_patient = true },
    { .path = "/pulumirpc.ResourceMonitor/RegisterResourceOutputs",
      .unary = monitor_register_outputs },
    { .path = "/pulumirpc.ResourceMonitor/RegisterStackTransform",
      .unary = monitor_stack_transform },
    { .path = "/pulumirpc.ResourceMonitor/RegisterStackInvokeTransform",
      .unary = monitor_stack_invoke_transform },
    { .path = "/pulumirpc.ResourceMonitor/RegisterResourceHook", .unary = monitor_register_hook },
    { .path = "/pulumirpc.ResourceMonitor/RegisterErrorHook",
      .unary = monitor_register_error_hook },
    { .path = "/pulumirpc.ResourceMonitor/RegisterPackage", .unary = monitor_register_package },
    { .path = "/pulumirpc.ResourceMonitor/SignalAndWaitForShutdown", .unary = signal_and_wait },
    { .path = NULL },
};

fallible monitor_open(const struct monitor *setup, const struct package_refs *packages,
                      struct monitor **out)
{
    struct monitor *monitor = arena_copy_bytes(setup->arena, setup, sizeof(*setup));

    monitor->run = engine_run_info(monitor->options);
    monitor->hooks->call = monitor_callback;
    monitor->hooks->call_context = monitor;
    *out = monitor;
    TRY(provider_default_versions(monitor->estate, packages, &monitor->default_versions));
    TRY(rpc_server_open(methods, monitor, &monitor->server));
    monitor->run.monitor_address = rpc_server_address(monitor->server);
    return NULL;
}

str monitor_trouble(const struct monitor *monitor)
{
    return rpc_server_trouble(monitor->server);
}

void monitor_close(struct monitor *owned)
{
    const struct map_entry *entry;

    if (owned->server)
        rpc_server_close(owned->server, 0);
    for (size_t cursor = 0; map_next(&owned->callback_clients, &cursor, &entry);)
        rpc_client_close(entry->value);
    map_release(&owned->remembered);
    map_release(&owned->children);
    map_release(&owned->defaults);
    map_release(&owned->default_versions);
    map_release(&owned->packages);
    map_release(&owned->callback_clients);
    map_release(&owned->pending_transforms);
    map_release(&owned->traces);
    map_release(&owned->in_flight);
    vec_release(&owned->stack_transforms);
    vec_release(&owned->invoke_transforms);
}

const struct run_info *monitor_run_info(const struct monitor *monitor)
{
    return &monitor->run;
}

const struct remembered *monitor_recall(const struct monitor *monitor, str urn)
{
    return urn.len ? map_find(&monitor->remembered, urn) : NULL;
}

str monitor_inherited_provider(const struct monitor *monitor, str given, struct pairs providers,
                               str parent, str package)
{
    const struct remembered *remembered = monitor_recall(monitor, parent);
    const str *found = pairs_find(providers, package);

    if (given.len)
        return given;
    if (!found && remembered)
        found = pairs_find(remembered->providers, package);
    return found ? *found : STR("");
}
