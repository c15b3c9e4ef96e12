/* host.h — serves LanguageRuntime for programs in YAML. */
#pragma once

#include "base/error.h"

struct host;

/* `engine_address` may be empty until a Handshake names one. */
fallible host_open(str engine_address, struct host **out);
uint16_t host_port(const struct host *host);
/* Ends what is running and waits for it. Blocks. */
void host_close(struct host *owned);
