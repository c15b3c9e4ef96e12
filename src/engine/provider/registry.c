/* registry.c — the providers of one operation, and the provider of provider resources.
 *
 * A process belongs to one provider resource. It is started by the check, waits there under the
 * resource's URN, and is configured by the create, update or same step that follows, which files it
 * under its reference. */
#include "engine/provider/registry.h"

#include "base/base64.h"
#include "base/uuid.h"
#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/report/operation.h"
#include "engine/report/report.h"
#include "fiber/sync.h"
#include "model/signatures.h"
#include "model/urn.h"
#include "plugin/install.h"

#define VERSION_KEY STR("version")

bool provider_decode(struct arena *arena, str text, str *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };

    if (!base64_decode(&bytes, text))
        return false;
    *out = arena_copy(arena, strbuf_str(&bytes));
    return true;
}

struct value provider_config(struct arena *arena, struct value inputs)
{
    return value_without(arena, inputs, PROVIDER_INTERNAL);
}

/* State of old kept the same keys at the top. */
static struct value internal_inputs(struct value inputs)
{
    const struct value *internal = value_find(inputs, PROVIDER_INTERNAL);
    return internal && internal->kind == VALUE_OBJECT ? *internal : inputs;
}

static void read_env_mappings(struct arena *arena, struct value internal,
                              struct provider_spec *spec)
{
    const struct value *mappings = value_find(internal, STR("envVarMappings"));

    if (!mappings || mappings->kind != VALUE_OBJECT)
        return;
    struct pair *pairs = ARENA_ARRAY(arena, struct pair, mappings->len);
    for (uint32_t i = 0; i < mappings->len; i++)
        pairs[i] = (struct pair){ mappings->members[i].key,
                                  value_find_text(*mappings, mappings->members[i].key) };
    spec->env_mappings = (struct pairs){ pairs, mappings->len };
}

static struct value read_checksums(struct value internal)
{
    const struct value *checksums = value_find(internal, STR("pluginChecksums"));

    return checksums ? *checksums : value_null();
}

fallible registry_plugin_of(struct arena *arena, str type, struct value inputs,
                            struct provider_spec *out)
{
    struct value internal = internal_inputs(inputs);
    str parameter = value_find_text(internal, STR("parameterization"));
    struct package_ref *package = &out->package;

    *out = (struct provider_spec){ .package.name = type_provider_package(type) };
    if (value_find(internal, STR("name")) && value_find(inputs, PROVIDER_INTERNAL))
        package->name = value_find_text(internal, STR("name"));
    package->version = value_find_text(
        value_has(internal, STR("parameterization")) ? internal : inputs, VERSION_KEY);
    package->download_url = value_find_text(internal, STR("pluginDownloadURL"));
    package->checksums = read_checksums(internal);
    read_env_mappings(arena, internal, out);
    if (!value_has(internal, STR("parameterization")))
        return NULL;
    package->is_parameterized = true;
    package->parameter_name = type_provider_package(type);
    package->parameter_version = value_find_text(inputs, VERSION_KEY);
    if (!provider_decode(arena, parameter, &package->parameter_value))
        return error_new(ERROR_INVALID,
                         "could not decode base64 parameter value of provider '" STR_FMT "'",
                         STR_ARG(type));
    return NULL;
}

fallible engine_package_of(struct arena *arena, str provider_type, struct value inputs,
                           struct package_ref *out)
{
    struct provider_spec spec;

    TRY(registry_plugin_of(arena, provider_type, inputs, &spec));
    *out = spec.package;
    return NULL;
}

bool engine_has_package(str name)
{
    return str_equal(name, STR("pulumi")) || builtin_has(name);
}

fallible engine_package_schema(struct arena *arena, str name, str *out)
{
    const struct builtin_world world = { 0 };
    struct provider *provider = str_equal(name, STR("pulumi")) ? builtin_pulumi_new(arena, &world)
                                                               : builtin_find(arena, &world, name);

    return provider->ops->get_schema(provider, arena, out);
}

fallible registry_load_package(struct registry *registry, const struct provider_spec *spec,
                               struct provider **out)
{
    if (str_equal(spec->package.name, STR("pulumi"))) {
        *out = registry->builtin;
        return NULL;
    }
    struct provider_spec wanted = *spec;
    wanted.never_installs = builtin_has(spec->package.name);
    struct error *failure = plugin_load_provider(registry->host, &wanted, out);
    if (!failure || error_kind(failure) != ERROR_NOT_FOUND || !wanted.never_installs)
        return failure;
    error_ignore(failure, "a plugin would win, but there is none");
    *out = builtin_find(registry->arena, &registry->world, spec->package.name);
    return NULL;
}

