/* services.h — what the engine serves to its children besides the monitor: Engine, ResourceStatus, and the plugin host
 * that uses them. */
#pragma once

#include "rpc/rpc.h"

struct deployment;
struct services;

/* Starts the server and the plugin host. */
fallible services_open(struct deployment *deployment);
/* Ends the plugins, then the monitor and the server. Blocks. */
void services_close(struct deployment *deployment);
str services_address(const struct services *services);

/* What the server's handlers are given. */
struct deployment *services_deployment(void *services);
rpc_handler views_publish;     /* views.c */
rpc_handler loader_get_schema; /* loader.c */
