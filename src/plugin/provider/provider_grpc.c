/* provider_grpc.c — loads a provider as a plugin process and holds it until it is closed. */
#include "plugin/provider/provider_grpc.h"

#include "base/fs.h"
#include "base/semver.h"
#include "plugin/provider/provider_errors.h"

#include "pb/plugin.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/status.pb-c.h"

#include <stdlib.h>

/* --- what operations share --- */

struct provider_grpc *provider_enter(struct provider *provider)
{
    struct provider_grpc *self = (struct provider_grpc *)provider;
    self->users++;
    work_group_add(&self->plugin->in_use, 1);
    return self;
}

void provider_leave(struct provider_grpc **provider)
{
    (*provider)->users--;
    work_group_done(&(*provider)->plugin->in_use);
}

/* Who has entered leaves the plugin that is there then. */
static void provider_grpc_switch(struct provider_grpc *self, struct plugin *plugin)
{
    struct plugin *former = self->plugin;

    self->plugin = plugin;
    work_group_add(&plugin->in_use, self->users);
    for (size_t i = 0; i < self->users; i++)
        work_group_done(&former->in_use);
}

fallible provider_wait_configured(struct provider_grpc *self, bool *is_known)
{
    if (self->config == CONFIG_NONE)
        return error_new(ERROR_OTHER, "provider '" STR_FMT "' is used before it was configured",
                         STR_ARG(self->base.package));
    TRY(latch_wait(&self->configured));
    if (self->config == CONFIG_FAILED) {
        if (self->failure_kind == ERROR_STATUS)
            return error_from_status(self->failure_code, self->failure_message, STR(""));
        return error_new(self->failure_kind, STR_FMT, STR_ARG(self->failure_message));
    }
    *is_known = self->config == CONFIG_KNOWN;
    return NULL;
}

fallible provider_call(struct provider_grpc *self, const char *method,
                       const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type,
                       struct arena *arena, void **answer)
{
    struct plugin_call call = { .method = method, .request = request, .answer = type };
    return plugin_call(self->plugin, &call, arena, answer);
}

/* --- loading --- */

static void fill_handshake(const struct provider_grpc *self, bool is_attached, struct arena *arena,
                           Pb__ProviderHandshakeRequest *request)
{
    const struct plugin_host_options *options = &self->plugin->host->options;

    request->engine_address = message_cstr(arena, options->engine_address);
    if (!is_attached) {
        str folder = fs_path_directory(self->plugin->path);
        message_put(request, root_directory, message_cstr(arena, folder));
        message_put(request, program_directory, message_cstr(arena, folder));
    }
    request->configure_with_urn = true;
    request->supports_views = true;
    request->supports_refresh_before_update = true;
    request->invoke_with_preview = true;
    request->accepts_byte_string = true;
    if (options->mapper_address.len > 0)
        message_put(request, mapper_target, message_cstr(arena, options->mapper_address));
    if (options->loader_address.len > 0)
        message_put(request, loader_target, message_cstr(arena, options->loader_address));
}

/* An old provider does not know the call; then Configure says what it can do. */
static fallible provider_grpc_shake_hands(struct provider_grpc *self, bool is_attached,
                                          struct arena *arena)
{
    Pb__ProviderHandshakeRequest request;
    pb__provider_handshake_request__init(&request);
    struct plugin_call call = {
        .method = PROVIDER_METHOD("Handshake"),
        .request = &request.base,
        .answer = &pb__provider_handshake_response__descriptor,
    };
    void *answer;

    fill_handshake(self, is_attached, arena, &request);
    struct error *failure = plugin_first_call(self->plugin, &call, arena, &answer);
    if (failure && provider_is_unimplemented(failure)) {
        error_ignore(failure, "an old provider");
        return NULL;
    }
    if (failure && error_kind(failure) == ERROR_STATUS)
        return error_wrap(provider_raw_error(failure),
                          STR_FMT " plugin [" STR_FMT
                                  "] did not come alive: failed to handshake with '" STR_FMT "'",
                          STR_ARG(self->plugin->label), STR_ARG(self->plugin->path),
                          STR_ARG(self->plugin->path));
    TRY(failure);

    const Pb__ProviderHandshakeResponse *response = answer;
    self->has_traits = true;
    self->traits = (struct provider_traits){
        .accepts_secrets = response->accept_secrets,
        .accepts_resources = response->accept_resources,
        .accepts_outputs = response->accept_outputs,
        .accepts_byte_strings = response->accepts_byte_string,
        .supports_autonaming = response->supports_autonaming_configuration,
        .supports_preview = true,
    };
    return NULL;
}

/* A provider that was running before us gets the address of the engine. */
static fallible attach(struct provider_grpc *self, struct arena *arena)
{
    Pb__PluginAttach request = PB__PLUGIN_ATTACH__INIT;
    void *answer;

    request.address = message_cstr(arena, self->plugin->host->options.engine_address);
    return provider_error(provider_call(self, PROVIDER_METHOD("Attach"), &request.base,
                                        &pb__empty__descriptor, arena, &answer));
}

