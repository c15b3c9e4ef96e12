/* stack_json.h — a stack as a JSON document, for `stack --output json`. */
#pragma once

#include "cli/cli.h"

/* `outputs` are those of the root resource, unsealed if `shows_secrets`. Blocks. */
fallible stack_json_print(struct cli *cli, const struct snapshot *snapshot, bool has_deployment,
                          struct value outputs, bool shows_secrets);
