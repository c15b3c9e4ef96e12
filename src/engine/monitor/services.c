/* services.c — the Engine service every child is given, and the plugin host. */
#include "engine/monitor/services.h"

#include "base/semver_range.h"
#include "base/version.h"
#include "engine/engine.h"
#include "engine/monitor/monitor.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "engine/step/step.h"
#include "engine/step/views.h"
#include "plugin/language.h"
#include "proto/message.h"
#include "proto/struct_codec.h"
#include "rpc/rpc.h"

#include "pb/engine.pb-c.h"

#include <stdlib.h>

struct engine_shared {
    const struct step_tools *tools; /* of the operation under way; NULL: none */
    struct map schemas;             /* package, version, parameter → struct str * */
    struct rpc_server *server;
    struct plugin_host *host;
    str root_resource; /* a register that programs write and read */
};

str services_trouble(const struct engine_shared *shared)
{
    return rpc_server_trouble(shared->server);
}

str services_address(const struct engine_shared *shared)
{
    return rpc_server_address(shared->server);
}

const struct step_tools *services_tools(void *shared)
{
    return ((struct engine_shared *)shared)->tools;
}

struct map *services_schemas(void *shared)
{
    return &((struct engine_shared *)shared)->schemas;
}

fallible services_refuse(void)
{
    return error_from_status(RPC_UNAVAILABLE, STR("no operation is under way"), STR(""));
}

static fallible handle_log(void *shared_, struct rpc_call *call, str bytes, str *response)
{
    static const enum severity severities[] = { SEVERITY_DEBUG, SEVERITY_INFO, SEVERITY_WARNING,
                                                SEVERITY_ERROR };
    struct engine_shared *shared = shared_;
    struct arena *arena = rpc_call_arena(call);
    Pb__LogRequest *message = NULL;

    if (!shared->tools)
        return services_refuse();
    TRY(message_request(arena, &pb__log_request__descriptor, bytes, (void **)&message));
    unsigned level = (unsigned)message->severity;
    str text = arena_concat(arena, message_str(message->message), STR("\n"));
    const struct event event = {
        .kind = EVENT_DIAGNOSTIC,
        .diagnostic = {
            .urn = message_str(message->urn),
            .severity = level < 4 ? severities[level] : SEVERITY_ERROR,
            .message = text,
            .stream_id = message->stream_id,
            .is_ephemeral = message->ephemeral,
        },
    };
    report_emit(shared->tools->report, &event);
    *response = STR("");
    return NULL;
}

static fallible get_root(void *shared_, struct rpc_call *call, str bytes, str *response)
{
    const struct engine_shared *shared = shared_;
    Pb__GetRootResourceResponse answer = PB__GET_ROOT_RESOURCE_RESPONSE__INIT;

    (void)bytes;
    answer.urn = message_cstr(rpc_call_arena(call), shared->root_resource);
    *response = MESSAGE_PACK(rpc_call_arena(call), &answer);
    return NULL;
}

static fallible set_root(void *shared_, struct rpc_call *call, str bytes, str *response)
{
    struct engine_shared *shared = shared_;
    Pb__SetRootResourceRequest *message = NULL;

    if (!shared->tools)
        return services_refuse();
    TRY(message_request(rpc_call_arena(call), &pb__set_root_resource_request__descriptor, bytes,
                        (void **)&message));
    shared->root_resource = arena_copy(shared->tools->arena, message_str(message->urn));
    *response = STR("");
    return NULL;
}

static fallible require_version(void *services, struct rpc_call *call, str bytes, str *response)
{
    Pb__RequirePulumiVersionRequest *message = NULL;
    struct semver version;
    bool is_inside = false;

    (void)services;
    TRY(message_request(rpc_call_arena(call), &pb__require_pulumi_version_request__descriptor,
                        bytes, (void **)&message));
    BUG_IF(!semver_parse_tolerant(STR(PULUMI_VERSION), &version));
    TRY(error_as(semver_in_range(&version, message_str(message->pulumi_version_range), &is_inside),
                 ERROR_OTHER));
    if (!is_inside)
        return error_new(ERROR_OTHER,
                         "Pulumi CLI version %s does not satisfy the version range \"%s\"",
                         &PULUMI_VERSION[1], message->pulumi_version_range);
    *response = STR("");
    return NULL;
}

