/* ts_index.h — folders that an index gives on. */
#pragma once

#include "nodejs/sdk/ts_file.h"

/* Names of folders, each once. */
struct ts_folders {
    VEC(str);
};
void ts_folders_add(struct ts_folders *folders, str name);
void ts_folders_release(struct ts_folders *folders);
/* Imports and exports them, sorted. */
void ts_put_folders(struct ts_file *file, const struct ts_folders *folders);
