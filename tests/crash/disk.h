/* disk.h — a folder as a disk would have it after a power cut: only what was synced survives. */
#pragma once

#include "base/error.h"

/* What happens to names that were made, changed or removed in a folder that was not synced since.
 * The standard allows both; a file without a sync is empty in either. */
enum disk_names { DISK_NAMES_SYNCED, DISK_NAMES_NOW };

/* Plays what the preload library wrote down (CRASH_DISK) over the folder as it was before (`saved`,
 * all of it synced), and puts what survives in the place of `folder`, whose paths the log has. */
fallible disk_replay(str saved, str log, str folder, enum disk_names names);
