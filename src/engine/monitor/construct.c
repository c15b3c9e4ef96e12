/* construct.c — remote components: their provider constructs them and registers what is inside. */
#include "engine/monitor/monitor.h"

#include "engine/provider/registry.h"
#include "engine/report/course.h"
#include "model/urn.h"
#include "proto/message.h"

static fallible find_provider(struct monitor *monitor, const struct construct_request *request,
                              str reference, struct provider **out)
{
    str urn, id;

    TRY(provider_ref_parse(reference, &urn, &id));
    if (str_equal(id, DENIED_PROVIDER_ID))
        return error_new(ERROR_OTHER,
                         "Default provider for '" STR_FMT "' disabled. '" STR_FMT
                         "' must use an explicit provider.",
                         STR_ARG(type_package(request->type)), STR_ARG(request->type));
    *out = registry_find(monitor->registry, reference);
    return *out ? NULL
                : error_new(ERROR_OTHER, "unknown provider '" STR_FMT "'", STR_ARG(reference));
}

static fallible extend_provider(struct monitor *monitor, str reference, str package_ref)
{
    const struct package *package = monitor_find_package(monitor, package_ref);

    if (!package || !package->extension)
        return NULL;
    return registry_extend_for_component(monitor->registry, reference, package->extension);
}

fallible monitor_construct(struct monitor *monitor, struct arena *arena,
                           const struct construct_request *request, str reference, str package_ref,
                           struct construct_answer *out)
{
    struct provider *provider = NULL;

    TRY(monitor_check_open(monitor));
    TRY(find_provider(monitor, request, reference, &provider));
    TRY(extend_provider(monitor, reference, package_ref));
    TRY(monitor_check_open(monitor));
    struct error *failure = provider->ops->construct(provider, request, arena, out);
    if (!failure || error_kind(failure) == ERROR_CANCELED)
        return failure;
    course_fail(monitor->course, STR(""),
                error_new(ERROR_OTHER, STR_FMT " resource '" STR_FMT "' has a problem: " STR_FMT,
                          STR_ARG(request->type), STR_ARG(request->name),
                          STR_ARG(error_message(failure))));
    error_free(failure);
    return monitor_refuse(RPC_UNKNOWN, "resource monitor shut down");
}