/* A host says that a debugger may attach; the program waits for it. */
static fallible start_debugging(void *shared_, struct rpc_call *call, str bytes, str *response)
{
    struct engine_shared *shared = shared_;
    struct arena *arena = rpc_call_arena(call);
    Pb__StartDebuggingRequest *message = NULL;
    struct event event = { .kind = EVENT_START_DEBUGGING };

    if (!shared->tools)
        return services_refuse();
    if (!shared->tools->options->world->debugged.len)
        return error_new(ERROR_OTHER, "debugging is not enabled");
    TRY(message_request(arena, &pb__start_debugging_request__descriptor, bytes, (void **)&message));
    TRY(struct_decode(arena, message_get_bytes(message, config), TEXT_COPIED, &event.debugging));
    report_emit(shared->tools->report, &event);
    const struct event waiting = {
        .kind = EVENT_DIAGNOSTIC,
        .diagnostic = { .severity = SEVERITY_INFO,
                        .message = arena_printf(arena, "Waiting for debugger to attach (%s)...\n",
                                                message->message),
                        .is_ephemeral = true },
    };
    report_emit(shared->tools->report, &waiting);
    *response = STR("");
    return NULL;
}

static const struct rpc_method methods[] = {
    { .path = "/pulumirpc.Engine/Log", .unary = handle_log },
    { .path = "/pulumirpc.Engine/GetRootResource", .unary = get_root },
    { .path = "/pulumirpc.Engine/SetRootResource", .unary = set_root },
    { .path = "/pulumirpc.Engine/RequirePulumiVersion", .unary = require_version },
    { .path = "/pulumirpc.Engine/StartDebugging", .unary = start_debugging },
    { .path = "/pulumirpc.ResourceStatus/PublishViewSteps", .unary = services_publish_views },
    { .path = "/codegen.Loader/GetSchema", .unary = loader_get_schema },
    { .path = "/codegen.Mapper/GetMapping", .unary = mapper_get_mapping },
    { .path = NULL },
};

void services_report(const struct report *report, enum plugin_severity severity, str message,
                     int32_t stream_id)
{
    static const enum severity severities[] = { SEVERITY_DEBUG, SEVERITY_INFO, SEVERITY_INFO_ERROR,
                                                SEVERITY_WARNING, SEVERITY_ERROR };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    message = arena_concat(&scratch, message, STR("\n"));
    const struct event event = {
        .kind = EVENT_DIAGNOSTIC,
        .diagnostic = { .severity = severities[severity],
                        .message = message,
                        .stream_id = stream_id },
    };
    report_emit(report, &event);
}

/* What a plugin prints while nothing is under way has no display to go to. */
static void report_output(void *shared, enum plugin_severity severity, str message,
                          int32_t stream_id)
{
    const struct step_tools *tools = services_tools(shared);

    if (tools)
        services_report(tools->report, severity, message, stream_id);
}

static fallible open_host(struct engine_shared *shared, const struct engine_options *options)
{
    const struct plugin_host_options host = {
        .world = options->world,
        .project = options->project,
        .config = options->config,
        .engine_address = services_address(shared),
        .loader_address = services_address(shared),
        .mapper_address = services_address(shared),
        .report = report_output,
        .report_context = shared,
    };
    return plugin_host_open(&host, &shared->host);
}

struct engine_shared *engine_shared_new(void)
{
    return memory_zalloc(sizeof(struct engine_shared));
}

static void end_plugins(struct engine_shared *shared)
{
    if (shared->host)
        plugin_host_close(shared->host);
    shared->host = NULL;
}

static void end_server(struct engine_shared *shared)
{
    if (shared->server)
        rpc_server_close(shared->server, 0);
    shared->server = NULL;
}

void engine_shared_close(struct engine_shared *shared)
{
    end_plugins(shared);
    end_server(shared);
    free(shared);
}

fallible services_open(const struct step_tools *tools, struct engine_shared **out)
{
    const struct engine_options *options = tools->options;
    struct engine_shared *shared = options->shared ? options->shared : engine_shared_new();

    *out = shared;
    shared->tools = tools;
    shared->root_resource = STR("");
    if (!shared->server)
        TRY(rpc_server_open(methods, shared, &shared->server));
    tools->views->address = services_address(shared);
    bool is_first = !shared->host;
    if (is_first)
        TRY(open_host(shared, options));
    tools->registry->host = shared->host;
    if (is_first)
        registry_start_early(tools->registry);
    return NULL;
}

void services_close(struct engine_shared *shared, struct language *language,
                    struct monitor *monitor, bool is_kept)
{
    bool is_shared = shared->tools->options->shared != NULL;

    if (is_kept) {
        plugin_host_rest(shared->host);
    } else {
        if (language)
            language_cancel(language);
        end_plugins(shared);
    }
    shared->tools->registry->host = NULL;
    if (monitor)
        monitor_close(monitor);
    shared->tools = NULL;
    map_release(&shared->schemas); /* they live in the operation's arena */
    if (!is_kept)
        end_server(shared);
    if (!is_shared)
        engine_shared_close(shared);
}
