/* analyzer.c — policy packs: started, given the stack, configured, called. */
#include "plugin/analyzer.h"

#include "base/fs.h"
#include "model/urn.h"
#include "plugin/language/analyzer_answer.h"
#include "plugin/language/analyzer_config.h"
#include "plugin/process/plugin_process.h"
#include "plugin/plugin_project.h"
#include "plugin/provider/provider_errors.h"
#include "proto/marshal.h"
#include "proto/options_codec.h"

#include "pb/analyzer.pb-c.h"
#include "pb/plugin.pb-c.h"
#include "pb/status.pb-c.h"

#include <stdlib.h>

#define ANALYZER_METHOD(name) "/pulumirpc.Analyzer/" name

const char *const policy_level_names[] = { "advisory", "mandatory", "disabled", "remediate" };
const char *const policy_severity_names[] = { "", "low", "medium", "high", "critical" };

struct analyzer {
    struct plugin *plugin;
    struct arena arena;
    str path;    /* as the user gave it */
    str version; /* by who requires it, or its PulumiPolicy.yaml, which know better than the pack;
                    empty: they do not say */
    const Pb__AnalyzerInfo *info;
    Pb__EnforcementLevel *levels; /* of its policies, as configured */
};

str analyzer_name(const struct analyzer *analyzer)
{
    return message_str(analyzer->info->name);
}

str analyzer_version(const struct analyzer *analyzer)
{
    return analyzer->version.len ? analyzer->version : message_str(analyzer->info->version);
}

str analyzer_path(const struct analyzer *analyzer)
{
    return analyzer->path;
}

struct strs analyzer_policies(const struct analyzer *analyzer, bool of_stack, struct arena *arena)
{
    const Pb__AnalyzerInfo *info = analyzer->info;
    const Pb__PolicyType other =
        of_stack ? PB__POLICY_TYPE__POLICY_TYPE_RESOURCE : PB__POLICY_TYPE__POLICY_TYPE_STACK;
    str *names = ARENA_ARRAY(arena, str, info->n_policies + 1);
    size_t len = 0;

    for (size_t i = 0; i < info->n_policies; i++)
        if (info->policies[i]->policy_type != other
            && analyzer->levels[i] != PB__ENFORCEMENT_LEVEL__DISABLED)
            names[len++] = message_str(info->policies[i]->name);
    return (struct strs){ names, len };
}

static fallible analyzer_call(struct plugin *plugin, const char *method,
                              const ProtobufCMessage *request,
                              const ProtobufCMessageDescriptor *type, struct arena *arena,
                              void **answer)
{
    const struct plugin_call call = { .method = method, .request = request, .answer = type };
    return provider_error(plugin_call(plugin, &call, arena, answer));
}

/* A call that older packs need not know. */
static fallible call_if_known(struct plugin *plugin, const struct plugin_call *wanted,
                              bool is_first, struct arena *arena, void **answer)
{
    struct error *failure = is_first ? plugin_first_call(plugin, wanted, arena, answer)
                                     : plugin_call(plugin, wanted, arena, answer);

    *answer = failure ? NULL : *answer;
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "the pack is older than the call");
        return NULL;
    }
    return provider_error(failure);
}

/* --- starting --- */

static fallible analyzer_shake_hands(struct plugin *plugin, str path, struct arena *arena)
{
    Pb__AnalyzerHandshakeRequest request = PB__ANALYZER_HANDSHAKE_REQUEST__INIT;
    const struct plugin_call handshake = {
        .method = ANALYZER_METHOD("Handshake"),
        .request = &request.base,
        .answer = &pb__analyzer_handshake_response__descriptor,
    };
    void *answer;

    request.engine_address = message_cstr(arena, plugin->host->options.engine_address);
    message_put(&request, root_directory, message_cstr(arena, path));
    message_put(&request, program_directory, message_cstr(arena, path));
    return call_if_known(plugin, &handshake, true, arena, &answer);
}

static fallible tell_stack(struct plugin *plugin, const struct run_info *run, struct arena *arena)
{
    Pb__AnalyzerStackConfigureRequest request = PB__ANALYZER_STACK_CONFIGURE_REQUEST__INIT;
    const struct plugin_call configure = {
        .method = ANALYZER_METHOD("ConfigureStack"),
        .request = &request.base,
        .answer = &pb__analyzer_stack_configure_response__descriptor,
    };
    void *answer;

    message_put_run(arena, &request, run);
    return call_if_known(plugin, &configure, false, arena, &answer);
}

static fallible configure(struct analyzer *analyzer, str config, struct arena *arena)
{
    Pb__ConfigureAnalyzerRequest request = PB__CONFIGURE_ANALYZER_REQUEST__INIT;
    const Pb__AnalyzerInfo *info = analyzer->info;
    void *answer;

    analyzer->levels = ARENA_ARRAY(&analyzer->arena, Pb__EnforcementLevel, info->n_policies + 1);
    for (size_t i = 0; i < info->n_policies; i++)
        analyzer->levels[i] = info->policies[i]->enforcement_level;
    if (!info->supports_config)
        return NULL;
    TRY(error_wrap(analyzer_config_merge(arena, info, config, &request),
                   "validating policy config: %s %s", info->name, info->version));
    for (size_t i = 0; i < request.n_policy_config; i++)
        analyzer->levels[i] = request.policy_config[i]->value->enforcement_level;
    return analyzer_call(analyzer->plugin, ANALYZER_METHOD("Configure"), &request.base,
                         &pb__empty__descriptor, arena, &answer);
}

