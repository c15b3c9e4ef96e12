/* ask_provider.c — a provider for one question, without a program and without a state. */
#include "engine/engine.h"

#include "base/uuid.h"
#include "engine/monitor/provider_inputs.h"
#include "engine/monitor/services.h"
#include "engine/report/report.h"
#include "model/urn.h"
#include "plugin/plugin.h"

static void ask_report(void *report, enum plugin_severity severity, str message, int32_t stream_id)
{
    services_report(report, severity, message, stream_id);
}

static fallible ask_check_failures(const struct check_failures *failures, str package)
{
    struct error *all = NULL;

    for (size_t i = 0; i < failures->len; i++)
        all = error_join(
            all, error_new(ERROR_INVALID,
                           "configuration of provider '" STR_FMT "': %s" STR_FMT "%s" STR_FMT,
                           STR_ARG(package), failures->items[i].property.len ? "'" : "",
                           STR_ARG(failures->items[i].property),
                           failures->items[i].property.len ? "': " : "",
                           STR_ARG(failures->items[i].reason)));
    return all;
}

static fallible ask_configure(struct provider *provider, const struct engine_options *options,
                              const struct provider_question *question, struct arena *arena)
{
    const struct package_ref *package = question->package;
    str name = provider_default_name(arena, package);
    str type = arena_concat(arena, STR("pulumi:providers:"), package->name);
    str urn = urn_make(arena, options->project->stack, options->project->name, STR(""), type, name);
    struct check_answer checked;
    struct value inputs = question->is_explicit
                              ? question->inputs
                              : provider_package_config(arena, options, package->name);

    if (package->version.len)
        inputs = value_with(arena, inputs, STR("version"), value_string(package->version));
    const struct check_request check = { .urn = urn, .olds = VALUE_EMPTY_OBJECT, .news = inputs };
    TRY(provider->ops->check_config(provider, &check, arena, &checked));
    TRY(ask_check_failures(&checked.failures, package->name));
    const struct configure_request configure = {
        .urn = urn, .id = uuid_new(arena), .name = name, .type = type, .inputs = checked.inputs
    };
    return error_wrap(provider->ops->configure(provider, &configure),
                      "configure provider '" STR_FMT "'", STR_ARG(package->name));
}

static fallible ask_refuse_denied(const struct engine_options *options, str package)
{
    bool is_denied;

    TRY(provider_default_is_denied(options, package, &is_denied));
    if (!is_denied)
        return NULL;
    return error_new(ERROR_INVALID,
                     "Default provider for '" STR_FMT
                     "' disabled: the configuration has pulumi:disable-default-providers",
                     STR_ARG(package));
}

fallible engine_ask_provider(const struct engine_options *options,
                             const struct provider_question *question, struct arena *arena)
{
    struct report report = { .options = options, .arena = arena };
    const struct plugin_host_options host_options = {
        .world = options->world,
        .project = options->project,
        .config = options->config,
        .report = ask_report,
        .report_context = &report,
    };
    const struct provider_spec spec = { .package = *question->package };
    struct plugin_host *host;
    struct provider *provider;

    if (!question->is_explicit)
        TRY(ask_refuse_denied(options, question->package->name));
    TRY(plugin_host_open(&host_options, &host));
    struct error *failure = plugin_load_provider(host, &spec, &provider);
    if (!failure)
        failure = ask_configure(provider, options, question, arena);
    if (!failure)
        failure = question->ask(question->context, provider);
    plugin_host_close(host);
    return failure;
}
