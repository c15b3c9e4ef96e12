/* convert_copy.h — brings the PCL that a conversion has made to where the user wants it. */
#pragma once

#include "cli/cli.h"

/* Fails with the file and the line where some PCL below `folder` cannot be read, or a file cannot
 * be. `folder` is not shown: paths are as they stand below it. */
fallible convert_check_pcl(struct arena *arena, str folder);

/* All files below `from`; links and special files are left out. All of them arrive, or none. */
fallible convert_copy(struct arena *arena, str from, str to);
