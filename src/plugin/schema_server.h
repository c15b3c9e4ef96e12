/* schema_server.h — the Loader and Mapper services for a command that is no operation: language
 * hosts and converters ask for the schemas of packages and for what other ecosystems call them. */
#pragma once

#include "base/error.h"
#include "model/package_ref.h"

struct Pb__MapperGetMappingRequest;
struct plugin_host;

/* Where the texts come from; each is asked for once. Blocks. */
struct schema_source {
    void *context;
    fallible (*load)(void *context, const struct package_ref *package, struct arena *arena,
                     str *json);
};

struct schema_server;

/* `source` and `host`, whose plugins are asked for mappings, must outlive the server. */
fallible schema_server_open(const struct schema_source *source, struct plugin_host *host,
                            struct schema_server **out);
str schema_server_address(const struct schema_server *server);
/* Blocks. */
void schema_server_close(struct schema_server *owned);

/* What a plugin calls the provider of another ecosystem: the plugin that is said to know, or the
 * one of the same name; nothing is installed for it. Empty if nobody knows. Blocks. */
fallible mapping_ask(struct plugin_host *host, const struct Pb__MapperGetMappingRequest *message,
                     struct arena *arena, str *out);
