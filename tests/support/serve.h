/* serve.h — what every plugin does: listen, print the port, serve until the engine is gone. */
#pragma once

#include "rpc/rpc.h"

/* Runs the loop; returns only if serving cannot begin. */
int serve(const struct rpc_method *methods, void *context);
