/* service.h — LanguageRuntime as the engine calls it. */
#pragma once

#include "rpc/rpc.h"

/* The context of each is a struct host. */
extern const struct rpc_method service_methods[];