static void warn_of_version(struct provider_grpc *self, const struct provider_spec *spec)
{
    struct plugin_host *host = self->plugin->host;
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct semver wanted, found;

    if (spec->package.version.len == 0 || !semver_parse_tolerant(spec->package.version, &wanted)
        || plugin_host_has_flag(host, STR("PULUMI_DEV")))
        return;
    if (semver_parse(self->base.version, &found) && semver_compare(&found, &wanted) >= 0)
        return;
    str message = arena_concat(
        &scratch, STR("resource plugin "), spec->package.name,
        STR(" is expected to have version >="), semver_format(&scratch, &wanted), STR(", but has "),
        self->base.version,
        STR("; the wrong version may be on your path, or this may be a bug in the plugin"));
    plugin_host_report(host, PLUGIN_WARNING, message, 0);
}

static fallible provider_grpc_learn_version(struct provider_grpc *self,
                                            const struct provider_spec *spec)
{
    Pb__Empty request = PB__EMPTY__INIT;
    struct plugin_call call = {
        .method = PROVIDER_METHOD("GetPluginInfo"),
        .request = &request.base,
        .answer = &pb__plugin_info__descriptor,
        .timeout_ms = self->plugin->host->patience.start,
    };

    /* Plugins from git are built without knowing their version. */
    if (str_starts_with(spec->package.download_url, STR("git://"))
        && spec->package.version.len > 0) {
        self->base.version = arena_copy(&self->arena, spec->package.version);
        return NULL;
    }
    TRY(provider_error(
        plugin_version(self->plugin, &call, false, &self->arena, &self->base.version)));
    warn_of_version(self, spec);
    return NULL;
}

static fallible provider_grpc_start(struct plugin_host *host, const struct provider_spec *spec,
                                    uint16_t attach_port, struct plugin **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct plugin_launch launch = {
        .kind = STR("resource"),
        .name = spec->package.name,
        .label = arena_concat(&scratch, spec->package.name, STR(" (resource)")),
    };

    if (attach_port > 0) {
        launch.path = arena_printf(&scratch, "127.0.0.1:%u", attach_port);
        return plugin_attach(host, &launch, launch.path, out);
    }
    struct error *failure = plugin_find(host, &spec->package, false, &scratch, &launch.path);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        TRY(plugin_install_missing(host, spec, failure));
        failure = plugin_find(host, &spec->package, false, &scratch, &launch.path);
    }
    TRY(failure);
    launch.is_unused = spec->is_early;
    launch.environment = plugin_provider_environment(host, spec, &scratch);
    /* Dynamic providers run code of the user, who wants to see what it prints. */
    launch.hides_output = !str_ends_with(launch.path, STR("pulumi-resource-pulumi-nodejs"))
                          && !str_ends_with(launch.path, STR("pulumi-resource-pulumi-python"));
    return plugin_start(host, &launch, out);
}

static fallible provider_grpc_introduce(struct provider_grpc *self,
                                        const struct provider_spec *spec, bool is_attached)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    TRY(provider_grpc_shake_hands(self, is_attached, &scratch));
    if (is_attached)
        TRY(attach(self, &scratch));
    return provider_grpc_learn_version(self, spec);
}

static fallible open_provider(struct plugin_host *host, const struct provider_spec *spec,
                              struct provider_grpc **out)
{
    uint16_t attach_port;
    struct plugin *plugin;

    TRY(plugin_attach_port(host->options.world->debug_providers, spec->package.name,
                           "PULUMI_DEBUG_PROVIDERS", &attach_port));
    TRY(provider_grpc_start(host, spec, attach_port, &plugin));
    struct provider_grpc *self = memory_zalloc(sizeof(*self));
    self->plugin = plugin;
    self->is_attached = attach_port > 0;
    self->spec = provider_spec_copy(&self->arena, spec);
    self->key = provider_key(&self->arena, spec);
    self->base = (struct provider){ .ops = &provider_grpc_ops,
                                    .package = self->spec.package.name,
                                    .version = STR("") };

    struct error *failure = provider_grpc_introduce(self, spec, self->is_attached);
    if (failure) {
        provider_grpc_free(self);
        return failure;
    }
    vec_add(&host->providers, self);
    *out = self;
    return NULL;
}

static fallible provider_grpc_load(struct plugin_host *host, const struct provider_spec *spec,
                                   struct provider **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct provider_grpc *provider = NULL;

    TRY(provider_pool_take(host, provider_key(&scratch, spec), &provider));
    if (!provider)
        TRY(open_provider(host, spec, &provider));
    *out = &provider->base;
    return NULL;
}

fallible plugin_load_provider(struct plugin_host *host, const struct provider_spec *spec,
                              struct provider **out)
{
    TRY(plugin_host_begin_load(host));
    struct error *failure = provider_grpc_load(host, spec, out);
    plugin_host_end_load(host);
    return failure;
}