static fallible analyzer_introduce(struct analyzer *analyzer, str config,
                                   const struct run_info *run)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    Pb__Empty empty = PB__EMPTY__INIT;
    void *answer;

    TRY(analyzer_shake_hands(analyzer->plugin, analyzer->path, &scratch));
    TRY(tell_stack(analyzer->plugin, run, &scratch));
    TRY(analyzer_call(analyzer->plugin, ANALYZER_METHOD("GetPluginInfo"), &empty.base,
                      &pb__plugin_info__descriptor, &scratch, &answer));
    TRY(analyzer_call(analyzer->plugin, ANALYZER_METHOD("GetAnalyzerInfo"), &empty.base,
                      &pb__analyzer_info__descriptor, &analyzer->arena, &answer));
    analyzer->info = answer;
    return configure(analyzer, config, &scratch);
}

static fallible analyzer_read_version(struct analyzer *analyzer, str path)
{
    struct plugin_project project = { 0 };
    str folder = fs_is_directory(path) ? path : fs_path_directory(path);
    struct error *failure =
        plugin_project_load(&analyzer->arena, STR("analyzer"), folder, &project);

    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "a pack that is a program needs none");
        failure = NULL;
    }
    analyzer->version = project.version;
    return failure;
}

static fallible analyzer_start(struct plugin_host *host, struct analyzer *analyzer,
                               const struct analyzer_spec *spec, const struct run_info *run)
{
    str name = fs_path_name(analyzer->path), here;
    struct plugin_launch launch = { .kind = STR("analyzer"), .name = name };

    TRY(fs_working_directory(&analyzer->arena, &here)); /* the pack is run elsewhere */
    launch.path = fs_path_absolute(&analyzer->arena, here, analyzer->path);
    TRY(analyzer_read_version(analyzer, launch.path));
    if (spec->version.len)
        analyzer->version = arena_copy(&analyzer->arena, spec->version);
    launch.label = arena_concat(&analyzer->arena, name, STR(" (analyzer)"));
    launch.environment = plugin_analyzer_environment(host, run, spec->variables, &analyzer->arena);
    TRY(plugin_host_begin_load(host));
    struct error *failure = plugin_start(host, &launch, &analyzer->plugin);
    if (!failure)
        vec_add(&host->analyzers, analyzer);
    plugin_host_end_load(host);
    return failure;
}

fallible plugin_load_analyzer(struct plugin_host *host, const struct analyzer_spec *spec,
                              const struct run_info *run, struct analyzer **out)
{
    struct analyzer *analyzer = memory_zalloc(sizeof(*analyzer));
    str name = spec->name.len ? spec->name : spec->path;

    analyzer->path = arena_copy(&analyzer->arena, spec->path);
    struct error *failure = analyzer_start(host, analyzer, spec, run);
    if (failure) {
        arena_release(&analyzer->arena);
        free(analyzer);
        return error_wrap(failure, "policy pack \"" STR_FMT "\" failed to start", STR_ARG(name));
    }
    *out = analyzer;
    return error_wrap(analyzer_introduce(analyzer, spec->config, run),
                      "policy pack \"" STR_FMT "\" failed to start", STR_ARG(name));
}

void analyzer_cancel(struct analyzer *analyzer, uint64_t timeout_ms)
{
    plugin_cancel(analyzer->plugin, ANALYZER_METHOD("Cancel"), timeout_ms);
}

void analyzer_close(struct analyzer *owned)
{
    plugin_close(owned->plugin);
    arena_release(&owned->arena);
    free(owned);
}

/* --- what they are given --- */

/* References are their IDs; what is internal is for remediation only. */
static fallible encode(struct arena *arena, struct value properties, bool with_internal, str *out)
{
    const struct marshal_options options = {
        .keep_unknowns = true,
        .keep_secrets = true,
        .skip_internal_keys = !with_internal,
        .accepts_byte_strings = true,
        .label = "Analyze",
    };
    return properties_marshal(arena, properties, &options, out);
}

static Pb__AnalyzerResourceOptions *describe_options(struct arena *arena,
                                                     const struct analyzed *analyzed)
{
    struct requested_options options;
    Pb__AnalyzerResourceOptions *message = ARENA_NEW(arena, Pb__AnalyzerResourceOptions);

    pb__analyzer_resource_options__init(message);
    options_of_state(arena, analyzed->resource, &options);
    options.delete_before_replace = analyzed->deletes_before_replace;
    options.given.delete_before_replace = analyzed->has_delete_before_replace;
    options_put(arena, WIRE_POLICY, &options, &message->base);
    message->parent = message_cstr(arena, analyzed->resource->parent);
    return message;
}

