/* import_code.h — what `import` prints at its end: the declarations of what it imported, in the
 * language of the project. */
#pragma once

#include "cli/operate/import_file.h"
#include "cli/operate/operation.h"

/* Nothing where the state has none of the list or the project has no runtime. To --out, or behind
 * an explanation to standard output. The import itself is done, whatever comes of this. Blocks. */
fallible import_code_write(struct cli *cli, const struct operation_args *args,
                           const struct import_list *list, const struct snapshot *snapshot);