static void run_early(void *start_)
{
    struct early_start *early = start_;
    struct plugin_host *host = early->host;
    struct provider_grpc *provider;

    struct error *failure = open_provider(host, &early->spec, &provider);
    if (!failure)
        provider->is_idle = true;
    error_ignore(failure, "whoever needs it will start it again and say what is wrong");
    for (size_t i = 0; i < host->early.len; i++) {
        if (host->early.items[i] == early) {
            vec_remove(&host->early, i);
            break;
        }
    }
    latch_open(&early->done);
    plugin_host_end_load(host);
}

void plugin_start_early(struct plugin_host *host, const struct provider_spec *spec)
{
    struct error *failure = plugin_host_begin_load(host);

    if (failure) {
        error_ignore(failure, "it is too late for anything early");
        return;
    }
    struct early_start *early = ARENA_NEW(&host->arena, struct early_start);
    early->host = host;
    early->spec = provider_spec_copy(&host->arena, spec);
    early->spec.never_installs = early->spec.is_early = true;
    early->key = provider_key(&host->arena, spec);
    vec_add(&host->early, early);
    fiber_spawn_in(host->early_scope, run_early, early);
}

fallible provider_grpc_renew(struct provider_grpc *self)
{
    struct plugin *former = self->plugin, *fresh;

    TRY(provider_grpc_start(former->host, &self->spec, 0, &fresh));
    provider_grpc_switch(self, fresh);
    struct error *failure = provider_grpc_introduce(self, &self->spec, false);
    if (failure)
        provider_grpc_switch(self, former);
    else
        self->known_config = STR("");
    struct plugin *unwanted = failure ? fresh : former;
    plugin_cancel(unwanted, PROVIDER_METHOD("Cancel"), unwanted->host->patience.cancel);
    plugin_close(unwanted);
    return failure;
}

/* --- ending --- */

void provider_grpc_finish(struct provider_grpc *self, uint64_t timeout_ms)
{
    enum { CONFIGURE_GRACE_MS = 1000 };

    if (self->config != CONFIG_SENT || timeout_ms == 0)
        return;
    error_ignore(latch_wait_ms(&self->configured,
                               timeout_ms < CONFIGURE_GRACE_MS ? timeout_ms : CONFIGURE_GRACE_MS),
                 "it is ended all the same");
}

void provider_grpc_cancel(struct provider_grpc *self, uint64_t timeout_ms)
{
    plugin_cancel(self->plugin, PROVIDER_METHOD("Cancel"), timeout_ms);
}

void provider_grpc_free(struct provider_grpc *self)
{
    plugin_close(self->plugin);
    arena_release(&self->arena);
    free(self);
}

static void op_cancel(struct provider *provider)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    provider_grpc_cancel(self, self->plugin->host->patience.interrupt);
}

/* A host that is closing closes what it has; one that it does not have is being closed already. */
static bool forget(struct plugin_host *host, struct provider_grpc *self)
{
    for (size_t i = 0; i < host->providers.len && !host->is_closing; i++) {
        if (host->providers.items[i] == self) {
            vec_remove(&host->providers, i);
            return true;
        }
    }
    return false;
}

static void op_close(struct provider *provider)
{
    struct provider_grpc *self = (struct provider_grpc *)provider;
    struct plugin_host *host = self->plugin->host;

    if (!forget(host, self))
        return;
    work_group_add(&host->busy, 1);
    struct cancel *outer = cancel_enter(host->scope);
    provider_grpc_finish(self, host->patience.cancel);
    provider_grpc_cancel(self, host->patience.cancel);
    provider_grpc_free(self);
    cancel_enter(outer);
    work_group_done(&host->busy);
}

static struct error *op_traits(struct provider *provider, struct provider_traits *out)
{
    CLEANUP(provider_leave) struct provider_grpc *self = provider_enter(provider);
    bool is_known;

    if (!self->has_traits)
        TRY(provider_wait_configured(self, &is_known));
    *out = self->traits;
    return NULL;
}

const struct provider_ops provider_grpc_ops = {
    .parameterize = provider_op_parameterize,
    .parameterize_by_words = provider_op_parameterize_by_words,
    .get_schema = provider_op_get_schema,
    .get_mapping = provider_op_get_mapping,
    .check_config = provider_op_check_config,
    .diff_config = provider_op_diff_config,
    .configure = provider_op_configure,
    .check = provider_op_check,
    .diff = provider_op_diff,
    .create = provider_op_create,
    .read = provider_op_read,
    .list = provider_op_list,
    .update = provider_op_update,
    .delete = provider_op_delete,
    .invoke = provider_op_invoke,
    .call = provider_op_call,
    .construct = provider_op_construct,
    .traits = op_traits,
    .cancel = op_cancel,
    .close = op_close,
};
