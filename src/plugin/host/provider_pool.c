/* provider_pool.c — processes of providers that serve more than once: started early, or kept from a
 * preview for the update that follows. */
#include "plugin/provider/provider_grpc.h"

#include "base/strbuf.h"
#include "fiber/process.h"
#include "plugin/install.h"

str provider_key(struct arena *arena, const struct provider_spec *spec)
{
    CLEANUP(strbuf_release) struct strbuf key = { 0 };
    const str parts[] = { spec->package.name, spec->package.version, spec->package.download_url,
                          package_ref_checksum(&spec->package, plugin_platform()) };

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        strbuf_add(&key, i ? STR("\n") : STR(""));
        strbuf_add(&key, parts[i]);
    }
    for (size_t i = 0; i < spec->env_mappings.len; i++) {
        strbuf_add_char(&key, '\n');
        strbuf_add(&key, spec->env_mappings.items[i].key);
        strbuf_add_char(&key, '\n');
        strbuf_add(&key, spec->env_mappings.items[i].value);
    }
    return arena_copy(arena, strbuf_str(&key));
}

struct provider_spec provider_spec_copy(struct arena *arena, const struct provider_spec *spec)
{
    struct provider_spec copy = *spec;

    copy.package = package_ref_copy(arena, &spec->package);
    copy.env_mappings = pairs_copy(arena, spec->env_mappings);
    return copy;
}

static bool is_alive(const struct plugin *plugin)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str how;

    if (plugin->runner)
        return !plugin_runner_has_ended(plugin, &scratch, &how);
    return plugin->process && !process_has_ended(plugin->process);
}

/* One that was parameterized is another provider now; one that failed may do so again. */
static bool can_serve_again(const struct provider_grpc *provider)
{
    bool is_settled = provider->config != CONFIG_SENT && provider->config != CONFIG_FAILED;

    return is_settled && !provider->is_attached && provider->subpackage_name.len == 0
           && is_alive(provider->plugin);
}

static void make_idle(struct provider_grpc *provider)
{
    provider->config = CONFIG_NONE;
    provider->configured = (struct latch){ 0 };
    provider->is_idle = true;
    provider->plugin->is_unused = true;
}

static struct provider_grpc *find_idle(const struct plugin_host *host, str key)
{
    for (size_t i = 0; i < host->providers.len; i++) {
        struct provider_grpc *provider = host->providers.items[i];
        if (provider->is_idle && str_equal(provider->key, key) && is_alive(provider->plugin))
            return provider;
    }
    return NULL;
}

static struct early_start *find_early(const struct plugin_host *host, str key)
{
    for (size_t i = 0; i < host->early.len; i++)
        if (str_equal(host->early.items[i]->key, key))
            return host->early.items[i];
    return NULL;
}

fallible provider_pool_take(struct plugin_host *host, str key, struct provider_grpc **out)
{
    struct early_start *early;

    while (!(*out = find_idle(host, key)) && (early = find_early(host, key)))
        TRY(latch_wait(&early->done));
    if (*out) {
        (*out)->is_idle = (*out)->spec.is_early = false;
        (*out)->plugin->is_unused = false;
    }
    return NULL;
}

void provider_pool_refill(struct plugin_host *host)
{
    for (size_t i = host->providers.len; i-- > 0;) {
        struct provider_grpc *provider = host->providers.items[i];
        if (provider->is_idle)
            continue;
        provider_grpc_finish(provider, host->patience.cancel);
        if (can_serve_again(provider))
            make_idle(provider);
        else
            provider->base.ops->close(&provider->base);
    }
}

void plugin_give_back(struct provider *provider)
{
    struct provider_grpc *self = (struct provider_grpc *)provider;

    if (provider->ops == &provider_grpc_ops && can_serve_again(self))
        make_idle(self);
    else if (provider->ops->close)
        provider->ops->close(provider);
}