static fallible registry_load(struct registry *registry, str type, struct value inputs,
                              struct provider **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct provider_spec spec;
    const struct package_ref *package = &spec.package;

    TRY(registry_plugin_of(&scratch, type, inputs, &spec));
    TRY(registry_load_package(registry, &spec, out));
    if (!package->is_parameterized)
        return NULL;
    return (*out)->ops->parameterize(*out, package->parameter_name, package->parameter_version,
                                     package->parameter_value, &scratch);
}

/* Also under the name the provider had before, so that what still refers to that finds it. */
static void registry_put(struct registry *registry, str urn, str id, struct provider *provider)
{
    struct arena *arena = registry->arena;
    const str *alias = map_find(&registry->aliases, urn);

    map_put(&registry->configured, provider_ref_format(arena, urn, id), provider);
    if (alias)
        map_put(&registry->configured, provider_ref_format(arena, *alias, id), provider);
}

static fallible registry_configure(struct registry *registry, struct provider *provider, str urn,
                                   str id, struct value inputs)
{
    struct arena *arena = registry->arena;
    const struct configure_request request = {
        .urn = urn,
        .id = id,
        .name = urn_name_of(urn),
        .type = urn_type_of(urn),
        .inputs = provider_config(arena, inputs),
    };

    if (provider->ops->configure)
        TRY(error_wrap(provider->ops->configure(provider, &request),
                       "configure provider '" STR_FMT "'", STR_ARG(urn)));
    return NULL;
}

/* For the step that creates or changes the provider resource: what was there before is gone. */
static fallible registry_configure_new(struct registry *registry, struct provider *provider,
                                       str urn, str id, struct value inputs)
{
    TRY(registry_configure(registry, provider, urn, id, inputs));
    registry_put(registry, urn, id, provider);
    return NULL;
}

struct provider *registry_find(struct registry *registry, str reference)
{
    return map_find(&registry->configured, reference);
}

void registry_add_alias(struct registry *registry, str urn, str alias)
{
    struct arena *arena = registry->arena;
    map_put(&registry->aliases, arena_copy(arena, urn),
            arena_copy_bytes(arena, &alias, sizeof(alias)));
}

static fallible load_same(struct registry *registry, const struct resource *resource, str reference,
                          bool from_check)
{
    struct provider *provider = NULL;

    if (from_check)
        provider = map_remove(&registry->checked, resource->urn);
    if (!provider)
        TRY(error_wrap(registry_load(registry, resource->type, resource->inputs, &provider),
                       "load plugin for " STR_FMT " provider '" STR_FMT "'",
                       STR_ARG(type_provider_package(resource->type)), STR_ARG(resource->urn)));
    TRY(registry_configure(registry, provider, resource->urn, resource->id, resource->inputs));
    /* A step may have changed it meanwhile; the state that this one comes from is older:
     * test_registry.c: a_provider_of_the_state_does_not_take_the_place_of_the_changed_one. */
    if (!registry_find(registry, reference))
        registry_put(registry, resource->urn, resource->id, provider);
    return NULL;
}

/* Several may need the same provider at once: one configures it, the others wait. If it fails each
 * of them tries and reports for itself. */
fallible registry_same(struct registry *registry, const struct resource *resource, bool from_check)
{
    struct latch *loading;

    if (resource->id.len == 0 || str_equal(resource->id, UNKNOWN_STRING_TEXT))
        return error_new(ERROR_OTHER, "provider '" STR_FMT "' has an unknown ID",
                         STR_ARG(resource->urn));
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str reference = provider_ref_format(&scratch, resource->urn, resource->id);
    while (!registry_find(registry, reference)
           && (loading = map_find(&registry->loading, reference)))
        latch_wait_uncancelable(loading);
    if (registry_find(registry, reference))
        return NULL;
    loading = ARENA_NEW(registry->arena, struct latch);
    map_put(&registry->loading, reference, loading);
    struct error *failure = load_same(registry, resource, reference, from_check);
    map_remove(&registry->loading, reference);
    latch_open(loading);
    return failure;
}