static fallible describe_provider(struct arena *arena, const struct resource *provider,
                                  Pb__AnalyzerProviderResource **out)
{
    str bytes;

    *out = NULL;
    if (!provider)
        return NULL;
    TRY(encode(arena, provider->inputs, false, &bytes));
    *out = ARENA_NEW(arena, Pb__AnalyzerProviderResource);
    pb__analyzer_provider_resource__init(*out);
    (*out)->type = message_cstr(arena, provider->type);
    (*out)->urn = message_cstr(arena, provider->urn);
    (*out)->name = message_cstr(arena, urn_name_of(provider->urn));
    message_put_bytes(*out, properties, bytes);
    return NULL;
}

static fallible analyzer_describe(struct arena *arena, const struct analyzed *analyzed,
                                  bool with_internal, Pb__AnalyzeRequest *out)
{
    const struct resource *resource = analyzed->resource;
    str bytes;

    pb__analyze_request__init(out);
    out->type = message_cstr(arena, resource->type);
    out->urn = message_cstr(arena, resource->urn);
    out->name = message_cstr(arena, urn_name_of(resource->urn));
    TRY(encode(arena, analyzed->properties, with_internal, &bytes));
    message_put_bytes(out, properties, bytes);
    out->options = describe_options(arena, analyzed);
    return describe_provider(arena, analyzed->provider, &out->provider);
}

/* --- what they say (analyzer_answer.c) --- */

static struct analyzer_facts facts_of(const struct analyzer *analyzer)
{
    return (struct analyzer_facts){ analyzer->info, analyzer->version };
}

fallible analyzer_remediate(struct analyzer *analyzer, const struct analyzed *resource,
                            struct arena *arena, struct remediations *out)
{
    Pb__AnalyzeRequest request;
    const struct plugin_call wanted = {
        .method = ANALYZER_METHOD("Remediate"),
        .request = &request.base,
        .answer = &pb__remediate_response__descriptor,
    };
    void *answer = NULL;

    TRY(analyzer_describe(arena, resource, true, &request));
    TRY(call_if_known(analyzer->plugin, &wanted, false, arena, &answer));
    return analyzer_take_remediations(facts_of(analyzer), arena, answer, out);
}

fallible analyzer_analyze(struct analyzer *analyzer, const struct analyzed *resource,
                          struct arena *arena, struct policy_violations *out)
{
    Pb__AnalyzeRequest request;
    void *answer = NULL;

    TRY(analyzer_describe(arena, resource, false, &request));
    TRY(analyzer_call(analyzer->plugin, ANALYZER_METHOD("Analyze"), &request.base,
                      &pb__analyze_response__descriptor, arena, &answer));
    analyzer_take_violations(facts_of(analyzer), arena, answer, out);
    return NULL;
}

static struct property_dependencies without_empty(struct arena *arena,
                                                  struct property_dependencies all)
{
    struct property_dependency *items = ARENA_ARRAY(arena, struct property_dependency, all.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < all.len; i++)
        if (all.items[i].urns.len)
            items[len++] = all.items[i];
    return (struct property_dependencies){ items, len };
}

static fallible describe_in_stack(struct arena *arena, const struct analyzed *analyzed,
                                  Pb__AnalyzerResource **out)
{
    const struct resource *resource = analyzed->resource;
    Pb__AnalyzerResource *message = ARENA_NEW(arena, Pb__AnalyzerResource);
    str bytes;

    pb__analyzer_resource__init(message);
    TRY(encode(arena, analyzed->properties, false, &bytes));
    message_put_bytes(message, properties, bytes);
    message->type = message_cstr(arena, resource->type);
    message->urn = message_cstr(arena, resource->urn);
    message->name = message_cstr(arena, urn_name_of(resource->urn));
    message->parent = message_cstr(arena, resource->parent);
    message->options = describe_options(arena, analyzed);
    message_put_strs(arena, message, dependencies, resource->dependencies);
    struct property_dependencies known = without_empty(arena, resource->property_dependencies);
    message->n_property_dependencies = known.len;
    message->property_dependencies = message_urns_entries(arena, known);
    TRY(describe_provider(arena, analyzed->provider, &message->provider));
    *out = message;
    return NULL;
}

fallible analyzer_analyze_stack(struct analyzer *analyzer, const struct analyzed *resources,
                                size_t count, struct arena *arena, struct policy_violations *out)
{
    Pb__AnalyzeStackRequest request = PB__ANALYZE_STACK_REQUEST__INIT;
    const struct plugin_call wanted = {
        .method = ANALYZER_METHOD("AnalyzeStack"),
        .request = &request.base,
        .answer = &pb__analyze_response__descriptor,
    };
    void *answer = NULL;

    request.resources = ARENA_ARRAY(arena, Pb__AnalyzerResource *, count + 1);
    for (; request.n_resources < count; request.n_resources++)
        TRY(describe_in_stack(arena, &resources[request.n_resources],
                              &request.resources[request.n_resources]));
    TRY(call_if_known(analyzer->plugin, &wanted, false, arena, &answer));
    analyzer_take_violations(facts_of(analyzer), arena, answer, out);
    return NULL;
}
