/* services.h — what the engine serves to its children besides the monitor: Engine, ResourceStatus,
 * and the plugin host that uses them. */
#pragma once

#include "plugin/plugin.h"
#include "rpc/rpc.h"

struct engine_shared;
struct language;
struct monitor;
struct report;
struct step_tools;

/* Starts the server and the plugin host, or finds them where an earlier operation left them. */
fallible services_open(const struct step_tools *tools, struct engine_shared **out);
/* Ends the monitor. What can serve the next operation waits for it if `is_kept`, else the plugins
 * and the server end, too. `language` and `monitor` may be NULL. Blocks. */
void services_close(struct engine_shared *shared, struct language *language,
                    struct monitor *monitor, bool is_kept);
str services_address(const struct engine_shared *shared);
str services_trouble(const struct engine_shared *shared); /* as rpc_server_trouble */

/* What a plugin prints, as an event. */
void services_report(const struct report *report, enum plugin_severity severity, str message,
                     int32_t stream_id);

/* What the server's handlers are given; NULL between two operations. */
const struct step_tools *services_tools(void *shared);
fallible services_refuse(void); /* the answer then */
/* Schemas that were asked for: package, version, parameter → struct str *. */
struct map *services_schemas(void *shared);
rpc_handler services_publish_views;                /* views.c */
rpc_handler loader_get_schema, mapper_get_mapping; /* loader.c */
