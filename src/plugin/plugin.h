/* plugin.h — plugin processes of one command: found, started, spoken to, kept from one operation to
 * the next, ended. */
#pragma once

#include "base/pairs.h"
#include "plugin/provider.h"

struct plugin_host;
struct language;

/* A diagnostic that is not about one resource; called on the loop. */
enum plugin_severity { PLUGIN_DEBUG, PLUGIN_INFO, PLUGIN_INFO_ERROR, PLUGIN_WARNING, PLUGIN_ERROR };
typedef void plugin_report(void *context, enum plugin_severity severity, str message,
                           int32_t stream_id);

/* A folder that holds a plugin for this project, from `plugins:` or `packages:` in the project
 * file. */
struct plugin_folder {
    str kind;
    str name;
    str version;
    str path;
};

/* What it points to must outlive the host. */
struct plugin_host_options {
    str home;              /* PULUMI_HOME */
    str search_path;       /* PATH */
    str program_directory; /* working directory of plugins */
    str bundled_directory; /* where our own executable is */
    str engine_address;    /* of the Engine service, the last argument of every plugin; empty: we
                              answer it here */
    struct strs
        plugin_flags;   /* given to every plugin before that: --logtostderr, -v=9, --tracing URL */
    str loader_address; /* empty: not served */
    str mapper_address;
    str resolver_address;
    str project;
    str runtime;
    struct value runtime_options; /* VALUE_OBJECT */
    const str *config;            /* key, value … decrypted, for PULUMI_CONFIG */
    size_t config_len;
    const struct plugin_folder *project_plugins;
    size_t project_plugin_count;
    struct strs debugged; /* program, plugins, plugin:NAME, all: what waits for a debugger */
    str debug_providers;  /* PULUMI_DEBUG_PROVIDERS */
    str debug_languages;
    str client_address;   /* --client: the language runtime is there */
    bool ignores_ambient; /* PULUMI_IGNORE_AMBIENT_PLUGINS */
    bool disables_refresh_before_update;
    bool disables_provider_preview; /* Create and Update are not sent in a preview */
    const char *const *environment; /* of children; NULL-terminated */
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
    str package; /* plugin name */
    str version; /* empty: newest */
    str download_url;
    str checksum; /* SHA-256 of the archive for this platform in hexadecimal; empty: any will do */
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
 * Returns at once; what goes wrong is left for the load to tell. */
void plugin_start_early(struct plugin_host *host, const struct provider_spec *spec);
/* Instead of closing: one that was only asked about itself is for the next load that asks for the
 * same. Blocks. */
void plugin_give_back(struct provider *owned);
