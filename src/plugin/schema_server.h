/* schema_server.h — the Loader service for a command that is no operation: language hosts and
 * converters ask it for the schemas of packages. */
#pragma once

#include "base/error.h"
#include "model/package_ref.h"

/* Where the texts come from; each is asked for once. Blocks. */
struct schema_source {
    void *context;
    fallible (*load)(void *context, const struct package_ref *package, struct arena *arena,
                     str *json);
};

struct schema_server;

/* `source` must outlive the server. */
fallible schema_server_open(const struct schema_source *source, struct schema_server **out);
str schema_server_address(const struct schema_server *server);
/* Blocks. */
void schema_server_close(struct schema_server *owned);
