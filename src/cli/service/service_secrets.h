/* service_secrets.h — managers whose secrets the hosted service seals. */
#pragma once

#include "cli/cli.h"

/* For a stack of the backend in use, which is the service. */
fallible service_secrets_new(struct cli *cli, struct stack_ref stack, struct secrets **out);
/* For the state of any stack: {"url","owner","project","stack"}. Blocks. */
fallible service_secrets_open(struct cli *cli, str state, struct secrets **out);
