/* services.h — what the engine serves to its children besides the monitor: Engine, ResourceStatus,
 * and the plugin host that uses them. */
#pragma once

#include "rpc/rpc.h"

struct deployment;
struct engine_shared;

/* Starts the server and the plugin host, or finds them where an earlier operation left them. */
fallible services_open(struct deployment *deployment);
/* Ends the monitor. What can serve the next operation waits for it if `is_kept`, else the plugins
 * and the server end, too. Blocks. */
void services_close(struct deployment *deployment, bool is_kept);
str services_address(const struct engine_shared *shared);

/* What the server's handlers are given; NULL between two operations. */
struct deployment *services_deployment(void *shared);
fallible services_at_rest(void);                   /* the answer then */
rpc_handler views_publish;                         /* views.c */
rpc_handler loader_get_schema, mapper_get_mapping; /* loader.c */
