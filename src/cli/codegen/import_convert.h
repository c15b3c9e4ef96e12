/* import_convert.h — lists of resources to import that a converter plugin makes of the state of
 * another tool. */
#pragma once

#include "cli/cli.h"

/* The text of an import file; `words` are for the converter. What it complains about is reported.
 * Blocks. */
fallible import_convert(struct cli *cli, str converter, struct strs words, str *out);
