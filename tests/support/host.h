/* host.h — the language host "script": its programs are scripts. */
#pragma once

#include "model/resource.h"

/* Serves until the engine is gone. `arguments` are those of the process. */
int host_main(struct strs arguments);