fallible registry_ensure(struct registry *registry, str reference)
{
    str urn, id;

    if (reference.len == 0 || registry_find(registry, reference))
        return NULL;
    TRY(provider_ref_parse(reference, &urn, &id));
    for (size_t i = 0; i < registry->estate->base.len; i++) {
        const struct resource *resource = registry->estate->base.items[i];
        if (str_equal(resource->urn, urn) && str_equal(resource->id, id))
            return registry_same(registry, resource, false);
    }
    return error_new(ERROR_OTHER, "could not find provider " STR_FMT, STR_ARG(reference));
}

void registry_start_early(struct registry *registry)
{
    enum { MOST = 8 }; /* each is a process of its own, and one that is not needed is a waste */
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct engine_options *options = registry->options;
    const struct resources *base = &registry->estate->base;
    bool runs_program = operation_of(options)->source == SOURCE_PROGRAM;
    size_t count = 0;

    if (options->plan.targets.len && !runs_program)
        return; /* few of them may be needed */
    for (size_t i = 0; i < base->len && count < MOST; i++) {
        const struct resource *resource = base->items[i];
        struct provider_spec spec;
        if (!type_is_provider(resource->type) || resource->is_delete)
            continue;
        struct error *failure =
            registry_plugin_of(&scratch, resource->type, resource->inputs, &spec);
        if (!failure && !engine_has_package(spec.package.name)) {
            plugin_start_early(registry->host, &spec);
            count++;
        }
        error_ignore(failure, "reported when the provider is needed");
    }
}

/* --- the provider of provider resources --- */

static struct registry *registry_of(struct provider *provider)
{
    return (struct registry *)(void *)provider;
}

/* The provider may fill in and refuse, but the version is not its to choose, and what is internal
 * stays ours. */
static fallible merge_checked(struct registry *registry, const struct check_request *request,
                              struct arena *arena, struct value *inputs)
{
    const struct value *wanted = value_find(request->news, VERSION_KEY);
    const struct value *given = value_find(*inputs, VERSION_KEY);
    const struct value *internal = value_find(request->news, PROVIDER_INTERNAL);

    if (wanted && !given)
        *inputs = value_with(arena, *inputs, VERSION_KEY, *wanted);
    else if (wanted && !value_equal(*wanted, *given))
        return error_new(ERROR_OTHER,
                         "provider \"" STR_FMT "\" attempted to change version from \"" STR_FMT
                         "\" to \"" STR_FMT "\"",
                         STR_ARG(request->urn),
                         STR_ARG(value_find_text(request->news, VERSION_KEY)),
                         STR_ARG(value_find_text(*inputs, VERSION_KEY)));
    if (!internal)
        return NULL;
    if (value_has(*inputs, PROVIDER_INTERNAL))
        report_diagnose(registry->report, SEVERITY_WARNING, request->urn,
                        "provider attempted to use __internal key that is reserved by the engine");
    *inputs = value_with(arena, *inputs, PROVIDER_INTERNAL, *internal);
    return NULL;
}

static fallible registry_check(struct provider *self, const struct check_request *request,
                               struct arena *arena, struct check_answer *out)
{
    struct registry *registry = registry_of(self);
    struct provider *provider = NULL;
    struct check_request filtered = *request;

    TRY(registry_load(registry, urn_type_of(request->urn), request->news, &provider));
    filtered.olds = provider_config(arena, request->olds);
    filtered.news = provider_config(arena, request->news);
    filtered.allows_unknowns = true;
    *out = (struct check_answer){ .inputs = filtered.news };
    if (provider->ops->check_config)
        TRY(provider->ops->check_config(provider, &filtered, arena, out));
    if (out->failures.len)
        return NULL;
    map_put(&registry->checked, arena_copy(registry->arena, request->urn), provider);
    return merge_checked(registry, request, arena, &out->inputs);
}

static fallible registry_diff(struct provider *self, const struct diff_request *request,
                              struct arena *arena, struct diff_answer *out)
{
    struct registry *registry = registry_of(self);
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct provider *provider = map_find(&registry->checked, request->urn);
    struct diff_request filtered = *request;

    if (!provider)
        provider =
            registry_find(registry, provider_ref_format(&scratch, request->urn, request->id));
    BUG_IF(!provider);
    filtered.old_inputs = provider_config(arena, request->old_inputs);
    filtered.news = provider_config(arena, request->news);
    if (provider->ops->diff_config)
        TRY(provider->ops->diff_config(provider, &filtered, arena, out));
    if (out->changes == CHANGES_UNKNOWN)
        out->changes =
            value_equal(request->old_outputs, filtered.news) ? CHANGES_NONE : CHANGES_SOME;
    return NULL;
}

