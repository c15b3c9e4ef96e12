/* folder_watch.h — tells when files below some folders change. */
#pragma once

#include "base/error.h"

struct folder_watch;

/* Watches these folders, or files, and all folders below them. What is generated while a program
 * runs, what editors keep beside a file, and folders of version control are left out. */
fallible folder_watch_open(const str *paths, size_t count, struct folder_watch **out);
void folder_watch_close(struct folder_watch *owned);

/* Waits for the next change, and then until nothing has changed for a moment: an editor that saves
 * by several steps is one change. ERROR_CANCELED where the scope is. Blocks. */
fallible folder_watch_wait(struct folder_watch *watch);

/* Files and folders of this name do not matter. */
bool folder_watch_ignores(str name);
