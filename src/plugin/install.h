/* install.h — puts plugins into the directory of installed plugins, from a file, a server or a
 * repository. */
#pragma once

#include "plugin/language.h"

struct http_progress;

/* Who wants to know how it goes; called on the loop. Members may be NULL. */
struct install_listener {
    void *context;
    void (*begin_download)(void *context, const struct http_progress *progress);
    void (*end_download)(void *context);
    void (*retry)(void *context, str problem, uint64_t wait_ms, unsigned attempt,
                  unsigned attempts);
    void (*begin_unpack)(void *context);
    void (*end_unpack)(void *context);
    void (*begin_dependencies)(void *context); /* of a policy pack */
    void (*end_dependencies)(void *context);
};

/* How far a download is; `total` is 0 as long as nobody knows. */
void install_progress(const struct http_progress *progress, uint64_t *received, uint64_t *total);

struct install_request {
    str home;                   /* PULUMI_HOME */
    struct package_ref package; /* its version is exact, its URL may be of a git:// repository */
    str file;     /* a tar.gz, an executable or a directory, instead of a download; empty: none */
    str checksum; /* SHA-256 of the archive in hexadecimal; empty: not checked */
    bool reinstalls;
    str url_overrides; /* PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES */
    str github_token;
    str gitlab_token;
    struct plugin_host *host; /* runs git, and language hosts for what the plugin is built on */
    struct dependency_output output;         /* of package managers */
    const struct install_listener *listener; /* NULL: nobody */
};

/* Under the plugin's lock; nothing is done for one that is there. On failure nothing of it is left.
 * ERROR_NOT_FOUND: no server has it; ERROR_INVALID: what was found is not to be used. Blocks. */
fallible plugin_install(const struct install_request *request);

/* The listener for the installation of `plugin`, "aws-1.2.3"; may be NULL. */
typedef const struct install_listener *install_listen(void *context, str plugin);
/* Installs all of these providers that are not there at once, unless
 * PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION is set. A failure is reported when the provider is
 * loaded. Blocks. */
void plugin_install_needed(struct plugin_host *host, const struct provider_spec *specs,
                           size_t count, install_listen *listen, void *context);

/* The newest version that its server has; `version` of the request is ignored. Blocks. */
fallible plugin_latest_version(const struct install_request *request, struct arena *arena,
                               str *out);

/* "linux-amd64": of the archives that run here. */
str plugin_platform(void);