/* The one that was checked, or another where that could not be configured and an error hook tries
 * again: test_exec_provider.c: a_provider_that_cannot_be_configured_is_tried_again. */
static fallible take_checked(struct registry *registry, str urn, struct value inputs,
                             struct provider **out)
{
    *out = map_remove(&registry->checked, urn);
    return *out ? NULL : registry_load(registry, urn_type_of(urn), inputs, out);
}

static fallible registry_create(struct provider *self, const struct create_request *request,
                                struct arena *arena, struct provider_state *out)
{
    struct registry *registry = registry_of(self);
    str id = request->preview ? UNKNOWN_STRING_TEXT : uuid_new(registry->arena);
    struct provider *provider;

    TRY(take_checked(registry, request->urn, request->inputs, &provider));
    TRY(registry_configure_new(registry, provider, request->urn, id, request->inputs));
    *out = (struct provider_state){ .id = id, .outputs = provider_config(arena, request->inputs) };
    return NULL;
}

static fallible registry_update(struct provider *self, const struct update_request *request,
                                struct arena *arena, struct provider_state *out)
{
    struct registry *registry = registry_of(self);
    struct provider *provider;

    TRY(take_checked(registry, request->urn, request->news, &provider));
    TRY(registry_configure_new(registry, provider, request->urn, request->id, request->news));
    *out = (struct provider_state){ .id = request->id,
                                    .outputs = provider_config(arena, request->news) };
    return NULL;
}

/* Its process ends with the operation; others may still be using it. */
static fallible registry_delete(struct provider *self, const struct delete_request *request,
                                struct arena *arena, struct provider_state *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    (void)arena;
    map_remove(&registry_of(self)->configured,
               provider_ref_format(&scratch, request->urn, request->id));
    *out = (struct provider_state){ 0 };
    return NULL;
}

/* A provider exists nowhere but in the state: there is nothing to read or to import. */
static fallible registry_read(struct provider *self, const struct read_request *request,
                              struct arena *arena, struct provider_state *out)
{
    (void)self, (void)request, (void)arena;
    *out = (struct provider_state){ 0 };
    return error_new(ERROR_OTHER, "provider resources may not be read");
}

static const struct provider_ops ops = { .check = registry_check,
                                         .diff = registry_diff,
                                         .create = registry_create,
                                         .read = registry_read,
                                         .update = registry_update,
                                         .delete = registry_delete };

/* --- what built-in packages ask of us --- */

static const struct resource *world_find_resource(void *registry_, str urn)
{
    return estate_current(((struct registry *)registry_)->estate, urn);
}

static fallible world_open_crypter(void *registry_, str type, str state, struct crypter **out)
{
    const struct engine_options *options = ((struct registry *)registry_)->options;

    if (!options->state.open_crypter)
        return error_new(ERROR_OTHER, "the secrets of another stack cannot be read here");
    return options->state.open_crypter(options->state.crypter_context, type, state, out);
}

static void world_warn(void *registry_, str urn, const char *text)
{
    report_diagnose(((struct registry *)registry_)->report, SEVERITY_WARNING, urn, "%s", text);
}

static void world_show_status(void *registry_, str urn, const char *text)
{
    report_status(((struct registry *)registry_)->report, urn, text);
}

void registry_init(struct registry *registry, const struct engine_options *options,
                   struct report *report, const struct estate *estate)
{
    *registry = (struct registry){
        .provider = { .ops = &ops, .package = STR_INIT("pulumi") },
        .options = options,
        .arena = report->arena,
        .report = report,
        .estate = estate,
        .world = { .backend = options->state.backend,
                   .project = options->project->name,
                   .context = registry,
                   .find_resource = world_find_resource,
                   .open_crypter = world_open_crypter,
                   .warn = world_warn,
                   .show_status = world_show_status,
                   .directory = options->project->program.program_directory,
                   .environment = options->world->environment,
                   .runs = ARENA_NEW(report->arena, struct builtin_runs) },
    };
    registry->builtin = builtin_pulumi_new(registry->arena, &registry->world);
}

void registry_release(struct registry *registry)
{
    map_release(&registry->configured);
    map_release(&registry->loading);
    map_release(&registry->checked);
    map_release(&registry->aliases);
    map_release(&registry->extended);
}
