/* folder_lock.h — one command at a time changes the files of a project. */
#pragma once

#include "base/error.h"

/* Waits until no other process adds packages in that folder, or changes the configuration in it;
 * says so when that takes long, and can be canceled: what the other does may take minutes. Give the
 * lock to fs_unlock. Blocks. */
fallible cli_lock_folder(str folder, int *out);
