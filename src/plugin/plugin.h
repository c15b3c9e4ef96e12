/* plugin.h — plugin processes of one command: found, started, spoken to, kept from one operation to
 * the next, ended. */
#pragma once

#include "model/package_ref.h"
#include "plugin/plugin_world.h"
#include "plugin/provider.h"

struct plugin_host;
struct language;

/* A diagnostic that is not about one resource; called on the loop. */
enum plugin_severity { PLUGIN_DEBUG, PLUGIN_INFO, PLUGIN_INFO_ERROR, PLUGIN_WARNING, PLUGIN_ERROR };
typedef void plugin_report(void *context, enum plugin_severity severity, str message,
                           int32_t stream_id);

/* What it points to must outlive the host. */
struct plugin_host_options {
    const struct plugin_world *world;
    const struct project_facts *project; /* plugins run in the directory of its program */
    const struct config_facts *config;   /* for PULUMI_CONFIG */
    str engine_address; /* of the Engine service, the last argument of every plugin; empty: we
                           answer it here */
    str loader_address; /* empty: not served */
    str mapper_address;
    plugin_report *report;
    void *report_context;
};

fallible plugin_host_open(const struct plugin_host_options *options, struct plugin_host **out);
/* Cancel to all (5 s), then ends them: providers first, hosts last. Blocks. */
void plugin_host_close(struct plugin_host *owned);
/* Tells every plugin to give up what it does (interrupt). Blocks up to 30 s. */
void plugin_host_cancel(struct plugin_host *host);
/* Between two operations: providers that can serve again wait for the next load of the same kind,
 * language hosts stay, all others end. Blocks. */
void plugin_host_rest(struct plugin_host *host);

struct provider_spec {
    struct package_ref package;
    bool never_installs;       /* the caller has another way if it is not there */
    bool is_early;             /* nobody has asked for it yet */
    struct pairs env_mappings; /* variable of ours → the name that it knows it by */
};
/* A provider that is not there is installed first, unless
 * PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION is set. A process of its own: Handshake and
 * GetPluginInfo done. Closed with its ops->close or by the host. Blocks. */
fallible plugin_load_provider(struct plugin_host *host, const struct provider_spec *spec,
                              struct provider **out);
/* Starts one that will be wanted: the load that asks for the same then gets it. Installs nothing.
 * Returns at once; a failure is reported by that load. */
void plugin_start_early(struct plugin_host *host, const struct provider_spec *spec);
/* Instead of closing: one that was only asked about itself is for the next load that asks for the
 * same. Blocks. */
void plugin_give_back(struct provider *owned);

/* The executable of a plugin: of the project, on the search path, beside our own, in the cache. The
 * file need not exist when the project names its directory. ERROR_NOT_FOUND if there is none.
 * `is_question`: nobody is going to start it now: no warnings, and its use is not noted. */
fallible plugin_find(struct plugin_host *host, const struct package_ref *wanted, bool is_question,
                     struct arena *arena, str *path);
